//! Which of the locations between two tests tells a reader most.

use residue_graph::{Dependency, Flow};
use residue_model::trace::{AccessPath, PathRoot, Trace, Value};

use crate::trace_frames::is_surrounding;

/// The locations of a dependency, the most telling first. One that tells what
/// happened is close to a static field of the project, changed from one value
/// that can be read to another, and is read by the project's own code. Slots of
/// thread-locals and objects that merely came into being say least.
pub(crate) fn most_telling_first<'g>(dependency: Dependency<'g>, trace: &Trace) -> Vec<Flow<'g>> {
    let mut flows: Vec<_> = dependency.flows().collect();
    flows.sort_by_cached_key(|flow| reticence(flow, &trace.path(flow.location), trace));
    flows
}

/// How little a location tells.
pub(crate) fn reticence(flow: &Flow<'_>, path: &AccessPath, trace: &Trace) -> impl Ord + use<> {
    let read_by = flow.later.stack.and_then(|stack| trace.frames_of(stack).next());
    let is_read_by_project = read_by.is_some_and(|frame| !is_surrounding(&frame.class));
    let is_readable = is_readable(flow.earlier.old) && is_readable(flow.earlier.new);
    let remoteness = remoteness(&path.root);
    (remoteness, flow.earlier.created, !is_readable, !is_read_by_project, path.steps.len())
}

fn is_readable(value: Option<&Value>) -> bool {
    value.is_some_and(|value| !matches!(value, Value::Object { .. }))
}

fn remoteness(root: &PathRoot) -> u8 {
    match root {
        PathRoot::Static { class, .. } if !is_surrounding(class) => 0,
        PathRoot::SystemProperty(_) | PathRoot::Outside(_) => 0,
        PathRoot::Static { .. } => 1,
        PathRoot::Thread(_) | PathRoot::Unknown => 2,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use residue_graph::{DependencyGraph, DependencyKind};
    use residue_model::TestId;
    use residue_model::trace::EpochKind;
    use residue_wire::trace::{Found, SlotName, TraceReader, TraceWriter};

    use super::*;
    use crate::suspects::suspects;

    #[test]
    fn a_static_that_can_be_read_comes_before_objects_and_slots_of_threads() {
        let mut writer = TraceWriter::new();
        writer.begin_epoch(EpochKind::Test, 0);
        writer.describe_static(1, "org.acme.Registry", "instance");
        writer.describe_static(2, "java.util.Locale", "defaultLocale");
        writer.describe_static(3, "org.acme.Compiler", "name");
        let slot = SlotName { class: "org.acme.Registry", field: "open" };
        writer.describe_class(0, "org.acme.Registry", [slot]);
        writer.describe_object(11, 0, 0, Found::InCell(1));
        writer.describe_array(21, "java.lang.Object[]", 16, 0, 1, Found::InThread("main"));
        let object = Value::Object { class: "org.acme.Registry".into(), id: 7 };
        let (none, some) = (Value::Null, Value::text("jdk"));
        for (cell, new) in [(21, &object), (2, &some), (11, &some), (1, &object), (3, &some)] {
            writer.write(cell, None, Some(&none), Some(new));
        }
        writer.begin_epoch(EpochKind::Test, 1);
        [21, 2, 11, 1, 3].into_iter().for_each(|cell| writer.read(cell, None));
        let tests = ["a.T#writes", "a.T#reads"].map(|name| TestId::parse(name).unwrap());
        writer.finish();
        let trace = TraceReader::new(&writer.take_bytes()).read(&tests).unwrap();
        let graph = DependencyGraph::new(&trace);
        let dependency = graph.depends_on(DependencyKind::ReadAfterWrite, 1).next().unwrap();
        let flows = most_telling_first(dependency, &trace);
        let paths = flows.iter().map(|flow| trace.path(flow.location).to_string());
        let expected = [
            "Compiler.name",
            "Registry.instance -> Registry.open",
            "Registry.instance",
            "Locale.defaultLocale",
            "thread \"main\"[0]",
        ];
        assert_eq!(paths.collect::<Vec<_>>(), expected);
        let harmless = HashSet::from([trace.path(flows[0].location)]);
        let suspected = suspects(&graph, &tests[1], &tests[..1], &harmless);
        let last = suspected.last().map(|suspect| suspect.piece.to_string());
        assert_eq!(last.as_deref(), Some("Compiler.name"));
        assert!(suspects(&graph, &tests[1], &tests[1..], &harmless).is_empty());
    }
}

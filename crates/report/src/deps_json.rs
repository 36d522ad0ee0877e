//! The JSON document of one test's dependencies, described in `docs/formats.md`.

use residue_graph::{Dependency, DependencyKind, Flow};
use residue_model::trace::{StackId, Trace, Value};
use residue_model::{Frame, TestId};
use serde::Serialize;

use crate::DepsReport;
use crate::json::pretty;

const VERSION: u32 = 1;

#[derive(Serialize)]
struct DepsDocument<'a> {
    format: &'static str,
    version: u32,
    run: &'a str,
    default_order: bool,
    suite: &'a str,
    test: &'a TestId,
    depends_on: Vec<DependencyEntry<'a>>,
    dependents: Vec<DependencyEntry<'a>>,
}

#[derive(Serialize)]
struct DependencyEntry<'a> {
    kind: DependencyKind,
    test: &'a TestId,
    flows: Vec<FlowEntry<'a>>,
}

#[derive(Serialize)]
struct FlowEntry<'a> {
    path: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    created: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<String>,
    earlier_stack: Vec<&'a Frame>,
    later_stack: Vec<&'a Frame>,
}

/// Everything that is known about the dependencies of one test.
pub fn deps_json(report: &DepsReport<'_>) -> String {
    let graph = report.graph;
    let all = || DependencyKind::ALL.into_iter();
    let depends_on = all()
        .flat_map(|kind| graph.depends_on(kind, report.test))
        .map(|dependency| entry(dependency, graph.test(dependency.earlier()), graph.trace()));
    let dependents = all()
        .flat_map(|kind| graph.dependents_of(kind, report.test))
        .map(|dependency| entry(dependency, graph.test(dependency.later()), graph.trace()));
    pretty(&DepsDocument {
        format: "residue-deps",
        version: VERSION,
        run: report.run,
        default_order: report.in_default_order,
        suite: report.suite,
        test: graph.test(report.test),
        depends_on: depends_on.collect(),
        dependents: dependents.collect(),
    })
}

fn entry<'a>(
    dependency: Dependency<'a>,
    test: &'a TestId,
    trace: &'a Trace,
) -> DependencyEntry<'a> {
    let frames =
        |stack: Option<StackId>| stack.into_iter().flat_map(|s| trace.frames_of(s)).collect();
    let value = |value: Option<&Value>| value.map(ToString::to_string);
    let flow = |flow: Flow<'a>| {
        let write = match dependency.kind() {
            DependencyKind::ReadAfterWrite => flow.earlier,
            DependencyKind::WriteAfterRead | DependencyKind::WriteAfterWrite => flow.later,
        };
        FlowEntry {
            path: format!("{:#}", trace.path(flow.location)),
            created: flow.earlier.created,
            old: value(write.old),
            new: value(write.new),
            earlier_stack: frames(flow.earlier.stack),
            later_stack: frames(flow.later.stack),
        }
    };
    DependencyEntry { kind: dependency.kind(), test, flows: dependency.flows().map(flow).collect() }
}

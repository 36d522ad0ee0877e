//! The JSON document of a traced run, described in `docs/formats.md`.

use std::collections::BTreeMap;

use residue_graph::{Columns, Dependency, DependencyKind, Flow, Granularity};
use residue_model::TestId;
use residue_model::trace::{GapKind, LocationId, LocationName, StackId, Trace};
use residue_model::{Frame, Outcome};
use serde::Serialize;

use crate::TraceReport;
use crate::json::pretty;
use crate::trace_ignored::by_rule;

const VERSION: u32 = 1;

/// Locations told of one dependency: two tests that share a large structure
/// would otherwise fill the document with its every slot.
const LOCATIONS: usize = 20;

#[derive(Serialize)]
struct TraceDocument<'a> {
    format: &'static str,
    version: u32,
    traces: Vec<TraceEntry<'a>>,
}

#[derive(Serialize)]
struct TraceEntry<'a> {
    run: &'a str,
    suite: &'a str,
    order: &'a str,
    from_store: bool,
    duration_us: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    plain_duration_us: Option<u128>,
    differences: Vec<DifferenceEntry<'a>>,
    tests: &'a [TestId],
    columns: ColumnsEntry,
    longest_chain: Vec<usize>,
    components: Vec<Vec<usize>>,
    dependencies: Vec<DependencyEntry>,
    locations: Vec<LocationEntry>,
    stacks: Vec<Vec<&'a Frame>>,
    polluters: Vec<PolluterEntry>,
    gaps: Vec<GapEntry<'a>>,
    ignored: IgnoredEntry<'a>,
}

#[derive(Serialize)]
struct DifferenceEntry<'a> {
    test: &'a TestId,
    expected: &'a Outcome,
    actual: &'a Outcome,
}

#[derive(Serialize)]
struct ColumnsEntry {
    methods: Columns,
    classes: Columns,
}

#[derive(Serialize)]
struct DependencyEntry {
    kind: DependencyKind,
    later: usize,
    earlier: usize,
    location_count: usize,
    flows: Vec<FlowEntry>,
}

#[derive(Serialize)]
struct FlowEntry {
    location: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    created: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier_stack: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    later_stack: Option<usize>,
}

#[derive(Serialize)]
struct LocationEntry {
    path: String,
    root: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    readers: usize,
    writers: usize,
}

#[derive(Serialize)]
struct PolluterEntry {
    test: usize,
    readers: usize,
    locations: usize,
}

#[derive(Serialize)]
struct GapEntry<'a> {
    kind: GapKind,
    detail: &'a str,
    count: u64,
}

#[derive(Serialize)]
struct IgnoredEntry<'a> {
    fields: usize,
    rules: Vec<RuleEntry<'a>>,
}

#[derive(Serialize)]
struct RuleEntry<'a> {
    rule: &'a str,
    fields: usize,
}

/// Traced runs.
pub fn trace_json(reports: &[TraceReport<'_>]) -> String {
    let traces = reports.iter().map(trace_entry).collect();
    pretty(&TraceDocument { format: "residue-trace", version: VERSION, traces })
}

fn trace_entry<'a>(report: &'a TraceReport<'_>) -> TraceEntry<'a> {
    let graph = report.graph;
    let trace = graph.trace();
    let mut locations = Numbering::default();
    let mut stacks = Numbering::default();
    let dependencies = DependencyKind::ALL
        .into_iter()
        .flat_map(|kind| graph.dependencies(kind))
        .map(|dependency| dependency_entry(dependency, &mut locations, &mut stacks))
        .collect();
    let difference = |difference: &residue_detect::Difference<'a>| DifferenceEntry {
        test: difference.test,
        expected: difference.expected,
        actual: difference.actual,
    };
    let shared: BTreeMap<_, _> =
        graph.shared_locations().into_iter().map(|shared| (shared.location, shared)).collect();
    let location = |location: &LocationId| {
        let sharing = shared.get(location);
        let counts = sharing.map_or((0, 0), |sharing| (sharing.readers, sharing.writers));
        location_entry(trace, *location, counts)
    };
    let gap = |gap: &'a residue_model::trace::Gap| GapEntry {
        kind: gap.kind,
        detail: &gap.detail,
        count: gap.count,
    };
    TraceEntry {
        run: report.run,
        suite: report.suite,
        order: report.order,
        from_store: report.from_store,
        duration_us: report.duration.as_micros(),
        plain_duration_us: report.plain_duration.map(|plain| plain.as_micros()),
        differences: report.differences.iter().map(difference).collect(),
        tests: &trace.order,
        columns: ColumnsEntry {
            methods: graph.columns(Granularity::Methods),
            classes: graph.columns(Granularity::Classes),
        },
        longest_chain: graph.longest_chain(),
        components: graph.components(),
        dependencies,
        locations: locations.members.iter().map(location).collect(),
        stacks: stacks.members.iter().map(|stack| trace.frames_of(*stack).collect()).collect(),
        polluters: graph
            .polluters()
            .into_iter()
            .map(|residue_graph::Polluter { test, readers, locations }| PolluterEntry {
                test,
                readers,
                locations,
            })
            .collect(),
        gaps: trace.gaps.iter().map(gap).collect(),
        ignored: IgnoredEntry {
            fields: trace.ignored.len(),
            rules: by_rule(&trace.ignored)
                .into_iter()
                .map(|(rule, fields)| RuleEntry { rule, fields })
                .collect(),
        },
    }
}

fn dependency_entry(
    dependency: Dependency<'_>,
    locations: &mut Numbering<LocationId>,
    stacks: &mut Numbering<StackId>,
) -> DependencyEntry {
    let mut flow = |flow: Flow<'_>| {
        let value = |value: Option<&residue_model::trace::Value>| value.map(ToString::to_string);
        // Of a read there is no value: those of the write are told.
        let write = match dependency.kind() {
            DependencyKind::ReadAfterWrite => flow.earlier,
            DependencyKind::WriteAfterRead | DependencyKind::WriteAfterWrite => flow.later,
        };
        FlowEntry {
            location: locations.number(flow.location),
            created: flow.earlier.created,
            old: value(write.old),
            new: value(write.new),
            earlier_stack: flow.earlier.stack.map(|stack| stacks.number(stack)),
            later_stack: flow.later.stack.map(|stack| stacks.number(stack)),
        }
    };
    DependencyEntry {
        kind: dependency.kind(),
        later: dependency.later(),
        earlier: dependency.earlier(),
        location_count: dependency.flow_count(),
        flows: dependency.flows().take(LOCATIONS).map(&mut flow).collect(),
    }
}

fn location_entry(
    trace: &Trace,
    location: LocationId,
    (readers, writers): (usize, usize),
) -> LocationEntry {
    let (kind, class, field) = match &trace.location(location).name {
        LocationName::StaticField { class, field } => ("static-field", Some(class), Some(field)),
        LocationName::Field { class, field, .. } => ("field", Some(class), Some(field)),
        LocationName::Elements { object, .. } => {
            ("elements", Some(&trace.object(*object).class), None)
        }
        LocationName::SystemProperty { key: Some(_) } => ("system-property", None, None),
        LocationName::SystemProperty { key: None } => ("system-property-listing", None, None),
        LocationName::Outside(outside) => (outside.kind.as_str(), None, None),
        LocationName::Undescribed { .. } => ("undescribed", None, None),
    };
    let text = |name: Option<&residue_model::trace::Name>| name.map(|name| name.to_string());
    let path = trace.path(location);
    LocationEntry {
        path: format!("{path:#}"),
        root: path.root.to_string(),
        kind,
        class: text(class),
        field: text(field),
        readers,
        writers,
    }
}

/// Numbers things by first mention, so that only what is mentioned is told.
struct Numbering<T> {
    numbers: BTreeMap<T, usize>,
    members: Vec<T>,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Self { numbers: BTreeMap::new(), members: Vec::new() }
    }
}

impl<T: Copy + Ord> Numbering<T> {
    fn number(&mut self, member: T) -> usize {
        *self.numbers.entry(member).or_insert_with(|| {
            self.members.push(member);
            self.members.len() - 1
        })
    }
}

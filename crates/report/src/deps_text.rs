//! One test's dependencies as text: on whom, through what, written and read
//! where.

use residue_graph::{Dependency, DependencyGraph, DependencyKind, Flow, Side};
use residue_model::TestId;
use residue_model::trace::{LocationName, Outside, OutsideKind, Trace, Value};

use crate::DepsReport;
use crate::style::{BAD, DIM, GOOD, HEADING, NAME, paint};
use crate::telling::most_telling_first;
use crate::trace_frames::interesting;
use crate::units::{count, grouped};

/// Tests told with their locations.
const TESTS: usize = 10;
/// Locations told of each.
const LOCATIONS: usize = 5;
/// Tests told by name only.
const NAMES: usize = 10;

/// What a test depends on, who depends on it, and what else ties it to others.
pub fn deps_text(report: &DepsReport<'_>) -> String {
    let mut text = headline(report);
    let depends_on: Vec<_> =
        report.graph.depends_on(DependencyKind::ReadAfterWrite, report.test).collect();
    for (number, dependency) in depends_on.iter().take(TESTS).enumerate() {
        text += &dependency_text(number + 1, *dependency, report.graph);
    }
    text += &hidden(depends_on.len(), TESTS, "");
    let read_by = report.graph.dependents_of(DependencyKind::ReadAfterWrite, report.test);
    text += &names("read what it left", read_by.map(|d| (d.later(), d.flow_count())), report);
    let overwrites = report.graph.depends_on(DependencyKind::WriteAfterRead, report.test);
    text += &names(
        "read before what it overwrites",
        overwrites.map(|d| (d.earlier(), d.flow_count())),
        report,
    );
    let overwritten = report.graph.dependents_of(DependencyKind::WriteAfterRead, report.test);
    text += &names(
        "overwrite later what it reads",
        overwritten.map(|d| (d.later(), d.flow_count())),
        report,
    );
    text
}

fn headline(report: &DepsReport<'_>) -> String {
    let found = report.graph.depends_on(DependencyKind::ReadAfterWrite, report.test).len();
    let verdict = match found {
        0 => paint(GOOD, "reads nothing that another test left"),
        _ => paint(BAD, format!("reads what {} left", count(found, "other test"))),
    };
    format!(
        "{} {verdict} {}\n",
        paint(HEADING, report.graph.test(report.test)),
        paint(DIM, format!("(trace of run {}, {})", report.run, order(report))),
    )
}

/// What another order shows says little about the whole suite.
fn order(report: &DepsReport<'_>) -> String {
    match report.in_default_order {
        true => "default order".into(),
        false => format!("another order, of {}", count(report.graph.tests(), "test")),
    }
}

/// One dependency with its most telling locations.
fn dependency_text(
    number: usize,
    dependency: Dependency<'_>,
    graph: &DependencyGraph<'_>,
) -> String {
    let (writer, reader) = (graph.test(dependency.earlier()), graph.test(dependency.later()));
    let through = count(dependency.flow_count(), "location");
    let mut text = format!(
        "\n{number}. {} {}\n",
        paint(NAME, writer),
        paint(DIM, format!("through {through}"))
    );
    let flows = most_telling_first(dependency, graph.trace());
    for flow in flows.iter().take(LOCATIONS) {
        text += &flow_text(flow, graph.trace(), writer, reader);
    }
    text + &hidden(flows.len(), LOCATIONS, "   ")
}

pub(crate) fn flow_text(
    flow: &Flow<'_>,
    trace: &Trace,
    writer: &TestId,
    reader: &TestId,
) -> String {
    let path = format!("{:#}", trace.path(flow.location));
    let mut text = format!("   {}\n", paint(HEADING, path));
    text += &match &trace.location(flow.location).name {
        LocationName::Outside(outside) => outside_change_text(outside, &flow.earlier),
        _ => change_text(&flow.earlier),
    };
    text += &stack_text("written at", &flow.earlier, trace, writer);
    text += &stack_text("read at", &flow.later, trace, reader);
    text
}

fn change_text(written: &Side<'_>) -> String {
    let change = match (written.old, written.new) {
        _ if written.created => "the object was made by this test".into(),
        (Some(old), Some(new)) => format!("{old} -> {new}"),
        (None, Some(new)) => format!("now {new}"),
        (Some(old), None) => format!("was {old}"),
        (None, None) => return String::new(),
    };
    let label = if written.created { "made" } else { "value" };
    format!("      {label:<11} {change}\n")
}

/// Of what is outside the heap it is known at most whether it is there.
fn outside_change_text(outside: &Outside, written: &Side<'_>) -> String {
    let state = |value: Option<&Value>| match value {
        Some(Value::Boolean(is_there)) => Some(outside.state(*is_there)),
        _ => None,
    };
    let change = match (outside.kind, state(written.old), state(written.new)) {
        (OutsideKind::FolderListing, ..) | (_, None, None) => return String::new(),
        (_, Some(old), Some(new)) => format!("{old} -> {new}"),
        (_, None, Some(new)) => format!("now {new}"),
        (_, Some(old), None) => format!("{old} -> another one {old}"),
    };
    format!("      {:<11} {change}\n", "change")
}

fn stack_text(label: &str, side: &Side<'_>, trace: &Trace, test: &TestId) -> String {
    let Some(stack) = side.stack else { return String::new() };
    let frames = interesting(trace, stack, test);
    let line = |(place, frame): (usize, &&residue_model::Frame)| {
        let label = if place == 0 { label } else { "" };
        format!("      {label:<11} {}\n", paint(DIM, frame))
    };
    frames.iter().enumerate().map(line).collect()
}

fn names(
    what: &str,
    tests: impl ExactSizeIterator<Item = (usize, usize)>,
    report: &DepsReport<'_>,
) -> String {
    let mut tests: Vec<_> = tests.collect();
    if tests.is_empty() {
        return String::new();
    }
    tests.sort_by_key(|(_, locations)| std::cmp::Reverse(*locations));
    let title = format!("{} {what}", count(tests.len(), "test"));
    let mut text = format!("\n{}\n", paint(HEADING, title));
    for (test, locations) in tests.iter().take(NAMES) {
        let through = paint(DIM, format!("through {}", count(*locations, "location")));
        text += &format!("   {} {through}\n", paint(NAME, report.graph.test(*test)));
    }
    text + &hidden(tests.len(), NAMES, "   ")
}

fn hidden(all: usize, shown: usize, indent: &str) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        hidden => format!("{indent}and {} more, see --json\n", grouped(hidden)),
    }
}

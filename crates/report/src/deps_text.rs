//! One test's dependencies as text: on whom, through what, written and read
//! where.

use residue_graph::{Dependency, DependencyGraph, DependencyKind};

use crate::DepsReport;
use crate::style::{BAD, DIM, GOOD, HEADING, NAME, paint};
use crate::telling::most_telling_first;
use crate::told_flow::ToldFlow;
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
        text += &ToldFlow::of(flow, graph.trace(), reader).text();
    }
    text + &hidden(flows.len(), LOCATIONS, "   ")
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

//! A traced run as text: who writes, who reads, what is shared most, and what
//! was not seen.

use residue_graph::{Columns, DependencyKind, Granularity};
use residue_model::trace::Gap;

use crate::TraceReport;
use crate::called_with::quoted;
use crate::outcome_text::outcome_word;
use crate::run_text::in_suite;
use crate::style::{BAD, DIM, GOOD, HEADING, NAME, WARN, paint};
use crate::telling::most_telling_first;
use crate::trace_ignored::by_rule;
use crate::units::{count, duration, grouped};

/// Lines of each list; the JSON document has the rest.
const SHOWN: usize = 10;
/// Details of each kind of gap.
const SHOWN_DETAILS: usize = 3;

/// What a traced run came to.
pub fn trace_text(report: &TraceReport<'_>) -> String {
    let mut text = headline(report);
    text += &differences(report);
    text += &table(report);
    text += &longest_chain(report);
    text += &shared_locations(report);
    text += &polluters(report);
    text += &gaps(&report.graph.trace().gaps);
    text += &ignored(report);
    text
}

fn headline(report: &TraceReport<'_>) -> String {
    let source = if report.from_store { "already in the store" } else { "ran just now" };
    let slower = report.plain_duration.filter(|plain| !plain.is_zero()).map(|plain| {
        let ratio = report.duration.as_secs_f64() / plain.as_secs_f64();
        format!(", {ratio:.1} times the plain run")
    });
    let pairs = report.graph.pairs(DependencyKind::ReadAfterWrite).len();
    let verdict = match pairs {
        0 => paint(GOOD, "no test reads what another wrote"),
        _ => {
            let methods = report.graph.columns(Granularity::Methods);
            let readers = count(methods.readers, "test");
            let verb = if methods.readers == 1 { "reads" } else { "read" };
            let writers = count(methods.writers, "test");
            paint(BAD, format!("{readers} {verb} what another wrote"))
                + &format!(
                    "; {writers} left it ({}, through {})",
                    count(pairs, "pair"),
                    count(methods.locations, "location")
                )
        }
    };
    format!(
        "{}: {}{}, {}, in {}{} {}\n  {verdict}\n",
        paint(HEADING, format!("trace of run {}", report.run)),
        in_suite(report.suite),
        count(report.graph.tests(), "test"),
        report.order,
        duration(report.duration),
        slower.unwrap_or_default(),
        paint(DIM, format!("({source})")),
    )
}

fn differences(report: &TraceReport<'_>) -> String {
    if report.differences.is_empty() {
        return String::new();
    }
    let tests = count(report.differences.len(), "test");
    let verb = if report.differences.len() == 1 { "ends" } else { "end" };
    let title = format!("{tests} {verb} otherwise than without the agent: no evidence about them");
    let mut text = format!("\n{}\n", paint(WARN, title));
    for difference in report.differences.iter().take(SHOWN) {
        text += &format!(
            "   {}  {} -> {}\n",
            difference.test,
            outcome_word(difference.expected.kind()),
            outcome_word(difference.actual.kind())
        );
    }
    text + &more(report.differences.len())
}

/// ElectricTest's Table 5.
fn table(report: &TraceReport<'_>) -> String {
    let row = |name: &str, columns: Columns| {
        let numbers = [
            columns.tests,
            columns.writers,
            columns.readers,
            columns.longest_chain,
            columns.locations,
        ];
        let cells = numbers.map(|number| format!("{:>11}", grouped(number)));
        format!("   {name:<8}{}\n", cells.concat())
    };
    let titles = ["tests", "W", "R", "C", "locations"].map(|title| format!("{title:>11}"));
    let legend = "W: leave something that another reads later; R: read what another left; \
                  C: longest chain";
    format!(
        "\n{}\n{}{}   {}\n",
        paint(HEADING, format!("   {:<8}{}", "", titles.concat())),
        row("methods", report.graph.columns(Granularity::Methods)),
        row("classes", report.graph.columns(Granularity::Classes)),
        paint(DIM, legend),
    )
}

fn longest_chain(report: &TraceReport<'_>) -> String {
    let graph = report.graph;
    let chain = graph.longest_chain();
    if chain.is_empty() {
        return String::new();
    }
    let tests = count(chain.len(), "test");
    let title = format!("longest chain: {tests}, each reads what the one before left");
    let mut text = format!("\n{}\n", paint(HEADING, title));
    // The first half from the start, the second half from the end.
    let left_out = SHOWN / 2..chain.len().saturating_sub(SHOWN / 2);
    for (place, test) in chain.iter().enumerate() {
        if left_out.contains(&place) && left_out.len() > 1 {
            if place == left_out.start {
                text += &format!("   {:>4}  {} more\n", "…", grouped(left_out.len()));
            }
            continue;
        }
        text += &format!("   {:>4}. {}\n", place + 1, paint(NAME, graph.test(*test)));
        let before = place.checked_sub(1).map(|before| chain[before]);
        let through = before.and_then(|before| {
            let mut dependencies = graph.depends_on(DependencyKind::ReadAfterWrite, *test);
            dependencies.find(|dependency| dependency.earlier() == before)
        });
        if let Some(dependency) = through {
            let others = match dependency.flow_count() {
                1 => String::new(),
                flows => format!(" and {} more", grouped(flows - 1)),
            };
            let flows = most_telling_first(dependency, graph.trace());
            let path = flows.first().map(|flow| graph.trace().path(flow.location));
            let path = path.map(|path| path.to_string()).unwrap_or_default();
            text += &format!("{}\n", paint(DIM, format!("         through {path}{others}")));
        }
    }
    text
}

fn shared_locations(report: &TraceReport<'_>) -> String {
    let shared = report.graph.shared_locations();
    let lines = shared.iter().take(SHOWN).map(|shared| {
        let path = report.graph.trace().path(shared.location);
        format!("   {:>7}  {:>7}  {path}\n", grouped(shared.readers), grouped(shared.writers))
    });
    list("most shared", "   readers  writers  location", lines, shared.len())
}

fn polluters(report: &TraceReport<'_>) -> String {
    let polluters = report.graph.polluters();
    let lines = polluters.iter().take(SHOWN).map(|polluter| {
        let name = paint(NAME, report.graph.test(polluter.test));
        format!("   {:>7}  {:>9}  {name}\n", grouped(polluter.readers), grouped(polluter.locations))
    });
    let text = list(
        "top polluters: what they write others read",
        "   readers  locations  test",
        lines,
        polluters.len(),
    );
    match polluters.first() {
        None => text,
        Some(first) => {
            let reader = report
                .graph
                .dependents_of(DependencyKind::ReadAfterWrite, first.test)
                .next()
                .map_or(first.test, |dependency| dependency.later());
            let test = quoted(report.graph.test(reader).as_str());
            let command = report.called_with.looking(&format!("deps {test}"));
            text + &format!("   one test with stacks: {}\n", paint(NAME, command))
        }
    }
}

fn list(title: &str, columns: &str, lines: impl Iterator<Item = String>, all: usize) -> String {
    if all == 0 {
        return String::new();
    }
    let head = format!("\n{}\n{}\n", paint(HEADING, title), paint(DIM, columns));
    head + &lines.collect::<String>() + &more(all)
}

fn more(all: usize) -> String {
    match all.saturating_sub(SHOWN) {
        0 => String::new(),
        hidden => format!("   and {} more, see --json\n", grouped(hidden)),
    }
}

/// Gaps by kind, with the most frequent details of each.
fn gaps(gaps: &[Gap]) -> String {
    if gaps.is_empty() {
        return String::new();
    }
    let mut gaps: Vec<_> = gaps.iter().collect();
    gaps.sort_by_key(|gap| (gap.kind, std::cmp::Reverse(gap.count)));
    let mut text = format!("\n{}\n", paint(WARN, "not observed"));
    for of_kind in gaps.chunk_by(|a, b| a.kind == b.kind) {
        let total = of_kind.iter().fold(0_u64, |sum, gap| sum.saturating_add(gap.count));
        let total = grouped(usize::try_from(total).unwrap_or(usize::MAX));
        text += &format!("   {total:>7}  {}\n", of_kind[0].kind.meaning());
        let details: Vec<_> = of_kind.iter().filter(|gap| !gap.detail.is_empty()).collect();
        for gap in details.iter().take(SHOWN_DETAILS) {
            text += &format!("{}\n", paint(DIM, format!("            {}", gap.detail)));
        }
        if details.len() > SHOWN_DETAILS {
            let others = grouped(details.len() - SHOWN_DETAILS);
            text +=
                &format!("{}\n", paint(DIM, format!("            and {others} more, see --json")));
        }
    }
    text
}

fn ignored(report: &TraceReport<'_>) -> String {
    let ignored = &report.graph.trace().ignored;
    if ignored.is_empty() {
        return String::new();
    }
    let fields = count(ignored.len(), "field");
    let rules = count(by_rule(ignored).len(), "rule");
    let command = report.called_with.running("trace --explain-ignored");
    format!("\n{fields} left out by {rules}: {}\n", paint(NAME, command))
}

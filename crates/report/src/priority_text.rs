//! Orders with the most worthwhile tests first, as text: what they break.

use residue_detect::Difference;

use crate::outcome_text::outcome_word;
use crate::priority_report::{PriorityReport, ProposedOrder};
use crate::run_text::{in_suite, more_than};
use crate::schedule_report::Respected;
use crate::style::{BAD, DIM, GOOD, HEADING, NAME, WARN, paint};
use crate::units::{count, grouped};

/// Tests from the start of the order that are named.
const FIRST: usize = 5;
/// Changes told one by one; `residue show` tells the rest.
const SHOWN: usize = 12;

/// What a technique makes of a suite, as published and with dependencies kept.
pub fn priority_text(report: &PriorityReport<'_>) -> String {
    let mut text = headline(report);
    for order in &report.orders {
        text += &outcome(order, report.traced);
    }
    if let Some(last) = report.orders.last() {
        text += &beginning(last, report.item);
        text += &again(last);
    }
    text
}

fn headline(report: &PriorityReport<'_>) -> String {
    let tests = report.orders.first().map_or(0, |order| order.tests.len());
    let (statements, methods) = report.covered;
    let from = match report.item {
        Some(_) => format!(
            "{} in {} run in tests, going by run {}",
            count(statements, "statement"),
            count(methods, "method"),
            report.traced
        ),
        None => format!("dependencies of run {}", report.traced),
    };
    format!(
        "{}: {}{} by {} ({})\n  {}\n",
        paint(HEADING, "prioritized"),
        in_suite(report.suite),
        count(tests, "test"),
        report.by,
        report.technique,
        paint(DIM, from),
    )
}

fn outcome(order: &ProposedOrder<'_>, traced: &str) -> String {
    let title = match order.respected {
        Respected::Nothing => "as published".to_owned(),
        Respected::All { findings: 0 } => format!("keeping all dependencies of run {traced}"),
        Respected::All { findings } => {
            let findings = count(findings, "finding");
            format!("keeping all dependencies of run {traced} and of {findings}")
        }
        Respected::Manifest { findings: 0 } => {
            "keeping dependencies of findings, of which there are none: see `residue detect`".into()
        }
        Respected::Manifest { findings } => {
            format!("keeping dependencies of {}", count(findings, "finding"))
        }
    };
    let mut text = format!("\n{}\n", paint(HEADING, title));
    if order.unsettled > 0 {
        let tests = count(order.unsettled, "test");
        let verb = if order.unsettled == 1 { "reads" } else { "read" };
        text += &format!("  {tests} {verb} something else than in the default order\n");
    }
    let Some(run) = &order.run else {
        return text + "  not run\n";
    };
    let reference = run.reference.join(", ");
    let verdict = match run.differences.len() {
        0 => paint(GOOD, "no outcome changes"),
        1 => paint(BAD, "1 outcome changes"),
        many => paint(BAD, format!("{} outcomes change", grouped(many))),
    };
    text += &format!("  {verdict} against the default order ({reference}), run {}\n", run.id);
    for difference in run.differences.iter().take(SHOWN) {
        text += &change(difference);
    }
    text += &more_than(SHOWN, run.differences.len(), run.id, run.called_with);
    if run.varying > 0 {
        let tests = count(run.varying, "test");
        let note = format!("  {tests} left out: the outcome varies in the default order itself\n");
        text += &paint(WARN, note);
    }
    if run.record.deviated.is_some() {
        let note = "the framework did not keep to the order that was asked";
        text += &format!("  {} {note}\n", paint(WARN, "note:"));
    }
    text
}

fn change(difference: &Difference<'_>) -> String {
    let [was, now] =
        [difference.expected, difference.actual].map(|outcome| outcome_word(outcome.kind()));
    let now = if was == now { "fails otherwise".into() } else { now };
    format!("    {}  {was} -> {now}\n", difference.test)
}

/// The first tests of the order to use.
fn beginning(order: &ProposedOrder<'_>, item: Option<&'static str>) -> String {
    let mut text = format!("\n{}\n", paint(HEADING, "begins with"));
    for (place, test) in order.tests.iter().take(FIRST).enumerate() {
        let worth = match (item, order.worth.get(place)) {
            (Some(item), Some(worth)) => {
                format!("  {}", paint(DIM, count(*worth, item)))
            }
            _ => String::new(),
        };
        text += &format!("   {test}{worth}\n");
    }
    text
}

fn again(order: &ProposedOrder<'_>) -> String {
    let command = match &order.run {
        Some(run) => run.called_with.looking(&format!("show {} --order", run.id)),
        None => "--order-file FILE".into(),
    };
    format!("   the whole order: {}\n", paint(NAME, command))
}

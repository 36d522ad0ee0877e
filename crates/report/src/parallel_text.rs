//! A parallel run as text.

use residue_model::OutcomeKind;

use crate::outcome_text::{kinds_text, outcome_word};
use crate::parallel_report::{Differing, ParallelReport};
use crate::run_text::{first_line, in_suite};
use crate::schedule_report::speed_up;
use crate::speculation_report::SpeculationOutcome;
use crate::style::{BAD, DIM, GOOD, HEADING, NAME, WARN, paint};
use crate::units::{count, dependencies, duration};

/// Tests told one by one; the XML reports and `residue show` have the rest.
const SHOWN: usize = 25;

/// What happened, what differs from the default order, and what was learned.
pub fn parallel_text(report: &ParallelReport<'_>) -> String {
    let mut text = headline(report);
    text += &failures(report);
    text += &differences(report);
    text += &report.speculation.as_ref().map(speculation).unwrap_or_default();
    text += &learned(report);
    text
}

fn headline(report: &ParallelReport<'_>) -> String {
    let again = match report.duplicates {
        0 => String::new(),
        many => format!(", {} left out of the report", count(many, "duplicate")),
    };
    let kinds = OutcomeKind::ALL.into_iter().map(|kind| {
        let ended = |result: &&_| report.final_result(result).outcome.kind() == kind;
        (kind, report.results.iter().filter(ended).count())
    });
    format!(
        "{}: {}{}, {}{again}\n  {} in {}, {:.1} times as fast as one after the other ({}) {}\n",
        paint(HEADING, "parallel run"),
        in_suite(report.suite),
        count(report.results.len(), "test"),
        count(report.workers, "worker"),
        kinds_text(kinds),
        duration(report.took),
        speed_up(report.serial, report.took),
        duration(report.serial),
        paint(DIM, format!("({})", report.runs.join(", "))),
    )
}

/// Tests that do not pass, as they do not in the default order.
fn failures(report: &ParallelReport<'_>) -> String {
    let quiet = |kind| matches!(kind, OutcomeKind::Passed | OutcomeKind::Skipped);
    let failed = report
        .results
        .iter()
        .filter(|result| !quiet(result.outcome.kind()) && report.differing_of(result).is_none());
    let failed: Vec<_> = failed.collect();
    let mut text = String::new();
    for result in failed.iter().take(SHOWN) {
        text += &format!("    {}  {}\n", result.test, outcome_word(result.outcome.kind()));
        text += &format!("      {}\n", first_line(&result.outcome.headline()));
    }
    text + &more(failed.len())
}

fn differences(report: &ParallelReport<'_>) -> String {
    let reference = report.reference.join(", ");
    let mut text = match report.differing.len() {
        0 => {
            let all = paint(GOOD, "every outcome is as in the default order");
            format!("  {all} ({reference})\n")
        }
        many => {
            let verb = if many == 1 { "differs" } else { "differ" };
            let title = paint(BAD, format!("{} {verb}", count(many, "test")));
            format!("  {title} from the default order ({reference}):\n")
        }
    };
    text += &report.differing.iter().take(SHOWN).map(difference).collect::<String>();
    text += &more(report.differing.len());
    if report.differing_duplicates > 0 {
        let duplicates = count(report.differing_duplicates, "duplicate");
        text += &note(&format!("{duplicates} ended otherwise too"));
    }
    if report.varying > 0 {
        let tests = count(report.varying, "test");
        text +=
            &note(&format!("{tests} not compared: the outcome varies in the default order itself"));
    }
    text
}

fn difference(differing: &Differing<'_>) -> String {
    let Differing { test, expected, actual, again } = differing;
    let mut text = format!(
        "    {test}  {} -> {}\n",
        outcome_word(expected.kind()),
        outcome_word(actual.kind())
    );
    if !matches!(actual.kind(), OutcomeKind::Passed | OutcomeKind::NotReached) {
        text += &format!("      now: {}\n", first_line(&actual.headline()));
    }
    if let Some(again) = again {
        let told =
            format!("again, with what it needs, in a JVM alone: {}", again.outcome.kind().as_str());
        text += &paint(DIM, format!("      {told}\n"));
    }
    text
}

fn speculation(outcome: &SpeculationOutcome<'_>) -> String {
    let met = match outcome.met {
        0 => return "  no value stood in for a test\n".to_owned(),
        many => format!("{} met by values", dependencies(many)),
    };
    if outcome.failed.is_empty() {
        return format!("  {met}, {}\n", paint(GOOD, "which all held"));
    }
    let verdict = match outcome.failed.len() {
        1 => "1 did not hold".to_owned(),
        many => format!("{many} did not hold"),
    };
    let again = count(outcome.again.len(), "test");
    let mut text =
        format!("  {met}, {}: {again} ran again in default order\n", paint(WARN, verdict));
    for failed in outcome.failed.iter().take(SHOWN) {
        text += &format!("    {} without {}\n", failed.reader, failed.writer);
        text += &paint(DIM, format!("      {}\n", failed.doubt.told()));
    }
    text += &more(outcome.failed.len());
    text += "    the next schedule keeps these together\n";
    text
}

fn learned(report: &ParallelReport<'_>) -> String {
    let mut lines = Vec::new();
    for (id, finding) in report.learned {
        let partners: Vec<_> = finding.partners.tests.iter().map(ToString::to_string).collect();
        let explain = paint(NAME, report.called_with.again(&format!("explain {id}")));
        lines.push(format!(
            "{id} {} {}\n      {} {}\n      why: {explain}",
            finding.role.as_str(),
            finding.test,
            finding.partners.role.as_str(),
            partners.join(", "),
        ));
    }
    for test in report.disturbed {
        lines.push(format!("{test} differs only while other JVMs run: it will run after them"));
    }
    if lines.is_empty() {
        return String::new();
    }
    let title = paint(HEADING, "learned, and kept by the next schedule");
    let lines: String = lines.iter().map(|line| format!("   {line}\n")).collect();
    format!("\n{title}\n{lines}")
}

fn more(all: usize) -> String {
    match all.saturating_sub(SHOWN) {
        0 => String::new(),
        hidden => format!("    and {hidden} more: --xml has them all\n"),
    }
}

fn note(text: &str) -> String {
    format!("  {} {text}\n", paint(WARN, "note:"))
}

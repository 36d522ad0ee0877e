//! A run as text.

use residue_detect::Difference;
use residue_model::{FileChange, FixturePhase, LeftBehind, OutcomeKind, RunRecord};

use crate::CalledWith;
use crate::RunReport;
use crate::outcome_text::{counts_text, outcome_word};
use crate::style::{DIM, HEADING, NAME, WARN, paint};
use crate::units::{count, duration};

/// Tests told one by one; `residue show` tells the rest.
pub(crate) const SHOWN: usize = 25;

/// What happened in a run, what differs from the reference, and how to see it
/// again.
pub fn run_text(report: &RunReport<'_>) -> String {
    let mut text = headline(report);
    if report.reference.is_empty() {
        text += &failures(report);
    } else {
        text += &differences(report);
    }
    text += &remarks(report.record);
    text += &format!(
        "  again: {}\n",
        paint(NAME, report.called_with.again(&format!("replay {}", report.id)))
    );
    text
}

fn headline(report: &RunReport<'_>) -> String {
    let record = report.record;
    let source = if report.from_store { "already in the store" } else { "ran just now" };
    format!(
        "{}: {}{}, {}\n  {} in {} {}\n",
        paint(HEADING, format!("run {}", report.id)),
        in_suite(report.suite),
        count(record.results.len(), "test"),
        report.order,
        counts_text(&record.results),
        duration(record.duration),
        paint(DIM, format!("({source})")),
    )
}

fn differences(report: &RunReport<'_>) -> String {
    let reference = report.reference.join(", ");
    let mut text = match report.differences.len() {
        0 => format!("  no outcome differs from the default order ({reference})\n"),
        1 => format!(
            "  {} from the default order ({reference}):\n",
            paint(HEADING, "1 test differs")
        ),
        many => {
            let title = paint(HEADING, format!("{many} tests differ"));
            format!("  {title} from the default order ({reference}):\n")
        }
    };
    for difference in report.differences.iter().take(SHOWN) {
        text += &difference_text(difference);
    }
    text += &more(report.differences.len(), report.id, report.called_with);
    if report.varying > 0 {
        let tests = count(report.varying, "test");
        let note = format!("  {tests} left out: the outcome varies in the default order itself\n");
        text += &paint(WARN, note);
    }
    text
}

pub(crate) fn difference_text(difference: &Difference<'_>) -> String {
    let mut text = format!(
        "    {}  {} -> {}\n",
        difference.test,
        outcome_word(difference.expected.kind()),
        outcome_word(difference.actual.kind())
    );
    for (label, outcome) in [("was", difference.expected), ("now", difference.actual)] {
        let told = !matches!(outcome.kind(), OutcomeKind::Passed | OutcomeKind::NotReached);
        if told {
            text += &format!("      {label}: {}\n", first_line(&outcome.headline()));
            if let Some(frame) = outcome.failure().and_then(|f| f.site(difference.test)) {
                text += &paint(DIM, format!("           at {frame}\n"));
            }
        }
    }
    text
}

fn failures(report: &RunReport<'_>) -> String {
    let broken = |kind| {
        !matches!(kind, OutcomeKind::Passed | OutcomeKind::Skipped | OutcomeKind::NotReached)
    };
    let failed: Vec<_> =
        report.record.results.iter().filter(|r| broken(r.outcome.kind())).collect();
    let mut text = String::new();
    for result in failed.iter().take(SHOWN) {
        let word = outcome_word(result.outcome.kind());
        text += &format!("    {}  {word}\n", result.test);
        text += &format!("      {}\n", first_line(&result.outcome.headline()));
    }
    text + &more(failed.len(), report.id, report.called_with)
}

pub(crate) fn more(all: usize, id: &str, called_with: &CalledWith) -> String {
    more_than(SHOWN, all, id, called_with)
}

/// Where to see those beyond the ones that are shown.
pub(crate) fn more_than(shown: usize, all: usize, id: &str, called_with: &CalledWith) -> String {
    let show = || paint(NAME, called_with.looking(&format!("show {id}")));
    match all.saturating_sub(shown) {
        0 => String::new(),
        hidden => format!("    and {hidden} more: {}\n", show()),
    }
}

/// A project with one suite has no need of its name.
pub(crate) fn in_suite(suite: &str) -> String {
    if suite == "." { String::new() } else { format!("suite {suite}, ") }
}

/// What a reader must know to trust the outcomes.
pub(crate) fn remarks(record: &RunRecord) -> String {
    let mut remarks = Vec::new();
    if record.deviated.is_some() {
        remarks.push("the framework did not keep to the order that was asked".to_owned());
    }
    for fixture in &record.fixture_failures {
        let phase = match fixture.phase {
            FixturePhase::BeforeClass => "before",
            FixturePhase::AfterClass => "after",
        };
        let thrown = first_line(&fixture.failure.headline());
        remarks.push(format!("the fixture {phase} class {} failed: {thrown}", fixture.class));
    }
    if !record.unrequested.is_empty() {
        let tests = count(record.unrequested.len(), "test");
        remarks.push(format!("{tests} ran that the suite's list does not have"));
    }
    remarks.extend(record.left_behind.iter().map(left_behind));
    let lines = remarks.iter().map(|remark| format!("  {} {remark}\n", paint(WARN, "note:")));
    lines.collect()
}

fn left_behind(left: &LeftBehind) -> String {
    match left {
        LeftBehind::Thread { test, name } => {
            format!("{test} left the non-daemon thread `{name}` running")
        }
        LeftBehind::File { test, path, change } => {
            let verb = match change {
                FileChange::Created => "created",
                FileChange::Modified => "changed",
                FileChange::Deleted => "deleted",
            };
            match test {
                Some(test) => format!("{test} {verb} the file {path}"),
                None => format!("the run {verb} the file {path}"),
            }
        }
        LeftBehind::HungAtExit => "the JVM did not end by itself and was killed".into(),
    }
}

/// What a message begins with. Assertion libraries like to put what matters
/// below a line that ends in a colon, often after blank ones.
pub(crate) fn first_line(text: &str) -> String {
    const LONGEST: usize = 160;
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let mut line = lines.next().unwrap_or_default().to_owned();
    while line.ends_with(':')
        && line.len() < LONGEST
        && let Some(next) = lines.next()
    {
        line = format!("{line} {}", next.trim_start());
    }
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_begins_with_a_line_break_is_not_shown_empty() {
        let message = "java.lang.AssertionError: \n\nExpecting:\n  <1>\nto be <2>";
        assert_eq!(first_line(message), "java.lang.AssertionError: Expecting: <1>");
        assert_eq!(first_line("a.Boom: closed\nby whom:\nus"), "a.Boom: closed");
        assert_eq!(first_line("a.Boom: \n"), "a.Boom:");
        assert_eq!(first_line(""), "");
    }
}

//! Outcomes as text.

use anstyle::Style;
use residue_model::{CapturedOutput, OutcomeKind, TestResult};

use crate::style::{BAD, DIM, GOOD, HEADING, WARN, paint};

/// The style in which this outcome stands out as much as it deserves.
pub(crate) fn outcome_style(kind: OutcomeKind) -> Style {
    match kind {
        OutcomeKind::Passed => GOOD,
        OutcomeKind::Skipped => DIM,
        OutcomeKind::NotReached => WARN,
        _ => BAD,
    }
}

/// The word of an outcome, in its style.
pub(crate) fn outcome_word(kind: OutcomeKind) -> String {
    paint(outcome_style(kind), kind.as_str())
}

/// `185 passed, 2 errored`: kinds that occur, best first.
pub(crate) fn counts_text(results: &[TestResult]) -> String {
    kinds_text(
        OutcomeKind::ALL.into_iter().map(|kind| {
            (kind, results.iter().filter(|result| result.outcome.kind() == kind).count())
        }),
    )
}

/// The same from counts.
pub(crate) fn kinds_text(counts: impl Iterator<Item = (OutcomeKind, usize)>) -> String {
    let occurring = counts.filter(|(_, number)| *number > 0);
    let texts = occurring
        .map(|(kind, number)| paint(outcome_style(kind), format!("{number} {}", kind.as_str())));
    texts.collect::<Vec<_>>().join(", ")
}

/// What a test wrote, under a title; empty for a silent test.
pub fn captured_output_text(result: &TestResult) -> String {
    let CapturedOutput { stdout, stderr, dropped } = &result.output;
    let mut text = String::new();
    for (stream, written) in [("stdout", stdout), ("stderr", stderr)] {
        if !written.is_empty() {
            let title = paint(HEADING, format!("--- {stream} of {}", result.test));
            text += &format!("{title}\n{}\n", written.trim_end_matches('\n'));
        }
    }
    if *dropped > 0 {
        text += &paint(DIM, format!("--- {dropped} more bytes were dropped\n"));
    }
    text
}

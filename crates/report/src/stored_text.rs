//! What the store has, as text.

use std::time::Duration;

use residue_detect::Witness;
use residue_model::{OutcomeKind, RunRecord, TestOrder, TestResult};

use crate::outcome_text::{captured_output_text, kinds_text, outcome_word};
use crate::run_text::{first_line, remarks};
use crate::style::{DIM, HEADING, NAME, paint};
use crate::units::{count, duration};

/// A stored run in one line of a table.
#[derive(Debug, Clone)]
pub struct StoredRun {
    /// Number in the store, as the user types it.
    pub id: String,
    /// Name of the suite.
    pub suite: String,
    /// When it started, as the user's clock shows it.
    pub started: String,
    /// How long it took.
    pub duration: Duration,
    /// How many tests ended in which way.
    pub counts: Vec<(OutcomeKind, usize)>,
}

/// The newest runs of so many as a table.
pub fn runs_text(runs: &[StoredRun], all: usize) -> String {
    if runs.is_empty() {
        return "the store has no runs yet: `residue run` makes the first\n".into();
    }
    let width = |of: fn(&StoredRun) -> &str| runs.iter().map(|run| of(run).len()).max();
    let id_width = width(|run| &run.id).unwrap_or(0);
    let suite_width = width(|run| &run.suite).unwrap_or(0);
    let line = |run: &StoredRun| {
        format!(
            "{}  {}  {:suite_width$}  {:>9}  {}\n",
            paint(NAME, format!("{:>id_width$}", run.id)),
            paint(DIM, &run.started),
            run.suite,
            duration(run.duration),
            kinds_text(run.counts.iter().copied()),
        )
    };
    runs.iter().map(line).collect::<String>() + &older(all.saturating_sub(runs.len()), all)
}

fn older(hidden: usize, all: usize) -> String {
    match hidden {
        0 => String::new(),
        _ => format!("and {} before, see --newest {all}\n", count(hidden, "run")),
    }
}

/// An order as an order file.
pub fn order_text(order: &TestOrder) -> String {
    order.tests().iter().map(|test| format!("{test}\n")).collect()
}

/// Every test of a run with its outcome, one a line.
pub fn record_text(id: &str, suite: &str, record: &RunRecord) -> String {
    let title = format!("{id} suite {suite}, {}", count(record.results.len(), "test"));
    let mut text = paint(HEADING, title) + "\n";
    for result in &record.results {
        let word = outcome_word(result.outcome.kind());
        let took = paint(DIM, format!("({})", duration(result.duration)));
        text += &format!("  {word} {} {took}\n", result.test);
        if result.outcome.failure().is_some() {
            text += &format!("      {}\n", first_line(&result.outcome.headline()));
        }
    }
    text + &remarks(record)
}

/// All that is known of one test in one run.
pub fn result_text(result: &TestResult) -> String {
    let word = outcome_word(result.outcome.kind());
    let took = duration(result.duration);
    let mut text = format!("{} {word} in {took}\n", paint(HEADING, &result.test));
    match result.outcome.failure() {
        Some(failure) => text += &format!("{}\n", failure.stack_trace()),
        None if result.outcome.kind() != OutcomeKind::Passed => {
            text += &format!("{}\n", result.outcome.headline());
        }
        None => {}
    }
    text + &captured_output_text(result)
}

/// One order of a finding that was just run again.
pub fn replayed_text(witness: &Witness, result: &TestResult, as_found: bool) -> String {
    let before = witness.order.len().saturating_sub(1);
    let place =
        if before == 0 { "alone".into() } else { format!("after {}", count(before, "test")) };
    let verdict = if as_found { "as found" } else { "NOT as found" };
    let word = outcome_word(result.outcome.kind());
    let mut text = format!("  {place:14} {word} {}\n", paint(DIM, format!("({verdict})")));
    for test in &witness.order.tests()[..before] {
        text += &format!("      {test}\n");
    }
    if result.outcome.failure().is_some() {
        text += &format!("      {}\n", first_line(&result.outcome.headline()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_are_left_out_are_counted() {
        let run = StoredRun {
            id: "r9".into(),
            suite: ".".into(),
            started: "today".into(),
            duration: Duration::from_secs(1),
            counts: vec![],
        };
        let told = |all| runs_text(std::slice::from_ref(&run), all);
        assert!(told(9).ends_with("\nand 8 runs before, see --newest 9\n"));
        assert_eq!(told(1).lines().count(), 1);
    }
}

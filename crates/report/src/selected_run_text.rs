//! A run of selected tests as text.

use residue_detect::Difference;
use residue_model::{OutcomeKind, RunRecord, TestResult};

use crate::CalledWith;
use crate::outcome_text::{counts_text, outcome_word};
use crate::run_text::{SHOWN, difference_text, first_line, in_suite, more, remarks};
use crate::style::{BAD, DIM, GOOD, HEADING, NAME, paint};
use crate::units::{count, duration};

/// A run of selected tests with what is needed to judge it.
#[derive(Debug)]
pub struct SelectedRun<'a> {
    /// Number in the store, as the user types it.
    pub id: &'a str,
    /// Name of the suite.
    pub suite: &'a str,
    /// What happened.
    pub record: &'a RunRecord,
    /// What ended otherwise than in the reference runs.
    pub differences: Vec<Difference<'a>>,
    /// Runs of the default order.
    pub reference: &'a [String],
    /// Whether those are of the code as it is now.
    pub reference_is_current: bool,
    /// How to call the program again.
    pub called_with: &'a CalledWith,
}

/// How the selected tests ended, and what is otherwise than it was.
pub fn selected_run_text(run: &SelectedRun<'_>) -> String {
    let mut text = headline(run);
    text += &differences(run);
    text += &failures(run);
    text += &remarks(run.record);
    text + &format!(
        "  again: {}\n",
        paint(NAME, run.called_with.again(&format!("replay {}", run.id)))
    )
}

fn headline(run: &SelectedRun<'_>) -> String {
    format!(
        "{}: {}{} selected\n  {} in {}\n",
        paint(HEADING, format!("run {}", run.id)),
        in_suite(run.suite),
        count(run.record.results.len(), "test"),
        counts_text(&run.record.results),
        duration(run.record.duration),
    )
}

fn differences(run: &SelectedRun<'_>) -> String {
    let when = if run.reference_is_current { "" } else { " before the change" };
    let whole = format!("the default order{when} ({})", run.reference.join(", "));
    match run.differences.len() {
        0 => format!("  {} as in {whole}\n", paint(GOOD, "every outcome that is known there is")),
        many => {
            let verb = if many == 1 { "differs" } else { "differ" };
            let title = paint(BAD, format!("{} {verb}", count(many, "test")));
            let shown = run.differences.iter().take(SHOWN).map(difference_text);
            format!("  {title} from {whole}:\n{}", shown.collect::<String>())
                + &more(many, run.id, run.called_with)
        }
    }
}

/// Tests that do not pass and did not before, or were not there.
fn failures(run: &SelectedRun<'_>) -> String {
    let quiet = |kind| matches!(kind, OutcomeKind::Passed | OutcomeKind::Skipped);
    let is_told = |result: &&TestResult| run.differences.iter().any(|d| *d.test == result.test);
    let results = run.record.results.iter().filter(|result| !quiet(result.outcome.kind()));
    let failed: Vec<&TestResult> = results.filter(|result| !is_told(result)).collect();
    let mut text = String::new();
    for result in failed.iter().take(SHOWN) {
        text += &format!("    {}  {}\n", result.test, outcome_word(result.outcome.kind()));
        text += &paint(DIM, format!("      {}\n", first_line(&result.outcome.headline())));
    }
    text + &more(failed.len(), run.id, run.called_with)
}

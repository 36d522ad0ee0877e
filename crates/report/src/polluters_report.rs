//! What the tests of one suite leave changed.

use std::time::Duration;

use residue_detect::Difference;
use residue_model::trace::Trace;
use residue_pollution::{Baseline, Polluted, Ranking};

use crate::CalledWith;

/// A run that looked for pollution, with what is needed to judge it.
#[derive(Debug)]
pub struct PollutersReport<'a> {
    /// Number of the run in the store, as the user types it.
    pub run: &'a str,
    /// Name of the suite.
    pub suite: &'a str,
    /// How the order came about, in words: `default order`.
    pub order: &'a str,
    /// Whether whole classes were compared instead of tests.
    pub per_class: bool,
    /// Whether the store already had it.
    pub from_store: bool,
    /// How long the run took.
    pub duration: Duration,
    /// How long the same order took without the agent.
    pub plain_duration: Duration,
    /// Outcomes that differ from the run without the agent. What such tests
    /// leave proves nothing.
    pub differences: Vec<Difference<'a>>,
    /// What the run saw.
    pub trace: &'a Trace,
    /// What was left changed.
    pub ranking: &'a Ranking<'a>,
    /// What is accepted, if anything is.
    pub baseline: Option<&'a Baseline>,
    /// How to call the program again.
    pub called_with: &'a CalledWith,
}

impl PollutersReport<'_> {
    /// Whether the baseline, if there is one, does not have it.
    pub fn is_new(&self, polluted: &Polluted<'_>) -> bool {
        self.baseline.is_some_and(|baseline| !baseline.contains(&polluted.key()))
    }

    /// How much the baseline does not have.
    pub fn new_count(&self) -> usize {
        self.ranking.polluted.iter().filter(|one| self.is_new(one)).count()
    }
}

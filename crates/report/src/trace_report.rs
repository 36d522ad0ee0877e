//! What a traced run of one suite came to.

use std::time::Duration;

use residue_detect::Difference;
use residue_graph::DependencyGraph;

use crate::CalledWith;

/// A traced run with what is needed to judge it.
#[derive(Debug)]
pub struct TraceReport<'a> {
    /// Number of the run in the store, as the user types it.
    pub run: &'a str,
    /// Name of the suite.
    pub suite: &'a str,
    /// How the order came about, in words: `default order`.
    pub order: &'a str,
    /// Whether the store already had it.
    pub from_store: bool,
    /// How long the traced run took.
    pub duration: Duration,
    /// How long the same order took without the agent, if it ran.
    pub plain_duration: Option<Duration>,
    /// Outcomes that differ from the run without the agent. The trace of such
    /// a run proves nothing about these tests.
    pub differences: Vec<Difference<'a>>,
    /// Who depends on whom.
    pub graph: &'a DependencyGraph<'a>,
    /// How to call the program again.
    pub called_with: &'a CalledWith,
}

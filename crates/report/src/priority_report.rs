//! What orders with the most worthwhile tests first came to.

use residue_model::TestId;

use crate::RunReport;
use crate::schedule_report::Respected;

/// One technique on one suite.
#[derive(Debug)]
pub struct PriorityReport<'a> {
    /// Name of the suite.
    pub suite: &'a str,
    /// The technique's label in the literature: `T4`.
    pub technique: &'static str,
    /// What it goes by, in words.
    pub by: String,
    /// What it counts: `statement`, `method`; nothing if it counts nothing.
    pub item: Option<&'static str>,
    /// Statements and methods that any test runs.
    pub covered: (usize, usize),
    /// The traced run that coverage and dependencies are of.
    pub traced: &'a str,
    /// The technique as published, then the same with dependencies kept.
    pub orders: Vec<ProposedOrder<'a>>,
}

/// An order and what came of it.
#[derive(Debug)]
pub struct ProposedOrder<'a> {
    /// Which dependencies it keeps.
    pub respected: Respected,
    /// The tests, first to run first.
    pub tests: Vec<&'a TestId>,
    /// How many items each of these tests covers, if the technique counts any.
    pub worth: Vec<usize>,
    /// Tests that read something else than in the default order, going by the
    /// trace.
    pub unsettled: usize,
    /// The run of the order, unless it was not to be run.
    pub run: Option<RunReport<'a>>,
}

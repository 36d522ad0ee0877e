//! What a parallel run of one suite came to.

use std::time::Duration;

use residue_model::{Outcome, TestId, TestResult};

use crate::speculation_report::SpeculationOutcome;
use crate::{CalledWith, Numbered};

/// A parallel run with what is needed to judge it.
#[derive(Debug)]
pub struct ParallelReport<'a> {
    /// Name of the suite.
    pub suite: &'a str,
    /// How many JVMs ran at the same time.
    pub workers: usize,
    /// One result for each test, in default order, duplicates left out.
    pub results: &'a [TestResult],
    /// The runs of the workers.
    pub runs: &'a [String],
    /// The runs of the default order compared with.
    pub reference: &'a [String],
    /// From the first order being handed to its JVM until the last JVM was gone.
    pub took: Duration,
    /// How long the default order takes in one JVM.
    pub serial: Duration,
    /// How many executions were duplicates.
    pub duplicates: usize,
    /// Duplicates that ended otherwise than in the default order.
    pub differing_duplicates: usize,
    /// Tests that ended otherwise than in the default order.
    pub differing: Vec<Differing<'a>>,
    /// Tests whose outcome varies in the default order itself.
    pub varying: usize,
    /// What was found out about those that differ.
    pub learned: &'a [Numbered],
    /// Tests that differ only beside other JVMs.
    pub disturbed: &'a [TestId],
    /// What came of values that stood in for tests, if that was asked for.
    pub speculation: Option<SpeculationOutcome<'a>>,
    /// How to call the program again.
    pub called_with: &'a CalledWith,
}

/// A test that ended otherwise than in the default order.
#[derive(Debug, Clone, Copy)]
pub struct Differing<'a> {
    /// The test.
    pub test: &'a TestId,
    /// How it ends in the default order.
    pub expected: &'a Outcome,
    /// How it ended in its worker.
    pub actual: &'a Outcome,
    /// How it ended when it ran again, with what it needs, in a JVM alone.
    pub again: Option<&'a TestResult>,
}

impl Differing<'_> {
    /// Whether it ended as in the default order when it ran again.
    pub fn recovered(&self) -> bool {
        self.again.is_some_and(|again| again.outcome.same_as(self.expected, self.test))
    }
}

impl<'a> ParallelReport<'a> {
    /// How a test ended in the end: in its worker, or again afterwards.
    pub(crate) fn final_result(&self, result: &'a TestResult) -> &'a TestResult {
        self.differing_of(result).and_then(|differing| differing.again).unwrap_or(result)
    }

    pub(crate) fn differing_of(&self, result: &TestResult) -> Option<&Differing<'a>> {
        self.differing.iter().find(|differing| *differing.test == result.test)
    }

    /// Whether a test neither passes nor is skipped in the end.
    pub fn has_failures(&self) -> bool {
        self.results.iter().any(|result| {
            !matches!(self.final_result(result).outcome, Outcome::Passed | Outcome::Skipped(_))
        })
    }
}

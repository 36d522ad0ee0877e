//! What a detection of one suite came to.

use std::collections::HashMap;
use std::time::Duration;

use residue_change::Touched;
use residue_detect::{
    Coverage, Finding, Location, RefinedEdge, Unexplained, Unreproduced, Varying,
};
use residue_model::trace::AccessPath;
use residue_model::{Suite, TestId};
use residue_schedule::SharedWithRuns;

use crate::{CalledWith, CauseTally, Numbered, ProvedCause};

/// A change of the code, and what was known before it.
#[derive(Debug, Clone)]
pub struct SinceReport<'a> {
    /// The revision that the code was compared with.
    pub revision: &'a str,
    /// How many files changed since.
    pub changed: usize,
    /// The tests that touches.
    pub touched: &'a Touched,
    /// All tests, in default order.
    pub tests: &'a [TestId],
    /// Findings of before whose tests were not touched.
    pub known: &'a [Numbered],
    /// Findings of before that were decided again and not found.
    pub gone: &'a [Numbered],
}

/// A detection with its findings numbered.
#[derive(Debug, Clone)]
pub struct DetectReport<'a> {
    /// Name of the suite.
    pub suite: &'a str,
    /// Its tests.
    pub tests: &'a Suite,
    /// Whether `mvn` runs it and can be told in which order.
    pub surefire_takes_orders: bool,
    /// Whether the build starts a JVM for each class.
    pub jvm_per_class: bool,
    /// Confirmed findings with their numbers in the store.
    pub findings: Vec<Numbered>,
    /// What is proved to be the cause of findings, by their numbers.
    pub causes: &'a HashMap<String, ProvedCause>,
    /// What came of looking for them; nothing if nobody did.
    pub cause_tally: Option<&'a CauseTally>,
    /// The change of the code to which it was restricted.
    pub since: Option<SinceReport<'a>>,
    /// How many tests do not pass in the default order, and always in the same
    /// way; skipped ones aside.
    pub failing: usize,
    /// Differences that did not happen again.
    pub unreproduced: Vec<Unreproduced>,
    /// Differences that are not explained yet.
    pub unexplained: Vec<Unexplained>,
    /// Tests whose outcome varies in the default order.
    pub varying: Vec<Varying>,
    /// Tests that end differently only when they are traced.
    pub perturbed: Vec<TestId>,
    /// The data dependencies that PraDeT's refinement looked at.
    pub refined: Vec<RefinedEdge>,
    /// How locations of findings and data dependencies are reached, as far as
    /// traces tell.
    pub paths: &'a HashMap<Location, AccessPath>,
    /// How much was looked at.
    pub coverage: Coverage,
    /// What runs of the suite share, as far as it was looked for.
    pub shared: &'a SharedWithRuns,
    /// Whether what each run did to files was undone.
    pub restored: bool,
    /// How long this took.
    pub took: Duration,
    /// Why it ended, in words.
    pub ended: &'a str,
    /// Whether looking longer would look at more.
    pub could_go_on: bool,
    /// How to call the program again.
    pub called_with: &'a CalledWith,
}

impl DetectReport<'_> {
    /// Whether the build never runs the tests of this finding in one JVM.
    pub(crate) fn keeps_apart(&self, finding: &Finding) -> bool {
        self.jvm_per_class && finding.is_between_classes()
    }

    /// Whether a test is known to end otherwise than in the default order, and
    /// not only because a class fixture runs again. What is not explained yet
    /// counts: until it is, nobody may call the suite clean.
    pub fn outcomes_differ(&self) -> bool {
        let is_real = |(_, finding): &Numbered| !finding.is_fixture_artefact();
        self.findings.iter().any(is_real) || !self.unexplained.is_empty()
    }
}

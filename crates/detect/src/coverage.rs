//! How much was looked at.

use serde::{Deserialize, Serialize};

use crate::Algorithm;
use crate::bits::{PairSet, TestSet};
use crate::observation::Observation;
use crate::roster::Roster;

/// How much of what there is was seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// So many.
    pub covered: u64,
    /// Of so many.
    pub of: u64,
}

impl Share {
    /// Between 0 and 1; 1 if there is nothing to cover.
    pub fn fraction(self) -> f64 {
        if self.of == 0 { 1.0 } else { self.covered as f64 / self.of as f64 }
    }
}

/// How far an algorithm, or a part of it, got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageProgress {
    /// Which algorithm.
    pub algorithm: Algorithm,
    /// Which part of it, unique in the plan: `class pairs`, `pairs`.
    pub name: String,
    /// Orders looked at.
    pub done: u64,
    /// Orders there are; for `dependence-aware` beyond pairs an upper bound.
    pub planned: u64,
}

/// What was looked at, all runs together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Tests in the suite.
    pub tests: u64,
    /// Runs that were looked at, repetitions included.
    pub runs: u64,
    /// Tests that ended, in all runs together.
    pub test_executions: u64,
    /// Ordered pairs (a, b) of tests that ran with a somewhere before b.
    pub pairs: Share,
    /// Ordered pairs (a, b) of tests that ran with a directly before b.
    pub adjacent_pairs: Share,
    /// How far each algorithm got.
    pub plan: Vec<StageProgress>,
    /// Steps that had not begun when it ended, so that nobody knows yet how many
    /// orders they have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_begun: Vec<String>,
    /// What traces taught; nothing if no run was traced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traced: Option<TracedCoverage>,
    /// To what the detection was restricted; nothing if it looked at all tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restricted: Option<Restriction>,
}

/// A detection after a change of the code: what it was restricted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restriction {
    /// Tests that the change touched.
    pub touched: u64,
    /// Others that see in the default order what touched tests left.
    pub downstream: u64,
    /// Others that read what touched tests write, or write what those read.
    pub neighbours: u64,
}

/// What traces taught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedCoverage {
    /// Traced runs that were learnt from.
    pub runs: u64,
    /// What tests found in the shared locations that they read, of what they
    /// may find there: each thing in each location once for each test.
    pub sights: Share,
    /// Pairs of tests of which one writes what the other reads; nothing before
    /// they are looked at.
    pub conflicts: Option<Conflicts>,
    /// How often a test saw what it had seen before and ended otherwise.
    pub contradictions: u64,
    /// Tests whose outcome does not follow from what they read.
    pub unpredictable: u64,
    /// Tests that end differently only when they are traced.
    pub perturbed: u64,
}

/// Pairs (w, r) of tests, or of classes, of which w writes what r reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflicts {
    /// It is known how r ends directly after w in a new JVM.
    pub decided: Share,
    /// Of these, so many needed no run of their own.
    pub implied: u64,
}

/// Keeps count.
#[derive(Debug)]
pub(crate) struct Tally {
    tests: usize,
    runs: u64,
    test_executions: u64,
    before: PairSet,
    adjacent: PairSet,
}

impl Tally {
    pub(crate) fn new(roster: &Roster) -> Self {
        let tests = roster.len();
        Self {
            tests,
            runs: 0,
            test_executions: 0,
            before: PairSet::new(tests),
            adjacent: PairSet::new(tests),
        }
    }

    pub(crate) fn runs(&self) -> u64 {
        self.runs
    }

    pub(crate) fn add(&mut self, observation: &Observation) {
        self.runs += 1;
        let reached = observation.reached();
        self.test_executions += reached.len() as u64;
        let mut earlier = TestSet::new(self.tests);
        for (place, &(test, _)) in reached.iter().enumerate() {
            if place > 0 {
                self.adjacent.insert(test, reached[place - 1].0);
                self.before.insert_all(test, &earlier);
            }
            earlier.insert(test);
        }
    }

    pub(crate) fn coverage(&self, plan: Vec<StageProgress>) -> Coverage {
        let tests = self.tests as u64;
        let of = tests * tests.saturating_sub(1);
        Coverage {
            tests,
            runs: self.runs,
            test_executions: self.test_executions,
            pairs: Share { covered: self.before.len(), of },
            adjacent_pairs: Share { covered: self.adjacent.len(), of },
            plan,
            not_begun: Vec::new(),
            traced: None,
            restricted: None,
        }
    }
}

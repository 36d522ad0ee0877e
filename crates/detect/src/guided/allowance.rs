//! How much may be spent on combinations.
//!
//! When every single thing was seen by all who may see it, what is left are
//! combinations of such things. There is no end of them in large suites, and
//! hardly ever does a test depend on one. So they get a share that is small
//! beside what came before, but enough for all there are in a small suite.

use std::cell::Cell;

/// Runs of the share in a small suite.
const MOST_RUNS: usize = 200;

/// To start a JVM takes as long as many tests of a large suite, of which every
/// whole order shows more: so there are fewer runs of some tests the more there
/// are, but never less than some.
const RUNS_TIMES_TESTS: usize = 160_000;
const LEAST_RUNS: usize = 16;

/// Test executions of the share: so many times the suite, and at least these.
const SUITES: usize = 4;
const LEAST_EXECUTIONS: usize = 1_000;

/// How many runs of some tests a suite is worth, of at most so many.
pub(super) fn runs_worth(tests: usize, most: usize) -> usize {
    (RUNS_TIMES_TESTS / tests.max(1)).clamp(LEAST_RUNS, most)
}

#[derive(Debug)]
pub(super) struct Allowance {
    runs: Cell<usize>,
    executions: Cell<usize>,
}

impl Allowance {
    pub(super) fn for_suite(tests: usize) -> Self {
        let executions = (SUITES * tests).max(LEAST_EXECUTIONS);
        Self { runs: Cell::new(runs_worth(tests, MOST_RUNS)), executions: Cell::new(executions) }
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.runs.get() == 0 || self.executions.get() == 0
    }

    /// Takes a run of so many tests from the share; whether anything was left.
    pub(super) fn spend(&self, tests: usize) -> bool {
        let is_there = !self.is_used_up();
        self.runs.set(self.runs.get().saturating_sub(1));
        self.executions.set(self.executions.get().saturating_sub(tests));
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_four_suites_or_two_hundred_runs() {
        let whole_orders = Allowance::for_suite(5_000);
        assert_eq!((0..9).filter(|_| whole_orders.spend(5_000)).count(), 4);
        let pairs = Allowance::for_suite(800);
        assert_eq!((0..999).filter(|_| pairs.spend(2)).count(), 200);
        assert!(pairs.is_used_up());
    }

    #[test]
    fn the_more_tests_the_fewer_runs_of_some_of_them() {
        assert_eq!(
            [75, 800, 4_000, 20_000].map(|tests| runs_worth(tests, 200)),
            [200, 200, 40, 16]
        );
    }

    #[test]
    fn a_small_suite_has_enough_for_all_of_its_orders() {
        let every_pair = Allowance::for_suite(7);
        assert!((0..7 * 6).all(|_| every_pair.spend(2)));
        assert!((0..16).all(|_| every_pair.spend(7)));
    }
}

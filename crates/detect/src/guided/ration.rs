//! How much may be spent on runs of few tests.
//!
//! To start a JVM takes as long as many tests of a large suite, of which every
//! whole order shows more. So runs of few tests are rationed: the more tests,
//! the fewer of them. They are made for two purposes, each with runs of its own:
//!
//! - *Single sights*, one thing in one place that a test never saw.
//! - *Combinations* of what was seen singly. There is no end of them in large
//!   suites, and hardly ever does a test depend on one. So their share is small
//!   beside what came before, but enough for all there are in a small suite.
//!
//! More time than by default buys more of all this, in proportion.

/// Most runs in a small suite, for single sights and for combinations.
const MOST_FOR_SIGHTS: usize = 400;
const MOST_FOR_COMBINATIONS: usize = 200;

/// In a large suite so many divided by the number of tests, but never less than
/// some.
const RUNS_TIMES_TESTS: usize = 90_000;
const LEAST_RUNS: usize = 16;

/// To start a JVM takes as long as about so many tests: a run of more of them
/// counts as several.
const TESTS_AS_LONG_AS_A_START: usize = 400;

/// Test executions for combinations: so many times the suite, and at least these.
const SUITES: usize = 4;
const LEAST_EXECUTIONS: usize = 1_000;

/// The same for orders behind tests that change something in passing.
const SUITES_FOR_PASSING_CHANGES: usize = 2;
const LEAST_FOR_PASSING_CHANGES: usize = 500;

/// What a detection may spend.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ration {
    pub(super) tests: usize,
    /// How many times as much time there is as by default.
    pub(super) growth: f64,
}

impl Ration {
    /// Runs for single sights.
    pub(super) fn for_sights(self) -> usize {
        self.grown(runs_worth(self.tests, MOST_FOR_SIGHTS))
    }

    /// The share of all combinations together.
    pub(super) fn for_combinations(self) -> Cost {
        Cost {
            runs: self.grown(runs_worth(self.tests, MOST_FOR_COMBINATIONS)),
            executions: self.grown((SUITES * self.tests).max(LEAST_EXECUTIONS)),
        }
    }

    /// Whole orders behind tests that change something in passing. They have runs of
    /// their own, or nothing would be left for what traces can decide.
    pub(super) fn for_passing_changes(self) -> usize {
        let executions = (SUITES_FOR_PASSING_CHANGES * self.tests).max(LEAST_FOR_PASSING_CHANGES);
        self.grown(executions / self.tests.max(1))
    }

    fn grown(self, by_default: usize) -> usize {
        (by_default as f64 * self.growth) as usize
    }
}

/// How many runs of few tests a suite is worth, of at most so many.
fn runs_worth(tests: usize, most: usize) -> usize {
    (RUNS_TIMES_TESTS / tests.max(1)).clamp(LEAST_RUNS, most)
}

/// What runs take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    pub(super) runs: usize,
    pub(super) executions: usize,
}

impl Cost {
    pub(super) const NOTHING: Self = Self { runs: 0, executions: 0 };
    pub(super) const LEAST: Self = Self { runs: 1, executions: 1 };

    pub(super) fn is_nothing(self) -> bool {
        self.runs == 0 || self.executions == 0
    }

    pub(super) fn of_run(tests: usize) -> Self {
        Self { runs: 1 + tests / TESTS_AS_LONG_AS_A_START, executions: tests }
    }

    pub(super) fn covers(self, other: Self) -> bool {
        other.runs <= self.runs && other.executions <= self.executions
    }

    pub(super) fn less(self, other: Self) -> Self {
        Self {
            runs: self.runs.saturating_sub(other.runs),
            executions: self.executions.saturating_sub(other.executions),
        }
    }

    pub(super) fn at_most(self, other: Self) -> Self {
        Self { runs: self.runs.min(other.runs), executions: self.executions.min(other.executions) }
    }

    /// The fair part of one of so many; of something never nothing.
    pub(super) fn part(self, of: usize) -> Self {
        let part = |all: usize| (all / of.max(1)).max(1).min(all);
        Self { runs: part(self.runs), executions: part(self.executions) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_tests_the_fewer_runs_of_some_of_them() {
        let runs = [75, 800, 4_000, 20_000].map(|tests| Ration { tests, growth: 1.0 });
        assert_eq!(runs.map(|ration| ration.for_combinations().runs), [200, 112, 22, 16]);
        assert_eq!(runs.map(Ration::for_sights), [400, 112, 22, 16]);
        assert_eq!(runs.map(Ration::for_passing_changes), [6, 2, 2, 2]);
    }

    #[test]
    fn twice_the_time_is_twice_the_share() {
        let twice = Ration { tests: 4_000, growth: 2.0 };
        assert_eq!(twice.for_sights(), 44);
        assert_eq!(twice.for_combinations(), Cost { runs: 44, executions: 32_000 });
    }

    #[test]
    fn a_part_is_never_nothing_of_something() {
        let little = Cost { runs: 2, executions: 7 };
        assert_eq!(little.part(3), Cost { runs: 1, executions: 2 });
        assert!(Cost::NOTHING.part(3).is_nothing());
    }
}

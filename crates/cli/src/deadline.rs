//! When a search has looked long enough.

use std::cell::Cell;
use std::time::{Duration, Instant};

use residue_detect::Budget;

/// The time that a search has. How long the suite takes may turn out later;
/// until then there is no end.
#[derive(Debug)]
pub struct Deadline {
    started: Instant,
    /// What was spent before.
    spent: Duration,
    budget: Budget,
    limit: Cell<Option<Duration>>,
    /// Whether the search has found something whose cause is to be looked for.
    found: Cell<bool>,
}

/// Causes of findings have this part of the time.
const PART_FOR_CAUSES: u32 = 10;

impl Deadline {
    pub fn new(budget: Budget) -> Self {
        let limit = match budget {
            Budget::Time(limit) => Some(limit),
            Budget::Times(..) => None,
        };
        let spent = Duration::ZERO;
        let (limit, found) = (Cell::new(limit), Cell::new(false));
        Self { started: Instant::now(), spent, budget, limit, found }
    }

    /// Counts what was spent before, too.
    pub fn having_spent(self, spent: Duration) -> Self {
        Self { spent, ..self }
    }

    /// Takes note of how long a run of the whole suite took. The first counts.
    pub fn suite_took(&self, duration: Duration) {
        if self.limit.get().is_none() {
            self.limit.set(Some(self.budget.limit(duration)));
        }
    }

    /// Takes note that there is a cause to look for, which takes time too.
    pub fn found_something(&self) {
        self.found.set(true);
    }

    /// Whether a run of the search that takes so long would not be done before it,
    /// or leave no time for causes.
    pub fn ends_search_within(&self, time: Duration) -> bool {
        let whole = self.limit.get().unwrap_or_default();
        let for_causes = if self.found.get() { whole / PART_FOR_CAUSES } else { Duration::ZERO };
        self.comes_within(time + for_causes)
    }

    /// Whether what takes so long would not be done before it.
    pub fn comes_within(&self, time: Duration) -> bool {
        self.left().is_some_and(|left| left <= time)
    }

    /// The time that is left; nothing while that is not known.
    pub fn left(&self) -> Option<Duration> {
        self.limit.get().map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// The time that was spent.
    pub fn elapsed(&self) -> Duration {
        self.spent + self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_multiple_is_known_once_the_suite_has_run() {
        let deadline = Deadline::new(Budget::Times(15, 3 * MINUTE));
        assert!(deadline.left().is_none() && !deadline.comes_within(Duration::ZERO));
        deadline.suite_took(MINUTE);
        assert!(deadline.left().unwrap() > 14 * MINUTE);
        deadline.suite_took(Duration::ZERO);
        assert!(deadline.left().unwrap() > 14 * MINUTE, "the first run counts");
    }

    #[test]
    fn what_was_spent_before_counts() {
        let deadline = Deadline::new(Budget::Time(3 * MINUTE)).having_spent(2 * MINUTE);
        assert!(deadline.left().unwrap() <= MINUTE);
        assert!(!deadline.comes_within(Duration::ZERO));
        assert!(deadline.comes_within(MINUTE), "what takes longer than is left");
    }

    #[test]
    fn a_search_that_found_something_leaves_time_for_causes() {
        let deadline = Deadline::new(Budget::Time(10 * MINUTE)).having_spent(9 * MINUTE);
        assert!(!deadline.ends_search_within(Duration::ZERO));
        deadline.found_something();
        assert!(deadline.ends_search_within(Duration::ZERO));
        assert!(!deadline.comes_within(MINUTE / 2), "causes have that time");
    }

    #[test]
    fn small_suites_have_the_least_time_and_a_fixed_time_is_fixed() {
        let deadline = Deadline::new(Budget::Times(15, 3 * MINUTE));
        deadline.suite_took(Duration::from_millis(1));
        assert!(deadline.left().unwrap() > 2 * MINUTE);
        let deadline = Deadline::new(Budget::Time(Duration::ZERO));
        deadline.suite_took(MINUTE);
        assert!(deadline.comes_within(Duration::ZERO));
    }
}

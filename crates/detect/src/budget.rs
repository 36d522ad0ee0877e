//! How long a search may take, and how much more it tries if it may take longer
//! than it would by default.
//!
//! No clock is read here: whoever drives a detection ends it.

use std::time::Duration;

/// By default a search takes at most so many times as long as the suite, ...
const DEFAULT_TIMES: u32 = 15;
/// ... but it always has this long.
const DEFAULT_LEAST: Duration = Duration::from_secs(180);

/// A suite that takes this long is slow: its search has a multiple of its time,
/// and not the time that every search has.
pub(crate) const SLOW_SUITE: Duration =
    Duration::from_secs(DEFAULT_LEAST.as_secs() / DEFAULT_TIMES as u64);

/// How long a search may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// This long.
    Time(Duration),
    /// So many times as long as the suite takes by itself, but this long in any
    /// case.
    Times(u32, Duration),
}

impl Default for Budget {
    fn default() -> Self {
        Self::Times(DEFAULT_TIMES, DEFAULT_LEAST)
    }
}

impl Budget {
    /// The time there is if the suite takes so long.
    pub fn limit(self, suite: Duration) -> Duration {
        match self {
            Self::Time(limit) => limit,
            Self::Times(times, least) => suite.saturating_mul(times).max(least),
        }
    }

    /// How many times as much time there is as by default. Less does not count:
    /// then time ends the search anyway.
    pub(crate) fn growth(self, suite: Duration) -> f64 {
        let usual = Self::default().limit(suite);
        (self.limit(suite).as_secs_f64() / usual.as_secs_f64()).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_small_suite_has_the_least_time_and_a_fixed_time_is_fixed() {
        assert_eq!(Budget::default().limit(SECOND), 3 * MINUTE);
        assert_eq!(Budget::default().limit(MINUTE), 15 * MINUTE);
        assert_eq!(Budget::Times(30, Duration::ZERO).limit(SECOND), 30 * SECOND);
        assert_eq!(Budget::Time(MINUTE).limit(10 * MINUTE), MINUTE);
    }

    #[test]
    fn what_is_tried_grows_with_the_time_beyond_the_default() {
        assert_eq!(Budget::default().growth(MINUTE), 1.0);
        assert_eq!(Budget::Times(45, Duration::ZERO).growth(MINUTE), 3.0);
        assert_eq!(Budget::Time(6 * MINUTE).growth(SECOND), 2.0);
    }

    #[test]
    fn with_less_time_it_does_not_shrink() {
        assert_eq!(Budget::Time(SECOND).growth(MINUTE), 1.0);
        let below_the_least = Budget::Times(30, Duration::ZERO);
        assert_eq!(below_the_least.growth(SECOND), 1.0, "the default is three minutes here");
    }
}

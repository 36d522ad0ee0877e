//! Tests that take most of the time of a slow suite.
//!
//! In many suites that take long a few tests sleep, wait for a time-out or
//! measure something, and all others together take little. An order without
//! these few shows nearly as much for a fraction of the time.

use std::time::Duration;

use crate::bits::TestSet;
use crate::budget::SLOW_SUITE;
use crate::roster::TestNumber;

/// To leave out what is over sooner than a JVM starts gains nothing.
const LEAST: Duration = Duration::from_millis(400);

/// They take so many times as long as most others.
const TIMES_THE_MEDIAN: u32 = 20;

/// They are at most one of so many: without half of the tests an order would
/// show little.
const ONE_OF: usize = 10;

/// Of a slow suite the tests that take far longer than others.
pub(crate) fn lengthy(tests: usize, took: &[(TestNumber, Duration)]) -> TestSet {
    let mut lengthy = TestSet::new(tests);
    let all: Duration = took.iter().map(|(_, took)| *took).sum();
    if all < SLOW_SUITE {
        return lengthy;
    }
    let mut longest = took.to_vec();
    longest.sort_by_key(|(_, took)| std::cmp::Reverse(*took));
    let (_, median) = longest[longest.len() / 2];
    let long = LEAST.max(median * TIMES_THE_MEDIAN);
    let most = (longest.len() / ONE_OF).max(1);
    let chosen = longest.iter().take(most).take_while(|(_, took)| *took >= long);
    chosen.for_each(|(test, _)| lengthy.insert(*test));
    lengthy
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(millis: &[u64]) -> Vec<u32> {
        let took = millis.iter().map(|&millis| Duration::from_millis(millis));
        let took: Vec<_> = (0..).zip(took).collect();
        let lengthy = lengthy(millis.len(), &took);
        (0..).take(millis.len()).filter(|&test| lengthy.contains(test)).collect()
    }

    #[test]
    fn a_few_tests_of_a_slow_suite_are_lengthy() {
        let mut millis = vec![10; 100];
        assert!(of(&millis).is_empty());
        millis[7] = 9_000;
        assert!(of(&millis).is_empty(), "the suite is not slow");
        millis[50] = 4_000;
        assert_eq!(of(&millis), [7, 50]);
    }

    #[test]
    fn most_tests_are_never_lengthy() {
        assert!(of(&[2_000; 20]).is_empty());
        assert!(of(&[]).is_empty());
        let mut millis = vec![10; 100];
        millis[60..].fill(1_000);
        assert_eq!(of(&millis), (60..70).collect::<Vec<_>>());
    }
}

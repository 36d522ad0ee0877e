//! Small cases against every possible schedule.

use std::time::Duration;

use proptest::prelude::*;
use residue_schedule::{Algorithm, Planner, Workload};

/// Tests with direct needs, as bits of earlier tests, and costs.
fn small() -> impl Strategy<Value = Vec<(u32, u64)>> {
    prop::collection::vec((any::<u32>(), any::<u32>(), 1_u64..20), 1..7).prop_map(|tests| {
        let needs = |(at, (one, other, cost)): (usize, (u32, u32, u64))| {
            // Both bits must be set, so that a test needs a quarter of the earlier ones.
            (one & other & ((1 << at) - 1), cost)
        };
        tests.into_iter().enumerate().map(needs).collect()
    })
}

fn workload(tests: &[(u32, u64)]) -> Workload {
    let mut workload =
        Workload::new(tests.iter().map(|(_, cost)| Duration::from_micros(*cost)).collect());
    for (test, (needs, _)) in tests.iter().enumerate() {
        workload.require(test, (0..test).filter(|other| needs >> other & 1 == 1));
    }
    workload
}

/// Workers may run any sets that are whole and that together have every test.
fn optimum(tests: &[(u32, u64)], workers: usize) -> u64 {
    let all = (1_u32 << tests.len()) - 1;
    let members = |set: u32| (0..tests.len()).filter(move |test| set >> test & 1 == 1);
    let is_whole = |set: &u32| members(*set).all(|test| tests[test].0 & !set == 0);
    let whole: Vec<(u32, u64)> = (0..=all)
        .filter(is_whole)
        .map(|set| (set, members(set).map(|test| tests[test].1).sum()))
        .collect();
    // Shortest time for each union of sets, one worker after the other.
    let mut best = vec![u64::MAX; all as usize + 1];
    best[0] = 0;
    for _ in 0..workers {
        let before = best.clone();
        for (covered, time) in before.iter().enumerate().filter(|(_, time)| **time < u64::MAX) {
            for (set, cost) in &whole {
                let union = covered | *set as usize;
                best[union] = best[union].min((*time).max(*cost));
            }
        }
    }
    best[all as usize]
}

proptest! {
    #[test]
    fn ours_is_optimal_where_every_schedule_can_be_tried(tests in small(), workers in 1_usize..4) {
        let workload = workload(&tests);
        let schedule = Planner::new(&workload).schedule(Algorithm::Critical, workers);
        prop_assert_eq!(schedule.makespan().as_micros() as u64, optimum(&tests, workers));
    }
}

/// ElectricTest's example: ten long tests that need one short one.
#[test]
fn a_cheap_test_that_all_need_runs_in_every_worker() {
    let minute = Duration::from_secs(60);
    let mut durations = vec![minute * 10; 11];
    durations[0] = minute / 2;
    let mut workload = Workload::new(durations);
    (1..11).for_each(|test| workload.require(test, [0]));
    let planner = Planner::new(&workload);
    let makespan = |algorithm| planner.schedule(algorithm, 10).makespan();
    assert_eq!(makespan(Algorithm::Naive), minute * 100 + minute / 2);
    assert_eq!(makespan(Algorithm::Greedy), minute * 10 + minute / 2);
    let ours = planner.schedule(Algorithm::Critical, 10);
    assert_eq!((ours.makespan(), ours.duplicates()), (minute * 10 + minute / 2, 9));
}

#[test]
fn tests_with_common_needs_come_together() {
    // Two expensive foundations with three cheap tests on each.
    let millis = |number| Duration::from_millis(number);
    let mut durations = vec![millis(100), millis(100)];
    durations.extend([millis(1); 6]);
    let mut workload = Workload::new(durations);
    for test in 2..8 {
        workload.require(test, [test % 2]);
    }
    let schedule = Planner::new(&workload).schedule(Algorithm::Critical, 2);
    assert_eq!((schedule.makespan(), schedule.duplicates()), (millis(103), 0));
}

#[test]
fn a_suite_without_tests_has_an_empty_schedule() {
    let workload = Workload::new(vec![]);
    let planner = Planner::new(&workload);
    let schedule = planner.schedule(Algorithm::Critical, 4);
    assert_eq!((schedule.makespan(), schedule.lanes().count()), (Duration::ZERO, 0));
    assert_eq!(planner.bounds(4).lower, Duration::ZERO);
}

/// Thousands of tests, some in long chains: no algorithm may take forever.
#[test]
fn a_large_suite_is_scheduled_close_to_the_bound() {
    let cost = |test: u64| Duration::from_micros(100 + test * 7_919 % 2_000);
    let mut workload = Workload::new((0..6_000).map(cost).collect());
    for test in (50..3_000).filter(|test| test % 3 != 0) {
        workload.require(test, [test - 50]);
    }
    let planner = Planner::new(&workload);
    let bounds = planner.bounds(32);
    let ours = planner.schedule(Algorithm::Critical, 32).makespan();
    assert!(ours.as_secs_f64() <= bounds.lower.as_secs_f64() * 1.05, "{ours:?} {bounds:?}");
}

//! Small cases against every possible schedule.

use std::time::Duration;

use proptest::prelude::*;
use residue_schedule::{Algorithm, Planner, Remedy, Workload};

/// Some tests as bits.
type Set = u32;

/// Tests with what each needs, and what one needs behind others.
#[derive(Debug)]
struct Small {
    needs: Vec<Set>,
    costs: Vec<u64>,
    /// Test, behind, needs.
    remedies: Vec<(usize, Set, Set)>,
}

fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..Set::BITS as usize).filter(move |test| set >> test & 1 == 1)
}

fn small() -> impl Strategy<Value = Small> {
    let tests = prop::collection::vec((any::<Set>(), any::<Set>(), 1_u64..20), 1..7);
    let remedies = prop::collection::vec((0_usize..7, any::<Set>(), any::<Set>()), 0..5);
    (tests, remedies).prop_map(|(tests, remedies)| {
        let before = |test: usize| (1 << test) - 1;
        // Both bits must be set, so that a test needs a quarter of the earlier ones.
        let needs = tests.iter().enumerate();
        let needs = needs.map(|(at, (one, other, _))| one & other & before(at)).collect();
        let remedies = remedies
            .into_iter()
            .map(|(test, behind, needs)| (test % tests.len(), behind, needs))
            .map(|(test, behind, needs)| (test, behind & before(test), needs & before(test)))
            .filter(|(_, behind, _)| *behind != 0)
            .collect();
        let costs = tests.iter().map(|(.., cost)| *cost).collect();
        Small { needs, costs, remedies }
    })
}

fn workload(small: &Small) -> Workload {
    let mut workload =
        Workload::new(small.costs.iter().map(|cost| Duration::from_micros(*cost)).collect());
    for (test, needs) in small.needs.iter().enumerate() {
        workload.require(test, members(*needs));
    }
    for &(test, behind, needs) in &small.remedies {
        let (behind, needs) = (members(behind).collect(), members(needs).collect());
        workload.remedy(Remedy { test, behind, needs });
    }
    workload
}

/// Workers may run any sets that are whole and that together have every test.
fn optimum(small: &Small, workers: usize) -> u64 {
    let all: Set = (1 << small.costs.len()) - 1;
    let has = |set: Set, wanted: Set| wanted & !set == 0;
    let is_whole = |set: &Set| {
        members(*set).all(|test| has(*set, small.needs[test]))
            && small
                .remedies
                .iter()
                .all(|&(test, behind, needs)| !has(*set, behind | 1 << test) || has(*set, needs))
    };
    let whole: Vec<(Set, u64)> = (0..=all)
        .filter(is_whole)
        .map(|set| (set, members(set).map(|test| small.costs[test]).sum()))
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
    fn ours_is_optimal_where_every_schedule_can_be_tried(small in small(), workers in 1_usize..4) {
        let workload = workload(&small);
        let schedule = Planner::new(&workload).schedule(Algorithm::Critical, workers);
        prop_assert_eq!(schedule.makespan().as_micros() as u64, optimum(&small, workers));
    }
}

/// The second test spoils the last one, and the slow one between them undoes that.
#[test]
fn a_victim_is_kept_apart_from_what_spoils_it() {
    let second = Duration::from_secs(1);
    let mut workload = Workload::new(vec![second, second, second * 4, second]);
    workload.remedy(Remedy { test: 3, behind: vec![1], needs: vec![2] });
    let planner = Planner::new(&workload);
    let makespan = |algorithm, workers| planner.schedule(algorithm, workers).makespan();
    assert_eq!(makespan(Algorithm::Naive, 3), second * 5);
    assert_eq!(makespan(Algorithm::Critical, 3), second * 4);
    assert_eq!(makespan(Algorithm::Critical, 1), second * 7);
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

//! No schedule lets a test see another state than in the reference order.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod support;

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;
use residue_graph::DependencyGraph;
use residue_model::trace::Trace;
use residue_schedule::{
    Algorithm, Lane, Planner, Remedy, Schedule, Slot, Why, Workload, data_needs, select, violations,
};
use support::traces;

fn workload(graph: &DependencyGraph<'_>, milliseconds: &[u64]) -> Workload {
    let durations = (0..graph.tests()).map(|test| milliseconds[test % milliseconds.len()]);
    let mut workload = Workload::new(durations.map(Duration::from_millis).collect());
    for (test, needs) in data_needs(graph).into_iter().enumerate() {
        workload.require(test, needs);
    }
    workload
}

fn milliseconds() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(0_u64..50, 1..12)
}

/// By test, those that spoil it and those that undo that, as numbers that are
/// taken modulo the position.
fn remedies() -> impl Strategy<Value = Vec<(usize, Vec<usize>, Vec<usize>)>> {
    let some = || prop::collection::vec(0_usize..100, 1..3);
    prop::collection::vec((0_usize..12, some(), some()), 0..5)
}

fn tests_of(lane: &Lane) -> Vec<usize> {
    lane.slots.iter().map(|slot| slot.test).collect()
}

/// Every test has one original, and every lane keeps the reference order.
fn check_shape(schedule: &Schedule, tests: usize) {
    let slots = || schedule.lanes().flat_map(|lane| &lane.slots);
    let mut originals: Vec<usize> =
        slots().filter(|slot| !slot.duplicate).map(|slot| slot.test).collect();
    originals.sort_unstable();
    assert_eq!(originals, (0..tests).collect::<Vec<_>>());
    for lane in schedule.lanes() {
        assert!(tests_of(lane).is_sorted_by(|a, b| a < b));
        assert!(lane.slots.windows(2).all(|pair| pair[0].end == pair[1].start));
    }
    let longest = slots().map(|slot| slot.end).max().unwrap_or_default();
    assert_eq!(schedule.makespan(), longest);
}

fn check(trace: &Trace, workload: &Workload, workers: usize) {
    let graph = DependencyGraph::new(trace);
    let planner = Planner::new(workload);
    let bounds = planner.bounds(workers);
    let mut before = Duration::MAX;
    for algorithm in Algorithm::ALL {
        let schedule = planner.schedule(algorithm, workers);
        check_shape(&schedule, trace.order.len());
        assert_eq!(violations(&schedule, &graph), [], "{algorithm:?}");
        assert!(schedule.makespan() <= before, "{algorithm:?} is longer than a simpler one");
        assert!(schedule.makespan() >= bounds.lower, "{algorithm:?} beats the lower bound");
        before = schedule.makespan();
    }
}

proptest! {
    #[test]
    fn every_test_sees_what_it_sees_in_the_reference_order(
        trace in traces(), milliseconds in milliseconds(), workers in 1_usize..5,
    ) {
        let graph = DependencyGraph::new(&trace);
        check(&trace, &workload(&graph, &milliseconds), workers);
    }

    #[test]
    fn selected_tests_see_what_they_see_in_the_reference_order(
        trace in traces(), wanted in prop::collection::btree_set(0_usize..12, 0..4),
    ) {
        let graph = DependencyGraph::new(&trace);
        let workload = workload(&graph, &[1]);
        let wanted: BTreeSet<usize> =
            wanted.into_iter().filter(|test| *test < graph.tests()).collect();
        let selected = select(&workload, &wanted);
        let time = Duration::ZERO;
        let slot = |&test: &usize| Slot { test, duplicate: false, start: time, end: time };
        let lane = Lane { slots: selected.keys().map(slot).collect() };
        let schedule = Schedule { workers: vec![lane], afterwards: Lane::default() };
        prop_assert_eq!(violations(&schedule, &graph), []);
        // Nobody who is left out reads what the wanted ones lead to.
        let changes = |test: &usize| {
            matches!(selected.get(test), Some(Why::Wanted | Why::Downstream(_)))
        };
        for (test, needs) in data_needs(&graph).into_iter().enumerate() {
            prop_assert!(selected.contains_key(&test) || !needs.iter().any(changes));
        }
    }

    #[test]
    fn whole_classes_stay_together(
        trace in traces(), milliseconds in milliseconds(), workers in 1_usize..5,
    ) {
        let graph = DependencyGraph::new(&trace);
        let mut workload = workload(&graph, &milliseconds);
        workload.keep_together(|test| trace.order[test].top_level_class());
        check(&trace, &workload, workers);
        let schedule = Planner::new(&workload).schedule(Algorithm::Critical, workers);
        for lane in schedule.lanes() {
            let lane = tests_of(lane);
            for test in 0..trace.order.len() {
                let class = trace.order[test].top_level_class();
                let partly = lane.iter().any(|other| trace.order[*other].top_level_class() == class);
                prop_assert_eq!(lane.contains(&test), partly);
            }
        }
    }

    #[test]
    fn confined_tests_run_once_and_in_one_worker(
        trace in traces(), milliseconds in milliseconds(), workers in 1_usize..5,
        chosen in prop::collection::vec(0_usize..12, 2..4),
    ) {
        let graph = DependencyGraph::new(&trace);
        let mut workload = workload(&graph, &milliseconds);
        let mut confined: Vec<usize> =
            chosen.into_iter().map(|test| test % trace.order.len()).collect();
        confined.sort_unstable();
        confined.dedup();
        workload.confine(confined.clone());
        check(&trace, &workload, workers);
        for algorithm in Algorithm::ALL {
            let schedule = Planner::new(&workload).schedule(algorithm, workers);
            let with_any = schedule.lanes().filter(|lane| {
                tests_of(lane).iter().any(|test| confined.contains(test))
            });
            prop_assert_eq!(with_any.count(), 1, "{:?}", algorithm);
        }
    }

    #[test]
    fn a_postponed_test_runs_when_all_workers_are_done(
        trace in traces(), milliseconds in milliseconds(), workers in 1_usize..5,
        chosen in 0_usize..12,
    ) {
        let graph = DependencyGraph::new(&trace);
        let mut workload = workload(&graph, &milliseconds);
        let late = chosen % trace.order.len();
        workload.postpone(late);
        check(&trace, &workload, workers);
        for algorithm in Algorithm::ALL {
            let schedule = Planner::new(&workload).schedule(algorithm, workers);
            prop_assert!(schedule.workers.iter().all(|lane| !tests_of(lane).contains(&late)));
            prop_assert!(tests_of(&schedule.afterwards).contains(&late));
        }
    }

    #[test]
    fn whoever_runs_behind_what_spoils_it_has_its_remedy(
        trace in traces(), milliseconds in milliseconds(), workers in 1_usize..5,
        remedies in remedies(), by_class in any::<bool>(),
        confined in prop::collection::vec(0_usize..12, 0..3), late in prop::option::of(0_usize..12),
    ) {
        let graph = DependencyGraph::new(&trace);
        let tests = trace.order.len();
        let mut workload = workload(&graph, &milliseconds);
        if by_class {
            workload.keep_together(|test| trace.order[test].top_level_class());
        }
        workload.confine(confined.iter().map(|test| test % tests).collect());
        late.iter().for_each(|test| workload.postpone(test % tests));
        let before = |test: usize, others: Vec<usize>| others.iter().map(|n| n % test).collect();
        let remedies: Vec<Remedy> = remedies
            .into_iter()
            .map(|(test, behind, needs)| (test % tests, behind, needs))
            .filter(|(test, ..)| *test > 0)
            .map(|(test, behind, needs)| Remedy {
                test, behind: before(test, behind), needs: before(test, needs),
            })
            .collect();
        remedies.iter().for_each(|remedy| workload.remedy(remedy.clone()));
        check(&trace, &workload, workers);
        for algorithm in Algorithm::ALL {
            let schedule = Planner::new(&workload).schedule(algorithm, workers);
            for lane in schedule.lanes() {
                let lane = tests_of(lane);
                let all = |tests: &[usize]| tests.iter().all(|test| lane.contains(test));
                for Remedy { test, behind, needs } in &remedies {
                    let spoiled = lane.contains(test) && all(behind);
                    prop_assert!(!spoiled || all(needs), "{:?} {:?}", algorithm, lane);
                }
            }
            let with_confined = schedule.lanes().filter(|lane| {
                tests_of(lane).iter().any(|test| confined.iter().any(|c| c % tests == *test))
            });
            // What comes afterwards may need a confined test too.
            let most = 1 + usize::from(late.is_some());
            prop_assert!(with_confined.count() <= most, "{:?}", algorithm);
        }
    }

    /// The rule itself: a schedule that leaves out a need is found out.
    #[test]
    fn a_lane_without_a_needed_test_is_a_violation(trace in traces()) {
        let graph = DependencyGraph::new(&trace);
        let workload = workload(&graph, &[1]);
        let needy = (0..graph.tests()).find(|test| {
            // Its own reads, not those of a fixture that another test may bring.
            graph.depends_on(residue_graph::DependencyKind::ReadAfterWrite, *test)
                .any(|on| on.flows().any(|flow| trace.epoch(flow.later.epoch).kind
                    == residue_model::trace::EpochKind::Test))
        });
        prop_assume!(needy.is_some());
        let needy = needy.unwrap();
        let mut schedule = Planner::new(&workload).schedule(Algorithm::Naive, 1);
        schedule.workers[0].slots.retain(|slot| slot.test == needy);
        prop_assert!(!violations(&schedule, &graph).is_empty());
    }
}

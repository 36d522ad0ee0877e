//! Orders by coverage against their definitions, and what bonds promise.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use residue_graph::DependencyGraph;
use residue_schedule::{Bonds, Worth, order_violations, prioritized};
use support::traces;

fn coverage() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let items = prop::collection::btree_set(0_u32..8, 0..6);
    prop::collection::vec(items.prop_map(|items| items.into_iter().collect()), 1..9)
}

/// As published: the test that covers most of what is not covered yet; when
/// none adds anything, all is uncovered again.
fn additional_by_definition(covered: &[Vec<u32>]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..covered.len()).collect();
    let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
    while !left.is_empty() {
        let gain =
            |test: &usize| covered[*test].iter().filter(|item| !seen.contains(*item)).count();
        let most = left.iter().map(gain).max().unwrap();
        if most == 0 && !seen.is_empty() {
            seen.clear();
            continue;
        }
        let next = *left.iter().find(|test| gain(test) == most).unwrap();
        left.retain(|test| *test != next);
        seen.extend(covered[next].iter().copied());
        order.push(next);
    }
    order
}

fn position(order: &[usize], test: usize) -> usize {
    order.iter().position(|other| *other == test).unwrap()
}

proptest! {
    #[test]
    fn additional_greedy_is_what_the_definition_says(covered in coverage()) {
        let order = prioritized(Worth::additional(covered.clone()), &Bonds::none(covered.len()));
        prop_assert_eq!(order, additional_by_definition(&covered));
    }

    #[test]
    fn total_sorts_by_coverage_and_keeps_the_reference_order_otherwise(covered in coverage()) {
        let order = prioritized(Worth::total(&covered), &Bonds::none(covered.len()));
        let mut expected: Vec<usize> = (0..covered.len()).collect();
        expected.sort_by_key(|test| std::cmp::Reverse(covered[*test].len()));
        prop_assert_eq!(order, expected);
    }

    #[test]
    fn no_order_that_keeps_the_bonds_of_a_trace_lets_a_test_read_something_else(
        trace in traces(), wanted in Just((0..12).collect::<Vec<usize>>()).prop_shuffle(),
        covered in coverage(),
    ) {
        let graph = DependencyGraph::new(&trace);
        let tests = trace.order.len();
        let wanted: Vec<usize> = wanted.into_iter().filter(|test| *test < tests).collect();
        let covered: Vec<_> = (0..tests).map(|test| covered[test % covered.len()].clone()).collect();
        let bonds = Bonds::of_trace(&graph, &[], |_| true);
        for worth in [Worth::of_order(&wanted), Worth::additional(covered)] {
            let order = prioritized(worth, &bonds);
            let mut all = order.clone();
            all.sort_unstable();
            prop_assert_eq!(all, (0..tests).collect::<Vec<_>>());
            prop_assert_eq!(order_violations(&order, &graph), []);
        }
    }

    #[test]
    fn without_shared_state_the_order_is_the_one_that_is_wanted(
        trace in traces(), wanted in Just((0..12).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        let mut trace = trace;
        trace.epochs.iter_mut().for_each(|epoch| epoch.writes.clear());
        trace.locations.iter_mut().for_each(|location| location.creator = None);
        let wanted: Vec<usize> =
            wanted.into_iter().filter(|test| *test < trace.order.len()).collect();
        let bonds = Bonds::of_trace(&DependencyGraph::new(&trace), &[], |_| true);
        prop_assert_eq!(prioritized(Worth::of_order(&wanted), &bonds), wanted);
    }

    #[test]
    fn tests_that_are_kept_in_order_or_together_are(
        wanted in Just((0..9).collect::<Vec<usize>>()).prop_shuffle(),
        ordered in prop::collection::btree_set(0_usize..9, 2..4),
        first in 0_usize..7, length in 2_usize..3,
    ) {
        let together: Vec<usize> = (first..first + length).collect();
        let mut bonds = Bonds::of_units(9, std::slice::from_ref(&together));
        let ordered: Vec<usize> = ordered.into_iter().collect();
        bonds.keep_order(&ordered);
        let order = prioritized(Worth::of_order(&wanted), &bonds);
        prop_assert!(ordered.is_sorted_by_key(|test| position(&order, *test)));
        let at = position(&order, first);
        prop_assert_eq!(&order[at..at + length], &together[..]);
    }
}

/// Three writers nobody reads from may change places; the pair may not be torn
/// apart by any of them.
#[test]
fn only_writers_that_matter_are_held_back() {
    use residue_model::TestId;
    use residue_model::trace::*;
    let location = LocationId(0);
    let write = Write { location, stack: None, old: None, new: None };
    let epoch = |test: usize| Epoch {
        kind: EpochKind::Test,
        test,
        reads: if test == 3 { vec![Read { location, stack: None }] } else { vec![] },
        writes: if test == 3 { vec![] } else { vec![write.clone()] },
    };
    let name = LocationName::Undescribed { cell: 0 };
    let trace = Trace {
        order: (0..6).map(|test| TestId::parse(&format!("a.T{test}#t")).unwrap()).collect(),
        epochs: (0..6).map(epoch).collect(),
        locations: vec![Location { name, creator: None }],
        ..Trace::default()
    };
    let graph = DependencyGraph::new(&trace);
    let wanted = [5, 4, 3, 2, 1, 0];
    let order = prioritized(Worth::of_order(&wanted), &Bonds::of_trace(&graph, &[], |_| true));
    assert_eq!(order, [1, 0, 2, 3, 5, 4]);
    assert_eq!(order_violations(&order, &graph), []);
}

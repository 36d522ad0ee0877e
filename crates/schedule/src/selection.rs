//! Some tests of a suite, with all that lets them see what they see in the
//! reference order.
//!
//! A selection is a schedule with one worker that does not run everything:
//! complete and in reference order, so it is sound for the same reason.

use std::collections::{BTreeMap, BTreeSet};

use crate::workload::Workload;

/// Why a test is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It was asked for.
    Wanted,
    /// It needs this test, which is selected for itself: what that one leaves
    /// may be another now.
    Downstream(usize),
    /// This selected test needs it.
    NeededBy(usize),
    /// It cannot be told apart from this selected test.
    Together(usize),
}

/// The wanted tests, those that need one of them, and all that these need, by
/// position.
pub fn select(workload: &Workload, wanted: &BTreeSet<usize>) -> BTreeMap<usize, Why> {
    let mut selected: BTreeMap<usize, Why> =
        wanted.iter().map(|&test| (test, Why::Wanted)).collect();
    // Whoever is needed comes first, so one pass finds all.
    for test in 0..workload.tests() {
        let upstream = workload.needs(test).iter().filter(|needed| selected.contains_key(needed));
        if let Some(&upstream) = upstream.min() {
            selected.entry(test).or_insert(Why::Downstream(upstream));
        }
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (test, unit) in workload.unit_of.iter().enumerate() {
        members.entry(*unit).or_default().push(test);
    }
    let mut open: Vec<usize> = selected.keys().copied().rev().collect();
    while let Some(test) = open.pop() {
        let needed = workload.needs(test).iter().map(|&needed| (needed, Why::NeededBy(test)));
        let unit = &members[&workload.unit_of[test]];
        let together = unit.iter().map(|&other| (other, Why::Together(test)));
        for (other, why) in needed.chain(together) {
            selected.entry(other).or_insert_with(|| {
                open.push(other);
                why
            });
        }
    }
    selected
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_selection_has_who_reads_of_it_and_what_all_of_these_need() {
        let mut workload = Workload::new(vec![Duration::from_secs(1); 8]);
        workload.require(3, [2]); // wanted; 2 sets up for it
        workload.require(2, [0]);
        workload.require(5, [3, 4]); // reads of 3, and of 4
        workload.require(7, [6]);
        let selected = select(&workload, &BTreeSet::from([3]));
        let expected = [
            (0, Why::NeededBy(2)),
            (2, Why::NeededBy(3)),
            (3, Why::Wanted),
            (4, Why::NeededBy(5)),
            (5, Why::Downstream(3)),
        ];
        assert_eq!(selected.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_a_build_cannot_tell_apart_comes_together_with_its_needs() {
        let mut workload = Workload::new(vec![Duration::from_secs(1); 4]);
        workload.keep_together(|test| test / 2);
        workload.require(3, [0]);
        let selected = select(&workload, &BTreeSet::from([2]));
        let expected =
            [(0, Why::NeededBy(3)), (1, Why::Together(0)), (2, Why::Wanted), (3, Why::Together(2))];
        assert_eq!(selected.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn nothing_wanted_is_nothing_selected() {
        let mut workload = Workload::new(vec![Duration::from_secs(1); 2]);
        workload.require(1, [0]);
        assert!(select(&workload, &BTreeSet::new()).is_empty());
    }
}

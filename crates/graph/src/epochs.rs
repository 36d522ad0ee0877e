//! Which epochs run whenever a test does.

use std::ops::Range;

use residue_model::trace::{EpochIndex, EpochKind};

use crate::graph::DependencyGraph;

/// The epochs that running one test brings about, each list in the order of
/// the trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestEpochs {
    /// Class fixtures before it.
    pub before: Vec<EpochIndex>,
    /// The test itself; empty if the trace does not have it.
    pub own: Vec<EpochIndex>,
    /// Class fixtures after it.
    pub after: Vec<EpochIndex>,
}

impl DependencyGraph<'_> {
    /// The epochs of each test. A class fixture is in those of every test that
    /// it runs with.
    pub fn epochs_by_test(&self) -> Vec<TestEpochs> {
        let mut by_test = vec![TestEpochs::default(); self.tests()];
        for (index, epoch) in (0..).map(EpochIndex).zip(&self.trace.epochs) {
            if epoch.kind == EpochKind::Test {
                by_test[epoch.test].own.push(index);
                continue;
            }
            for test in self.groups.around(epoch.test) {
                if epoch.test == test || self.groups.runs_with(self.trace, epoch, test) {
                    let TestEpochs { before, after, .. } = &mut by_test[test];
                    let opens = epoch.kind == EpochKind::BeforeClass;
                    if opens { before.push(index) } else { after.push(index) }
                }
            }
        }
        by_test
    }

    /// Where class fixtures begin.
    pub fn openings(&self) -> Openings {
        let opening = self.trace.epochs.iter().filter(|one| one.kind == EpochKind::BeforeClass);
        let mut opened: Vec<usize> = opening.map(|epoch| epoch.test).collect();
        opened.sort_unstable();
        Openings { opened, tests: self.tests() }
    }
}

/// The tests before which class fixtures ran.
#[derive(Debug)]
pub struct Openings {
    opened: Vec<usize>,
    tests: usize,
}

impl Openings {
    /// The tests that share class fixtures with this one: from where one began
    /// until the next began. Mostly these are the tests of one class; a suite
    /// that lists other classes may have fixtures too, and these belong to all
    /// of them.
    pub fn around(&self, test: usize) -> Range<usize> {
        let next = self.opened.partition_point(|opened| *opened <= test);
        let start = next.checked_sub(1).map_or(test, |before| self.opened[before]);
        start..self.opened.get(next).copied().unwrap_or(self.tests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Run;

    #[test]
    fn a_class_fixture_runs_with_every_test_of_its_class_and_of_those_nested_in_it() {
        let trace = Run::of(&["a.A#x", "a.A$In#y", "b.B#z"])
            .epoch(EpochKind::BeforeClass, 0, &[], &[])
            .test(0, &[], &[])
            .epoch(EpochKind::BeforeClass, 1, &[], &[])
            .test(1, &[], &[])
            .epoch(EpochKind::AfterClass, 1, &[], &[])
            .test(2, &[], &[])
            .trace();
        let epochs = DependencyGraph::new(&trace).epochs_by_test();
        let numbers = |list: &[EpochIndex]| list.iter().map(|epoch| epoch.0).collect::<Vec<_>>();
        assert_eq!(numbers(&epochs[0].before), [0]);
        assert_eq!(numbers(&epochs[1].before), [0, 2]);
        assert_eq!(numbers(&epochs[1].after), [4]);
        assert_eq!((numbers(&epochs[2].own), &epochs[2].before), (vec![5], &vec![]));
    }

    #[test]
    fn the_fixture_of_a_suite_is_around_all_classes_that_it_lists() {
        let trace = Run::of(&["a.A#x", "b.B#y", "c.C#z"])
            .epoch(EpochKind::BeforeClass, 0, &[], &[])
            .test(0, &[], &[])
            .epoch(EpochKind::AfterClass, 0, &[], &[])
            .test(1, &[], &[])
            .epoch(EpochKind::AfterClass, 1, &[], &[])
            .epoch(EpochKind::BeforeClass, 2, &[], &[])
            .test(2, &[], &[])
            .trace();
        let openings = DependencyGraph::new(&trace).openings();
        assert_eq!([0, 1, 2].map(|test| openings.around(test)), [0..2, 0..2, 2..3]);
    }
}

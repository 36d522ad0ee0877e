//! Consecutive tests of one class, which share class fixtures.

use std::ops::Range;

use residue_model::TestId;
use residue_model::trace::{Epoch, EpochKind, Trace};

/// Which group each test is in.
#[derive(Debug)]
pub(crate) struct Groups {
    group_of: Vec<usize>,
}

impl Groups {
    /// Runners keep the tests of an outermost class together, so a group ends
    /// where the next test is of another one.
    pub(crate) fn new(order: &[TestId]) -> Self {
        let mut group = 0;
        let mut before: Option<&str> = None;
        let group_of = order.iter().map(|test| {
            let class = test.top_level_class();
            if before.is_some_and(|before| before != class) {
                group += 1;
            }
            before = Some(class);
            group
        });
        Self { group_of: group_of.collect() }
    }

    /// Positions of the tests in the group of a test.
    pub(crate) fn around(&self, test: usize) -> Range<usize> {
        let group = self.group_of[test];
        let start = self.group_of.partition_point(|other| *other < group);
        let end = self.group_of.partition_point(|other| *other <= group);
        start..end
    }

    /// Whether the class fixture that ran in an epoch runs again whenever a
    /// test does: the test is of the fixture's class or nested in it, and of
    /// the same group.
    pub(crate) fn runs_with(&self, trace: &Trace, fixture: &Epoch, test: usize) -> bool {
        fixture.kind != EpochKind::Test
            && self.group_of[fixture.test] == self.group_of[test]
            && encloses(trace.order[fixture.test].class(), trace.order[test].class())
    }

    /// Whether an epoch is the class fixture of another one's test: nothing
    /// between them can be changed by an order.
    pub(crate) fn inseparable(&self, trace: &Trace, one: &Epoch, other: &Epoch) -> bool {
        one.test == other.test
            || self.runs_with(trace, one, other.test)
            || self.runs_with(trace, other, one.test)
    }
}

fn encloses(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_ends_with_its_outermost_class() {
        let order: Vec<_> = ["a.T#x", "a.T$In#y", "a.U#x", "a.T#z"]
            .iter()
            .map(|test| TestId::parse(test).unwrap())
            .collect();
        let groups = Groups::new(&order);
        assert_eq!(groups.group_of, [0, 0, 1, 2]);
        assert_eq!((groups.around(1), groups.around(3)), (0..2, 3..4));
    }

    #[test]
    fn a_class_encloses_itself_and_what_is_nested_in_it() {
        assert!(encloses("a.T", "a.T"));
        assert!(encloses("a.T", "a.T$In"));
        assert!(!encloses("a.T$In", "a.T"));
        assert!(!encloses("a.T", "a.Tx"));
    }
}

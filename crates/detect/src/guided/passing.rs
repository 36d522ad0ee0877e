//! Tests that change something for everybody and put it back.
//!
//! A class that is initialised meanwhile may keep what it found, and in most
//! orders it was initialised before. Initialisers are nobody's doing, so traces
//! do not tell.

use super::Guided;
use super::whole::behind;
use crate::bits::TestSet;
use crate::config::{Algorithm, Granularity};
use crate::roster::TestNumber;
use crate::shared::Shared;

/// Name of the step.
pub(super) const PASSING_CHANGES: &str = "passing changes";

/// They are looked at if they are at most one of so many: where most do so, all
/// orders begin with one.
const ONE_OF: usize = 2;

impl Guided<'_> {
    /// All other tests behind all of them, which initialise most classes then, the
    /// first to come most of all; so behind all of them the other way round, too.
    /// Then all behind each of them, as far as the ration goes.
    pub(super) async fn passing_changes(&self) {
        let roster = &self.shared.roster;
        let first = self.with_passing_changes();
        if first.is_empty() {
            return;
        }
        let backwards: Vec<TestNumber> = first.iter().rev().copied().collect();
        let several = first.len() > 1;
        let together = [first.as_slice(), &backwards].into_iter().filter(|_| several);
        let each = first.chunks(1);
        let planned = together.clone().count() + each.len();
        let orders = together.chain(each).map(|first| behind(first, roster));
        let (stage, number) =
            self.stage(Algorithm::DependenceAware, PASSING_CHANGES, planned as u64);
        self.run_in(&stage, number, orders.take(self.passing_changes), false).await;
        self.explain(usize::MAX).await;
    }

    /// The tests that do so, one of each class first: those of one class most likely
    /// change the same. With the first test of all the default order begins already.
    pub(super) fn with_passing_changes(&self) -> Vec<TestNumber> {
        let Shared { roster, config, ledger, .. } = self.shared;
        let mut passing = TestSet::new(roster.len());
        for part in &ledger.borrow().traced_reference {
            let tests = part.watched().into_iter().flat_map(|watched| &watched.passing);
            tests.for_each(|&test| passing.insert(test));
        }
        if passing.len() * ONE_OF > roster.len() || config.granularity == Granularity::Class {
            return Vec::new();
        }
        let mut tests: Vec<TestNumber> =
            roster.all().skip(1).filter(|&test| passing.contains(test)).collect();
        tests.sort_by_key(|&test| {
            let class = &roster.classes()[roster.class_of(test)];
            class.iter().filter(|&&other| passing.contains(other)).position(|&other| other == test)
        });
        tests
    }
}

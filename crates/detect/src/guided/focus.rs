//! Which part of all dependencies is to be decided.
//!
//! After a change of the code a dependency can only be new if one of its tests
//! was touched. So of an order only those places are in question where a
//! touched test runs, or where what a test sees goes back to one. Tests that
//! see in the default order what touched ones left are looked at without that
//! too: it may be what lets them pass.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::bits::TestSet;
use crate::coverage::Restriction;
use crate::examine::{take_in, take_in_some};
use crate::explain::Case;
use crate::finding::Origin;
use crate::knowledge::Simulation;
use crate::observation::Observation;
use crate::orders::Units;
use crate::roster::TestNumber;
use crate::shared::{Shared, Standing};

/// Everything, or what involves one of some touched tests.
pub(super) struct Focus(Option<TestSet>);

impl Focus {
    /// What the settings ask for. Of a unit with a touched test all tests count
    /// as touched.
    pub(super) fn of(shared: &Shared, units: &Units) -> Self {
        let Some(wanted) = &shared.config.touched else { return Self(None) };
        let mut touched = TestSet::new(shared.roster.len());
        let is_touched = |test: &TestNumber| wanted.contains(shared.id(*test));
        for unit in (0..units.len()).map(|unit| units.get(unit)) {
            if unit.iter().any(is_touched) {
                unit.iter().for_each(|&test| touched.insert(test));
            }
        }
        Self(Some(touched))
    }

    /// The tests that one of each dependency must be among, unless all are to
    /// be decided.
    pub(super) fn touched(&self) -> Option<&TestSet> {
        self.0.as_ref()
    }

    /// Whether all that the test may depend on is to be decided.
    pub(super) fn has(&self, test: TestNumber) -> bool {
        self.touched().is_none_or(|touched| touched.contains(test))
    }

    /// The tests that end in the default order as they do perhaps because of
    /// touched ones, those included; by what is known now.
    pub(super) fn affected(&self, shared: &Shared) -> TestSet {
        let default: Vec<TestNumber> = shared.roster.all().collect();
        let Some(touched) = self.touched() else { return TestSet::of(default.len(), &default) };
        let ledger = shared.ledger.borrow();
        let simulation = Simulation::of(&ledger.knowledge, &shared.roster, &default);
        let back = simulation.goes_back_to(touched);
        let affected: Vec<_> = default.into_iter().filter(|&test| back[test as usize]).collect();
        TestSet::of(shared.roster.len(), &affected)
    }

    /// The touched tests, and whoever conflicts with one of them.
    pub(super) fn company(&self, units: &Units, conflicts: &[(usize, usize)]) -> TestSet {
        let tests = (0..units.len()).map(|unit| units.get(unit).len()).sum();
        let has = |unit: usize| units.get(unit).iter().any(|&test| self.has(test));
        let conflicting = conflicts.iter().filter(|(w, r)| has(*w) || has(*r));
        let members: BTreeSet<usize> = conflicting
            .flat_map(|&(writer, reader)| [writer, reader])
            .chain((0..units.len()).filter(|&unit| has(unit)))
            .collect();
        TestSet::of(tests, &units.order(members))
    }

    /// How far it is from everything.
    pub(super) fn restriction(&self, shared: &Shared, company: &TestSet) -> Option<Restriction> {
        let touched = self.touched()?.len();
        Some(Restriction {
            touched: touched as u64,
            downstream: (self.affected(shared).len() - touched) as u64,
            neighbours: (company.len() - touched) as u64,
        })
    }

    /// Compares with the default order; gives the differences that are in
    /// question and that nobody has explained.
    pub(super) fn take_in(
        &self,
        shared: &Shared,
        origin: &Origin,
        parts: &[Rc<Observation>],
    ) -> Vec<Case> {
        match self.in_question(shared, parts) {
            None => take_in(shared, origin, parts),
            Some(places) => take_in_some(shared, origin, parts, |part, place| places[part][place]),
        }
    }

    /// Tests that ended otherwise than in the default order although nothing
    /// that they saw goes back to a touched test, as far as traces tell.
    pub(super) fn unaccounted(&self, shared: &Shared, parts: &[Rc<Observation>]) -> TestSet {
        let mut unaccounted = TestSet::new(shared.roster.len());
        let Some(places) = self.in_question(shared, parts) else { return unaccounted };
        let ledger = shared.ledger.borrow();
        for (part, run) in parts.iter().enumerate() {
            for (place, (test, outcome)) in run.reached().iter().enumerate() {
                let open = ledger.standing[*test as usize] == Standing::Unsuspected;
                let differs = ledger.reference.difference(shared.id(*test), outcome).is_some();
                if open && differs && !places[part][place] {
                    unaccounted.insert(*test);
                }
            }
        }
        unaccounted
    }

    /// Which places of some runs are in question, unless all are.
    fn in_question(&self, shared: &Shared, parts: &[Rc<Observation>]) -> Option<Vec<Vec<bool>>> {
        let touched = self.touched()?;
        let affected = self.affected(shared);
        let ledger = shared.ledger.borrow();
        let of_part = |run: &Rc<Observation>| {
            let order: Vec<TestNumber> = run.reached().iter().map(|(test, _)| *test).collect();
            let simulation = Simulation::of(&ledger.knowledge, &shared.roster, &order);
            let back = simulation.goes_back_to(touched).into_iter().zip(order);
            back.map(|(back, test)| back || affected.contains(test)).collect()
        };
        Some(parts.iter().map(of_part).collect())
    }
}

//! The way after a change of the code: orders around the touched tests.
//!
//! The guards hold the touched tests and whoever conflicts with them. An
//! untouched test that differs there for no reason that traces know may have
//! done so before the change; the same order without the touched tests tells.

use std::rc::Rc;

use super::decide::{Item, Stage};
use super::{Guided, UNPREDICTABLE_PAIRS};
use crate::bits::TestSet;
use crate::config::Algorithm;
use crate::examine::{all_parts, ask, take_in_some};
use crate::finding::Origin;
use crate::observation::Observation;
use crate::orders::{self, Proposal};
use crate::roster::TestNumber;
use crate::shared::Shared;
use crate::waiting::explain_all;

impl Guided<'_> {
    /// All dependencies that involve a touched test.
    pub(super) async fn around_the_change(&self) {
        let Shared { roster, config, .. } = self.shared;
        let company = self.company();
        let restriction = self.focus.restriction(self.shared, &company);
        self.shared.ledger.borrow_mut().restricted = restriction;
        if company.is_empty() {
            return;
        }
        for stage in orders::reversed(roster, config) {
            self.guard(around(stage, &company), true).await;
        }
        let (guards, _) = orders::shuffles(roster, config);
        let mut guarding = Vec::new();
        for stage in guards {
            guarding.extend(self.guard(around(stage, &company), false).await);
        }
        self.alone().await;
        self.conflicting_pairs().await;
        self.inversions().await;
        self.compare(&guarding);
        self.touched_pairs().await;
        self.downstream_alone().await;
        if self.has_unpredictable() {
            for stage in self.pairs_of_company() {
                let stage = orders::Stage { name: UNPREDICTABLE_PAIRS, ..stage };
                self.guard(stage, false).await;
            }
        }
    }

    /// Each touched unit directly after and before every other. Some conflicts
    /// show only there, such as those of a test that elsewhere leaves what was
    /// there before.
    async fn touched_pairs(&self) {
        let units = self.units.len();
        let touched: Vec<usize> = (0..units).filter(|&unit| self.is_in_focus(unit)).collect();
        let untouched = units - touched.len();
        let planned = touched.len() * (touched.len().saturating_sub(1) + 2 * untouched);
        let (stage, _) = self.stage(Algorithm::Pairs, "pairs", planned as u64);
        let pairs = touched.into_iter().flat_map(|unit| {
            let others = (0..units).filter(move |&other| other != unit);
            others.flat_map(move |other| {
                let before = (!self.is_in_focus(other)).then_some((other, unit));
                before.into_iter().chain([(unit, other)])
            })
        });
        self.decide_pairs(&stage, pairs, |_| {}).await;
    }

    /// Tests that end as they do perhaps only because of touched ones: what
    /// they do without.
    async fn downstream_alone(&self) {
        let affected = self.focus.affected(self.shared);
        let is_affected =
            |unit: &usize| self.units.get(*unit).iter().any(|&test| affected.contains(test));
        let units: Vec<usize> = (0..self.units.len()).filter(is_affected).collect();
        let (stage, _) = self.stage(Algorithm::Isolate, "downstream alone", units.len() as u64);
        let stage = Stage { only: None, ..stage };
        let mut items: Vec<Item> = units.iter().map(|&unit| self.item(&[unit])).collect();
        stage.decide(&mut items, |_| {}).await;
    }

    fn company(&self) -> TestSet {
        self.focus.company(&self.units, &self.conflicts())
    }

    fn pairs_of_company(&self) -> Vec<orders::Stage> {
        let company = self.company();
        let members = |class: &Vec<TestNumber>| -> Vec<TestNumber> {
            class.iter().copied().filter(|&test| company.contains(test)).collect()
        };
        let classes: Vec<_> = self.shared.roster.classes().iter().map(members).collect();
        let classes: Vec<_> = classes.into_iter().filter(|class| !class.is_empty()).collect();
        orders::pairs_among(&classes, &self.shared.config)
    }

    /// Runs orders whatever is known.
    async fn guard(&self, orders: orders::Stage, traced: bool) -> Vec<Rc<Observation>> {
        let mut seen = Vec::new();
        let (stage, number) = self.stage(orders.algorithm, orders.name, orders.planned);
        // One test is looked at alone anyway.
        for Proposal { label, order } in orders.orders.filter(|some| some.order.len() > 1) {
            let origin = Origin { algorithm: stage.algorithm, order: label };
            self.shared.busy_with(format!("trying the order `{}`", origin.order));
            let asked = ask(self.shared, &origin, order.clone().into(), traced);
            let parts = all_parts(self.shared, &origin, asked, traced).await;
            match traced {
                true => self.shared.learn(&parts),
                false => self.compare(&parts),
            }
            let cases = self.focus.take_in(self.shared, &origin, &parts);
            explain_all(self.shared, cases).await;
            self.look_without_touched(&origin, &order, &parts).await;
            seen.extend(parts);
        }
        let progress = &mut self.shared.ledger.borrow_mut().plan[number];
        progress.done = progress.planned;
        seen
    }

    /// Explains untouched tests that differ only if touched ones are there.
    async fn look_without_touched(
        &self,
        origin: &Origin,
        order: &[TestNumber],
        parts: &[Rc<Observation>],
    ) {
        let unaccounted = self.focus.unaccounted(self.shared, parts);
        if unaccounted.is_empty() {
            return;
        }
        let label = format!("{}, without the touched tests", origin.order);
        let without = Origin { algorithm: origin.algorithm, order: label };
        let rest: Vec<_> = order.iter().copied().filter(|&test| !self.focus.has(test)).collect();
        let asked = ask(self.shared, &without, rest.into(), false);
        let contrast = all_parts(self.shared, &without, asked, false).await;
        let mut as_ever = TestSet::new(self.shared.roster.len());
        for (test, outcome) in contrast.iter().flat_map(|run| run.reached()) {
            let ledger = self.shared.ledger.borrow();
            let differs = ledger.reference.difference(self.shared.id(*test), outcome).is_some();
            if unaccounted.contains(*test) && !differs {
                as_ever.insert(*test);
            }
        }
        let at = |part: usize, place: usize| as_ever.contains(parts[part].reached()[place].0);
        let cases = take_in_some(self.shared, origin, parts, at);
        explain_all(self.shared, cases).await;
    }
}

/// These orders with only such tests in them.
fn around(stage: orders::Stage, company: &TestSet) -> orders::Stage {
    let company = company.clone();
    let proposals = stage.orders.map(move |Proposal { label, order }| Proposal {
        label: format!("{label}, around the change"),
        order: order.into_iter().filter(|&test| company.contains(test)).collect(),
    });
    orders::Stage { orders: Box::new(proposals), ..stage }
}

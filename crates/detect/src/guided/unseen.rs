//! Shows tests what they never saw: in orders that show much at once, then the
//! rest one by one.

use std::collections::BTreeSet;

use super::decide::{Item, Stage};
use super::sights::{Showing, Wanted, showing};
use super::{Guided, PAIRS_AT_ONCE};
use crate::config::Algorithm;
use crate::coverage::StageProgress;
use crate::shuffle::random;

/// Rounds of orders that are made for what tests never saw.
const MOST_ROUNDS: u64 = 16;

/// Orders that are made at once, before it is known what the first one showed.
const ORDERS_A_ROUND: usize = 2;

impl Guided<'_> {
    /// Orders that show many tests what they never saw, as long as there are
    /// such orders.
    pub(super) async fn new_sights(&self) {
        let (stage, number) = self.stage(Algorithm::DependenceAware, "new sights", 0);
        let stage = Stage { number: None, ..stage };
        let plan = |change: &dyn Fn(&mut StageProgress)| {
            change(&mut self.shared.ledger.borrow_mut().plan[number]);
        };
        for round in 1..=MOST_ROUNDS {
            let mut showings = self.showings(round).await;
            // What takes many tests and shows little is better looked for singly.
            showings.retain(|showing| showing.new.len() > 2 * showing.order.len());
            if showings.is_empty() {
                return;
            }
            let before = self.shared.ledger.borrow().knowledge.sights().count();
            plan(&|stage| stage.planned += showings.len() as u64);
            let tests: usize = showings.iter().map(|showing| showing.order.len()).sum();
            let orders = showings.iter().map(|showing| showing.order.clone()).collect();
            stage.run(&format!("new sights, round {round}"), orders).await;
            plan(&|stage| stage.done = stage.planned);
            let knowledge = &mut self.shared.ledger.borrow_mut().knowledge;
            showings.iter().for_each(|showing| knowledge.foresaw(&showing.new));
            if knowledge.sights().count() - before < tests as u64 {
                return;
            }
        }
    }

    async fn showings(&self, round: u64) -> Vec<Showing> {
        let mut wanted = self.wanted_sights();
        let mut random = random(self.shared.config.seed.wrapping_add(round));
        let mut showings = Vec::new();
        for _ in 0..ORDERS_A_ROUND {
            self.shared.pauses.pause().await;
            let knowledge = &self.shared.ledger.borrow().knowledge;
            let (roster, units) = (&self.shared.roster, &self.units);
            showings.push(showing(knowledge, roster, units, &mut wanted, &mut random));
        }
        showings
    }

    fn wanted_sights(&self) -> Wanted {
        let ledger = self.shared.ledger.borrow();
        let tests = self.shared.roster.all().filter(|&test| self.shared.is_open(&ledger, test));
        Wanted::of(&ledger.knowledge, tests)
    }

    /// What no order showed: a test alone, or directly behind one that leaves it.
    pub(super) async fn single_sights(&self) {
        let mut alone: BTreeSet<Vec<usize>> = BTreeSet::new();
        let mut behind: BTreeSet<Vec<usize>> = BTreeSet::new();
        {
            let knowledge = &self.shared.ledger.borrow().knowledge;
            for (test, spot, look) in self.wanted_sights().all() {
                let unit = self.unit_of[test as usize];
                let leaver = knowledge.leaver(spot, look, &self.shared.roster);
                match leaver.map(|leaver| self.unit_of[leaver as usize]) {
                    Some(leaver) if leaver != unit => behind.insert(vec![leaver, unit]),
                    _ => alone.insert(vec![unit]),
                };
            }
        }
        let count = (alone.len() + behind.len()) as u64;
        let (stage, _) = self.stage(Algorithm::DependenceAware, "single sights", count);
        for orders in [alone, behind] {
            let orders: Vec<Vec<usize>> = orders.into_iter().collect();
            for some in orders.chunks(PAIRS_AT_ONCE) {
                let mut items: Vec<Item> = some.iter().map(|units| self.item(units)).collect();
                stage.decide(&mut items, |_| {}).await;
            }
        }
    }
}

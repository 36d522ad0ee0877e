//! Shows tests what they never saw: in orders that show much at once, then the
//! rest one by one.

use std::collections::BTreeSet;

use super::Guided;
use super::decide::Stage;
use super::groups::{Grouping, Parts};
use super::sights::{Showing, Wanted, showing};
use crate::config::Algorithm;
use crate::coverage::StageProgress;
use crate::knowledge::{Knowledge, Seen, Sight, Simulation};
use crate::shuffle::random;

/// Rounds of orders that are made for what tests never saw.
const MOST_ROUNDS: u64 = 16;

/// Orders that are made at once, before it is known what the first one showed.
const ORDERS_A_ROUND: usize = 2;

/// How many single sights are looked for in one order: first many, and what
/// that does not show in smaller groups.
const GROUP_SIZES: [usize; 3] = [128, 16, 1];

/// Groups that run before it is looked at what they showed.
const GROUPS_AT_ONCE: usize = 4;

/// Runs of groups of one size: in large suites there may be thousands of sights
/// that no two tests show.
const MOST_RUNS_OF_A_SIZE: usize = 200;

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
            plan(&|stage| stage.planned += showings.len() as u64);
            let wanted: Vec<Sight> = self.wanted_sights().all().collect();
            let tests: usize = showings.iter().map(|showing| showing.order.len()).sum();
            let orders = showings.iter().map(|showing| showing.order.clone()).collect();
            stage.run(&format!("new sights, round {round}"), orders).await;
            plan(&|stage| stage.done = stage.planned);
            let ledger = self.shared.ledger.borrow();
            let sights = ledger.knowledge.sights();
            let shown = wanted.iter().filter(|sight| sights.has(**sight)).count();
            if shown < tests {
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

    /// What no order showed: a test alone, or directly behind one that leaves
    /// it; as many as possible in one order.
    pub(super) async fn single_sights(&self) {
        let (stage, number) = self.stage(Algorithm::DependenceAware, "single sights", 0);
        let stage = Stage { number: None, ..stage };
        for largest in GROUP_SIZES {
            self.sights_in_groups(&stage, number, largest).await;
        }
    }

    /// In groups of so many, until most of them show nothing.
    async fn sights_in_groups(&self, stage: &Stage<'_>, number: usize, largest: usize) {
        let mut tried: BTreeSet<Vec<usize>> = BTreeSet::new();
        let mut runs = 0;
        while runs < MOST_RUNS_OF_A_SIZE {
            self.shared.pauses.pause().await;
            let mut parts = self.unseen_parts();
            parts.retain(|units, _| !tried.contains(units));
            let groups = {
                let knowledge = &self.shared.ledger.borrow().knowledge;
                let grouping =
                    Grouping { knowledge, roster: &self.shared.roster, units: &self.units };
                grouping.groups(&parts, largest, GROUPS_AT_ONCE)
            };
            if groups.is_empty() {
                return;
            }
            runs += groups.len();
            self.shared.ledger.borrow_mut().plan[number].planned += groups.len() as u64;
            let label = format!("single sights ({} at once)", groups[0].parts.len());
            let orders = groups.iter().map(|group| group.order.clone()).collect();
            stage.run(&label, orders).await;
            let ledger = &mut *self.shared.ledger.borrow_mut();
            ledger.plan[number].done = ledger.plan[number].planned;
            let foreseen: usize = groups.iter().map(|group| group.sights.len()).sum();
            let shown = groups.iter().flat_map(|group| &group.sights);
            // What two tests alone do not show changes from run to run.
            let shown = shown.filter(|sight| match largest {
                1 => ledger.knowledge.foresaw(**sight),
                _ => ledger.knowledge.sights().has(**sight),
            });
            let shown = shown.count();
            tried.extend(groups.into_iter().flat_map(|group| group.parts));
            if largest > 1 && shown * 2 < foreseen {
                return;
            }
        }
    }

    /// What nobody showed, by the units that may show it.
    fn unseen_parts(&self) -> Parts {
        let wanted = self.wanted_sights();
        let knowledge = &self.shared.ledger.borrow().knowledge;
        let mut parts = Parts::new();
        for sight in wanted.all() {
            let (test, spot, look) = sight;
            let unit = self.unit_of[test as usize];
            let leaver = knowledge.leaver(spot, look, &self.shared.roster);
            let leaver = leaver.map(|leaver| self.unit_of[leaver as usize]);
            let before = leaver.filter(|&leaver| leaver != unit);
            parts.entry(before.into_iter().chain([unit]).collect()).or_default().push(sight);
        }
        parts.retain(|units, _| !self.is_known(knowledge, units));
        parts
    }

    /// Whether these units, in a JVM of their own, would see nothing new, so that
    /// what is wanted of them must come about in another way.
    fn is_known(&self, knowledge: &Knowledge, units: &[usize]) -> bool {
        let order = self.units.order(units.iter().copied());
        let simulation = Simulation::of(knowledge, &self.shared.roster, &order);
        simulation.steps().iter().all(|step| matches!(step.seen, Seen::Known(_)))
    }
}

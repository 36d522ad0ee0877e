//! Shows tests what they never saw: in orders that show much at once, then the
//! rest one by one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Guided;
use super::decide::Stage;
use super::groups::{Group, Grouping, Part};
use super::sights::{Showing, Wanted, showing};
use crate::config::Algorithm;
use crate::coverage::{Share, StageProgress};
use crate::knowledge::{Place, Sight, Sights};
use crate::shuffle::random;

/// Rounds of orders that are made for what tests never saw.
const MOST_ROUNDS: u64 = 16;

/// Orders that are made at once, before it is known what the first one showed.
const ORDERS_A_ROUND: usize = 2;

/// How many single sights are looked for in one order: first many, and what
/// that does not show in smaller groups.
const GROUP_SIZES: [usize; 3] = [128, 16, 1];

/// Groups that run before it is looked at what they showed: few of them where
/// each shows much.
const GROUPS_AT_ONCE: usize = 4;
const SINGLES_AT_ONCE: usize = 8;

/// How much of what forecasts promise must come true for more of the kind.
const WORTHWHILE: f64 = 0.5;

/// How much of what is foreseen for one place in one run must come true for the
/// forecast to have held there.
const HELD: f64 = 1.0 / 3.0;

impl Guided<'_> {
    /// Orders that show many tests what they never saw, as long as there are
    /// such orders.
    pub(super) async fn new_sights(&self) {
        let (stage, number) = self.stage(Algorithm::DependenceAware, "new sights", 0);
        let stage = Stage { number: None, waiting: Some(&self.waiting), ..stage };
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
            let among = (0..units.len()).filter(|&unit| !self.is_lengthy(unit)).collect();
            showings.push(showing(knowledge, roster, units, among, &mut wanted, &mut random));
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

    /// In groups of so many. Where most of what they were to show is not there,
    /// smaller groups go on, and what has a JVM of its own goes on only with
    /// locations for which no forecast failed so far.
    async fn sights_in_groups(&self, stage: &Stage<'_>, number: usize, largest: usize) {
        let at_once = if largest == 1 { SINGLES_AT_ONCE } else { GROUPS_AT_ONCE };
        let mut tried: BTreeSet<Vec<usize>> = BTreeSet::new();
        let mut most_doubt = u32::MAX;
        while self.runs_for_sights.get() > 0 {
            self.shared.pauses.pause().await;
            let mut parts = self.unseen_parts();
            let is_lengthy = |part: &Part| part.units.iter().any(|&unit| self.is_lengthy(unit));
            if largest == 1 {
                parts = in_turns(parts, self.shared.ledger.borrow().knowledge.sights());
                parts.sort_by_key(is_lengthy);
            } else {
                parts.retain(|part| !is_lengthy(part));
            }
            parts.retain(|part| part.doubt.0 <= most_doubt && !tried.contains(&part.units));
            let groups = {
                let knowledge = &self.shared.ledger.borrow().knowledge;
                let (roster, units) = (&self.shared.roster, &self.units);
                let most = at_once.min(self.runs_for_sights.get());
                Grouping { knowledge, roster, units }.groups(&parts, largest, most)
            };
            if groups.is_empty() {
                return;
            }
            self.runs_for_sights.set(self.runs_for_sights.get() - groups.len());
            self.shared.ledger.borrow_mut().plan[number].planned += groups.len() as u64;
            let label = format!("single sights ({} at once)", groups[0].parts.len());
            let orders = groups.iter().map(|group| group.order.clone()).collect();
            stage.run(&label, orders).await;
            let ledger = &mut *self.shared.ledger.borrow_mut();
            ledger.plan[number].done = ledger.plan[number].planned;
            let shown = judged(ledger.knowledge.sights_mut(), &groups);
            tried.extend(groups.into_iter().flat_map(|group| group.parts));
            match shown.fraction() < WORTHWHILE {
                true if largest > 1 => return,
                true => most_doubt = 0,
                false => {}
            }
        }
    }

    /// What nobody showed, by the units that may show it; the most certain first.
    fn unseen_parts(&self) -> Vec<Part> {
        let wanted = self.wanted_sights();
        let knowledge = &self.shared.ledger.borrow().knowledge;
        let mut parts: BTreeMap<Vec<usize>, Part> = BTreeMap::new();
        for sight in wanted.all() {
            let (test, spot, _) = sight;
            let unit = self.unit_of[test as usize];
            let leaver = knowledge.leaver(sight, &self.shared.roster);
            let doubt = (knowledge.sights().doubt(spot), leaver.map_or(0, |(_, saw)| saw));
            let before = leaver.map(|(leaver, _)| self.unit_of[leaver as usize]);
            let before = before.filter(|&leaver| leaver != unit);
            let units: Vec<usize> = before.into_iter().chain([unit]).collect();
            let part = parts.entry(units.clone());
            let part = part.or_insert_with(|| Part { units, sights: Vec::new(), doubt });
            part.doubt = part.doubt.min(doubt);
            part.sights.push(sight);
        }
        let mut parts: Vec<Part> = parts.into_values().collect();
        // The same questions in every analysis of the same runs.
        parts.iter_mut().for_each(|part| part.sights.sort_unstable());
        parts.sort_by_key(|part| part.doubt);
        parts
    }
}

/// Every place once before one has another turn. In long orders readers of the
/// same stay together instead.
fn in_turns(parts: Vec<Part>, sights: &Sights) -> Vec<Part> {
    let mut turns: HashMap<Place, usize> = HashMap::new();
    let with_turn = |part: Part| {
        let turn = turns.entry(sights.place(part.sights[0].1)).or_default();
        *turn += 1;
        ((part.doubt.0, *turn), part)
    };
    let mut parts: Vec<_> = parts.into_iter().map(with_turn).collect();
    parts.sort_by_key(|(turn, _)| *turn);
    parts.into_iter().map(|(_, part)| part).collect()
}

/// Takes note of which locations forecasts held for; gives how much of what was
/// foreseen was shown: of a JVM of its own whether it showed anything.
fn judged(sights: &mut Sights, groups: &[Group]) -> Share {
    let mut judged = Share { covered: 0, of: 0 };
    for group in groups {
        let is_alone = group.parts.len() == 1;
        let mut by_place: BTreeMap<Place, Share> = BTreeMap::new();
        for &sight in &group.sights {
            let place = by_place.entry(sights.place(sight.1)).or_default();
            place.covered += u64::from(sights.has(sight));
            place.of += 1;
        }
        let shown: u64 = by_place.values().map(|place| place.covered).sum();
        judged.covered += if is_alone { shown.min(1) } else { shown };
        judged.of += if is_alone { 1 } else { group.sights.len() as u64 };
        for (place, shown) in by_place {
            sights.foresaw(place, shown.fraction() >= HELD, is_alone);
        }
    }
    judged
}

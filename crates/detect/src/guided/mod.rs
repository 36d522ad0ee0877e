//! The trace-guided way: run only what traces do not tell already.
//!
//! A test's outcome is determined by what it read (`knowledge`). So the orders
//! of the other algorithms are walked through without running them, and only
//! where a test would see what it never saw something runs. First reversed
//! orders, and some random ones that run in any case as a guard against what
//! traces cannot see; then orders that show tests what they never saw
//! (`unseen`), each test alone, each reader directly after each writer, PraDeT's
//! inversions, every test directly after every other, and more random orders.
//!
//! After a change of the code only a part of that is in question (`focus`), and
//! the orders are those around it (`restricted`).
//!
//! What is implied is never evidence: it only saves runs.

mod allowance;
mod conflicts;
mod decide;
mod focus;
mod groups;
mod inversions;
mod pack;
mod passing;
mod ration;
mod restricted;
mod sights;
mod target;
mod turns;
mod unseen;
mod whole;

use std::cell::{Cell, RefCell};

use crate::config::Algorithm;
use crate::coverage::{Conflicts, Share, StageProgress};
use crate::explain::further;
use crate::orders::{self, Units};
use crate::pradet::{Refinement, references};
use crate::shared::Shared;
use crate::waiting::Waiting;
use allowance::Allowance;
use decide::{Item, Matters, Stage};
use focus::Focus;
use ration::{Cost, Ration};
use target::unit_of;
use turns::{Spender, take_turns};

/// Orders that are looked at, or under way, together.
const WINDOW: usize = 16;

/// Tests in orders that are looked at in one step: to walk through thousands of
/// orders of thousands of tests takes longer than to run some of them.
const MOST_LOOKED_AT: usize = 1_000_000;

/// Of them together: fewer of long orders, or it takes longer to look at all of
/// them than to run the one that the share is enough for.
const MOST_AT_ONCE: usize = 10_000;

/// Pairs that are looked at together.
const PAIRS_AT_ONCE: usize = 4_096;

/// Conflicting pairs that are looked at, of all there are in a large suite: to
/// look at millions takes longer than all runs together.
const MOST_PAIRS: usize = 65_536;

/// Whole orders run before all that differs in them is explained. So many waves
/// of explanations come in between, or the first finding would take long.
const EARLY_WAVES: usize = 4;

/// Orders in which all pairs run for real.
const UNPREDICTABLE_PAIRS: &str = "pairs of the unpredictable";

/// Names of the steps between the first random orders and all pairs.
const STEPS: [&str; 5] =
    ["new sights", "single sights", "alone", "conflicting pairs", "inversions"];

/// Everything after the reference runs.
pub(crate) async fn detect(shared: &Shared) {
    let units = Units::new(&shared.roster, shared.config.granularity);
    let unit_of = unit_of(&units, shared.roster.len());
    shared.ledger.borrow_mut().plan.clear();
    let focus = Focus::of(shared, &units);
    let tests = shared.roster.len();
    let took = shared.ledger.borrow().suite_took.unwrap_or_default();
    let ration = Ration { tests, growth: shared.config.budget.growth(took) };
    let allowance = Allowance::new(ration.for_combinations());
    let runs_for_sights = Cell::new(ration.for_sights());
    let passing_changes = ration.for_passing_changes();
    let waiting = RefCell::default();
    let guided = Guided {
        shared,
        units,
        unit_of,
        focus,
        allowance,
        runs_for_sights,
        passing_changes,
        waiting,
    };
    match shared.config.touched {
        None => guided.everything().await,
        Some(_) => guided.around_the_change().await,
    }
    further::look_for(shared).await;
}

struct Guided<'a> {
    shared: &'a Shared,
    units: Units,
    unit_of: Vec<usize>,
    focus: Focus,
    allowance: Allowance,
    /// How many runs are left for single sights.
    runs_for_sights: Cell<usize>,
    /// How many orders may begin with a test that changes something in passing.
    passing_changes: usize,
    /// What differed in whole orders.
    waiting: RefCell<Waiting>,
}

impl Guided<'_> {
    /// All orders of the other algorithms.
    async fn everything(&self) {
        let Shared { roster, config, .. } = self.shared;
        let (guards, more) = orders::shuffles(roster, config);
        let mut pairs = self.with_lengthy();
        pairs.extend(orders::pairs(roster, config));
        let names = |stages: &[orders::Stage]| stages.iter().map(|stage| stage.name).collect();
        let last = (!self.with_passing_changes().is_empty()).then_some(passing::PASSING_CHANGES);
        let last = last.into_iter().collect();
        let later: [Vec<_>; 5] =
            [names(&guards), STEPS.to_vec(), names(&pairs), names(&more), last];
        self.shared.ledger.borrow_mut().not_begun = later.concat();
        for stage in orders::reversed(roster, config) {
            self.run_all(self.without_lengthy(stage, 1), true).await;
        }
        // They cost little and find much, so they come early. What they show of the
        // knowledge that comes later is looked at when it has come.
        let mut guarding = Vec::new();
        for stage in guards {
            guarding.extend(self.run_all(self.without_lengthy(stage, 0), false).await);
        }
        self.explain(EARLY_WAVES).await;
        self.behind_polluters().await;
        self.new_sights().await;
        self.explain(usize::MAX).await;
        self.single_sights().await;
        let (few, all) = (Cost::LEAST, Cost::of_run(roster.len()));
        let kinds = vec![
            Spender::new(few, async {
                self.alone().await;
                // What tests leave that find all as made is known now.
                self.single_sights().await;
            }),
            Spender::new(few, self.conflicting_pairs()),
            Spender::new(few, self.inversions()),
            Spender::new(all, async {
                self.compare(&guarding);
                self.run_new_of(pairs).await;
            }),
            Spender::new(all, self.run_new_of(more)),
            Spender::new(all, self.pairs_of_the_unpredictable()),
        ];
        take_turns(&self.allowance, kinds).await;
        self.passing_changes().await;
        self.shared.ledger.borrow_mut().not_begun.clear();
    }

    fn is_lengthy(&self, unit: usize) -> bool {
        let lengthy = &self.shared.ledger.borrow().lengthy;
        self.units.get(unit).iter().any(|&test| lengthy.contains(test))
    }

    async fn run_new_of(&self, stages: Vec<orders::Stage>) {
        for stage in stages {
            self.run_new(stage).await;
        }
    }

    /// As soon as there is somebody whose outcome does not follow from what it
    /// reads.
    async fn pairs_of_the_unpredictable(&self) {
        while !self.has_unpredictable() {
            if !self.allowance.next_turn().await {
                return;
            }
        }
        for stage in orders::pairs(&self.shared.roster, &self.shared.config) {
            self.run_some(orders::Stage { name: UNPREDICTABLE_PAIRS, ..stage }).await;
        }
    }

    fn stage(&self, algorithm: Algorithm, name: &'static str, planned: u64) -> (Stage<'_>, usize) {
        let ledger = &mut *self.shared.ledger.borrow_mut();
        ledger.not_begun.retain(|&step| step != name);
        let plan = &mut ledger.plan;
        let earlier = plan.iter().filter(|stage| stage.name.starts_with(name)).count();
        let unique = if earlier == 0 { name.into() } else { format!("{name} ({})", earlier + 1) };
        plan.push(StageProgress { algorithm, name: unique, done: 0, planned });
        let number = plan.len() - 1;
        let Self { shared, unit_of, focus, allowance, .. } = self;
        let (only, number) = (focus.touched(), Some(number));
        // There is little around a change.
        let allowance = only.is_none().then_some(allowance);
        let waiting = None;
        let stage =
            Stage { shared, unit_of, focus, only, algorithm, name, number, allowance, waiting };
        (stage, plan.len() - 1)
    }

    /// The question how tests end in these units, one after the other.
    fn item(&self, units: &[usize]) -> Item {
        let names: Vec<String> =
            units.iter().map(|&unit| self.shared.id(self.units.get(unit)[0]).to_string()).collect();
        let label = match names.as_slice() {
            [first, then] => format!("{then} after {first}"),
            names => format!("{} alone", names.join(", ")),
        };
        Item::new(label, self.units.order(units.iter().copied()), Matters::Unsuspected)
    }

    /// Every unit as in a JVM of its own.
    async fn alone(&self) {
        let (stage, _) = self.stage(Algorithm::Isolate, "alone", self.units.len() as u64);
        let stage = Stage { only: None, ..stage };
        let label = |unit: usize| format!("{} alone", self.shared.id(self.units.get(unit)[0]));
        let item = |unit| Item::new(label(unit), self.units.get(unit).to_vec(), Matters::All);
        // Neighbours of different classes: each is the first of its class.
        let mut by_place: Vec<usize> = (0..self.units.len()).collect();
        by_place.sort_by_key(|&unit| {
            let first = self.units.get(unit)[0];
            let class = &self.shared.roster.classes()[self.shared.roster.class_of(first)];
            (self.is_lengthy(unit), class.iter().position(|&test| test == first))
        });
        let mut items: Vec<Item> = by_place.into_iter().map(item).collect();
        stage.decide(&mut items, |_| {}).await;
    }

    /// Every reader as directly after every writer, nothing else having run.
    async fn conflicting_pairs(&self) {
        let mut pairs = self.conflicts();
        pairs.retain(|&(writer, reader)| self.is_in_focus(writer) || self.is_in_focus(reader));
        pairs.sort_by_key(|&(writer, reader)| self.is_lengthy(writer) || self.is_lengthy(reader));
        let count = pairs.len() as u64;
        let (stage, _) = self.stage(Algorithm::DependenceAware, "conflicting pairs", count);
        let undecided = Conflicts { decided: Share { covered: 0, of: count }, implied: 0 };
        self.shared.ledger.borrow_mut().conflicts = Some(undecided);
        let decided = |item: &Item| {
            if let Some(conflicts) = &mut self.shared.ledger.borrow_mut().conflicts {
                conflicts.decided.covered += 1;
                conflicts.implied += u64::from(item.is_implied());
            }
        };
        let some = pairs.len().div_ceil(MOST_PAIRS).max(1);
        self.decide_pairs(&stage, pairs.into_iter().step_by(some), decided).await;
    }

    /// Each unit directly after the other, of these.
    async fn decide_pairs(
        &self,
        stage: &Stage<'_>,
        mut pairs: impl Iterator<Item = (usize, usize)>,
        mut decided: impl FnMut(&Item),
    ) {
        // There may be millions.
        loop {
            let mut items: Vec<Item> =
                pairs.by_ref().take(PAIRS_AT_ONCE).map(|(a, b)| self.item(&[a, b])).collect();
            // Without a run, what is left could only be counted.
            if items.is_empty() || !stage.may_go_on().await {
                return;
            }
            stage.decide(&mut items, &mut decided).await;
        }
    }

    /// Whether all dependencies of the unit are to be decided.
    fn is_in_focus(&self, unit: usize) -> bool {
        self.units.get(unit).iter().any(|&test| self.focus.has(test))
    }

    fn conflicts(&self) -> Vec<(usize, usize)> {
        let knowledge = &self.shared.ledger.borrow().knowledge;
        conflicts::conflicting(knowledge, &self.shared.roster, &self.units, &self.unit_of)
    }

    async fn inversions(&self) {
        let (stage, number) = self.stage(Algorithm::Pradet, "inversions", 0);
        // The refinement counts edges as it settles them.
        let stage = Stage { number: None, ..stage };
        for reference in references(self.shared) {
            let only = self.focus.touched();
            let refinement = Refinement::begin(self.shared, reference, only, number).await;
            inversions::refine(&stage, &refinement).await;
        }
    }

    /// Runs of these orders what is new.
    async fn run_new(&self, orders: orders::Stage) {
        let (stage, _) = self.stage(orders.algorithm, orders.name, orders.planned);
        let mut proposals = orders.orders;
        let tests = self.shared.roster.len().max(1);
        let rows = (MOST_LOOKED_AT / tests).max(WINDOW);
        let window = (MOST_AT_ONCE / tests).clamp(1, WINDOW);
        for _ in 0..rows.div_ceil(window) {
            let mut items: Vec<Item> = proposals
                .by_ref()
                .take(window)
                .map(|proposal| Item::new(proposal.label, proposal.order, Matters::Unsuspected))
                .collect();
            if items.is_empty() || !stage.may_go_on().await {
                return;
            }
            stage.decide(&mut items, |_| {}).await;
        }
    }

    fn has_unpredictable(&self) -> bool {
        let affected = self.focus.affected(self.shared);
        let ledger = self.shared.ledger.borrow();
        self.shared.roster.all().filter(|&test| affected.contains(test)).any(|test| {
            ledger.knowledge.is_unpredictable(test) && self.shared.is_unsuspected(&ledger, test)
        })
    }
}

//! Decides how the tests of many orders end with as few runs as possible.
//!
//! An order in which every test sees what it saw before need not run. Of the
//! others only what is new runs, several such parts in one JVM. After each run
//! its trace says what was reached; what was missed is tried again, and at
//! last the order itself runs, after which it is decided in any case.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use residue_model::Outcome;

use super::allowance::Allowance;
use super::focus::Focus;
use super::pack::pack;
use super::target::{Lookout, Target};
use crate::bits::TestSet;
use crate::config::Algorithm;
use crate::desk::Asked;
use crate::examine::{all_parts, ask};
use crate::finding::Origin;
use crate::knowledge::Knowledge;
use crate::observation::Observation;
use crate::roster::TestNumber;
use crate::shared::Shared;
use crate::waiting::{Waiting, explain_all};

/// Runs that may be under way before their traces are looked at.
const LARGEST_WAVE: usize = 16;

/// How often parts of a long order are tried in vain before it runs as it is.
const TRIES: u32 = 2;

/// Tests that are simulated before there is a pause.
const TESTS_AT_ONCE: usize = 1_000;

/// An order in question.
pub(super) struct Item {
    pub(super) label: String,
    pub(super) order: Vec<TestNumber>,
    pub(super) matters: Matters,
    /// Runs that were made for it.
    runs: u32,
    /// Of these, so many that told nothing new.
    in_vain: u32,
    /// How much of it was new before the last run that was made for it.
    gaps_before: Option<usize>,
    /// It ran as it is.
    pub(super) observed: Option<Vec<Rc<Observation>>>,
    done: bool,
}

/// Whose outcomes are wanted.
pub(super) enum Matters {
    /// Those of tests that never differed yet and can be compared.
    Unsuspected,
    /// Those of all tests and class fixtures, since others may depend on what
    /// they do.
    All,
    /// Those of these.
    These(Vec<TestNumber>),
}

impl Item {
    pub(super) fn new(label: String, order: Vec<TestNumber>, matters: Matters) -> Self {
        Self {
            label,
            order,
            matters,
            runs: 0,
            in_vain: 0,
            gaps_before: None,
            observed: None,
            done: false,
        }
    }

    /// Whether no run was made for it.
    pub(super) fn is_implied(&self) -> bool {
        self.done && self.runs == 0
    }

    /// Whether enough was tried with parts of it.
    fn is_stuck(&self) -> bool {
        self.in_vain >= if self.order.len() <= 2 { 1 } else { TRIES }
    }
}

/// What the runs are made for.
#[derive(Clone, Copy)]
pub(super) struct Stage<'a> {
    pub(super) shared: &'a Shared,
    pub(super) unit_of: &'a [usize],
    pub(super) focus: &'a Focus,
    /// If not all of an order is looked at: see [`Lookout::only`].
    pub(super) only: Option<&'a TestSet>,
    pub(super) algorithm: Algorithm,
    /// Its name in labels.
    pub(super) name: &'static str,
    /// Where the plan counts decided orders, unless somebody else counts.
    pub(super) number: Option<usize>,
    /// What the runs may cost, if that is limited.
    pub(super) allowance: Option<&'a Allowance>,
    /// Where tests that differ wait, unless they are explained at once.
    pub(super) waiting: Option<&'a RefCell<Waiting>>,
}

/// A run to make.
struct Run {
    order: Vec<TestNumber>,
    /// Items it is meant to help.
    items: Vec<usize>,
    /// The item of which it is the order itself.
    itself: Option<usize>,
}

impl Stage<'_> {
    /// Decides all of these, or as many as the allowance lets.
    pub(super) async fn decide(&self, items: &mut [Item], mut decided: impl FnMut(&Item)) {
        let mut wave = 1;
        loop {
            let open = self.open(items, &mut decided).await;
            if open.is_empty() {
                return;
            }
            if self.is_out() {
                // Others may have shown something meanwhile.
                match self.may_go_on().await {
                    true => continue,
                    false => return,
                }
            }
            let gaps: HashMap<usize, usize> =
                open.iter().map(|(item, target)| (*item, target.gaps)).collect();
            let mut runs = self.runs(items, &open, wave);
            runs.retain(|run| self.allowance.is_none_or(|all| all.spend(run.order.len())));
            if runs.is_empty() && !self.is_out() {
                return;
            }
            for (run, parts) in self.perform(items, runs).await {
                for &item in &run.items {
                    items[item].runs += 1;
                    items[item].gaps_before = Some(gaps[&item]);
                }
                if let Some(item) = run.itself {
                    items[item].observed = Some(parts);
                    items[item].done = true;
                    self.count(&items[item], &mut decided);
                }
            }
            wave = (wave * 2).min(LARGEST_WAVE);
        }
    }

    /// Whether nothing is left of the allowance, for now.
    fn is_out(&self) -> bool {
        self.allowance.is_some_and(Allowance::is_used_up)
    }

    /// Whether there is anything left to spend, now or in a later turn. If need
    /// be it waits for that.
    pub(super) async fn may_go_on(&self) -> bool {
        match self.allowance.filter(|allowance| allowance.is_used_up()) {
            Some(allowance) => allowance.next_turn().await,
            None => true,
        }
    }

    /// Items that are not decided, with what must run for them.
    async fn open(
        &self,
        items: &mut [Item],
        decided: &mut impl FnMut(&Item),
    ) -> Vec<(usize, Target)> {
        let mut open = Vec::new();
        let mut looked_at = 0;
        for (number, item) in items.iter_mut().enumerate().filter(|(_, item)| !item.done) {
            looked_at += item.order.len();
            if looked_at >= TESTS_AT_ONCE {
                self.shared.pauses.pause().await;
                looked_at = 0;
            }
            match self.target(item) {
                None => {
                    item.done = true;
                    self.count(item, decided);
                }
                Some(target) => {
                    let before = item.gaps_before.take();
                    let in_vain = before.is_some_and(|before| before <= target.gaps);
                    item.in_vain += u32::from(in_vain);
                    open.push((number, target));
                }
            }
        }
        open
    }

    fn count(&self, item: &Item, decided: &mut impl FnMut(&Item)) {
        decided(item);
        if let Some(number) = self.number {
            self.shared.ledger.borrow_mut().plan[number].done += 1;
        }
    }

    fn target(&self, item: &Item) -> Option<Target> {
        let ledger = self.shared.ledger.borrow();
        let knowledge = &ledger.knowledge;
        let to_the_end = matches!(item.matters, Matters::All);
        let lookout = self.lookout(knowledge);
        let matters = |test: TestNumber| match &item.matters {
            Matters::All => !knowledge.is_unpredictable(test),
            Matters::These(tests) => tests.contains(&test),
            Matters::Unsuspected => self.shared.is_open(&ledger, test),
        };
        // It was seen where it was of no interest, and not explained.
        let may_be_news = self.focus.touched().is_some() && !to_the_end;
        let is_news = |test: TestNumber, outcome: &Outcome| {
            let difference = ledger.reference.difference(self.shared.id(test), outcome);
            may_be_news && self.shared.is_unsuspected(&ledger, test) && difference.is_some()
        };
        lookout.target(&item.order, to_the_end, matters, is_news)
    }

    fn lookout<'b>(&'b self, knowledge: &'b Knowledge) -> Lookout<'b> {
        let (roster, unit_of, only) = (&self.shared.roster, self.unit_of, self.only);
        Lookout { knowledge, roster, unit_of, only }
    }

    /// The next runs: what parts could not tell as it is, the rest packed.
    fn runs(&self, items: &[Item], open: &[(usize, Target)], wave: usize) -> Vec<Run> {
        let itself = |(item, _): &(usize, Target)| Run {
            order: items[*item].order.clone(),
            items: vec![*item],
            itself: Some(*item),
        };
        let (stuck, fresh): (Vec<_>, Vec<_>) =
            open.iter().partition(|(item, _)| items[*item].is_stuck());
        let mut runs: Vec<Run> = stuck.into_iter().take(wave).map(itself).collect();
        let targets: Vec<Target> = fresh.iter().map(|(_, target)| target.clone()).collect();
        let ledger = self.shared.ledger.borrow();
        let lookout = self.lookout(&ledger.knowledge);
        for packed in pack(&lookout, &targets, wave.saturating_sub(runs.len())) {
            let helped: Vec<usize> = packed.targets.iter().map(|&target| fresh[target].0).collect();
            let itself = helped.iter().copied().find(|&item| items[item].order == packed.order);
            runs.push(Run { order: packed.order, items: helped, itself });
        }
        runs
    }

    /// Runs these orders, two or more under way at a time.
    pub(super) async fn run(&self, label: &str, orders: Vec<Vec<TestNumber>>) {
        let origin = Origin { algorithm: self.algorithm, order: label.into() };
        let begun = |order: Vec<TestNumber>| ask(self.shared, &origin, order.into(), true);
        let under_way: Vec<_> = orders.into_iter().map(begun).collect();
        for asked in under_way {
            self.take_in(&origin, asked).await;
        }
    }

    async fn perform(&self, items: &[Item], runs: Vec<Run>) -> Vec<(Run, Vec<Rc<Observation>>)> {
        let begun = |run: Run| {
            let order = match (run.itself, run.items.len()) {
                (Some(item), _) => items[item].label.clone(),
                (None, 1) => format!("part of {}", items[run.items[0]].label),
                (None, many) => format!("{} ({many} at once)", self.name),
            };
            let origin = Origin { algorithm: self.algorithm, order };
            let asked = ask(self.shared, &origin, run.order.clone().into(), true);
            (run, origin, asked)
        };
        let under_way: Vec<_> = runs.into_iter().map(begun).collect();
        let mut performed = Vec::with_capacity(under_way.len());
        for (run, origin, asked) in under_way {
            performed.push((run, self.take_in(&origin, asked).await));
        }
        performed
    }

    async fn take_in(&self, origin: &Origin, asked: Asked) -> Vec<Rc<Observation>> {
        self.shared.busy_with(format!("trying the order `{}`", origin.order));
        let parts = all_parts(self.shared, origin, asked, true).await;
        self.shared.learn(&parts);
        let cases = self.focus.take_in(self.shared, origin, &parts);
        match self.waiting {
            Some(waiting) => waiting.borrow_mut().add(cases),
            None => explain_all(self.shared, cases).await,
        }
        parts
    }
}

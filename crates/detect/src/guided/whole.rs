//! Whole orders, which run whatever is known.
//!
//! In slow suites most of them run without the tests that take most of the
//! time. What differs in them waits until somebody wants it explained.

use std::collections::VecDeque;
use std::rc::Rc;

use super::decide::Stage;
use super::{Guided, WINDOW};
use crate::bits::TestSet;
use crate::config::{Algorithm, Granularity};
use crate::examine::{all_parts, ask, take_in};
use crate::finding::{Origin, Role};
use crate::observation::Observation;
use crate::orders::{self, Proposal};
use crate::roster::{Roster, TestNumber};
use crate::shared::Shared;
use crate::waiting::explain_some;

/// Of those who have most victims so many come first in an order of their own.
const MOST_POLLUTERS: usize = 2;

/// Tests told by name in the label of an order behind them.
const NAMED: usize = 3;

impl Guided<'_> {
    /// Runs orders whatever is known. Without a trace they show whether what
    /// was learnt from traces holds.
    pub(super) async fn run_all(
        &self,
        orders: orders::Stage,
        traced: bool,
    ) -> Vec<Rc<Observation>> {
        let (stage, number) = self.stage(orders.algorithm, orders.name, orders.planned);
        let seen = self.run_in(&stage, number, orders.orders, traced).await;
        let progress = &mut self.shared.ledger.borrow_mut().plan[number];
        progress.done = progress.planned;
        seen
    }

    /// The same without a trace, as far as the allowance goes.
    pub(super) async fn run_some(&self, orders: orders::Stage) {
        let (stage, number) = self.stage(orders.algorithm, orders.name, orders.planned);
        let mut left = orders.orders.peekable();
        while left.peek().is_some() && stage.may_go_on().await {
            let spend = |proposal: &Proposal| self.allowance.spend(proposal.order.len());
            let some: Vec<Proposal> =
                std::iter::from_fn(|| left.next_if(spend)).take(WINDOW).collect();
            self.run_in(&stage, number, some.into_iter(), false).await;
            self.explain(usize::MAX).await;
        }
    }

    pub(super) async fn run_in(
        &self,
        stage: &Stage<'_>,
        number: usize,
        orders: impl Iterator<Item = Proposal>,
        traced: bool,
    ) -> Vec<Rc<Observation>> {
        let mut seen = Vec::new();
        let default: Vec<TestNumber> = self.shared.roster.all().collect();
        let mut under_way = VecDeque::new();
        let mut orders = orders.filter(|proposal| proposal.order != default);
        loop {
            while under_way.len() < WINDOW
                && let Some(Proposal { label, order }) = orders.next()
            {
                let origin = Origin { algorithm: stage.algorithm, order: label };
                let asked = ask(self.shared, &origin, order.into(), traced);
                under_way.push_back((origin, asked));
            }
            let Some((origin, asked)) = under_way.pop_front() else { break };
            self.shared.busy_with(format!("trying the order `{}`", origin.order));
            let parts = all_parts(self.shared, &origin, asked, traced).await;
            match traced {
                true => self.shared.learn(&parts),
                // Orders behind those of whom traces do not tell all are full of guesses.
                false if stage.algorithm == Algorithm::DependenceAware => {}
                false => self.compare(&parts),
            }
            if traced && origin.algorithm == Algorithm::Reverse {
                let ledger = &mut *self.shared.ledger.borrow_mut();
                ledger.traced_reversed.get_or_insert(parts.clone());
            }
            let cases = take_in(self.shared, &origin, &parts);
            self.waiting.borrow_mut().add(cases);
            self.shared.ledger.borrow_mut().plan[number].done += 1;
            seen.extend(parts);
        }
        seen
    }

    /// All tests behind those that others are known to suffer from: more may suffer,
    /// and came before them, or behind a cleaner, in all orders so far.
    pub(super) async fn behind_polluters(&self) {
        let Shared { roster, config, ledger, .. } = self.shared;
        let mut polluters = ledger.borrow().known.clone();
        polluters.retain(|one| one.role == Role::Polluter);
        polluters.sort_by_key(|one| std::cmp::Reverse(one.dependents));
        polluters.truncate(MOST_POLLUTERS);
        if polluters.is_empty() || config.granularity == Granularity::Class {
            return;
        }
        let orders: Vec<Proposal> =
            polluters.iter().map(|one| behind(&one.tests, roster)).collect();
        let stage = orders::Stage {
            algorithm: Algorithm::DependenceAware,
            name: "behind polluters",
            planned: orders.len() as u64,
            orders: Box::new(orders.into_iter()),
        };
        self.run_all(self.without_lengthy(stage, 0), false).await;
    }

    pub(super) fn compare(&self, parts: &[Rc<Observation>]) {
        let ledger = &mut *self.shared.ledger.borrow_mut();
        for part in parts {
            ledger.knowledge.compare(part, &self.shared.roster, self.shared.config.comparison);
        }
    }

    /// Explains so many waves of what differed in whole orders.
    pub(super) async fn explain(&self, waves: usize) {
        let mut waiting = self.waiting.take();
        explain_some(self.shared, &mut waiting, waves).await;
        self.waiting.replace(waiting);
    }

    /// The same orders, but only the first ones with tests that take most of the
    /// time of a slow suite.
    pub(super) fn without_lengthy(&self, stage: orders::Stage, whole: usize) -> orders::Stage {
        let lengthy = self.shared.ledger.borrow().lengthy.clone();
        if lengthy.is_empty() {
            return stage;
        }
        let shortened = move |(number, proposal): (usize, Proposal)| {
            let Proposal { label, mut order } = proposal;
            if number < whole {
                return Proposal { label, order };
            }
            order.retain(|&test| !lengthy.contains(test));
            let tests = if lengthy.len() == 1 { "test" } else { "tests" };
            let label = format!("{label}, without {} lengthy {tests}", lengthy.len());
            Proposal { label, order }
        };
        let orders = Box::new(stage.orders.enumerate().map(shortened));
        orders::Stage { orders, ..stage }
    }

    /// The orders that ran without some tests, as they are.
    pub(super) fn with_lengthy(&self) -> Vec<orders::Stage> {
        let Shared { roster, config, ledger, .. } = self.shared;
        if ledger.borrow().lengthy.is_empty() {
            return Vec::new();
        }
        let named = |name| move |stage| orders::Stage { name, ..stage };
        let reversed = orders::reversed(roster, config).into_iter();
        let (guards, _) = orders::shuffles(roster, config);
        reversed
            .map(named("reverse with lengthy tests"))
            .chain(guards.into_iter().map(named("random with lengthy tests")))
            .collect()
    }
}

/// All other tests behind these.
pub(super) fn behind(first: &[TestNumber], roster: &Roster) -> Proposal {
    let named = &first[..first.len().min(NAMED)];
    let names: Vec<_> = named.iter().map(|&test| roster.id(test).as_str()).collect();
    let unnamed = match first.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let label = format!("all behind {}{unnamed}", names.join(", "));
    let come_first = TestSet::of(roster.len(), first);
    let others = roster.all().filter(|&test| !come_first.contains(test));
    Proposal { label, order: first.iter().copied().chain(others).collect() }
}

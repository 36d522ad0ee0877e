//! The base algorithm of DTDetector's Figure 2: run orders, compare with the
//! default order, and explain what differs.
//!
//! Orders are looked at strictly one after the other, whatever finishes first,
//! and explanations learn from each other only at fixed points. So the same
//! answers lead to the same questions, however many runs happen at once.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::config::Strategy;
use crate::desk::Asked;
use crate::examine::{all_parts, ask, take_in};
use crate::finding::Origin;
use crate::orders::{Proposal, Work};
use crate::roster::{Order, TestNumber};
use crate::shared::Shared;
use crate::waiting::explain_all;
use crate::{guided, pradet, reference_runs};

/// Orders that may run while explanations wait for their answers.
const LOOK_AHEAD: usize = 16;

/// The whole detection, from the reference to the last order of the plan.
pub(crate) async fn detect(shared: Rc<Shared>, plan: Vec<Work>) {
    reference_runs::establish(&shared).await;
    if shared.config.strategy == Strategy::Guided && shared.is_traced() {
        guided::detect(&shared).await;
    } else {
        carry_out(&shared, plan).await;
    }
    shared.busy_with("done".into());
}

async fn carry_out(shared: &Shared, plan: Vec<Work>) {
    let mut orders = Orders::new(shared, plan);
    loop {
        while let Some(next) = orders.next() {
            shared.busy_with(format!("trying the order `{}`", next.origin.order));
            let observations = all_parts(shared, &next.origin, next.asked, false).await;
            let cases = take_in(shared, &next.origin, &observations);
            explain_all(shared, cases).await;
            shared.ledger.borrow_mut().plan[next.stage].done += 1;
        }
        match orders.pop_refinement() {
            Some(stage) => pradet::refine(shared, stage).await,
            None => return,
        }
    }
}

/// The proposals of all stages, asked some steps ahead.
struct Orders<'a> {
    shared: &'a Shared,
    plan: VecDeque<(usize, Work)>,
    ahead: VecDeque<Next>,
    seen: HashSet<u64>,
}

struct Next {
    stage: usize,
    origin: Origin,
    asked: Asked,
}

impl<'a> Orders<'a> {
    fn new(shared: &'a Shared, plan: Vec<Work>) -> Self {
        let default: Order = shared.roster.all().collect();
        let seen = HashSet::from([digest(&default)]);
        let plan = plan.into_iter().enumerate().collect();
        Self { shared, plan, ahead: VecDeque::new(), seen }
    }

    /// Nothing at the end and where something else than orders comes next.
    fn next(&mut self) -> Option<Next> {
        while self.ahead.len() < LOOK_AHEAD
            && let Some((stage, proposal, origin)) = self.draw()
        {
            if !self.seen.insert(digest(&proposal.order)) {
                self.shared.ledger.borrow_mut().plan[stage].done += 1;
                continue;
            }
            let asked = ask(self.shared, &origin, proposal.order.into(), false);
            self.ahead.push_back(Next { stage, origin, asked });
        }
        self.ahead.pop_front()
    }

    fn draw(&mut self) -> Option<(usize, Proposal, Origin)> {
        while let Some((number, Work::Orders(stage))) = self.plan.front_mut() {
            if let Some(proposal) = stage.orders.next() {
                let origin = Origin { algorithm: stage.algorithm, order: proposal.label.clone() };
                return Some((*number, proposal, origin));
            }
            self.plan.pop_front();
        }
        None
    }

    fn pop_refinement(&mut self) -> Option<usize> {
        self.plan.pop_front().map(|(stage, _)| stage)
    }
}

/// Stands for an order when all that matters is whether it came before.
fn digest(order: &[TestNumber]) -> u64 {
    let mut hasher = DefaultHasher::new();
    order.hash(&mut hasher);
    hasher.finish()
}

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

use crate::bits::TestSet;
use crate::desk::{Asked, Tier};
use crate::explain::{Case, explain};
use crate::finding::Origin;
use crate::join::join_all;
use crate::observation::{Evidence, Observation};
use crate::orders::{Proposal, Stage};
use crate::purpose::Purpose;
use crate::reference_runs::{self, MOST_CONTINUATIONS};
use crate::roster::{Order, TestNumber};
use crate::shared::{Shared, Standing};

/// Orders that may run while explanations wait for their answers.
const LOOK_AHEAD: usize = 16;

/// At most so many tests are explained at once.
const LARGEST_WAVE: usize = 16;

/// The whole detection, from the reference to the last order of the plan.
pub(crate) async fn detect(shared: Rc<Shared>, stages: Vec<Stage>) {
    reference_runs::establish(&shared).await;
    let mut orders = Orders::new(&shared, stages);
    while let Some(next) = orders.next() {
        shared.busy_with(format!("trying the order `{}`", next.origin.order));
        let observations = all_parts(&shared, &next.origin, next.asked).await;
        let cases = take_in(&shared, &next.origin, &observations);
        explain_all(&shared, &next.origin, cases).await;
        shared.ledger.borrow_mut().plan[next.stage].done += 1;
    }
    shared.busy_with("done".into());
}

/// The proposals of all stages, asked some steps ahead.
struct Orders<'a> {
    shared: &'a Shared,
    stages: VecDeque<(usize, Stage)>,
    ahead: VecDeque<Next>,
    seen: HashSet<u64>,
}

struct Next {
    stage: usize,
    origin: Origin,
    asked: Asked,
}

impl<'a> Orders<'a> {
    fn new(shared: &'a Shared, stages: Vec<Stage>) -> Self {
        let default: Order = shared.roster.all().collect();
        let seen = HashSet::from([digest(&default)]);
        let stages = stages.into_iter().enumerate().collect();
        Self { shared, stages, ahead: VecDeque::new(), seen }
    }

    fn next(&mut self) -> Option<Next> {
        while self.ahead.len() < LOOK_AHEAD
            && let Some((stage, proposal, origin)) = self.draw()
        {
            if !self.seen.insert(digest(&proposal.order)) {
                self.shared.ledger.borrow_mut().plan[stage].done += 1;
                continue;
            }
            let asked = ask(self.shared, &origin, proposal.order.into());
            self.ahead.push_back(Next { stage, origin, asked });
        }
        self.ahead.pop_front()
    }

    fn draw(&mut self) -> Option<(usize, Proposal, Origin)> {
        loop {
            let (number, stage) = self.stages.front_mut()?;
            if let Some(proposal) = stage.orders.next() {
                let origin = Origin { algorithm: stage.algorithm, order: proposal.label.clone() };
                return Some((*number, proposal, origin));
            }
            self.stages.pop_front();
        }
    }
}

/// Stands for an order when all that matters is whether it came before.
fn digest(order: &[TestNumber]) -> u64 {
    let mut hasher = DefaultHasher::new();
    order.hash(&mut hasher);
    hasher.finish()
}

fn ask(shared: &Shared, origin: &Origin, order: Order) -> Asked {
    let purpose = Purpose::Exploration { algorithm: origin.algorithm, order: origin.order.clone() };
    shared.desk.ask(order, 0, purpose, Tier::Ahead, 0)
}

/// The run of an order; where a test ended the JVM, also runs of what is left.
async fn all_parts(shared: &Shared, origin: &Origin, asked: Asked) -> Vec<Rc<Observation>> {
    let mut parts = vec![asked.await];
    while parts.len() <= MOST_CONTINUATIONS
        && let Some(rest) = parts.last().and_then(|part| part.left_over().map(Order::from))
    {
        parts.push(ask(shared, origin, rest).await);
    }
    parts
}

/// Compares with the default order; gives the differences nobody has explained.
fn take_in(shared: &Shared, origin: &Origin, parts: &[Rc<Observation>]) -> Vec<Case> {
    let ledger = &mut *shared.ledger.borrow_mut();
    let mut cases = Vec::new();
    for run in parts {
        let mut earlier = TestSet::new(shared.roster.len());
        for (place, (test, outcome)) in run.reached().iter().enumerate() {
            let id = shared.id(*test);
            let differs =
                ledger.reference.difference(id, outcome).is_some() && shared.is_at_home(run, place);
            if !differs {
                ledger.harmless.insert_all(*test, &earlier);
            }
            let standing = &mut ledger.standing[*test as usize];
            if differs
                && *standing == Standing::Unsuspected
                && let Some(expected) = &ledger.grounds[*test as usize]
            {
                *standing = Standing::Suspected;
                ledger.unexplained.insert(*test, origin.clone());
                cases.push(Case {
                    test: *test,
                    expected: expected.clone(),
                    differing: Evidence { run: Rc::clone(run), place },
                    origin: origin.clone(),
                });
            }
            earlier.insert(*test);
        }
    }
    cases
}

/// Explains one test first, then two, four and so on at once: many tests
/// usually share a polluter, and what the first ones taught is tried first.
async fn explain_all(shared: &Shared, origin: &Origin, mut cases: Vec<Case>) {
    let total = cases.len();
    let mut wave = 1;
    let mut begun = 0;
    while !cases.is_empty() {
        let now: Vec<Case> = cases.drain(..wave.min(cases.len())).collect();
        shared.busy_with(activity(shared, origin, &now, begun, total));
        begun += now.len();
        let known = shared.ledger.borrow().known.clone();
        let explanations = now.into_iter().map(|case| explain(shared, case, &known));
        let explained = join_all(explanations).await;
        let ledger = &mut *shared.ledger.borrow_mut();
        for (role, tests) in explained.into_iter().flatten() {
            ledger.remember(role, &tests);
        }
        wave = (wave * 2).min(LARGEST_WAVE);
    }
}

fn activity(shared: &Shared, origin: &Origin, now: &[Case], begun: usize, of: usize) -> String {
    let order = &origin.order;
    match now {
        [case] if of == 1 => format!("explaining {} (order `{order}`)", shared.id(case.test)),
        _ => format!(
            "explaining {} to {} of {of} tests that differ in order `{order}`",
            begun + 1,
            begun + now.len()
        ),
    }
}

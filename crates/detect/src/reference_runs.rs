//! The default order, several times, before anything is compared with it.

use std::collections::HashMap;
use std::rc::Rc;

use crate::desk::{Asked, Tier};
use crate::lengthy::lengthy;
use crate::observation::{Evidence, Observation};
use crate::purpose::Purpose;
use crate::roster::Order;
use crate::shared::Shared;

/// How many tests that end the JVM an order may have before the rest of it is
/// given up.
pub(crate) const MOST_CONTINUATIONS: usize = 64;

/// Fills the ledger's reference. Where a test ends the JVM, the tests behind it
/// are run as an order of their own, or nothing would ever be known of them.
///
/// If traces are wanted, one of the runs is traced. Its outcomes are no
/// evidence, since a trace may change them.
pub(crate) async fn establish(shared: &Shared) {
    let default: Order = shared.roster.all().collect();
    if default.is_empty() {
        return;
    }
    let all = shared.config.reference_runs.max(1);
    let traced = shared
        .config
        .wants_trace()
        .then(|| shared.desk.ask_traced(default.clone(), Purpose::Reference, Tier::Now));
    let plain = if traced.is_some() { (all - 1).max(1) } else { all };
    let mut runs = Runs { shared, asked_before: HashMap::new(), of: all };
    let asked: Vec<Asked> = (0..plain).map(|_| runs.ask(&default)).collect();
    for (number, asked) in (1..).zip(asked) {
        runs.take_in(number, asked).await;
    }
    if let Some(asked) = traced {
        shared.busy_with("tracing the default order".into());
        trace(shared, asked).await;
        if !shared.is_traced() && plain < all {
            let asked = runs.ask(&default);
            runs.take_in(all, asked).await;
        }
    }
}

struct Runs<'a> {
    shared: &'a Shared,
    asked_before: HashMap<Order, u32>,
    of: u32,
}

impl Runs<'_> {
    fn ask(&mut self, order: &Order) -> Asked {
        let repetition = self.asked_before.entry(order.clone()).or_default();
        *repetition += 1;
        self.shared.desk.ask(order.clone(), *repetition - 1, Purpose::Reference, Tier::Now, 0)
    }

    async fn take_in(&mut self, number: u32, asked: Asked) {
        self.shared.busy_with(format!("reference run {number} of {}", self.of));
        let mut observation = asked.await;
        let mut took = observation.duration();
        let mut each_took: Vec<_> = observation.test_durations().collect();
        take_in(self.shared, &observation);
        for _ in 0..MOST_CONTINUATIONS {
            let Some(rest) = observation.left_over().map(Order::from) else { break };
            observation = self.ask(&rest).await;
            took += observation.duration();
            each_took.extend(observation.test_durations());
            take_in(self.shared, &observation);
        }
        let ledger = &mut *self.shared.ledger.borrow_mut();
        if ledger.suite_took.is_none() {
            ledger.suite_took = Some(took);
            ledger.lengthy = lengthy(self.shared.roster.len(), &each_took);
            for (test, took) in each_took {
                ledger.tests_took[test as usize] = took;
            }
        }
    }
}

async fn trace(shared: &Shared, asked: Asked) {
    let mut parts = vec![asked.await];
    while parts.len() <= MOST_CONTINUATIONS
        && let Some(rest) = parts.last().and_then(|part| part.left_over().map(Order::from))
    {
        parts.push(shared.desk.ask_traced(rest, Purpose::Reference, Tier::Now).await);
    }
    if parts.iter().all(|part| part.watched().is_none()) {
        return;
    }
    shared.learn(&parts);
    let ledger = &mut *shared.ledger.borrow_mut();
    for (test, outcome) in parts.iter().flat_map(|part| part.reached()) {
        if ledger.reference.difference(shared.id(*test), outcome).is_some() {
            ledger.perturbed.insert(*test);
            ledger.knowledge.distrust(*test);
        }
    }
    ledger.traced_reference = parts;
}

fn take_in(shared: &Shared, observation: &Rc<Observation>) {
    let ledger = &mut *shared.ledger.borrow_mut();
    for (place, (test, outcome)) in observation.reached().iter().enumerate() {
        if !shared.is_at_home(observation, place) {
            continue;
        }
        ledger.reference.add(shared.id(*test), outcome);
        let grounds = &mut ledger.grounds[*test as usize];
        if grounds.is_none() {
            *grounds = Some(Evidence::at(observation, place));
        }
    }
}

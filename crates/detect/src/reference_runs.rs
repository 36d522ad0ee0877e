//! The default order, several times, before anything is compared with it.

use std::collections::HashMap;
use std::rc::Rc;

use crate::desk::{Asked, Tier};
use crate::observation::{Evidence, Observation};
use crate::purpose::Purpose;
use crate::roster::Order;
use crate::shared::Shared;

/// How many tests that end the JVM an order may have before the rest of it is
/// given up.
pub(crate) const MOST_CONTINUATIONS: usize = 64;

/// Fills the ledger's reference. Where a test ends the JVM, the tests behind it
/// are run as an order of their own, or nothing would ever be known of them.
pub(crate) async fn establish(shared: &Shared) {
    let default: Order = shared.roster.all().collect();
    if default.is_empty() {
        return;
    }
    let runs = shared.config.reference_runs.max(1);
    let mut asked_before: HashMap<Order, u32> = HashMap::new();
    let mut ask = |order: &Order| -> Asked {
        let repetition = asked_before.entry(order.clone()).or_default();
        *repetition += 1;
        shared.desk.ask(order.clone(), *repetition - 1, Purpose::Reference, Tier::Now, 0)
    };
    let all: Vec<Asked> = (0..runs).map(|_| ask(&default)).collect();
    for (number, asked) in (1..).zip(all) {
        shared.busy_with(format!("reference run {number} of {runs}"));
        let mut observation = asked.await;
        take_in(shared, &observation);
        for _ in 0..MOST_CONTINUATIONS {
            let Some(rest) = observation.left_over().map(Order::from) else { break };
            observation = ask(&rest).await;
            take_in(shared, &observation);
        }
    }
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
            *grounds = Some(Evidence { run: Rc::clone(observation), place });
        }
    }
}

//! Looks at a run: what differs from the default order.

use std::rc::Rc;

use residue_model::Outcome;

use crate::bits::TestSet;
use crate::desk::{Asked, Tier};
use crate::explain::Case;
use crate::finding::Origin;
use crate::observation::{Evidence, Observation};
use crate::purpose::Purpose;
use crate::reference_runs::MOST_CONTINUATIONS;
use crate::roster::Order;
use crate::shared::{Shared, Standing};

/// Wants an order for its own sake.
pub(crate) fn ask(shared: &Shared, origin: &Origin, order: Order, traced: bool) -> Asked {
    let purpose = Purpose::Exploration { algorithm: origin.algorithm, order: origin.order.clone() };
    match traced {
        true => shared.desk.ask_traced(order, purpose, Tier::Ahead),
        false => shared.desk.ask(order, 0, purpose, Tier::Ahead, 0),
    }
}

/// The run of an order; where a test ended the JVM, also runs of what is left.
pub(crate) async fn all_parts(
    shared: &Shared,
    origin: &Origin,
    asked: Asked,
    traced: bool,
) -> Vec<Rc<Observation>> {
    let mut parts = vec![asked.await];
    while parts.len() <= MOST_CONTINUATIONS
        && let Some(rest) = parts.last().and_then(|part| part.left_over().map(Order::from))
    {
        parts.push(ask(shared, origin, rest, traced).await);
    }
    parts
}

/// Compares with the default order; gives the differences nobody has explained.
pub(crate) fn take_in(shared: &Shared, origin: &Origin, parts: &[Rc<Observation>]) -> Vec<Case> {
    take_in_some(shared, origin, parts, |_, _| true)
}

/// The same, but of differences only those at places in question: which part,
/// and where in it.
pub(crate) fn take_in_some(
    shared: &Shared,
    origin: &Origin,
    parts: &[Rc<Observation>],
    in_question: impl Fn(usize, usize) -> bool,
) -> Vec<Case> {
    let ledger = &mut *shared.ledger.borrow_mut();
    let mut cases = Vec::new();
    for (part, run) in parts.iter().enumerate() {
        let mut earlier = TestSet::new(shared.roster.len());
        for (place, (test, outcome)) in run.reached().iter().enumerate() {
            let id = shared.id(*test);
            let at_home = shared.is_at_home(run, place);
            let differs = at_home && ledger.reference.difference(id, outcome).is_some();
            if differs && run.watched().is_some() && ledger.perturbed.contains(test) {
                earlier.insert(*test);
                continue;
            }
            if !differs {
                ledger.harmless.insert_all(*test, &earlier);
            }
            if differs
                && ledger.standing[*test as usize] == Standing::Unsuspected
                && in_question(part, place)
                && let Some(expected) = &ledger.grounds[*test as usize]
            {
                let case = Case {
                    test: *test,
                    expected: expected.clone(),
                    differing: Evidence::at(run, place),
                    origin: origin.clone(),
                };
                ledger.suspect(&case, id);
                cases.push(case);
            }
            if at_home && *outcome != Outcome::Passed {
                ledger.keep_failure(*test, Evidence::at(run, place), &shared.roster);
            }
            earlier.insert(*test);
        }
    }
    cases
}

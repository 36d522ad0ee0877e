//! Looks at a run: what differs from the default order, and why.

use std::collections::HashSet;
use std::rc::Rc;

use crate::bits::TestSet;
use crate::desk::{Asked, Tier};
use crate::explain::{Case, explain};
use crate::finding::Origin;
use crate::join::join_all;
use crate::observation::{Evidence, Observation};
use crate::purpose::Purpose;
use crate::reference_runs::MOST_CONTINUATIONS;
use crate::roster::Order;
use crate::shared::{Shared, Standing};

/// At most so many tests are explained at once.
const LARGEST_WAVE: usize = 16;

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
            let differs =
                ledger.reference.difference(id, outcome).is_some() && shared.is_at_home(run, place);
            if differs && run.watched().is_some() && ledger.perturbed.contains(test) {
                earlier.insert(*test);
                continue;
            }
            if !differs {
                ledger.harmless.insert_all(*test, &earlier);
            }
            let standing = &mut ledger.standing[*test as usize];
            if differs
                && *standing == Standing::Unsuspected
                && in_question(part, place)
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
pub(crate) async fn explain_all(shared: &Shared, origin: &Origin, mut cases: Vec<Case>) {
    let total = cases.len();
    let mut wave = 1;
    let mut begun = 0;
    let mut classes_begun = HashSet::new();
    while !cases.is_empty() {
        let now = next_wave(&mut cases, wave, &mut classes_begun, |case| {
            shared.id(case.test).top_level_class().to_owned()
        });
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
    let ledger = &mut *shared.ledger.borrow_mut();
    ledger.perturbed.iter().for_each(|&test| ledger.knowledge.distrust(test));
}

/// Takes the next ones, but of a class that is new only the first: the others of
/// it most likely have the same partners.
fn next_wave<T>(
    waiting: &mut Vec<T>,
    most: usize,
    classes_begun: &mut HashSet<String>,
    class_of: impl Fn(&T) -> String,
) -> Vec<T> {
    let (mut now, mut later) = (Vec::new(), Vec::new());
    let mut new_classes = HashSet::new();
    for case in waiting.drain(..) {
        let class = class_of(&case);
        let may_begin = classes_begun.contains(&class) || !new_classes.contains(&class);
        if now.len() < most && may_begin {
            new_classes.insert(class);
            now.push(case);
        } else {
            later.push(case);
        }
    }
    *waiting = later;
    classes_begun.extend(new_classes);
    now
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_new_class_one_test_goes_ahead_of_the_others() {
        let mut waiting = vec!["a1", "a2", "a3", "b1", "b2", "c1"];
        let mut begun = HashSet::new();
        let mut wave =
            |most| next_wave(&mut waiting, most, &mut begun, |case| case[..1].to_owned());
        assert_eq!(wave(1), ["a1"]);
        assert_eq!(wave(2), ["a2", "a3"]);
        assert_eq!(wave(4), ["b1", "c1"]);
        assert_eq!(wave(8), ["b2"]);
        assert!(wave(16).is_empty());
    }
}

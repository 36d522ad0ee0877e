//! Many tests with the same partners: proved in each other's company.
//!
//! A finding takes two runs of its own, the test alone and the test after its
//! partners, and each of the two has to happen again. Where dozens of tests have
//! the same partners, that is shown of all of them at once: they all run without
//! the partners, and they all run after the partners.

use std::ops::Range;

use residue_model::Outcome;

use super::{Case, LARGEST_WAVE, explain};
use crate::config::Granularity;
use crate::finding::{Company, Role};
use crate::join::join_all;
use crate::purpose::Step;
use crate::roster::TestNumber;
use crate::shared::{KnownPartners, Shared};

/// Fewer are proved each by itself, in not many more runs.
const FEWEST: usize = 8;

/// Explains those of the cases whose tests these partners flip; the others are
/// given back.
pub(crate) async fn prove(
    shared: &Shared,
    partners: &KnownPartners,
    cases: Vec<Case>,
) -> Vec<Case> {
    // Where classes stay whole, others of a class come before a test in any order.
    if shared.config.granularity == Granularity::Class || cases.len() < FEWEST {
        return cases;
    }
    let suspected = cases.iter().filter(|case| may_be_due_to(case, partners));
    let mut tests: Vec<TestNumber> = suspected.map(|case| case.test).collect();
    tests.sort_unstable();
    shared.busy_with(format!("trying {} tests that differ after the same partners", tests.len()));
    let flipped = flipped(shared, partners, &tests, 0..1).await;
    let repetitions = shared.config.confirmations.max(1);
    let flipped = self::flipped(shared, partners, &flipped, 0..repetitions).await;
    if flipped.len() < FEWEST {
        return cases;
    }
    let (mut fellows, others): (Vec<_>, Vec<_>) =
        cases.into_iter().partition(|case| flipped.contains(&case.test));
    let company = Company { others: flipped.len() - 1, runs: repetitions };
    while !fellows.is_empty() {
        let now = fellows.drain(..fellows.len().min(LARGEST_WAVE)).collect::<Vec<_>>();
        shared.busy_with(format!("explaining {} tests with the same partners", flipped.len()));
        let known = std::slice::from_ref(partners);
        let explanations = now.into_iter().map(|case| explain(shared, case, known, Some(company)));
        let explained = join_all(explanations).await;
        let ledger = &mut *shared.ledger.borrow_mut();
        for (role, tests) in explained.into_iter().flatten() {
            ledger.remember(role, &tests);
        }
    }
    others
}

/// Whether the partners were there when the test was flipped.
fn may_be_due_to(case: &Case, partners: &KnownPartners) -> bool {
    let passes_after = partners.role == Role::StateSetter;
    let seen = [&case.differing, &case.expected].into_iter();
    let mut flipped =
        seen.filter(|evidence| (*evidence.outcome() == Outcome::Passed) == passes_after);
    flipped.any(|evidence| {
        let before = evidence.before();
        partners.tests.iter().all(|partner| before.contains(partner))
    })
}

/// Of these tests, all in one order, those that pass only after the partners,
/// or only without them, in every one of the repetitions.
async fn flipped(
    shared: &Shared,
    partners: &KnownPartners,
    tests: &[TestNumber],
    repetitions: Range<u32>,
) -> Vec<TestNumber> {
    if tests.len() < FEWEST {
        return Vec::new();
    }
    let after = [&partners.tests, tests].concat();
    let ask = |order: &[TestNumber], repetition| {
        shared.ask_about(tests[0], order.into(), repetition, Step::Company, 0)
    };
    let asked: Vec<_> =
        repetitions.map(|number| (ask(tests, number), ask(&after, number))).collect();
    let mut flipped = tests.to_vec();
    for (without, with) in asked {
        let (without, with) = (without.await, with.await);
        let passed = |outcome: Option<&Outcome>| outcome.map(|outcome| *outcome == Outcome::Passed);
        let passes_after = partners.role == Role::StateSetter;
        flipped.retain(|&test| {
            passed(with.outcome_as_asked(test)) == Some(passes_after)
                && passed(without.outcome_as_asked(test)) == Some(!passes_after)
        });
    }
    flipped
}

//! Other tests that make a dependent test fail, where runs showed that there are
//! some: it failed although none of those known to do it had run before it.

use super::classify::{Contrast, Flip};
use super::minimise::smallest_partners;
use super::other_partners::confirmed;
use super::probe::Probe;
use crate::observation::Evidence;
use crate::purpose::Step;
use crate::roster::TestNumber;
use crate::shared::{KnownPartners, Shared, Standing};

/// Failures of one test that are looked at. One that many others make fail most
/// likely has one cause, and `all_partners` looks for them all.
const ROUNDS: usize = 3;

/// Failures that are looked at in vain, or that new tests are found to cause. To
/// minimise those takes runs; to see that known partners do it takes few.
const MOST_NEW: usize = 8;

/// Explains what the partners of the findings do not account for, one failure of
/// each test before another of one.
pub(crate) async fn look_for(shared: &Shared) {
    let is_dependent =
        |&test: &TestNumber| shared.ledger.borrow().standing[test as usize] == Standing::Dependent;
    let dependent: Vec<TestNumber> = shared.roster.all().filter(is_dependent).collect();
    let mut new = 0;
    for test in std::iter::repeat_n(dependent, ROUNDS).flatten() {
        if new == MOST_NEW {
            return;
        }
        let next = shared.ledger.borrow_mut().failures.take_first(test);
        let Some(evidence) = next else { continue };
        let known = shared.ledger.borrow().known.clone();
        let found = explain(shared, test, evidence, &known).await;
        let was_known = found.is_some_and(|found| known.iter().any(|set| set.tests == found));
        new += usize::from(!was_known);
        shared.ledger.borrow_mut().account_for(test, &shared.roster);
    }
}

/// Adds those who caused the failure to the finding, and gives them.
async fn explain(
    shared: &Shared,
    test: TestNumber,
    evidence: Evidence,
    known: &[KnownPartners],
) -> Option<Vec<TestNumber>> {
    shared.busy_with(format!("looking for other tests that make {} fail", shared.id(test)));
    let probe = Probe::after(shared, test, &[], Step::OtherPartners);
    let (role, flip) = {
        let ledger = shared.ledger.borrow();
        let finding = ledger.findings.iter().find(|finding| finding.test == *shared.id(test))?;
        (finding.role, Flip::of(finding.role, &finding.alone.outcome, shared, test))
    };
    let contrast = Contrast { role, evidence, flip };
    let found = smallest_partners(&probe, &contrast, known).await?;
    let tests = found.tests.clone();
    let partners = confirmed(&probe, &contrast, found).await?;
    // That a class was split says nothing about who else makes the test fail.
    if !partners.fixture_artefact {
        probe.add_partners(partners);
        shared.ledger.borrow_mut().remember(role.partner(), &tests);
    }
    Some(tests)
}

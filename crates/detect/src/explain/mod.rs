//! From a test that differed to a finding: what it does alone, which tests
//! flip it, whether that happens again.
//!
//! Every order and outcome in a finding was really run; nothing is inferred.

mod classify;
mod cleaners;
pub(crate) mod company;
mod confirm;
pub(crate) mod further;
mod minimise;
mod other_partners;
mod probe;
mod regroup;
mod traced;

use crate::Location;
use crate::explain::classify::{Contrast, classify};
use crate::explain::confirm::{Repeats, is_confirmed};
use crate::explain::minimise::{Flipping, smallest_partners};
use crate::explain::probe::Probe;
use crate::finding::{Company, Finding, Origin, PartnerSet, Role, Unreproduced, Witness};
use crate::observation::Evidence;
use crate::purpose::Step;
use crate::roster::TestNumber;
use crate::shared::{KnownPartners, Shared, Standing};

/// At most so many tests are explained at once.
pub(crate) const LARGEST_WAVE: usize = 16;

/// A test that ended otherwise than in the default order.
pub(crate) struct Case {
    pub(crate) test: TestNumber,
    pub(crate) expected: Evidence,
    pub(crate) differing: Evidence,
    pub(crate) origin: Origin,
}

/// Explains one case and writes the result into the ledger. Returns the
/// partners of a confirmed finding, for others to try. In the company that is
/// given, what the first of the known partners do was seen to happen again.
pub(crate) async fn explain(
    shared: &Shared,
    case: Case,
    known: &[KnownPartners],
    company: Option<Company>,
) -> Option<(Role, Vec<TestNumber>)> {
    let probe = Probe::new(shared, case.test);
    // Without knowing what the test does alone nothing can be said.
    let alone = probe.outcome(&[], Step::Alone).await?;
    let contrast = classify(&alone, &case, shared);
    let Some(found) = smallest_partners(&probe, &contrast, known).await else {
        let witness = confirm::not_seen_again(&probe, &contrast.evidence).await;
        set_aside_if_unsteady(shared, &case, &witness);
        return None;
    };
    let is_theirs =
        |known: &KnownPartners| known.tests == found.tests && known.role == contrast.role.partner();
    let company = company.filter(|_| known.first().is_some_and(is_theirs));
    let repetitions = if company.is_some() { 0 } else { shared.config.confirmations };
    let repeats_alone = Repeats::ask(&probe, &[], repetitions);
    let repeats_together = Repeats::ask(&probe, &found.tests, repetitions);
    let alone = repeats_alone.witness(alone).await;
    let together = repeats_together.witness(found.outcome.clone()).await;
    for witness in [&alone, &together] {
        if !is_confirmed(witness, repetitions) {
            set_aside_if_unsteady(shared, &case, witness);
            return None;
        }
    }
    let artefact = regroup::is_artefact(&probe, &contrast, &found.tests).await;
    let through = match company {
        // Of many with the same partners it is enough to have traced one.
        Some(_) => traced::known_through(&probe, &found.tests).unwrap_or_default(),
        None => traced::through(&probe, &found.tests).await,
    };
    let witnesses = Witnesses { alone, together, company, artefact, through };
    report(shared, &case, &contrast, &found, witnesses);
    other_partners::look_for(&probe, &contrast, &found.tests, known).await;
    cleaners::look_for(shared, &contrast, &case, &found.tests).await;
    Some((contrast.role.partner(), found.tests))
}

/// A test that ends differently in one order is no evidence any more. If the
/// runs did not tell, it stays unexplained.
fn set_aside_if_unsteady(shared: &Shared, case: &Case, witness: &Witness) {
    if witness.reproduced() {
        return;
    }
    let ledger = &mut *shared.ledger.borrow_mut();
    ledger.unexplained.remove(&case.test);
    let only_when_traced = case.differing.was_traced() && witness.held == 1;
    if only_when_traced {
        ledger.standing[case.test as usize] = Standing::Unsuspected;
        ledger.perturbed.insert(case.test);
        return;
    }
    ledger.standing[case.test as usize] = Standing::Unsteady;
    ledger.unreproduced.push(Unreproduced {
        test: shared.id(case.test).clone(),
        in_default_order: case.expected.outcome().clone(),
        witness: witness.clone(),
        found_by: case.origin.clone(),
    });
}

/// What was seen of a confirmed dependence.
struct Witnesses {
    alone: Witness,
    together: Witness,
    company: Option<Company>,
    artefact: bool,
    through: Vec<Location>,
}

fn report(
    shared: &Shared,
    case: &Case,
    contrast: &Contrast,
    found: &Flipping,
    witnesses: Witnesses,
) {
    let Witnesses { alone, together, company, artefact: fixture_artefact, through } = witnesses;
    let ledger = &mut *shared.ledger.borrow_mut();
    ledger.standing[case.test as usize] = Standing::Dependent;
    ledger.unexplained.remove(&case.test);
    ledger.findings.push(Finding {
        test: shared.id(case.test).clone(),
        role: contrast.role,
        in_default_order: case.expected.outcome().clone(),
        alone,
        company,
        partners: PartnerSet {
            role: contrast.role.partner(),
            tests: shared.roster.ids(&found.tests),
            together,
            minimal: found.minimal,
            fixture_artefact,
        },
        other_partners: Vec::new(),
        others_unnamed: false,
        cleaners: Vec::new(),
        through,
        comparison: shared.config.comparison,
        found_by: case.origin.clone(),
    });
    ledger.account_for(case.test, &shared.roster);
}

//! Every single test that flips a dependent test.

use std::collections::HashSet;

use super::classify::Contrast;
use super::confirm::{Repeats, is_confirmed};
use super::minimise::Flipping;
use super::probe::Probe;
use super::regroup;
use crate::finding::PartnerSet;
use crate::purpose::Step;
use crate::roster::TestNumber;
use crate::shared::KnownPartners;

/// Tries every other test, those that flipped other tests first, and adds the
/// confirmed ones to the finding, which must be in the ledger.
pub(crate) async fn look_for(
    probe: &Probe<'_>,
    contrast: &Contrast,
    found: &[TestNumber],
    known: &[KnownPartners],
) {
    if !probe.shared.config.all_partners {
        return;
    }
    let mut tried: HashSet<TestNumber> = match found {
        [single] => HashSet::from([*single]),
        _ => HashSet::new(),
    };
    let likely = known.iter().flat_map(|known| known.tests.iter().copied());
    let all = probe.movable(likely.chain(probe.shared.roster.all()));
    let candidates: Vec<_> =
        all.into_iter().filter(|&test| tried.insert(test)).map(|test| vec![test]).collect();
    let mut stream = probe.stream(candidates, Step::OtherPartners);
    while let Some((tests, outcome)) = stream.next().await {
        let Some(outcome) = outcome.filter(|outcome| contrast.flip.holds(outcome)) else {
            continue;
        };
        let found = Flipping { tests, outcome, minimal: true };
        if let Some(partners) = confirmed(probe, contrast, found).await {
            probe.add_partners(partners);
        }
    }
}

/// These tests, if the test ends so after them again and again.
pub(super) async fn confirmed(
    probe: &Probe<'_>,
    contrast: &Contrast,
    found: Flipping,
) -> Option<PartnerSet> {
    let Flipping { tests, outcome, minimal } = found;
    let repetitions = probe.shared.config.confirmations;
    let together = Repeats::ask(probe, &tests, repetitions).witness(outcome).await;
    if !is_confirmed(&together, repetitions) {
        return None;
    }
    Some(PartnerSet {
        role: contrast.role.partner(),
        tests: probe.shared.roster.ids(&tests),
        together,
        minimal,
        fixture_artefact: regroup::is_artefact(probe, contrast, &tests).await,
    })
}

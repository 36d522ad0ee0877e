//! The smallest set of tests that flips a test (delta debugging).
//!
//! Sets only ever shrink to sets that were run and flipped the test, so tests
//! that undo each other's effect (cleaners in the prefix) cannot mislead it.

use std::collections::HashSet;

use residue_model::Outcome;

use super::classify::{Contrast, Flip};
use super::probe::{Hit, Probe};
use super::traced;
use crate::roster::TestNumber;
use crate::shared::KnownPartners;
use crate::shuffle::grouped;

/// Known partners that are tried before anything is minimised.
const KNOWN_TRIED: usize = 8;

/// Tests after which the test flipped.
#[derive(Debug)]
pub(crate) struct Flipping {
    pub(crate) tests: Vec<TestNumber>,
    pub(crate) outcome: Outcome,
    /// Removing any one of them was tried and does not flip the test.
    pub(crate) minimal: bool,
}

/// A smallest set of tests that flips the test; `None` if what was seen does
/// not happen again.
pub(crate) async fn smallest_partners(
    probe: &Probe<'_>,
    contrast: &Contrast,
    known: &[KnownPartners],
) -> Option<Flipping> {
    let Contrast { evidence, flip, .. } = contrast;
    let before = probe.movable(evidence.before());
    let (brief, long): (Vec<_>, Vec<_>) = traced::suspects(probe, evidence)
        .into_iter()
        .partition(|tests| without_lengthy(probe, tests).is_none());
    let guesses = [
        known_sets(probe, contrast, known),
        brief,
        long,
        suspects(probe, &before).into_iter().collect(),
        without_lengthy(probe, &before).into_iter().collect(),
    ];
    let mut hit = None;
    for sets in guesses {
        // One after the other: the cheap guesses usually make the long run needless.
        if hit.is_none() {
            hit = probe.first(sets, flip).await;
        }
    }
    if hit.is_none() {
        hit = probe.again(evidence, flip).await;
    }
    Some(shrink(probe, flip, hit?).await)
}

/// What flipped other tests, the most frequent first, if it was there when the
/// test was flipped.
fn known_sets(
    probe: &Probe<'_>,
    contrast: &Contrast,
    known: &[KnownPartners],
) -> Vec<Vec<TestNumber>> {
    let before: HashSet<TestNumber> = contrast.evidence.before().into_iter().collect();
    let usable = |known: &&KnownPartners| {
        known.role == contrast.role.partner()
            && known.tests.iter().all(|test| before.contains(test))
            && probe.movable(known.tests.iter().copied()).len() == known.tests.len()
    };
    let mut sets: Vec<_> = known.iter().filter(usable).collect();
    sets.sort_by_key(|known| std::cmp::Reverse(known.dependents));
    sets.into_iter().take(KNOWN_TRIED).map(|known| known.tests.clone()).collect()
}

/// Of the tests before a victim those that were never before it while it
/// passed, if that is a real choice.
fn suspects(probe: &Probe<'_>, before: &[TestNumber]) -> Option<Vec<TestNumber>> {
    let ledger = probe.shared.ledger.borrow();
    let expected = ledger.reference.expected(probe.shared.id(probe.test));
    let harmless = |test: TestNumber| ledger.harmless.contains(probe.test, test);
    let suspects: Vec<_> = before.iter().copied().filter(|&test| !harmless(test)).collect();
    let passes_by_default = expected == Some(&Outcome::Passed);
    let choice = !suspects.is_empty() && suspects.len() * 2 <= before.len();
    (passes_by_default && choice).then_some(suspects)
}

/// These tests without those that take most of the time of the suite, if there
/// are any.
pub(super) fn without_lengthy(probe: &Probe<'_>, tests: &[TestNumber]) -> Option<Vec<TestNumber>> {
    let lengthy = &probe.shared.ledger.borrow().lengthy;
    let brief: Vec<_> = tests.iter().copied().filter(|&test| !lengthy.contains(test)).collect();
    (brief.len() < tests.len() && !brief.is_empty()).then_some(brief)
}

/// Leaves out what takes most of the time first, then whole classes, then single
/// tests.
pub(crate) async fn shrink(probe: &Probe<'_>, flip: &Flip, start: Hit) -> Flipping {
    let roster = &probe.shared.roster;
    let start = probe.first(without_lengthy(probe, &start.tests), flip).await.unwrap_or(start);
    let mut found = Flipping { tests: start.tests, outcome: start.outcome, minimal: false };
    let classes = grouped(&found.tests, |&test| roster.class_of(test));
    ddmin(probe, flip, &mut found, classes).await;
    let tests = found.tests.iter().map(|&test| vec![test]).collect();
    found.minimal = ddmin(probe, flip, &mut found, tests).await;
    found
}

/// Zeller's ddmin. Returns whether the set is minimal in these pieces; one
/// piece is, since the test does not flip without any.
async fn ddmin(
    probe: &Probe<'_>,
    flip: &Flip,
    found: &mut Flipping,
    mut pieces: Vec<Vec<TestNumber>>,
) -> bool {
    let mut parts = 2;
    while pieces.len() > 1 {
        let before = pieces.len();
        match probe.first(candidates(&found.tests, &pieces, parts), flip).await {
            Some(hit) => {
                let kept: HashSet<TestNumber> = hit.tests.iter().copied().collect();
                pieces.retain(|piece| piece.iter().all(|test| kept.contains(test)));
                // One part is cut in halves anew; without one the others stay as they are.
                let one_part = pieces.len() * 2 <= before;
                parts = if one_part { 2 } else { (parts - 1).max(2) };
                (found.tests, found.outcome) = (hit.tests, hit.outcome);
            }
            None if probe.out_of_runs() => return false,
            None if parts == pieces.len() => return true,
            None => parts *= 2,
        }
        parts = parts.min(pieces.len());
    }
    true
}

/// Each part of the pieces alone, then everything without each part.
fn candidates(
    whole: &[TestNumber],
    pieces: &[Vec<TestNumber>],
    parts: usize,
) -> impl Iterator<Item = Vec<TestNumber>> {
    let bound = move |part: usize| part * pieces.len() / parts;
    let part = move |number: usize| -> HashSet<TestNumber> {
        pieces[bound(number)..bound(number + 1)].iter().flatten().copied().collect()
    };
    let alone = (0..parts).map(move |number| (part(number), true));
    // Of two halves each is what is left without the other.
    let without = (0..if parts == 2 { 0 } else { parts }).map(move |number| (part(number), false));
    alone.chain(without).map(move |(part, kept)| {
        whole.iter().copied().filter(|test| part.contains(test) == kept).collect()
    })
}

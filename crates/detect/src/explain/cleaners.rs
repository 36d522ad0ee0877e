//! Tests that undo what the polluters of a victim did.

use std::collections::HashSet;

use residue_model::Outcome;

use super::Case;
use super::classify::{Contrast, Flip};
use super::confirm::{Repeats, is_confirmed};
use super::minimise::{Flipping, shrink};
use super::probe::Probe;
use crate::finding::{CleanerSet, Role};
use crate::purpose::Step;
use crate::roster::TestNumber;
use crate::shared::Shared;

/// Adds cleaners to the finding of a victim, which must be in the ledger.
///
/// When the polluters run before the victim in the default order and it passes
/// there, something in between undoes them, and is minimised. When all
/// partners are wanted, every single test is tried as a cleaner too.
pub(crate) async fn look_for(
    shared: &Shared,
    contrast: &Contrast,
    case: &Case,
    polluters: &[TestNumber],
) {
    if !shared.config.cleaners || contrast.role != Role::Victim {
        return;
    }
    let polluted = Probe::after(shared, case.test, polluters, Step::Cleaners);
    let mut tried = HashSet::new();
    if let Some(found) = in_default_order(&polluted, case, polluters).await {
        if let [single] = found.tests[..] {
            tried.insert(single);
        }
        confirm(&polluted, found).await;
    }
    if shared.config.all_partners {
        let singles = polluted.movable(shared.roster.all());
        let untried = singles.into_iter().filter(|test| !tried.contains(test));
        let mut stream = polluted.stream(untried.map(|test| vec![test]), Step::Cleaners);
        while let Some((tests, outcome)) = stream.next().await {
            if let Some(outcome) = outcome.filter(|outcome| *outcome == Outcome::Passed) {
                confirm(&polluted, Flipping { tests, outcome, minimal: true }).await;
            }
        }
    }
}

/// The smallest set between polluters and victim in the default order after
/// which the victim passes again.
async fn in_default_order(
    polluted: &Probe<'_>,
    case: &Case,
    polluters: &[TestNumber],
) -> Option<Flipping> {
    let default = case.expected.before();
    let last = default.iter().rposition(|test| polluters.contains(test))?;
    let all_there = polluters.iter().all(|test| default.contains(test));
    if *case.expected.outcome() != Outcome::Passed || !all_there {
        return None;
    }
    let between = polluted.movable(default[last + 1..].iter().copied());
    let hit = polluted.first([between], &Flip::Passes).await?;
    Some(shrink(polluted, &Flip::Passes, hit).await)
}

async fn confirm(polluted: &Probe<'_>, found: Flipping) {
    let repetitions = polluted.shared.config.confirmations;
    let repeats = Repeats::ask(polluted, &found.tests, repetitions);
    let witness = repeats.witness(found.outcome).await;
    if is_confirmed(&witness, repetitions) {
        let tests = polluted.shared.roster.ids(&found.tests);
        let cleaners = CleanerSet { tests, witness, minimal: found.minimal };
        polluted.amend(|finding| finding.cleaners.push(cleaners));
    }
}

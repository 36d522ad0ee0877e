//! Whether it happens again in fresh JVMs.

use std::ops::Range;

use residue_model::Outcome;

use super::probe::Probe;
use crate::desk::Asked;
use crate::finding::Witness;
use crate::observation::Evidence;
use crate::purpose::Step;
use crate::roster::{Order, TestNumber};

/// Further runs of an order that has been run once.
pub(crate) struct Repeats<'a> {
    probe: &'a Probe<'a>,
    order: Order,
    asked: Vec<Asked>,
}

impl<'a> Repeats<'a> {
    pub(crate) fn ask(probe: &'a Probe<'a>, before: &[TestNumber], repetitions: u32) -> Self {
        Self::these(probe, before, 1..1 + repetitions)
    }

    fn these(probe: &'a Probe<'a>, before: &[TestNumber], repetitions: Range<u32>) -> Self {
        let asked = repetitions.map(|n| probe.ask(before, n, Step::Confirm, 0)).collect();
        Self { probe, order: probe.order(before), asked }
    }

    /// How often the test ended as it did the first time, that time included.
    /// Runs that do not tell do not count.
    pub(crate) async fn witness(self, outcome: Outcome) -> Witness {
        let Self { probe, order, asked } = self;
        let comparison = probe.shared.config.comparison;
        let test = probe.shared.id(probe.test);
        let mut witness =
            Witness { order: probe.shared.roster.order(&order), outcome, held: 1, runs: 1 };
        for asked in asked {
            let run = asked.await;
            if let Some(again) = run.outcome_as_asked(probe.test) {
                witness.runs += 1;
                witness.held += u32::from(comparison.same(again, &witness.outcome, test));
            }
        }
        witness
    }
}

/// Whether the run was repeated so often, and all runs agreed.
pub(crate) fn is_confirmed(witness: &Witness, repetitions: u32) -> bool {
    witness.reproduced() && witness.runs > repetitions
}

/// The rate of an outcome that was seen once but not when its order, up to the
/// test, was run again.
pub(crate) async fn not_seen_again(probe: &Probe<'_>, evidence: &Evidence) -> Witness {
    let first = probe.next_repetition(evidence);
    let repetitions = first..first + probe.shared.config.confirmations.max(1);
    let outcome = evidence.outcome().clone();
    Repeats::these(probe, &evidence.before(), repetitions).witness(outcome).await
}

//! Holds the writes of a trace against what a walk over the heap saw change.
//!
//! The two must agree write by write: same epoch, same field or element, same
//! value before and after, and one object of the trace is one object of the
//! heap throughout. A write that its epoch has undone is no change. Everything
//! else is a difference, but for the few [`Reason`]s that each have a test.

mod difference;
mod identities;
mod left;
mod matching;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use residue_model::trace::{EpochIndex, Trace};

use crate::changes::Changes;

pub use difference::{Difference, During, Reason};
use identities::Identities;
pub use left::LeftComparison;
use matching::Matching;

/// What came of it.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Epochs that both have seen.
    pub epochs: usize,
    /// Writes and changes that are each other's.
    pub agreed: usize,
    /// Writes that their epoch undid, so that the heap shows nothing.
    pub undone: usize,
    /// Writes and changes that cannot be matched, and why.
    pub explained: BTreeMap<Reason, usize>,
    /// Where one of the two is wrong.
    pub differences: Vec<Difference>,
}

impl Comparison {
    /// Whether there is no difference.
    pub fn is_agreement(&self) -> bool {
        self.differences.is_empty()
    }

    /// Compares all epochs.
    pub fn of(trace: &Trace, changes: &Changes) -> Self {
        Self::with_identities(trace, changes).0
    }

    /// Also says which object of the trace is which of the heap.
    fn with_identities(trace: &Trace, changes: &Changes) -> (Self, Identities) {
        let mut comparison = Self::default();
        let mut identities = Identities::default();
        let told: Vec<_> = trace.epochs.iter().map(|epoch| (epoch.kind, epoch.test)).collect();
        let walked: Vec<_> = changes.epochs.iter().map(|epoch| (epoch.kind, epoch.test)).collect();
        if told != walked || !changes.complete {
            let (told, walked) = (told.len(), walked.len());
            let end = if changes.complete { "" } else { " and no end" };
            let text = format!("the trace has {told} epochs, the heap {walked}{end}");
            comparison.differences.push(Difference::Epochs { text });
            return (comparison, identities);
        }
        for (index, epoch) in changes.epochs.iter().enumerate() {
            let test = trace.test_of(EpochIndex(index as u32)).clone();
            let during = During { epoch: index + 1, test };
            comparison.epochs += 1;
            comparison.differences.extend(
                epoch.unseen.iter().map(|class| Difference::Unseen {
                    during: during.clone(),
                    class: class.clone(),
                }),
            );
            Matching::new(trace, &epoch.changes, &during).run(
                &trace.epochs[index].writes,
                &mut identities,
                &mut comparison,
            );
        }
        (comparison, identities)
    }

    fn explain(&mut self, reason: Reason) {
        *self.explained.entry(reason).or_default() += 1;
    }
}

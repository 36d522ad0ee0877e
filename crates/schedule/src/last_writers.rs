//! Who wrote last, in the reference order, what each epoch reads.

use residue_model::trace::{EpochIndex, LocationId, StackId, Trace};

/// An epoch reads what another one left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Inherited {
    pub(crate) location: LocationId,
    /// Who left it.
    pub(crate) writer: EpochIndex,
    /// Where it is read.
    pub(crate) stack: Option<StackId>,
}

/// Of each epoch, what it reads of others.
pub(crate) fn inherited(trace: &Trace) -> Vec<Vec<Inherited>> {
    let mut last: Vec<Option<EpochIndex>> =
        trace.locations.iter().map(|location| location.creator).collect();
    let mut all = Vec::with_capacity(trace.epochs.len());
    for (index, epoch) in (0..).map(EpochIndex).zip(&trace.epochs) {
        let read = epoch.reads.iter().filter_map(|read| {
            let writer = last[read.location.index()].filter(|writer| *writer != index)?;
            Some(Inherited { location: read.location, writer, stack: read.stack })
        });
        all.push(read.collect());
        for write in epoch.writes.iter().filter(|write| !write.is_undone()) {
            last[write.location.index()] = Some(index);
        }
    }
    all
}

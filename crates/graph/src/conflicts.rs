//! One pass over the epochs that pairs each access with the one it depends on.
//!
//! A read meets the last write; a write meets the last write and the reads
//! since then. So each read is part of at most two conflicts and each write of
//! one, and the whole is no larger than the trace.

use residue_model::trace::{EpochIndex, Location, LocationId, Trace};
use serde::Serialize;

use crate::groups::Groups;

/// How a later test depends on an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DependencyKind {
    /// It reads what the other was the last to write: a data dependency.
    ReadAfterWrite,
    /// It writes what the other read: an anti-dependency.
    WriteAfterRead,
    /// It writes what the other was the last to write: an output dependency.
    WriteAfterWrite,
}

impl DependencyKind {
    /// Every kind, the most important first.
    pub const ALL: [Self; 3] = [Self::ReadAfterWrite, Self::WriteAfterRead, Self::WriteAfterWrite];

    /// The word for it, as serialised.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadAfterWrite => "read-after-write",
            Self::WriteAfterRead => "write-after-read",
            Self::WriteAfterWrite => "write-after-write",
        }
    }
}

/// One access of an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) epoch: EpochIndex,
    /// Position among the epoch's reads or writes; [`CREATION`] for making the
    /// object that the location is part of.
    pub(crate) at: u32,
}

pub(crate) const CREATION: u32 = u32::MAX;

/// Two accesses to one location, by different tests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conflict {
    pub(crate) later: Access,
    pub(crate) earlier: Access,
    pub(crate) location: LocationId,
}

/// What is known of a location at some moment of the run.
#[derive(Debug, Clone, Default)]
struct State {
    last_write: Option<Access>,
    reads_since: Vec<Access>,
}

/// Conflicts by kind, in the order of [`DependencyKind::ALL`], each in the order
/// of the later accesses.
pub(crate) type Conflicts = [Vec<Conflict>; DependencyKind::ALL.len()];

pub(crate) fn conflicts(trace: &Trace, groups: &Groups) -> Conflicts {
    let created = |location: &Location| State {
        last_write: location.creator.map(|epoch| Access { epoch, at: CREATION }),
        reads_since: Vec::new(),
    };
    let mut states: Vec<State> = trace.locations.iter().map(created).collect();
    let mut found = Conflicts::default();
    let mut note = |kind: DependencyKind, later: Access, earlier: Access, location| {
        let (one, other) = (trace.epoch(later.epoch), trace.epoch(earlier.epoch));
        if !groups.inseparable(trace, one, other) {
            found[kind as usize].push(Conflict { later, earlier, location });
        }
    };
    for (index, epoch) in (0..).zip(&trace.epochs) {
        let access = |at: usize| Access { epoch: EpochIndex(index), at: at as u32 };
        for (at, read) in epoch.reads.iter().enumerate() {
            let state = &mut states[read.location.index()];
            if let Some(write) = state.last_write {
                note(DependencyKind::ReadAfterWrite, access(at), write, read.location);
            }
            state.reads_since.push(access(at));
        }
        for (at, write) in epoch.writes.iter().enumerate() {
            if write.is_undone() {
                continue;
            }
            let location = write.location;
            let state = &mut states[location.index()];
            let before = state.last_write.replace(access(at));
            if let Some(before) = before {
                note(DependencyKind::WriteAfterWrite, access(at), before, location);
            }
            for read in state.reads_since.drain(..) {
                note(DependencyKind::WriteAfterRead, access(at), read, location);
            }
        }
    }
    found
}

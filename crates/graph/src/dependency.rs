//! One test's dependency on another, with all that led to it.

use residue_model::trace::{EpochIndex, LocationId, StackId, Trace, Value};

use crate::conflicts::{Access, CREATION, Conflict, DependencyKind};

/// A later test depends on an earlier one.
#[derive(Debug, Clone, Copy)]
pub struct Dependency<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) kind: DependencyKind,
    pub(crate) later: usize,
    pub(crate) earlier: usize,
    /// All between these tests.
    pub(crate) conflicts: &'a [Conflict],
}

/// One location through which a dependency goes.
#[derive(Debug, Clone, Copy)]
pub struct Flow<'a> {
    /// The location.
    pub location: LocationId,
    /// What the earlier test did to it.
    pub earlier: Side<'a>,
    /// What the later test did to it.
    pub later: Side<'a>,
}

/// What one test did to a location.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// When.
    pub epoch: EpochIndex,
    /// Where, if the trace tells.
    pub stack: Option<StackId>,
    /// For a write: the value before it.
    pub old: Option<&'a Value>,
    /// For a write: the value at the end of its epoch.
    pub new: Option<&'a Value>,
    /// Whether the test made the object that the location is part of, and has
    /// not written the location since: there are no values and no stack then.
    pub created: bool,
}

impl<'a> Dependency<'a> {
    /// What kind of dependency it is.
    pub fn kind(&self) -> DependencyKind {
        self.kind
    }

    /// Position of the test that depends on the other.
    pub fn later(&self) -> usize {
        self.later
    }

    /// Position of the test it depends on.
    pub fn earlier(&self) -> usize {
        self.earlier
    }

    /// Through how many locations it goes, at most.
    pub fn flow_count(&self) -> usize {
        self.conflicts.len()
    }

    /// The locations it goes through, in the order of the later accesses.
    pub fn flows(&self) -> impl ExactSizeIterator<Item = Flow<'a>> + use<'a> {
        let trace = self.trace;
        let read_first = self.kind == DependencyKind::WriteAfterRead;
        let read_last = self.kind == DependencyKind::ReadAfterWrite;
        self.conflicts.iter().map(move |conflict| Flow {
            location: conflict.location,
            earlier: side(trace, conflict.earlier, read_first),
            later: side(trace, conflict.later, read_last),
        })
    }
}

fn side(trace: &Trace, access: Access, is_read: bool) -> Side<'_> {
    let epoch = trace.epoch(access.epoch);
    let nothing = Side { epoch: access.epoch, stack: None, old: None, new: None, created: false };
    if access.at == CREATION {
        Side { created: true, ..nothing }
    } else if is_read {
        Side { stack: epoch.reads[access.at as usize].stack, ..nothing }
    } else {
        let write = &epoch.writes[access.at as usize];
        Side { stack: write.stack, old: write.old.as_ref(), new: write.new.as_ref(), ..nothing }
    }
}

//! Epochs: the stretches of a run that are told apart, and their accesses.

use serde::{Deserialize, Serialize};

use super::{LocationId, StackId, Value};

/// A position in [`Trace::epochs`](super::Trace::epochs).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EpochIndex(pub u32);

impl EpochIndex {
    /// As a position in a list.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What runs during an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EpochKind {
    /// The class fixture before the first test of a group.
    BeforeClass,
    /// A test, its set-up and tear-down methods included.
    Test,
    /// The class fixture after the last test of a group.
    AfterClass,
}

/// One stretch of a run with what it read and wrote.
///
/// Only what existed before the epoch counts: nobody else can see an object
/// that is made and dropped within it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epoch {
    /// What ran.
    pub kind: EpochKind,
    /// Position in the order of the test it belongs to: for a fixture before
    /// the class the first test of the group, for one after it the last.
    pub test: usize,
    /// Locations read before they were written, each once.
    pub reads: Vec<Read>,
    /// Locations written, each once. One that is also in `reads` was read first.
    pub writes: Vec<Write>,
}

/// The first read of a location in an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    /// What was read.
    pub location: LocationId,
    /// Where; taken only if another epoch had written or made the location.
    pub stack: Option<StackId>,
}

/// The writes of an epoch to one location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// What was written.
    pub location: LocationId,
    /// Where the first of these writes happened.
    pub stack: Option<StackId>,
    /// The value before the first of them.
    pub old: Option<Value>,
    /// The value at the end of the epoch.
    pub new: Option<Value>,
}

impl Write {
    /// Whether the epoch put back what it had found, so that nobody after it
    /// can tell that it wrote.
    pub fn is_undone(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => old.is_surely(new),
            _ => false,
        }
    }
}

//! What one traced run saw: which epoch read and wrote which location.
//!
//! A trace is made by reading a trace file, which the agent writes while the
//! tests run. Invariants:
//! - Epochs are in the order in which they ran. What happened before the first
//!   of them (the *genesis*) is no epoch: it depends on no test.
//! - Names and frames are shared, so a trace of thousands of tests stays small.
//! - A location is there only if an epoch wrote it or made the object it is
//!   part of: nothing else can ever make one test depend on another.

mod code;
mod content;
pub mod digest;
mod epoch;
mod gap;
mod location;
mod outside;
mod path;
mod pollution;
mod stack;
mod value;

pub use code::{BlockCode, ClassCode, Counts, MethodCode, Stretch, TracedCode};
pub use content::{Content, Held};
pub use epoch::{Epoch, EpochIndex, EpochKind, Read, Write};
pub use gap::{Gap, GapKind, IgnoredField};
pub use location::{FoundThrough, Location, LocationId, LocationName, Object, ObjectId};
pub use outside::{Outside, OutsideAccesses, OutsideEpoch, OutsideKind, OutsideRead, OutsideWrite};
pub use path::{AccessPath, PathRoot, Step, simple_class_name};
pub use pollution::{Change, Label, Place, PlaceStep, Pollution, TreeNode};
pub use stack::{FrameId, Stack, StackId};
pub use value::{LONGEST_TEXT, Value};

use std::sync::Arc;

use crate::{Frame, TestId};

/// A name that many parts of a trace share.
pub type Name = Arc<str>;

/// All that one traced run saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The tests as they were asked to run.
    pub order: Vec<TestId>,
    /// What happened, first to run first.
    pub epochs: Vec<Epoch>,
    /// Shared state that was touched, by [`LocationId`].
    pub locations: Vec<Location>,
    /// Objects that locations are part of or were found through, by [`ObjectId`].
    pub objects: Vec<Object>,
    /// Places in the code, by [`FrameId`].
    pub frames: Vec<Frame>,
    /// Call stacks, by [`StackId`].
    pub stacks: Vec<Stack>,
    /// What could not be observed.
    pub gaps: Vec<Gap>,
    /// What tests left changed, in the order of their ends; empty unless the
    /// run was asked to look for it.
    pub pollutions: Vec<Pollution>,
    /// What epochs left where its value alone does not tell; empty unless the
    /// reader was asked for it.
    pub contents: Vec<Content>,
    /// Fields that were left out on purpose.
    pub ignored: Vec<IgnoredField>,
    /// Which code of the project ran; nothing unless the run was asked to watch
    /// it and the reader was asked for it.
    pub code: Option<TracedCode>,
}

impl Trace {
    /// The location with this number.
    pub fn location(&self, location: LocationId) -> &Location {
        &self.locations[location.index()]
    }

    /// The object with this number.
    pub fn object(&self, object: ObjectId) -> &Object {
        &self.objects[object.index()]
    }

    /// The epoch with this number.
    pub fn epoch(&self, epoch: EpochIndex) -> &Epoch {
        &self.epochs[epoch.index()]
    }

    /// The test an epoch belongs to.
    pub fn test_of(&self, epoch: EpochIndex) -> &TestId {
        &self.order[self.epoch(epoch).test]
    }

    /// The frames of a stack, innermost first.
    pub fn frames_of(&self, stack: StackId) -> impl Iterator<Item = &Frame> {
        self.stacks[stack.index()].frames.iter().map(|frame| &self.frames[frame.index()])
    }

    /// How a location is reached from a static field or a thread.
    pub fn path(&self, location: LocationId) -> AccessPath {
        AccessPath::of(self, &self.location(location).name)
    }
}

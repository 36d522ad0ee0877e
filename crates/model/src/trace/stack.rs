//! Call stacks, with shared frames.

use std::num::NonZeroU32;

/// A position in [`Trace::frames`](super::Trace::frames).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FrameId(pub u32);

impl FrameId {
    /// As a position in a list.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A position in [`Trace::stacks`](super::Trace::stacks).
///
/// Counted from one inside, so that an optional stack takes no more room: a
/// trace has millions of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackId(NonZeroU32);

impl StackId {
    /// The stack at a position; beyond four billion the last there is.
    pub fn at(index: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index))
    }

    /// As a position in a list.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// One call stack, innermost frame first. Equal stacks are kept once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stack {
    /// Its frames.
    pub frames: Box<[FrameId]>,
}

//! Which code of the project ran when, as the agent tells it.
//!
//! Code is divided into *blocks* that run as a whole. A run is a sequence of
//! *stretches*; each has the blocks that were reached in it. Epochs end
//! stretches, and so do the beginning and the end of class initialisers:
//! initialisers run once, whoever is first to need the class, so what they run
//! is kept apart.

use super::{EpochIndex, Name};

/// The project's code, and when it ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TracedCode {
    /// Classes as they were loaded. Of one name there may be several that
    /// differ, from different loaders.
    pub classes: Vec<ClassCode>,
    /// In the order of the run.
    pub stretches: Vec<Stretch>,
}

/// A class of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassCode {
    /// Its binary name.
    pub name: Name,
    /// Its source file, without a folder, if the class tells.
    pub source: Option<Name>,
    /// Its superclass.
    pub superclass: Option<Name>,
    /// The interfaces it names.
    pub interfaces: Vec<Name>,
    /// The number of its first block, which stands for the class too.
    pub first_block: u32,
    /// Its methods with code. Their blocks are numbered one after the other.
    pub methods: Vec<MethodCode>,
    /// False if the class could not be rewritten at all.
    pub is_watched: bool,
}

/// A method with code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodCode {
    /// Its name.
    pub name: Name,
    /// Its descriptor, as class files have it.
    pub descriptor: Name,
    /// Its blocks, in the order of the code.
    pub blocks: Vec<BlockCode>,
    /// False if nobody knows when it runs; then it has no blocks.
    pub is_watched: bool,
}

/// Code that runs as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlockCode {
    /// Its lines, ascending.
    pub lines: Vec<u32>,
    /// Classes of the project that it uses without running code of theirs, or
    /// not for sure: it names a static member of theirs, or the class itself.
    pub classes: Vec<Name>,
}

/// For which tests a stretch counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Counts {
    /// For those that its epoch belongs to.
    ForEpoch,
    /// For all tests of the class that runs: it lies between two of them.
    ForClass,
    /// For all tests: it comes before any class.
    ForAll,
}

/// A part of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// The epoch it is part of, or the next one.
    pub epoch: EpochIndex,
    /// For whom it counts.
    pub counts: Counts,
    /// Classes whose initialisers were under way, as positions in
    /// [`TracedCode::classes`].
    pub initialising: Vec<usize>,
    /// Blocks that were reached, ascending.
    pub blocks: Vec<u32>,
}

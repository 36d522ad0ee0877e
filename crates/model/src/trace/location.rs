//! Pieces of shared state.

use super::{EpochIndex, Name, Outside};

/// A position in [`Trace::locations`](super::Trace::locations).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationId(pub u32);

/// A position in [`Trace::objects`](super::Trace::objects).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

impl LocationId {
    /// As a position in a list.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ObjectId {
    /// As a position in a list.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A piece of shared state that one epoch may leave to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// What it is.
    pub name: LocationName,
    /// The epoch that made the object it is part of, which counts as the first
    /// write; `None` if it is older than all epochs.
    pub creator: Option<EpochIndex>,
}

/// What a location is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LocationName {
    /// A static field.
    StaticField {
        /// Binary name of the declaring class.
        class: Name,
        /// Its name.
        field: Name,
    },
    /// A field of an object.
    Field {
        /// The object.
        object: ObjectId,
        /// Binary name of the declaring class.
        class: Name,
        /// Its name.
        field: Name,
    },
    /// Elements of an array that are tracked, or were always used, together.
    Elements {
        /// The array.
        object: ObjectId,
        /// Index of the first.
        first: u32,
        /// Index of the last.
        last: u32,
    },
    /// A system property. Where the table of properties keeps it does not
    /// matter.
    SystemProperty {
        /// Its key; without one, which properties there are.
        key: Option<Name>,
    },
    /// Something outside the heap.
    Outside(Outside),
    /// Something that the trace never describes; see
    /// [`GapKind::Undescribed`](super::GapKind::Undescribed).
    Undescribed {
        /// Its number in the trace file.
        cell: u32,
    },
}

impl LocationName {
    /// The object that it is part of.
    pub fn holder(&self) -> Option<ObjectId> {
        match self {
            Self::Field { object, .. } | Self::Elements { object, .. } => Some(*object),
            Self::StaticField { .. }
            | Self::SystemProperty { .. }
            | Self::Outside(_)
            | Self::Undescribed { .. } => None,
        }
    }
}

/// An object that outlived the epoch that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The number that [`Value::Object`](super::Value::Object) has for it.
    pub id: u32,
    /// Binary name of its class; `int[]` for arrays.
    pub class: Name,
    /// Of an array.
    pub length: Option<u32>,
    /// The epoch that made it; `None` if it is older than all epochs.
    pub creator: Option<EpochIndex>,
    /// What led to it when it was found.
    pub found_through: FoundThrough,
}

/// What led to an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundThrough {
    /// A location held it.
    Location(LocationName),
    /// It belongs to a live thread.
    Thread(Name),
    /// The trace does not tell.
    Unknown,
}

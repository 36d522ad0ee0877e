//! What locations hold at the end of an epoch, in a form that can be compared
//! between runs.

use super::{EpochIndex, LocationName, ObjectId};

/// What an epoch left in a location: one that is part of an object it made, or
/// one whose new value says too little.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The epoch at whose end this was so.
    pub epoch: EpochIndex,
    /// Where.
    pub location: LocationName,
    /// It can never change, so that accesses to it are not tracked: the object
    /// is what it is because of it.
    pub is_fixed: bool,
    /// What.
    pub held: Held,
}

/// What a location holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// A value with this digest, see [`digest`](super::digest).
    Value(u64),
    /// An object with a content of its own.
    Object(ObjectId),
    /// Something that cannot be compared.
    Unknown,
}

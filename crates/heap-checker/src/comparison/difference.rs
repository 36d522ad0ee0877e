//! What is said about writes and changes that have no counterpart.

use std::fmt;

use residue_model::TestId;

use crate::changes::Change;

/// Why a write or a change may stand alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The trace keeps the beginning of a text only, which is the same before
    /// and after. It does not claim that the text has changed.
    LooksAlike,
    /// The object was collected before its epoch ended.
    Gone,
    /// Elements of a very long array are tracked in stretches without their
    /// values, so an undone write cannot be told.
    Stretch,
    /// The write is what initialised its class, so the trace does not know the
    /// value before it, and it was the same.
    FirstUse,
    /// The collector has cleared a reference, which is no test's doing.
    Cleared,
    /// Equal objects have changed places, so that the whole is the same.
    ChangedPlaces,
    /// The trace says that something could not be compared.
    NotCompared,
}

/// Trace and heap disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Something has changed, but the trace has no such write.
    Missed {
        /// In which epoch.
        during: During,
        /// What has changed.
        change: Change,
    },
    /// The trace has a write, but nothing has changed like that.
    Invented {
        /// In which epoch.
        during: During,
        /// The location and how it is reached.
        path: String,
        /// Value before and after.
        values: String,
    },
    /// What is one object to the trace are several on the heap, or the other
    /// way round.
    Confused {
        /// In which epoch.
        during: During,
        /// The location with such an object.
        path: String,
    },
    /// A class was initialised in a way that the walk is not told of.
    Unseen {
        /// In which epoch.
        during: During,
        /// Which class.
        class: String,
    },
    /// Something is not the same as before, but the trace does not say so.
    Unreported {
        /// In which epoch.
        during: During,
        /// What it is, and how it is reached.
        place: String,
    },
    /// The trace has pollution, but everything there is the same as before.
    Unfounded {
        /// In which epoch.
        during: During,
        /// Where.
        place: String,
    },
    /// They do not have the same epochs.
    Epochs {
        /// What they have.
        text: String,
    },
}

/// An epoch as a reader finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct During {
    /// Its number, from 1.
    pub epoch: usize,
    /// The test it belongs to.
    pub test: TestId,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LooksAlike => "long texts of which the trace keeps the same beginning",
            Self::Gone => "objects that were collected before their test ended",
            Self::Stretch => "stretches of very long arrays, whose values are not kept",
            Self::FirstUse => "writes that initialised their class and changed nothing",
            Self::Cleared => "references that the collector has cleared",
            Self::ChangedPlaces => "equal objects that have changed places",
            Self::NotCompared => {
                "places of tests for which the trace says that it could not compare"
            }
        })
    }
}

impl fmt::Display for During {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epoch {} ({})", self.epoch, self.test)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missed { during, change } => {
                let Change { path, old, new, reachable, .. } = change;
                let state = if *reachable { "" } else { ", no longer reachable" };
                write!(f, "missed    {during}: {path}: {} -> {}{state}", old.text, new.text)
            }
            Self::Invented { during, path, values } => {
                write!(f, "invented  {during}: {path}: {values}")
            }
            Self::Confused { during, path } => write!(f, "confused  {during}: {path}"),
            Self::Unseen { during, class } => {
                write!(f, "unseen    {during}: the initialiser of {class}")
            }
            Self::Unreported { during, place } => write!(f, "unreported {during}: {place}"),
            Self::Unfounded { during, place } => write!(f, "unfounded  {during}: {place}"),
            Self::Epochs { text } => write!(f, "epochs    {text}"),
        }
    }
}

//! The file that the walk writes: what has changed from one boundary to the
//! next. One JSON value a line, so that a JVM that dies leaves what it has seen.

use residue_model::trace::{EpochKind, Value};
use serde::{Deserialize, Serialize};

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// An epoch begins. The changes of the one before stand above.
    Epoch {
        /// What runs.
        kind: EpochKind,
        /// Position of its test in the order.
        test: usize,
    },
    /// Something is different from what it was when the epoch began.
    Change(Change),
    /// A class was initialised without the walk being told, so what its
    /// initialiser did and what others did to it cannot be told apart.
    Unseen {
        /// Its binary name.
        class: String,
    },
    /// Something was left by the epoch that is not the same as before, whichever
    /// objects it is made of.
    Left(Left),
    /// All that the epoch left is the same as a whole: equal objects have only
    /// changed places.
    Alike,
    /// The last epoch is over.
    End,
}

/// A place that is not the same after an epoch as before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// Number of the object it is part of; nothing for a static field.
    pub holder: Option<u32>,
    /// `static a.B#c`, `a.B#c`, `int[]`, or `elements of java.util.HashMap`.
    pub label: String,
    /// Numbers of the objects that a collection is made of, before and after.
    pub parts: Vec<u32>,
    /// How it was found: from a static field or a thread.
    pub path: String,
}

/// A location that holds something else at the end of an epoch than at its
/// beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What has changed.
    pub place: Place,
    /// How it was found: from a static field or a thread.
    pub path: String,
    /// Whether it could still be reached at the end.
    pub reachable: bool,
    /// What it held.
    pub old: Seen,
    /// What it holds.
    pub new: Seen,
}

/// A location as both sides can name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A static field.
    Static {
        /// Binary name of the class that declares it.
        class: String,
        /// Its name.
        field: String,
    },
    /// A field of an object.
    Field {
        /// The object's number.
        object: u32,
        /// Binary name of the class that declares it.
        class: String,
        /// Its name.
        field: String,
    },
    /// An element of an array.
    Element {
        /// The array's number.
        object: u32,
        /// Its type: `int[]`.
        class: String,
        /// Index.
        index: u32,
    },
}

/// A value as both sides print it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seen {
    /// For an object its class.
    pub text: String,
    /// The object's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<u32>,
}

impl From<&Value> for Seen {
    fn from(value: &Value) -> Self {
        match value {
            Value::Object { class, id } => Self { text: class.to_string(), object: Some(*id) },
            Value::Constant { class, name } => {
                Self { text: format!("{class}.{name}"), object: None }
            }
            other => Self { text: other.to_string(), object: None },
        }
    }
}

/// What the walk saw, epoch by epoch.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// In the order in which they ran.
    pub epochs: Vec<EpochChanges>,
    /// Whether the file has its end.
    pub complete: bool,
}

/// What one epoch changed.
#[derive(Debug, PartialEq, Eq)]
pub struct EpochChanges {
    /// What ran.
    pub kind: EpochKind,
    /// Position of its test in the order.
    pub test: usize,
    /// What is different at its end.
    pub changes: Vec<Change>,
    /// Classes whose initialisers were not seen.
    pub unseen: Vec<String>,
    /// What is not the same at its end, if the walk looked for that.
    pub left: Vec<Left>,
    /// Whether all of that is the same as a whole.
    pub alike: bool,
}

impl EpochChanges {
    pub(crate) fn new(kind: EpochKind, test: usize) -> Self {
        Self { kind, test, changes: vec![], unseen: vec![], left: vec![], alike: false }
    }
}

/// A file that the walk did not write.
#[derive(Debug, thiserror::Error)]
pub enum BadChanges {
    /// A line is no such value.
    #[error("line {line} of the changes cannot be read: {source}")]
    Line {
        /// Its number.
        line: usize,
        /// Why.
        source: serde_json::Error,
    },
    /// A change stands before the first epoch.
    #[error("line {line} of the changes belongs to no epoch")]
    NoEpoch {
        /// Its number.
        line: usize,
    },
}

impl Changes {
    /// Reads a file.
    pub fn read(text: &str) -> Result<Self, BadChanges> {
        let mut read = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let parsed = serde_json::from_str(line)
                .map_err(|source| BadChanges::Line { line: number, source })?;
            let current = read.epochs.last_mut().ok_or(BadChanges::NoEpoch { line: number });
            match parsed {
                Line::Epoch { kind, test } => {
                    read.epochs.push(EpochChanges::new(kind, test));
                }
                Line::Change(change) => current?.changes.push(change),
                Line::Unseen { class } => current?.unseen.push(class),
                Line::Left(left) => current?.left.push(left),
                Line::Alike => current?.alike = true,
                Line::End => read.complete = true,
            }
        }
        Ok(read)
    }
}

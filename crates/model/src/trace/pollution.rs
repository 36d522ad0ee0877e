//! Shared state that a test left changed.

use std::fmt;

use super::{EpochIndex, LocationId, Name, PathRoot, Value, simple_class_name};

/// Something that was there before a test (or a class with its fixtures) and
/// is not the same after it, up to isomorphism.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pollution {
    /// The first epoch of what was compared: that of the test itself, or the
    /// first of its class.
    pub since: EpochIndex,
    /// The last one, after which the state was compared with that before.
    pub epoch: EpochIndex,
    /// What is polluted.
    pub place: Place,
    /// Whether the class where the place begins is public.
    pub public_root: bool,
    /// Whether that class was not there before: by common-root isomorphism
    /// such state does not count.
    pub loaded_here: bool,
    /// Locations that were written for it; not all if they are many.
    pub locations: Vec<LocationId>,
    /// What changed, at most a few of many.
    pub changes: Vec<Change>,
    /// How many more.
    pub unlisted_changes: u64,
}

/// The way to polluted state as a reader of the code sees it: how collections
/// keep their elements is left out. Printed `Registry.byName["poison"]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// Where it starts.
    pub root: PathRoot,
    /// The steps from there; none if the root itself is polluted.
    pub steps: Vec<PlaceStep>,
}

/// One step on the way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PlaceStep {
    /// Into a field.
    Field {
        /// Binary name of the declaring class.
        class: Name,
        /// Its name.
        field: Name,
    },
    /// Into an element of an array or a list.
    Index(u32),
    /// Into the entry of a map with this key.
    Key(Value),
}

/// One thing that changed at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which part of the place.
    pub label: Label,
    /// What was there; nothing if it was added, or is unknown.
    pub old: Option<Value>,
    /// What is there now; nothing if it was removed.
    pub new: Option<Value>,
    /// What hung on the old value, parents first; not all of it, and nothing
    /// for the later ones of many changes.
    pub before: Vec<TreeNode>,
    /// What hangs on the new value.
    pub after: Vec<TreeNode>,
}

/// A part of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Label {
    /// The place itself.
    Whole,
    /// A field.
    Field(Name),
    /// An element of an array or list.
    Index(u32),
    /// The entry of a map with this key.
    Key(Value),
    /// The order of the entries.
    Order,
}

/// A part of an object graph that was written down as a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeNode {
    /// 1 for parts of the changed value itself.
    pub depth: u32,
    /// Which part.
    pub label: Label,
    /// What is there, if it is known.
    pub value: Option<Value>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.root {
            PathRoot::Static { class, field } => {
                write!(f, "{}.{field}", simple_class_name(class))?;
            }
            root => write!(f, "{root}")?,
        }
        self.steps.iter().try_for_each(|step| match step {
            PlaceStep::Field { field, .. } => write!(f, ".{field}"),
            PlaceStep::Index(index) => write!(f, "[{index}]"),
            PlaceStep::Key(key) => write!(f, "[{key}]"),
        })
    }
}

/// As it is appended to a place.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Field(name) => write!(f, ".{name}"),
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Key(key) => write!(f, "[{key}]"),
            Self::Order => f.write_str(" (order of entries)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_like_code() {
        let place = Place {
            root: PathRoot::Static { class: "a.b.Registry".into(), field: "byName".into() },
            steps: vec![
                PlaceStep::Key(Value::text("poison")),
                PlaceStep::Field { class: "a.b.Type".into(), field: "levels".into() },
                PlaceStep::Index(3),
            ],
        };
        assert_eq!(place.to_string(), r#"Registry.byName["poison"].levels[3]"#);
    }
}

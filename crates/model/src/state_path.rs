//! Paths to shared state that the runner can go by itself.

use std::fmt;

use crate::trace::{AccessPath, Name, PathRoot, Step};

/// A system property by its key, or a way from a static field.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StatePath(AccessPath);

impl StatePath {
    /// `None` if nobody but the agent finds the way: it begins at a thread,
    /// leads out of the heap, or is not known.
    pub fn at(path: AccessPath) -> Option<Self> {
        let can_be_found = match &path.root {
            PathRoot::Static { .. } => true,
            PathRoot::SystemProperty(key) => key.is_some(),
            PathRoot::Thread(_) | PathRoot::Outside(_) | PathRoot::Unknown => false,
        };
        can_be_found.then_some(Self(path))
    }

    /// Stands for a class being initialised: to note that is to initialise it, and
    /// there is nothing to put back.
    pub fn initialiser(class: &str) -> Self {
        let root = PathRoot::Static { class: class.into(), field: "<clinit>".into() };
        Self(AccessPath { root, steps: Vec::new() })
    }

    /// What a thread has in the static thread-locals of a class, and the steps from
    /// there. Traces know slots of the thread's table only.
    pub fn in_thread_locals(class: Name, steps: Vec<Step>) -> AccessPath {
        let root = PathRoot::Static { class, field: "<thread-locals>".into() };
        AccessPath { root, steps }
    }

    /// Binary name of the class with the static field; `None` for a system
    /// property.
    pub fn class(&self) -> Option<&str> {
        match &self.0.root {
            PathRoot::Static { class, .. } => Some(class),
            _ => None,
        }
    }

    /// The static field, or the key of the property.
    pub fn name(&self) -> &str {
        match &self.0.root {
            PathRoot::Static { field, .. } => field,
            PathRoot::SystemProperty(Some(key)) => key,
            _ => "",
        }
    }

    /// The steps from there.
    pub fn steps(&self) -> &[Step] {
        &self.0.steps
    }
}

/// In full, so that two paths never look alike.
impl fmt::Display for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.root)?;
        self.0.steps.iter().try_for_each(|step| match step {
            Step::Field { class, field } => write!(f, " -> {class}#{field}"),
            Step::Elements { first, last } => write!(f, " [{first} to {last}]"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_begins_where_the_runner_can_begin() {
        let at = |root| StatePath::at(AccessPath { root, steps: Vec::new() });
        let path = at(PathRoot::SystemProperty(Some("mode".into()))).unwrap();
        assert_eq!((path.class(), path.name()), (None, "mode"));
        assert_eq!(at(PathRoot::SystemProperty(None)), None);
        assert_eq!(at(PathRoot::Thread("main".into())), None);
        let field = PathRoot::Static { class: "a.b.State".into(), field: "mode".into() };
        let path = at(field).unwrap();
        assert_eq!((path.class(), path.name()), (Some("a.b.State"), "mode"));
        assert_eq!(path.to_string(), "a.b.State#mode");
        assert_eq!(StatePath::initialiser("a.b.State").to_string(), "a.b.State#<clinit>");
    }
}

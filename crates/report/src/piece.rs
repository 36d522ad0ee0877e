//! What counts as one piece of shared state.

use std::fmt;

use residue_model::trace::{AccessPath, Step};

/// A location, or all that is in a container of the JDK, whatever that is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The way to it; without a step into the container.
    path: AccessPath,
    pub(crate) is_contents: bool,
}

impl Piece {
    /// What is at the end of a path, and the way by which that can be put back. A path
    /// that leads through a container into an object of somebody else ends there.
    pub(crate) fn at(path: AccessPath) -> (Self, AccessPath) {
        let is_of_jdk = |step: &Step| match step {
            Step::Field { class, .. } => class.starts_with("java."),
            Step::Elements { .. } => true,
        };
        match entered(&path).filter(|entered| path.steps[*entered..].iter().all(is_of_jdk)) {
            None => (Self { path: path.clone(), is_contents: false }, path),
            Some(entered) => Self::contents(&path, entered),
        }
    }

    /// What changed where something new was found: the container in which it is, or
    /// its own place.
    pub(crate) fn around(path: AccessPath) -> (Self, AccessPath) {
        match entered(&path) {
            None => Self::at(path),
            Some(entered) => Self::contents(&path, entered),
        }
    }

    /// What is in the container that this step of the path enters.
    fn contents(path: &AccessPath, entered: usize) -> (Self, AccessPath) {
        (Self { path: path.up_to(entered), is_contents: true }, path.up_to(entered + 1))
    }

    /// Whether the location with this path is a part of it.
    pub fn has(&self, location: AccessPath) -> bool {
        Self::at(location).0 == *self
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.path)
    }
}

/// The first step into a container.
fn entered(path: &AccessPath) -> Option<usize> {
    path.steps.iter().position(is_into_container)
}

/// Collections, atomics, and builders of texts.
fn is_into_container(step: &Step) -> bool {
    let Step::Field { class, .. } = step else { return false };
    class.starts_with("java.util.") || &**class == "java.lang.AbstractStringBuilder"
}

#[cfg(test)]
mod tests {
    use residue_model::trace::PathRoot;

    use super::*;

    fn told(steps: &[(&str, &str)]) -> (String, bool, usize) {
        let root = PathRoot::Static { class: "a.Registry".into(), field: "all".into() };
        let step = |(class, field): &(&str, &str)| match *class {
            "" => Step::Elements { first: 3, last: 3 },
            class => Step::Field { class: class.into(), field: (*field).into() },
        };
        let (piece, way) = Piece::at(AccessPath { root, steps: steps.iter().map(step).collect() });
        (piece.to_string(), piece.is_contents, way.steps.len())
    }

    #[test]
    fn what_a_container_is_made_of_is_one_piece() {
        let (table, node) = (("java.util.HashMap", "table"), ("java.util.HashMap$Node", "value"));
        let size = ("java.util.ArrayList", "size");
        let contents = ("Registry.all".to_owned(), true, 1);
        assert_eq!(told(&[table]), contents);
        assert_eq!(told(&[("java.util.HashMap", "size")]), contents);
        assert_eq!(told(&[table, ("", ""), node, size]), contents, "a list in a map");
        let builder = ("java.lang.AbstractStringBuilder", "count");
        let text = ("a.Log", "text");
        assert_eq!(told(&[text, builder]), ("Registry.all -> Log.text".to_owned(), true, 2));
    }

    #[test]
    fn an_object_that_is_new_in_a_container_changes_what_is_in_it() {
        let root = PathRoot::Static { class: "a.Registry".into(), field: "all".into() };
        let field =
            |class: &str, field: &str| Step::Field { class: class.into(), field: field.into() };
        let list = field("java.util.ArrayList", "elementData");
        let new = vec![list.clone(), Step::Elements { first: 0, last: 0 }, field("a.User", "name")];
        let (piece, way) = Piece::around(AccessPath { root: root.clone(), steps: new });
        assert_eq!((piece.to_string(), piece.is_contents), ("Registry.all".to_owned(), true));
        assert_eq!(way, AccessPath { root, steps: vec![list] });
    }

    #[test]
    fn an_object_in_a_container_is_a_piece_of_its_own() {
        let (list, user) = (("java.util.ArrayList", "elementData"), ("a.User", "name"));
        let path = "Registry.all -> ArrayList.elementData[3] -> User.name".to_owned();
        assert_eq!(told(&[list, ("", ""), user]), (path, false, 3));
        assert_eq!(told(&[]), ("Registry.all".to_owned(), false, 0));
    }
}

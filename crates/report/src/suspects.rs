//! The pieces of shared state through which a test may depend on others.

use std::collections::{HashMap, HashSet};
use std::fmt;

use residue_graph::{Dependency, DependencyGraph, DependencyKind, Flow};
use residue_model::trace::{AccessPath, Name, PathRoot, Step, Trace};
use residue_model::{Frame, StatePath, TestId};

use crate::telling::reticence;

/// What a test reads of others at one piece of state.
#[derive(Debug)]
pub struct Suspect<'g> {
    /// Which piece.
    pub piece: Piece,
    /// The way by which it can be put back: to what is in a container, with the
    /// first step into it.
    pub way: AccessPath,
    /// What is read there, the most telling first; never empty.
    pub(crate) flows: Vec<Flow<'g>>,
}

/// A location, or all that is in a container of the JDK, whatever that is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The way to it; without a step into the container.
    path: AccessPath,
    pub(crate) is_contents: bool,
}

/// What a test sees of what any of `writers` left, that first which is most likely
/// to matter to it: not what it found changed in a run in which it ended as it
/// does alone.
pub fn suspects<'g>(
    graph: &'g DependencyGraph<'g>,
    test: &TestId,
    writers: &[TestId],
    harmless: &HashSet<AccessPath>,
) -> Vec<Suspect<'g>> {
    let trace = graph.trace();
    let of_writers =
        |dependency: &Dependency<'_>| writers.contains(graph.test(dependency.earlier()));
    let flows = read_of_others(graph, test).filter(of_writers).flat_map(|one| one.flows());
    let mut flows: Vec<_> = flows.map(|flow| (trace.path(flow.location), flow)).collect();
    flows
        .sort_by_cached_key(|(path, flow)| (harmless.contains(path), reticence(flow, path, trace)));
    let owners = owners_of_thread_locals(&flows, trace);
    let mut suspects: Vec<Suspect<'g>> = Vec::new();
    let mut numbers: HashMap<Piece, usize> = HashMap::new();
    for (path, flow) in flows {
        let (piece, way) = piece(in_thread_local(&path, &owners).unwrap_or(path));
        let number = *numbers.entry(piece.clone()).or_insert(suspects.len());
        match suspects.get_mut(number) {
            Some(suspect) => suspect.flows.push(flow),
            None => suspects.push(Suspect { piece, way, flows: vec![flow] }),
        }
    }
    suspects
}

/// What a test reads of others, by whom.
pub fn read_of_others<'g>(
    graph: &'g DependencyGraph<'g>,
    test: &TestId,
) -> impl Iterator<Item = Dependency<'g>> {
    let position = graph.position(test);
    position.into_iter().flat_map(|test| graph.depends_on(DependencyKind::ReadAfterWrite, test))
}

/// The class that asks for what is in a slot of the main thread's table of
/// thread-locals: mostly the one with the thread-local.
fn owners_of_thread_locals(flows: &[(AccessPath, Flow<'_>)], trace: &Trace) -> HashMap<u32, Name> {
    let is_of_thread_locals = |frame: &&Frame| frame.class.starts_with("java.lang.ThreadLocal");
    let mut owners = HashMap::new();
    for (path, flow) in flows {
        let Some((slot, _)) = slot_of_thread(path) else { continue };
        let mut frames = flow.later.stack.into_iter().flat_map(|stack| trace.frames_of(stack));
        if frames.next().as_ref().is_some_and(is_of_thread_locals)
            && let Some(owner) = frames.find(|frame| !is_of_thread_locals(frame))
        {
            owners.entry(slot).or_insert_with(|| owner.class.as_str().into());
        }
    }
    owners
}

/// The way by the class that has the thread-local, if that is known.
fn in_thread_local(path: &AccessPath, owners: &HashMap<u32, Name>) -> Option<AccessPath> {
    let (slot, steps) = slot_of_thread(path)?;
    let inside = match steps {
        [] => steps,
        [Step::Field { class, field }, inside @ ..]
            if class.ends_with("ThreadLocalMap$Entry") && &**field == "value" =>
        {
            inside
        }
        // The thread-local itself.
        _ => return None,
    };
    Some(StatePath::in_thread_locals(owners.get(&slot)?.clone(), inside.to_vec()))
}

/// A slot of the main thread's table, in which tests run, and the steps from there.
fn slot_of_thread(path: &AccessPath) -> Option<(u32, &[Step])> {
    match (&path.root, path.steps.as_slice()) {
        (
            PathRoot::Thread(thread),
            [
                Step::Field { field, .. },
                Step::Field { .. },
                Step::Elements { first, last },
                rest @ ..,
            ],
        ) if &**thread == "main" && &**field == "threadLocals" && first == last => {
            Some((*first, rest))
        }
        _ => None,
    }
}

/// What is at the end of a path, and the way by which that can be put back. A path
/// that leads through a container into an object of somebody else ends there.
fn piece(path: AccessPath) -> (Piece, AccessPath) {
    let is_of_jdk = |step: &Step| match step {
        Step::Field { class, .. } => class.starts_with("java."),
        Step::Elements { .. } => true,
    };
    let entered = path.steps.iter().position(is_into_container);
    match entered.filter(|entered| path.steps[*entered..].iter().all(is_of_jdk)) {
        None => (Piece { path: path.clone(), is_contents: false }, path),
        Some(entered) => {
            let up_to =
                |end| AccessPath { root: path.root.clone(), steps: path.steps[..end].into() };
            (Piece { path: up_to(entered), is_contents: true }, up_to(entered + 1))
        }
    }
}

/// Collections, atomics, and builders of texts.
fn is_into_container(step: &Step) -> bool {
    let Step::Field { class, .. } = step else { return false };
    class.starts_with("java.util.") || &**class == "java.lang.AbstractStringBuilder"
}

impl Piece {
    /// Whether the location with this path is a part of it.
    pub fn has(&self, location: AccessPath) -> bool {
        piece(location).0 == *self
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(steps: &[(&str, &str)]) -> (String, bool, usize) {
        let root = PathRoot::Static { class: "a.Registry".into(), field: "all".into() };
        let step = |(class, field): &(&str, &str)| match *class {
            "" => Step::Elements { first: 3, last: 3 },
            class => Step::Field { class: class.into(), field: (*field).into() },
        };
        let (piece, way) = piece(AccessPath { root, steps: steps.iter().map(step).collect() });
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
    fn an_object_in_a_container_is_a_piece_of_its_own() {
        let (list, user) = (("java.util.ArrayList", "elementData"), ("a.User", "name"));
        let path = "Registry.all -> ArrayList.elementData[3] -> User.name".to_owned();
        assert_eq!(told(&[list, ("", ""), user]), (path, false, 3));
        assert_eq!(told(&[]), ("Registry.all".to_owned(), false, 0));
    }
}

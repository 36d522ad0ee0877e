//! The pieces of shared state through which a test may depend on others.

use std::collections::{HashMap, HashSet};

use residue_graph::{Dependency, DependencyGraph, DependencyKind, Flow};
use residue_model::TestId;
use residue_model::trace::AccessPath;

use crate::piece::Piece;
use crate::telling::reticence;
use crate::thread_locals::ThreadLocals;

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
    let thread_locals = ThreadLocals::read(&flows, trace);
    let flows = flows
        .into_iter()
        .map(|(path, flow)| (thread_locals.way_to(&path).unwrap_or(path), flow))
        .enumerate();
    // What is in an object that a writer made is due to what leads there.
    let (made, written): (Vec<_>, Vec<_>) = flows.partition(|(_, (_, flow))| flow.earlier.created);
    let mut pieces = Pieces::default();
    for (rank, (path, flow)) in written {
        let (piece, way) = Piece::at(path);
        pieces.add(rank, piece, way, flow);
    }
    for (rank, (path, flow)) in made {
        let (piece, way) = pieces.leading_to(&path).unwrap_or_else(|| Piece::around(path));
        pieces.add(rank, piece, way, flow);
    }
    pieces.in_order()
}

/// Pieces of state that were come upon, each with the rank of its first flow.
#[derive(Default)]
struct Pieces<'g> {
    suspects: Vec<(usize, Suspect<'g>)>,
    numbers: HashMap<Piece, usize>,
}

impl<'g> Pieces<'g> {
    fn add(&mut self, rank: usize, piece: Piece, way: AccessPath, flow: Flow<'g>) {
        let number = *self.numbers.entry(piece.clone()).or_insert(self.suspects.len());
        match self.suspects.get_mut(number) {
            Some((_, suspect)) => suspect.flows.push(flow),
            None => self.suspects.push((rank, Suspect { piece, way, flows: vec![flow] })),
        }
    }

    /// The nearest known piece on the way, with the way to it.
    fn leading_to(&self, path: &AccessPath) -> Option<(Piece, AccessPath)> {
        let ends = (0..=path.steps.len()).rev();
        let on_the_way = ends.map(|end| Piece::at(path.up_to(end)));
        on_the_way.into_iter().find(|(piece, _)| self.numbers.contains_key(piece))
    }

    fn in_order(mut self) -> Vec<Suspect<'g>> {
        self.suspects.sort_by_key(|(rank, _)| *rank);
        self.suspects.into_iter().map(|(_, suspect)| suspect).collect()
    }
}

/// What a test reads of others, by whom.
pub fn read_of_others<'g>(
    graph: &'g DependencyGraph<'g>,
    test: &TestId,
) -> impl Iterator<Item = Dependency<'g>> {
    let position = graph.position(test);
    position.into_iter().flat_map(|test| graph.depends_on(DependencyKind::ReadAfterWrite, test))
}

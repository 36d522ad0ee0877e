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
    let mut suspects: Vec<Suspect<'g>> = Vec::new();
    let mut numbers: HashMap<Piece, usize> = HashMap::new();
    for (path, flow) in flows {
        let (piece, way) = Piece::at(thread_locals.way_to(&path).unwrap_or(path));
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

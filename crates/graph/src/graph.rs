//! All dependencies of a trace.

use std::ops::Range;

use residue_model::TestId;
use residue_model::trace::{LocationId, Trace, Write};

use crate::conflicts::{Conflict, Conflicts, DependencyKind, conflicts};
use crate::dependency::Dependency;
use crate::groups::Groups;

/// Who depends on whom, and through what.
#[derive(Debug)]
pub struct DependencyGraph<'t> {
    pub(crate) trace: &'t Trace,
    pub(crate) groups: Groups,
    /// Of each kind, sorted by later test, earlier test, time.
    conflicts: Conflicts,
    /// Of each kind, conflicts between the same two tests, in the same order.
    edges: [Vec<Edge>; DependencyKind::ALL.len()],
    /// Of each kind, positions in `edges` sorted by earlier test, later test.
    by_earlier: [Vec<u32>; DependencyKind::ALL.len()],
}

#[derive(Debug, Clone)]
struct Edge {
    later: usize,
    earlier: usize,
    conflicts: Range<usize>,
}

impl<'t> DependencyGraph<'t> {
    /// Computes the dependencies of a trace.
    pub fn new(trace: &'t Trace) -> Self {
        let groups = Groups::new(&trace.order);
        let mut conflicts = conflicts(trace, &groups);
        let test_of: Vec<usize> = trace.epochs.iter().map(|epoch| epoch.test).collect();
        let edges = conflicts.each_mut().map(|of_kind| sorted_edges(of_kind, &test_of));
        let by_earlier = edges.each_ref().map(|of_kind| {
            let mut positions: Vec<u32> = (0..of_kind.len() as u32).collect();
            // Stable: later tests stay in order.
            positions.sort_by_key(|position| of_kind[*position as usize].earlier);
            positions
        });
        Self { trace, groups, conflicts, edges, by_earlier }
    }

    /// The trace it was made from.
    pub fn trace(&self) -> &'t Trace {
        self.trace
    }

    /// How many tests the order has.
    pub fn tests(&self) -> usize {
        self.trace.order.len()
    }

    /// The test at a position.
    pub fn test(&self, position: usize) -> &'t TestId {
        &self.trace.order[position]
    }

    /// Where a test stands in the order.
    pub fn position(&self, test: &TestId) -> Option<usize> {
        self.trace.order.iter().position(|other| other == test)
    }

    /// All dependencies of a kind, by later test and then by earlier test.
    pub fn dependencies(
        &self,
        kind: DependencyKind,
    ) -> impl ExactSizeIterator<Item = Dependency<'_>> {
        self.edges[kind as usize].iter().map(move |edge| self.dependency(kind, edge))
    }

    /// On whom a test depends.
    pub fn depends_on(
        &self,
        kind: DependencyKind,
        test: usize,
    ) -> impl ExactSizeIterator<Item = Dependency<'_>> {
        let edges = &self.edges[kind as usize];
        let start = edges.partition_point(|edge| edge.later < test);
        let end = edges.partition_point(|edge| edge.later <= test);
        edges[start..end].iter().map(move |edge| self.dependency(kind, edge))
    }

    /// Who depends on a test.
    pub fn dependents_of(
        &self,
        kind: DependencyKind,
        test: usize,
    ) -> impl ExactSizeIterator<Item = Dependency<'_>> {
        let (edges, positions) = (&self.edges[kind as usize], &self.by_earlier[kind as usize]);
        let earlier = |position: &u32| edges[*position as usize].earlier;
        let start = positions.partition_point(|position| earlier(position) < test);
        let end = positions.partition_point(|position| earlier(position) <= test);
        positions[start..end]
            .iter()
            .map(move |position| self.dependency(kind, &edges[*position as usize]))
    }

    /// Pairs of later and earlier test with a dependency of this kind, sorted.
    pub fn pairs(&self, kind: DependencyKind) -> impl ExactSizeIterator<Item = (usize, usize)> {
        self.edges[kind as usize].iter().map(|edge| (edge.later, edge.earlier))
    }

    /// Positions of tests that read a location another test wrote, ascending.
    pub fn readers_of(&self, location: LocationId) -> Vec<usize> {
        let of_kind = self.of_kind(DependencyKind::ReadAfterWrite);
        let here = of_kind.iter().filter(|conflict| conflict.location == location);
        let mut readers: Vec<_> =
            here.map(|conflict| self.trace.epoch(conflict.later.epoch).test).collect();
        readers.sort_unstable();
        readers.dedup();
        readers
    }

    /// Positions of tests that wrote a location or made its object, ascending.
    pub fn writers_of(&self, location: LocationId) -> Vec<usize> {
        let creator = self.trace.location(location).creator;
        let wrote = self.trace.epochs.iter().filter(|epoch| {
            let lasting = |write: &Write| write.location == location && !write.is_undone();
            epoch.writes.iter().any(lasting)
        });
        let mut writers: Vec<_> = wrote
            .chain(creator.map(|creator| self.trace.epoch(creator)))
            .map(|epoch| epoch.test)
            .collect();
        writers.sort_unstable();
        writers.dedup();
        writers
    }

    pub(crate) fn of_kind(&self, kind: DependencyKind) -> &[Conflict] {
        &self.conflicts[kind as usize]
    }

    fn dependency(&self, kind: DependencyKind, edge: &Edge) -> Dependency<'_> {
        let conflicts = &self.conflicts[kind as usize][edge.conflicts.clone()];
        let (later, earlier) = (edge.later, edge.earlier);
        Dependency { trace: self.trace, kind, later, earlier, conflicts }
    }
}

/// Sorts conflicts of one kind by their tests and finds those of the same two.
fn sorted_edges(conflicts: &mut [Conflict], test_of: &[usize]) -> Vec<Edge> {
    let later = |conflict: &Conflict| test_of[conflict.later.epoch.index()];
    let earlier = |conflict: &Conflict| test_of[conflict.earlier.epoch.index()];
    // They come in the order of time, which is that of the later tests unless
    // a framework did not keep to the order: this costs one look at each.
    conflicts.sort_by_key(later);
    let mut edges = Vec::new();
    let mut start = 0;
    for of_test in conflicts.chunk_by_mut(|a, b| later(a) == later(b)) {
        // Stable: within an edge the order of time stays.
        of_test.sort_by_key(earlier);
        for same in of_test.chunk_by(|a, b| earlier(a) == earlier(b)) {
            let range = start..start + same.len();
            start = range.end;
            edges.push(Edge {
                later: later(&same[0]),
                earlier: earlier(&same[0]),
                conflicts: range,
            });
        }
    }
    edges
}

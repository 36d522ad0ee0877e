//! The test dependency graph, and orders that violate one edge of it.
//!
//! Nodes are numbered as they ran in the reference order, so every edge goes
//! from a higher number to a lower one and the graph has no cycle.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use crate::Location;
use crate::bits::TestSet;
use crate::config::Selection;
use crate::observation::Observation;
use crate::pradet::Fate;
use crate::roster::TestNumber;
use crate::shuffle::{random, shuffle};

pub(crate) type Node = usize;
pub(crate) type EdgeId = usize;

/// The reader depends on the writer.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    pub(super) reader: Node,
    pub(super) writer: Node,
    /// The first tests that were seen to make it.
    pub(super) tests: (TestNumber, TestNumber),
    pub(super) locations: BTreeSet<Location>,
    pub(super) fate: Fate,
    /// Lower ones are tried first.
    rank: usize,
}

#[derive(Debug)]
pub(super) struct Graph {
    /// The tests of each node: one, or those of a class.
    nodes: Vec<Vec<TestNumber>>,
    edges: Vec<Edge>,
}

/// An edge to violate, and an order of nodes that does it and ends with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Check {
    pub(crate) edge: EdgeId,
    pub(super) nodes: Vec<Node>,
}

impl Graph {
    /// Who read what whom wrote last, in runs of these nodes in this order.
    pub(super) fn of<'a>(
        nodes: Vec<Vec<TestNumber>>,
        runs: impl IntoIterator<Item = &'a Observation>,
    ) -> Self {
        let node_of: HashMap<TestNumber, Node> = nodes
            .iter()
            .enumerate()
            .flat_map(|(node, tests)| tests.iter().map(move |&test| (test, node)))
            .collect();
        let mut edges: BTreeMap<(Node, Node), Edge> = BTreeMap::new();
        for run in runs {
            let mut last_writer: HashMap<Location, TestNumber> = HashMap::new();
            let seen = run.watched().map_or(&[][..], |watched| &watched.tests);
            let stretches = run.reached().iter().zip(seen);
            for (test, seen) in
                stretches.flat_map(|((test, _), s)| s.iter().map(move |s| (test, s)))
            {
                let reader = node_of[test];
                for location in &seen.reads {
                    let Some(&by) = last_writer.get(location) else { continue };
                    let writer = node_of[&by];
                    if writer < reader {
                        let edge = edges.entry((reader, writer)).or_insert_with(|| Edge {
                            reader,
                            writer,
                            tests: (*test, by),
                            locations: BTreeSet::new(),
                            fate: Fate::Open,
                            rank: 0,
                        });
                        edge.locations.insert(*location);
                    }
                }
                last_writer.extend(seen.written().map(|location| (location, *test)));
            }
        }
        Self { nodes, edges: edges.into_values().collect() }
    }

    /// Leaves out what involves none of these tests.
    pub(super) fn retain(&mut self, these: &TestSet) {
        let Self { nodes, edges } = self;
        let has = |node: Node| nodes[node].iter().any(|&test| these.contains(test));
        edges.retain(|edge| has(edge.reader) || has(edge.writer));
    }

    pub(super) fn rank(&mut self, selection: Selection, seed: u64) {
        let mut by_rank: Vec<EdgeId> = (0..self.edges.len()).collect();
        match selection {
            Selection::SourceFirst => by_rank
                .sort_by_key(|&edge| Reverse((self.edges[edge].reader, self.edges[edge].writer))),
            Selection::Random => shuffle(&mut by_rank, &mut random(seed)),
        }
        for (rank, edge) in by_rank.into_iter().enumerate() {
            self.edges[edge].rank = rank;
        }
    }

    pub(super) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub(super) fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge]
    }

    pub(super) fn settle(&mut self, edge: EdgeId, fate: Fate) {
        self.edges[edge].fate = fate;
    }

    /// The tests of these nodes, one node after the other.
    pub(super) fn tests(&self, nodes: &[Node]) -> Vec<TestNumber> {
        nodes.iter().flat_map(|&node| self.nodes[node].iter().copied()).collect()
    }

    /// Edges that hang together, whatever their direction. Removed ones hold
    /// nothing together.
    pub(super) fn components(&self, edges: &[EdgeId]) -> Vec<Vec<EdgeId>> {
        let mut group: HashMap<Node, Node> = HashMap::new();
        let find = |group: &HashMap<Node, Node>, mut node: Node| {
            while let Some(&next) = group.get(&node)
                && next != node
            {
                node = next;
            }
            node
        };
        let there = |edge: &&EdgeId| self.edges[**edge].fate != Fate::Removed;
        for &edge in edges.iter().filter(there) {
            let a = find(&group, self.edges[edge].reader);
            let b = find(&group, self.edges[edge].writer);
            group.insert(a.max(b), a.min(b));
        }
        let mut components: BTreeMap<Node, Vec<EdgeId>> = BTreeMap::new();
        for &edge in edges.iter().filter(there) {
            components.entry(find(&group, self.edges[edge].reader)).or_default().push(edge);
        }
        components.into_values().collect()
    }

    /// The next edge of a component to violate: the first that can be inverted
    /// without a cycle. Those that cannot wait until others are gone.
    pub(super) fn select(&self, component: &[EdgeId]) -> Option<Check> {
        let is_open = |edge: &EdgeId| self.edges[*edge].fate == Fate::Open;
        let mut open: Vec<EdgeId> = component.iter().copied().filter(is_open).collect();
        open.sort_by_key(|&edge| self.edges[edge].rank);
        open.into_iter()
            .find_map(|edge| self.inverted(component, edge).map(|nodes| Check { edge, nodes }))
    }

    /// The nodes of a component such that all of its edges are respected but
    /// one, which is violated; as in the reference order otherwise. Ends when
    /// that one is decided. `None` if there is no such order.
    fn inverted(&self, component: &[EdgeId], inverted: EdgeId) -> Option<Vec<Node>> {
        let mut waits_for: BTreeMap<Node, usize> = BTreeMap::new();
        let mut followers: HashMap<Node, Vec<Node>> = HashMap::new();
        for &edge in component {
            let Edge { reader, writer, .. } = self.edges[edge];
            let (first, then) = if edge == inverted { (reader, writer) } else { (writer, reader) };
            followers.entry(first).or_default().push(then);
            *waits_for.entry(then).or_default() += 1;
            waits_for.entry(first).or_default();
        }
        let free = waits_for.iter().filter(|(_, count)| **count == 0);
        let mut ready: BinaryHeap<Reverse<Node>> = free.map(|(node, _)| Reverse(*node)).collect();
        let mut sorted = Vec::new();
        while let Some(Reverse(node)) = ready.pop() {
            sorted.push(node);
            for follower in followers.get(&node).into_iter().flatten() {
                let Some(count) = waits_for.get_mut(follower) else { continue };
                *count -= 1;
                if *count == 0 {
                    ready.push(Reverse(*follower));
                }
            }
        }
        if sorted.len() < waits_for.len() {
            return None;
        }
        let end = sorted.iter().position(|&node| node == self.edges[inverted].writer)?;
        sorted.truncate(end + 1);
        Some(sorted)
    }
}

#[cfg(test)]
impl Graph {
    /// A graph of these edges, reader and writer, between single tests.
    pub(super) fn with_edges(nodes: usize, edges: &[(Node, Node)]) -> Self {
        let edge = |&(reader, writer): &(Node, Node)| Edge {
            reader,
            writer,
            tests: (reader as TestNumber, writer as TestNumber),
            locations: BTreeSet::new(),
            fate: Fate::Open,
            rank: 0,
        };
        Self {
            nodes: (0..nodes as TestNumber).map(|test| vec![test]).collect(),
            edges: edges.iter().map(edge).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Fates = BTreeMap<(Node, Node), Fate>;

    /// Refines with these edges, by reader and writer, being manifest; gives
    /// the checks in order and what became of every edge.
    fn refine(graph: &mut Graph, manifest: &[(Node, Node)]) -> (Vec<Vec<Node>>, Fates) {
        let all: Vec<EdgeId> = (0..graph.edges.len()).collect();
        let mut checks = Vec::new();
        let mut open = graph.components(&all);
        while let Some(component) = open.pop() {
            let Some(check) = graph.select(&component) else {
                for edge in component {
                    if graph.edges[edge].fate == Fate::Open {
                        graph.settle(edge, Fate::Untestable);
                    }
                }
                continue;
            };
            let Edge { reader, writer, .. } = graph.edges[check.edge];
            let is_manifest = manifest.contains(&(reader, writer));
            graph.settle(check.edge, if is_manifest { Fate::Manifest } else { Fate::Removed });
            checks.push(check.nodes);
            open.extend(graph.components(&component));
        }
        let fates = graph.edges.iter().map(|edge| ((edge.reader, edge.writer), edge.fate));
        (checks, fates.collect())
    }

    /// Figure 4: t1, t2, t3 are 0, 1, 2; t3 -> t1 cannot be inverted at first.
    fn figure_4() -> Graph {
        let mut graph = Graph::with_edges(3, &[(1, 0), (2, 0), (2, 1)]);
        graph.rank(Selection::SourceFirst, 0);
        graph
    }

    #[test]
    fn figure_4_the_edge_that_makes_a_cycle_waits_until_another_is_gone() {
        let mut graph = figure_4();
        assert_eq!(graph.inverted(&[0, 1, 2], 1), None);
        // Nothing is manifest: source first, t3 -> t2, which breaks the cycle.
        let (checks, fates) = refine(&mut graph, &[]);
        assert_eq!(checks, [vec![0, 2, 1], vec![2, 0], vec![1, 0]]);
        assert!(fates.values().all(|fate| *fate == Fate::Removed));
    }

    #[test]
    fn figure_4_a_removing_t2_to_t1_makes_t3_to_t1_testable() {
        let (checks, fates) = refine(&mut figure_4(), &[(2, 1)]);
        assert_eq!(checks, [vec![0, 2, 1], vec![1, 0], vec![1, 2, 0]]);
        assert_eq!(fates[&(2, 1)], Fate::Manifest);
        assert_eq!(fates[&(2, 0)], Fate::Removed);
    }

    #[test]
    fn figure_4_b_with_both_others_manifest_t3_to_t1_is_untestable() {
        let (checks, fates) = refine(&mut figure_4(), &[(2, 1), (1, 0)]);
        assert_eq!(checks, [vec![0, 2, 1], vec![1, 0]]);
        assert_eq!(fates[&(2, 0)], Fate::Untestable);
    }

    #[test]
    fn figure_3_every_edge_is_tried_and_only_manifest_ones_stay() {
        // Two components; 5 depends on nobody and is in no order.
        let mut graph = Graph::with_edges(6, &[(1, 0), (2, 1), (4, 3)]);
        graph.rank(Selection::SourceFirst, 0);
        assert_eq!(graph.components(&[0, 1, 2]), [vec![0, 1], vec![2]]);
        let (checks, fates) = refine(&mut graph, &[(1, 0)]);
        assert_eq!(checks, [vec![4, 3], vec![0, 2, 1], vec![1, 0]]);
        let expected = [((1, 0), Fate::Manifest), ((2, 1), Fate::Removed), ((4, 3), Fate::Removed)];
        assert_eq!(fates, BTreeMap::from(expected));
    }

    #[test]
    fn the_default_order_is_kept_where_no_edge_says_otherwise() {
        // 3 reads from 0; 1 and 2 hang on 3 only through 4.
        let graph = Graph::with_edges(5, &[(3, 0), (4, 1), (4, 2), (4, 3)]);
        assert_eq!(graph.inverted(&[0, 1, 2, 3], 0), Some(vec![1, 2, 3, 0]));
    }

    #[test]
    fn a_random_selection_is_that_of_its_seed() {
        let ranks = |seed| {
            let mut graph = Graph::with_edges(9, &(1..9).map(|n| (n, 0)).collect::<Vec<_>>());
            graph.rank(Selection::Random, seed);
            graph.edges.iter().map(|edge| edge.rank).collect::<Vec<_>>()
        };
        assert_eq!(ranks(7), ranks(7));
        assert_ne!(ranks(7), ranks(8));
    }
}

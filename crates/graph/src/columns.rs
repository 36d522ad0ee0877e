//! ElectricTest's Table 5: how many tests write, read, and hang together.

use std::collections::HashMap;

use serde::Serialize;

use crate::chain::longest_chain;
use crate::conflicts::DependencyKind;
use crate::graph::DependencyGraph;

/// What counts as one test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Granularity {
    /// An outermost test class; what its own tests share does not count.
    Classes,
    /// A test.
    Methods,
}

/// The columns of the table for one suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Columns {
    /// How many there are.
    pub tests: usize,
    /// W: those that write something that another reads later.
    pub writers: usize,
    /// R: those that read something that another wrote before.
    pub readers: usize,
    /// C: how many the longest serial chain of data dependencies holds.
    pub longest_chain: usize,
    /// Locations through which these dependencies go.
    pub locations: usize,
}

impl DependencyGraph<'_> {
    /// The longest chain of data dependencies, first to run first.
    pub fn longest_chain(&self) -> Vec<usize> {
        longest_chain(self.tests(), self.pairs(DependencyKind::ReadAfterWrite))
    }

    /// The columns of ElectricTest's Table 5.
    pub fn columns(&self, granularity: Granularity) -> Columns {
        let node_of = self.nodes(granularity);
        let nodes = node_of.iter().max().map_or(0, |last| last + 1);
        let mut pairs: Vec<_> = self
            .pairs(DependencyKind::ReadAfterWrite)
            .map(|(later, earlier)| (node_of[later], node_of[earlier]))
            .filter(|(later, earlier)| later != earlier)
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let distinct = |side: fn(&(usize, usize)) -> usize| {
            let mut seen = vec![false; nodes];
            pairs.iter().for_each(|pair| seen[side(pair)] = true);
            seen.into_iter().filter(|seen| *seen).count()
        };
        let mut crossed = vec![false; self.trace.locations.len()];
        for conflict in self.of_kind(DependencyKind::ReadAfterWrite) {
            let node =
                |access: crate::conflicts::Access| node_of[self.trace.epoch(access.epoch).test];
            if node(conflict.later) != node(conflict.earlier) {
                crossed[conflict.location.index()] = true;
            }
        }
        Columns {
            tests: nodes,
            writers: distinct(|pair| pair.1),
            readers: distinct(|pair| pair.0),
            longest_chain: longest_chain(nodes, pairs.into_iter()).len(),
            locations: crossed.into_iter().filter(|crossed| *crossed).count(),
        }
    }

    /// The node of each test; nodes are numbered by the first of their tests.
    fn nodes(&self, granularity: Granularity) -> Vec<usize> {
        match granularity {
            Granularity::Methods => (0..self.tests()).collect(),
            Granularity::Classes => {
                let mut numbers = HashMap::new();
                let classes = self.trace.order.iter().map(|test| test.top_level_class());
                classes
                    .map(|class| {
                        let next = numbers.len();
                        *numbers.entry(class).or_insert(next)
                    })
                    .collect()
            }
        }
    }
}

//! Tests that hang together.

use std::collections::BTreeMap;

use crate::conflicts::DependencyKind;
use crate::graph::DependencyGraph;

impl DependencyGraph<'_> {
    /// Weakly connected components of the data dependencies, each ascending,
    /// in the order of their first tests. A test without dependencies is in
    /// none.
    pub fn components(&self) -> Vec<Vec<usize>> {
        let mut parent: Vec<usize> = (0..self.tests()).collect();
        let mut dependent = vec![false; self.tests()];
        for (later, earlier) in self.pairs(DependencyKind::ReadAfterWrite) {
            (dependent[later], dependent[earlier]) = (true, true);
            let (a, b) = (root(&mut parent, later), root(&mut parent, earlier));
            // The smaller number stays the root: components sort by first test.
            parent[a.max(b)] = a.min(b);
        }
        let mut components: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for test in (0..self.tests()).filter(|test| dependent[*test]) {
            components.entry(root(&mut parent, test)).or_default().push(test);
        }
        components.into_values().collect()
    }
}

fn root(parent: &mut [usize], test: usize) -> usize {
    let mut here = test;
    while parent[here] != here {
        parent[here] = parent[parent[here]];
        here = parent[here];
    }
    here
}

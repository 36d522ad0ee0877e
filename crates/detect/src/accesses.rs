//! Which shared state each test reads and writes, as far as a trace tells.

use std::collections::{BTreeSet, HashMap};

use residue_model::TestId;

/// A piece of shared state. What it is, only the trace knows.
///
/// Stable between runs of a suite: a digest of how it is reached, not of where
/// it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location(pub u64);

/// Read and write sets of the tests that were traced.
///
/// A test that is not in here may read and write anything.
#[derive(Debug, Clone, Default)]
pub struct Accesses {
    by_test: HashMap<TestId, ReadsAndWrites>,
}

#[derive(Debug, Clone, Default)]
struct ReadsAndWrites {
    reads: BTreeSet<Location>,
    writes: BTreeSet<Location>,
}

impl Accesses {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what a test was seen to read and write. With no location at all
    /// the test is known to share nothing.
    pub fn record(
        &mut self,
        test: TestId,
        reads: impl IntoIterator<Item = Location>,
        writes: impl IntoIterator<Item = Location>,
    ) {
        let known = self.by_test.entry(test).or_default();
        known.reads.extend(reads);
        known.writes.extend(writes);
    }

    /// What the test reads; `None` if it was not traced.
    pub fn reads(&self, test: &TestId) -> Option<&BTreeSet<Location>> {
        self.by_test.get(test).map(|known| &known.reads)
    }

    /// What the test writes; `None` if it was not traced.
    pub fn writes(&self, test: &TestId) -> Option<&BTreeSet<Location>> {
        self.by_test.get(test).map(|known| &known.writes)
    }
}

//! What each test reads and writes, for algorithms that try orders in which
//! such sets overlap.

use std::collections::BTreeSet;

use residue_model::trace::{EpochIndex, EpochKind, LocationId};

use crate::graph::DependencyGraph;

/// Read and write set of a test together with its class fixtures, as it would
/// run alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestAccesses {
    /// Locations it reads before it writes them.
    pub reads: BTreeSet<LocationId>,
    /// Locations it writes, those of objects that it makes included and those
    /// it puts back left out.
    pub writes: BTreeSet<LocationId>,
}

impl DependencyGraph<'_> {
    /// The accesses of each test; `None` for tests that no epoch of the trace
    /// belongs to, so that nothing is known about them.
    pub fn accesses(&self) -> Vec<Option<TestAccesses>> {
        let made = self.locations_by_creator();
        let mut accesses: Vec<Option<TestAccesses>> = vec![None; self.tests()];
        for (epoch, made) in self.trace.epochs.iter().zip(&made) {
            let tests = match epoch.kind {
                EpochKind::Test => epoch.test..epoch.test + 1,
                EpochKind::BeforeClass | EpochKind::AfterClass => self.groups.around(epoch.test),
            };
            for test in tests {
                if epoch.test != test && !self.groups.runs_with(self.trace, epoch, test) {
                    continue;
                }
                let TestAccesses { reads, writes } = accesses[test].get_or_insert_default();
                let read = epoch.reads.iter().map(|read| read.location);
                reads.extend(read.filter(|location| !writes.contains(location)));
                let lasting = epoch.writes.iter().filter(|write| !write.is_undone());
                writes.extend(lasting.map(|write| write.location));
                writes.extend(made);
            }
        }
        self.forget_untraced(&mut accesses);
        accesses
    }

    /// A fixture alone does not make a test a traced one.
    fn forget_untraced(&self, accesses: &mut [Option<TestAccesses>]) {
        let mut traced = vec![false; self.tests()];
        for epoch in self.trace.epochs.iter().filter(|epoch| epoch.kind == EpochKind::Test) {
            traced[epoch.test] = true;
        }
        for (known, traced) in accesses.iter_mut().zip(traced) {
            if !traced {
                *known = None;
            }
        }
    }

    fn locations_by_creator(&self) -> Vec<Vec<LocationId>> {
        let mut made = vec![Vec::new(); self.trace.epochs.len()];
        for (location, known) in (0..).map(LocationId).zip(&self.trace.locations) {
            if let Some(EpochIndex(creator)) = known.creator {
                made[creator as usize].push(location);
            }
        }
        made
    }
}

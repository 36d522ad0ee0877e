//! Who shares most: locations with many readers, tests with many dependents.

use std::cmp::Reverse;

use residue_model::trace::LocationId;

use crate::conflicts::DependencyKind;
use crate::graph::DependencyGraph;

/// A location through which data dependencies go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedLocation {
    /// The location.
    pub location: LocationId,
    /// Tests that read what another wrote there.
    pub readers: usize,
    /// Tests that write it, or made the object it is part of.
    pub writers: usize,
}

/// A test whose writes others read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Polluter {
    /// Its position.
    pub test: usize,
    /// Tests that read what it was the last to write.
    pub readers: usize,
    /// Locations they read.
    pub locations: usize,
}

impl DependencyGraph<'_> {
    /// Locations through which data dependencies go, most readers first.
    pub fn shared_locations(&self) -> Vec<SharedLocation> {
        let mut readers = Counter::new(self.trace.locations.len());
        // Sorted by later test, so that each reader of a location comes once.
        for conflict in self.of_kind(DependencyKind::ReadAfterWrite) {
            readers.count(conflict.location, self.trace.epoch(conflict.later.epoch).test);
        }
        let mut writers = Counter::new(self.trace.locations.len());
        for (location, known) in (0..).map(LocationId).zip(&self.trace.locations) {
            if let Some(creator) = known.creator {
                writers.count(location, self.trace.epoch(creator).test);
            }
        }
        for epoch in &self.trace.epochs {
            for write in epoch.writes.iter().filter(|write| !write.is_undone()) {
                writers.count(write.location, epoch.test);
            }
        }
        let mut shared: Vec<_> = (0..self.trace.locations.len() as u32)
            .map(|index| SharedLocation {
                location: LocationId(index),
                readers: readers.counts[index as usize],
                writers: writers.counts[index as usize],
            })
            .filter(|shared| shared.readers > 0)
            .collect();
        shared.sort_by_key(|shared| (Reverse(shared.readers), Reverse(shared.writers)));
        shared
    }

    /// Tests whose writes others read, most readers first.
    pub fn polluters(&self) -> Vec<Polluter> {
        let kind = DependencyKind::ReadAfterWrite;
        let mut last_counted = vec![usize::MAX; self.trace.locations.len()];
        let polluter = |test: usize| {
            let mut polluter = Polluter { test, readers: 0, locations: 0 };
            for dependency in self.dependents_of(kind, test) {
                polluter.readers += 1;
                for conflict in dependency.conflicts {
                    let last = &mut last_counted[conflict.location.index()];
                    polluter.locations += usize::from(*last != test);
                    *last = test;
                }
            }
            polluter
        };
        let mut polluters: Vec<_> =
            (0..self.tests()).map(polluter).filter(|polluter| polluter.readers > 0).collect();
        polluters.sort_by_key(|polluter| (Reverse(polluter.readers), Reverse(polluter.locations)));
        polluters
    }
}

/// Counts different tests a location, told in groups by test.
struct Counter {
    counts: Vec<usize>,
    last: Vec<usize>,
}

impl Counter {
    fn new(locations: usize) -> Self {
        Self { counts: vec![0; locations], last: vec![usize::MAX; locations] }
    }

    fn count(&mut self, location: LocationId, test: usize) {
        let last = &mut self.last[location.index()];
        if *last != test {
            *last = test;
            self.counts[location.index()] += 1;
        }
    }
}

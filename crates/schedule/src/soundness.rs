//! The rule that every schedule must keep, said by definition.
//!
//! Each test must see, at each location that it reads, the write that it sees
//! in the reference order: the same last writer, or none. What counts as its
//! reads are those of the class fixtures before it too, and those of fixtures
//! after other classes whose writes it sees. Duplicates count like originals,
//! since others read what they leave.
//!
//! This is a simulation of each lane, location by location. It knows nothing
//! of units, needs or closures, so that it can tell when those are wrong.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use residue_graph::{DependencyGraph, TestEpochs};
use residue_model::trace::{EpochIndex, EpochKind, LocationId, Trace};

use crate::schedule::{Lane, Schedule};

/// A test that sees another state than in the reference order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation {
    /// Which lane, the workers first.
    pub lane: usize,
    /// The reader.
    pub test: usize,
    /// What it reads.
    pub location: LocationId,
    /// Whose write it sees in the reference order.
    pub expected: Option<usize>,
    /// Whose write it sees here.
    pub actual: Option<usize>,
}

/// Everything that a test sees otherwise than in the reference order. At class
/// fixtures, who sees is the test they are attributed to.
pub fn violations(schedule: &Schedule, graph: &DependencyGraph<'_>) -> Vec<Violation> {
    let tests = |lane: &Lane| lane.slots.iter().map(|slot| slot.test).collect();
    let lanes: Vec<Vec<usize>> =
        schedule.workers.iter().chain([&schedule.afterwards]).map(tests).collect();
    in_lanes(&lanes, graph)
}

/// The same for an order of the tests in one JVM.
pub fn order_violations(order: &[usize], graph: &DependencyGraph<'_>) -> Vec<Violation> {
    in_lanes(&[order.to_vec()], graph)
}

fn in_lanes(lanes: &[Vec<usize>], graph: &DependencyGraph<'_>) -> Vec<Violation> {
    let trace = graph.trace();
    let epochs = graph.epochs_by_test();
    let made = made_by(trace);
    let expected: HashMap<(EpochIndex, LocationId), Option<EpochIndex>> = {
        let run = (0..).map(EpochIndex).take(trace.epochs.len());
        sights(trace, &made, run).into_iter().map(|sight| (sight.key(), sight.writer)).collect()
    };
    let mut found = Vec::new();
    for (number, tests) in lanes.iter().enumerate() {
        let sights = sights(trace, &made, epochs_of(&epochs, tests));
        let relevant = relevant(trace, &sights);
        for sight in sights.iter().filter(|sight| relevant.contains(&sight.reader)) {
            let wanted = expected.get(&sight.key()).copied().flatten();
            if wanted != sight.writer {
                let test_of = |epoch: EpochIndex| trace.epoch(epoch).test;
                found.push(Violation {
                    lane: number,
                    test: test_of(sight.reader),
                    location: sight.location,
                    expected: wanted.map(test_of),
                    actual: sight.writer.map(test_of),
                });
            }
        }
    }
    found
}

/// One epoch reads one location.
struct Sight {
    reader: EpochIndex,
    location: LocationId,
    writer: Option<EpochIndex>,
}

impl Sight {
    fn key(&self) -> (EpochIndex, LocationId) {
        (self.reader, self.location)
    }
}

/// What each epoch of a run sees.
fn sights(
    trace: &Trace,
    made: &[Vec<LocationId>],
    run: impl IntoIterator<Item = EpochIndex>,
) -> Vec<Sight> {
    let mut last: HashMap<LocationId, EpochIndex> = HashMap::new();
    let mut sights = Vec::new();
    for reader in run {
        let epoch = trace.epoch(reader);
        last.extend(made[reader.index()].iter().map(|location| (*location, reader)));
        for read in &epoch.reads {
            let writer = last.get(&read.location).copied();
            sights.push(Sight { reader, location: read.location, writer });
        }
        let lasting = epoch.writes.iter().filter(|write| !write.is_undone());
        last.extend(lasting.map(|write| (write.location, reader)));
    }
    sights
}

/// The epochs that running these tests brings about: class fixtures once for
/// consecutive tests that they belong to.
fn epochs_of(epochs: &[TestEpochs], tests: &[usize]) -> Vec<EpochIndex> {
    let mut run = Vec::new();
    let mut opened = BTreeSet::new();
    let mut to_close: BTreeSet<EpochIndex> = BTreeSet::new();
    for test in tests {
        let TestEpochs { before, own, after } = &epochs[*test];
        let over: Vec<_> =
            to_close.iter().filter(|epoch| !after.contains(epoch)).copied().collect();
        for epoch in over {
            to_close.remove(&epoch);
            run.push(epoch);
        }
        opened.retain(|epoch| before.contains(epoch));
        run.extend(before.iter().filter(|epoch| opened.insert(**epoch)));
        run.extend(own);
        to_close.extend(after);
    }
    run.extend(to_close);
    run
}

/// Tests and fixtures before them; fixtures after a class only if somebody
/// relevant sees what they wrote.
fn relevant(trace: &Trace, sights: &[Sight]) -> HashSet<EpochIndex> {
    let mut by_reader: BTreeMap<EpochIndex, Vec<EpochIndex>> = BTreeMap::new();
    for sight in sights {
        by_reader.entry(sight.reader).or_default().extend(sight.writer);
    }
    let closing = |epoch: &EpochIndex| trace.epoch(*epoch).kind == EpochKind::AfterClass;
    let mut relevant: HashSet<EpochIndex> =
        by_reader.keys().filter(|epoch| !closing(epoch)).copied().collect();
    let mut waiting: Vec<EpochIndex> = relevant.iter().copied().collect();
    while let Some(reader) = waiting.pop() {
        for writer in by_reader.get(&reader).into_iter().flatten() {
            if relevant.insert(*writer) {
                waiting.push(*writer);
            }
        }
    }
    relevant
}

/// The locations of objects that each epoch makes.
fn made_by(trace: &Trace) -> Vec<Vec<LocationId>> {
    let mut made = vec![Vec::new(); trace.epochs.len()];
    for (location, known) in (0..).map(LocationId).zip(&trace.locations) {
        if let Some(creator) = known.creator {
            made[creator.index()].push(location);
        }
    }
    made
}

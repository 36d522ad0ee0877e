//! A schedule: which worker runs which tests, in which order.

use std::time::Duration;

use crate::bits::Bits;
use crate::units::Units;
use crate::workload::Workload;

/// One execution of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Position in the reference order.
    pub test: usize,
    /// The test has its original elsewhere: it runs here for what it leaves.
    pub duplicate: bool,
    /// When it begins, going by the durations of the workload.
    pub start: Duration,
    /// When it ends.
    pub end: Duration,
}

/// What one JVM runs, in the order of the reference.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lane {
    /// First to run first.
    pub slots: Vec<Slot>,
}

impl Lane {
    /// When the last test ends.
    pub fn end(&self) -> Duration {
        self.slots.last().map_or(Duration::ZERO, |slot| slot.end)
    }
}

/// Who runs what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The workers, which run at the same time.
    pub workers: Vec<Lane>,
    /// What runs in a JVM of its own when all workers are done.
    pub afterwards: Lane,
}

impl Schedule {
    pub(crate) fn new(workload: &Workload, units: &Units, workers: &[Bits]) -> Self {
        let in_order = |set: &Bits| units.tests_in(set);
        let mut lanes: Vec<Lane> =
            workers.iter().map(|set| lane(workload, in_order(set), Duration::ZERO)).collect();
        let all_done = lanes.iter().map(Lane::end).max().unwrap_or_default();
        lanes.push(lane(workload, in_order(&late_set(units)), all_done));
        mark_originals(workload.tests(), &mut lanes);
        let afterwards = lanes.pop().unwrap_or_default();
        Self { workers: lanes, afterwards }
    }

    /// Units in any order and with nothing they need: only to compare with.
    pub(crate) fn unsound(workload: &Workload, units: &Units, workers: &[Vec<usize>]) -> Self {
        let tests =
            |lane: &[usize]| lane.iter().flat_map(|unit| &units.tests[*unit]).copied().collect();
        let mut lanes: Vec<Lane> =
            workers.iter().map(|units| lane(workload, tests(units), Duration::ZERO)).collect();
        mark_originals(workload.tests(), &mut lanes);
        Self { workers: lanes, afterwards: Lane::default() }
    }

    /// When the last test ends.
    pub fn makespan(&self) -> Duration {
        let lanes = self.workers.iter().chain([&self.afterwards]);
        lanes.map(Lane::end).max().unwrap_or_default()
    }

    /// How many executions are duplicates.
    pub fn duplicates(&self) -> usize {
        let slots = self.lanes().flat_map(|lane| &lane.slots);
        slots.filter(|slot| slot.duplicate).count()
    }

    /// All lanes that have something to run: the workers, then what comes
    /// afterwards.
    pub fn lanes(&self) -> impl Iterator<Item = &Lane> {
        self.workers.iter().chain([&self.afterwards]).filter(|lane| !lane.slots.is_empty())
    }
}

/// What runs when the workers are done, with all it needs.
pub(crate) fn late_set(units: &Units) -> Bits {
    let mut late = Bits::default();
    for unit in (0..units.len()).filter(|unit| units.postponed[*unit]) {
        late.insert_all(&units.closures[unit]);
    }
    units.complete(&mut late);
    late
}

fn lane(workload: &Workload, tests: Vec<usize>, start: Duration) -> Lane {
    let mut clock = start;
    let slots = tests.into_iter().map(|test| {
        let start = clock;
        clock += workload.durations[test];
        Slot { test, duplicate: true, start, end: clock }
    });
    Lane { slots: slots.collect() }
}

/// The execution that ends first is the original.
fn mark_originals(tests: usize, lanes: &mut [Lane]) {
    let mut first: Vec<Option<(Duration, usize, usize)>> = vec![None; tests];
    for (number, lane) in lanes.iter().enumerate() {
        for (place, slot) in lane.slots.iter().enumerate() {
            let here = (slot.end, number, place);
            let known = &mut first[slot.test];
            *known = Some(known.map_or(here, |known| known.min(here)));
        }
    }
    for (_, number, place) in first.into_iter().flatten() {
        lanes[number].slots[place].duplicate = false;
    }
}

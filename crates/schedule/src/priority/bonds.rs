//! What an order must keep, as far as it is known.
//!
//! Going by a trace, every test shall read from the same last writer as in the
//! reference order. Sufficient for that, location by location:
//! - a reader comes after the writer it reads from;
//! - a writer comes after all that read the location before it;
//! - a writer that somebody reads from comes after all writers before it.
//!
//! All of these lead forward in the reference order, so they never contradict
//! each other. Writers that nobody reads from may change places.
//!
//! A class fixture runs again for every stretch of tests of its class, and that
//! of a suite of classes for every stretch of theirs. Where it touches shared
//! state these tests therefore stay together, as one unit.

use std::collections::BTreeMap;
use std::ops::Range;

use residue_graph::DependencyGraph;
use residue_model::trace::{EpochIndex, EpochKind, LocationId, Trace};

/// Units of tests that follow each other, and which come before which.
#[derive(Debug, Clone)]
pub struct Bonds {
    /// Consecutive tests of the reference order.
    units: Vec<Range<usize>>,
    unit_of: Vec<usize>,
    /// From each node to those after it. Nodes beyond the units stand for all
    /// that lead to them.
    after: Vec<Vec<usize>>,
}

impl Bonds {
    /// None: tests may come in any order.
    pub fn none(tests: usize) -> Self {
        Self::of_units(tests, &[])
    }

    /// Only these sets of tests are kept together, with all between them.
    pub fn of_units(tests: usize, together: &[Vec<usize>]) -> Self {
        // Whether a test belongs to the unit of the one before it.
        let mut continues = vec![false; tests];
        for set in together {
            let range = set.iter().min().zip(set.iter().max());
            if let Some((first, last)) = range {
                continues[first + 1..=*last].fill(true);
            }
        }
        let mut units: Vec<Range<usize>> = Vec::new();
        let mut unit_of = Vec::with_capacity(tests);
        for (test, continues) in continues.into_iter().enumerate() {
            match units.last_mut().filter(|_| continues) {
                Some(unit) => unit.end = test + 1,
                None => units.push(test..test + 1),
            }
            unit_of.push(units.len() - 1);
        }
        Self { after: vec![Vec::new(); units.len()], units, unit_of }
    }

    /// Every test reads from the same last writer as in the reference order.
    /// Suites of tests whose framework has no class fixtures, such as the
    /// static ones of JUnit 3, have none either that would keep all their
    /// classes together.
    pub fn of_trace(
        graph: &DependencyGraph<'_>,
        together: &[Vec<usize>],
        has_fixtures: impl Fn(usize) -> bool,
    ) -> Self {
        let trace = graph.trace();
        let shared = Shared::of(trace);
        let mut sets = together.to_vec();
        let openings = graph.openings();
        for (index, epoch) in (0..).map(EpochIndex).zip(&trace.epochs) {
            let is_fixture = epoch.kind != EpochKind::Test && has_fixtures(epoch.test);
            if is_fixture && shared.is_touched_by(trace, index) {
                sets.push(openings.around(epoch.test).collect());
            }
        }
        for (test, epochs) in graph.epochs_by_test().iter().enumerate() {
            let fixtures = epochs.before.iter().chain(&epochs.after);
            for fixture in fixtures.filter(|epoch| shared.is_touched_by(trace, **epoch)) {
                sets.push(vec![test, trace.epoch(*fixture).test]);
            }
        }
        let mut bonds = Self::of_units(graph.tests(), &sets);
        for users in shared.users(trace, &bonds).values() {
            bonds.bind(&users.accesses);
        }
        bonds
    }

    /// These tests stay in the order that they have in the reference order.
    pub fn keep_order(&mut self, tests: &[usize]) {
        let mut units: Vec<usize> = tests.iter().map(|test| self.unit_of[*test]).collect();
        units.sort_unstable();
        units.dedup();
        units.windows(2).for_each(|pair| self.after[pair[0]].push(pair[1]));
    }

    pub(super) fn tests(&self) -> usize {
        self.unit_of.len()
    }

    pub(super) fn tests_of(&self, unit: usize) -> Range<usize> {
        self.units[unit].clone()
    }

    pub(super) fn waiting(&self) -> Waiting<'_> {
        let mut before = vec![0; self.after.len()];
        self.after.iter().flatten().for_each(|node| before[*node] += 1);
        Waiting { bonds: self, before, is_done: vec![false; self.units.len()] }
    }

    /// Binds the users of one location, which are in reference order.
    fn bind(&mut self, accesses: &[Access]) {
        let (mut readers, mut writers) = (Gathering::default(), Gathering::default());
        for access in accesses {
            if let Some(writer) = access.reads_from {
                self.after[writer].push(access.unit);
            }
            if access.writes {
                self.follow(&mut readers, access.unit);
                if access.is_read_from {
                    self.follow(&mut writers, access.unit);
                }
                writers.new.push(access.unit);
            }
            if access.reads {
                readers.new.push(access.unit);
            }
        }
    }

    /// Has a unit come after all that were gathered so far.
    fn follow(&mut self, gathering: &mut Gathering, unit: usize) {
        if !gathering.new.is_empty() {
            let node = self.after.len();
            self.after.push(Vec::new());
            let all = gathering.new.drain(..).chain(gathering.node);
            all.for_each(|one| self.after[one].push(node));
            gathering.node = Some(node);
        }
        if let Some(node) = gathering.node {
            self.after[node].push(unit);
        }
    }
}

/// Units that something must come after: those of a node, and new ones.
#[derive(Debug, Default)]
struct Gathering {
    node: Option<usize>,
    new: Vec<usize>,
}

/// What may come next.
#[derive(Debug)]
pub(super) struct Waiting<'b> {
    bonds: &'b Bonds,
    /// Of each node, how many must still be done before it.
    before: Vec<usize>,
    is_done: Vec<bool>,
}

impl Waiting<'_> {
    pub(super) fn ready(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.is_done.len()).filter(|unit| !self.is_done[*unit] && self.before[*unit] == 0)
    }

    pub(super) fn done(&mut self, unit: usize) {
        self.is_done[unit] = true;
        let mut done = vec![unit];
        while let Some(node) = done.pop() {
            for after in &self.bonds.after[node] {
                self.before[*after] -= 1;
                if self.before[*after] == 0 && *after >= self.is_done.len() {
                    done.push(*after);
                }
            }
        }
    }
}

/// What a unit does to one location.
#[derive(Debug, Clone, Copy)]
struct Access {
    unit: usize,
    /// It reads what was there before it.
    reads: bool,
    /// The unit that wrote that.
    reads_from: Option<usize>,
    writes: bool,
    /// Another unit reads what it wrote.
    is_read_from: bool,
}

/// Locations that an epoch writes or makes, by number.
struct Shared {
    is_shared: Vec<bool>,
    /// By epoch, what it makes.
    made: Vec<Vec<LocationId>>,
}

impl Shared {
    fn of(trace: &Trace) -> Self {
        let mut is_shared: Vec<bool> =
            trace.locations.iter().map(|location| location.creator.is_some()).collect();
        for write in trace.epochs.iter().flat_map(|epoch| &epoch.writes) {
            is_shared[write.location.index()] |= !write.is_undone();
        }
        let mut made = vec![Vec::new(); trace.epochs.len()];
        for (location, known) in (0..).map(LocationId).zip(&trace.locations) {
            if let Some(creator) = known.creator {
                made[creator.index()].push(location);
            }
        }
        Self { is_shared, made }
    }

    fn is_touched_by(&self, trace: &Trace, epoch: EpochIndex) -> bool {
        if !self.made[epoch.index()].is_empty() {
            return true;
        }
        let epoch = trace.epoch(epoch);
        let reads = epoch.reads.iter().map(|read| read.location);
        let writes = epoch.writes.iter().filter(|write| !write.is_undone());
        let mut all = reads.chain(writes.map(|write| write.location));
        all.any(|location| self.is_shared[location.index()])
    }

    /// Who uses each location.
    fn users(&self, trace: &Trace, bonds: &Bonds) -> BTreeMap<LocationId, Users> {
        let mut all: BTreeMap<LocationId, Users> = BTreeMap::new();
        for (epoch, made) in trace.epochs.iter().zip(&self.made) {
            let unit = bonds.unit_of[epoch.test];
            for location in made {
                all.entry(*location).or_default().written(unit);
            }
            let shared = |location: &LocationId| self.is_shared[location.index()];
            for location in epoch.reads.iter().map(|read| read.location).filter(shared) {
                all.entry(location).or_default().read(unit);
            }
            for write in epoch.writes.iter().filter(|write| !write.is_undone()) {
                all.entry(write.location).or_default().written(unit);
            }
        }
        all
    }
}

/// The units that use one location, in reference order.
#[derive(Debug, Default)]
struct Users {
    accesses: Vec<Access>,
    last_writer: Option<usize>,
}

impl Users {
    fn read(&mut self, unit: usize) {
        if self.accesses.last().is_some_and(|last| last.unit == unit) {
            return;
        }
        let reads_from = self.last_writer.map(|writer| {
            self.accesses[writer].is_read_from = true;
            self.accesses[writer].unit
        });
        let (writes, is_read_from) = (false, false);
        self.accesses.push(Access { unit, reads: true, reads_from, writes, is_read_from });
    }

    fn written(&mut self, unit: usize) {
        if self.accesses.last().is_none_or(|last| last.unit != unit) {
            let (reads, reads_from, is_read_from) = (false, None, false);
            self.accesses.push(Access { unit, reads, reads_from, writes: true, is_read_from });
        }
        if let Some(own) = self.accesses.last_mut() {
            own.writes = true;
        }
        self.last_writer = self.accesses.len().checked_sub(1);
    }
}

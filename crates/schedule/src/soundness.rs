//! The rule that every schedule must keep, said by definition.
//!
//! Each test must see, at each location that it reads, the write that it sees
//! in the reference order: the same last writer, or none. What counts as its
//! reads are those of the class fixtures before it too, and those of fixtures
//! after other classes whose writes it sees. Duplicates count like originals,
//! since others read what they leave.
//!
//! A value that stands in for a test counts as that test's write if it is the
//! value which the location has at that point of the reference order.
//!
//! This is a simulation of each lane, location by location. It knows nothing
//! of units, needs or closures, so that it can tell when those are wrong.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use residue_graph::{DependencyGraph, TestEpochs};
use residue_model::trace::{EpochIndex, EpochKind, LocationId, Trace, Value};
use residue_model::{FieldValue, Primitive};

use crate::schedule::{Lane, Schedule};
use crate::speculation::{KnownValue, Speculation};

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
    violations_with(schedule, graph, &Speculation::default())
}

/// The same where values stand in for tests that are not in the lane.
pub fn violations_with(
    schedule: &Schedule,
    graph: &DependencyGraph<'_>,
    speculation: &Speculation,
) -> Vec<Violation> {
    let planned = |lane: &Lane| {
        let mut tests: Vec<Planned<'_>> =
            lane.slots.iter().map(|slot| Planned { test: slot.test, values: Vec::new() }).collect();
        for met in speculation.met_in(lane) {
            let readers = tests.iter_mut().filter(|planned| planned.test == met.reader);
            readers.for_each(|planned| planned.values.extend(met.values));
        }
        tests
    };
    let lanes: Vec<_> =
        schedule.workers.iter().chain([&schedule.afterwards]).map(planned).collect();
    in_lanes(&lanes, graph)
}

/// The same for an order of the tests in one JVM.
pub fn order_violations(order: &[usize], graph: &DependencyGraph<'_>) -> Vec<Violation> {
    let lane = order.iter().map(|test| Planned { test: *test, values: Vec::new() }).collect();
    in_lanes(&[lane], graph)
}

/// A test with the values that are put in place before it.
struct Planned<'a> {
    test: usize,
    values: Vec<&'a KnownValue>,
}

fn in_lanes(lanes: &[Vec<Planned<'_>>], graph: &DependencyGraph<'_>) -> Vec<Violation> {
    let trace = graph.trace();
    let epochs = graph.epochs_by_test();
    let made = made_by(trace);
    let mut reference = Simulation { trace, made: &made, expected: HashMap::new() };
    let run = (0..).map(EpochIndex).take(trace.epochs.len());
    let sights = reference.sights(run.map(Step::Epoch));
    reference.expected = sights.into_iter().map(|sight| (sight.key(), sight.origin)).collect();
    let mut found = Vec::new();
    for (number, tests) in lanes.iter().enumerate() {
        let sights = reference.sights(steps_of(&epochs, tests));
        let relevant = relevant(trace, &sights);
        for sight in sights.iter().filter(|sight| relevant.contains(&sight.reader)) {
            let wanted = reference.expected.get(&sight.key()).copied().unwrap_or(Origin::Nobody);
            if wanted != sight.origin {
                found.push(Violation {
                    lane: number,
                    test: trace.epoch(sight.reader).test,
                    location: sight.location,
                    expected: wanted.epoch().map(|epoch| trace.epoch(epoch).test),
                    actual: sight.origin.epoch().map(|epoch| trace.epoch(epoch).test),
                });
            }
        }
    }
    found
}

/// What happens in a lane.
enum Step<'a> {
    Epoch(EpochIndex),
    /// A value is put in place before an epoch.
    StandIn(EpochIndex, &'a KnownValue),
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It was there from the beginning.
    Nobody,
    Epoch(EpochIndex),
    /// A stand-in for something that the location never held at that point.
    Wrong,
}

impl Origin {
    fn epoch(self) -> Option<EpochIndex> {
        match self {
            Self::Epoch(epoch) => Some(epoch),
            Self::Nobody | Self::Wrong => None,
        }
    }
}

/// One epoch reads one location.
struct Sight {
    reader: EpochIndex,
    location: LocationId,
    origin: Origin,
}

impl Sight {
    fn key(&self) -> (EpochIndex, LocationId) {
        (self.reader, self.location)
    }
}

struct Simulation<'a> {
    trace: &'a Trace,
    made: &'a [Vec<LocationId>],
    /// What is seen in the reference order; nothing while that is found out.
    expected: HashMap<(EpochIndex, LocationId), Origin>,
}

impl Simulation<'_> {
    /// What each epoch of a run sees.
    fn sights<'s>(&self, steps: impl IntoIterator<Item = Step<'s>>) -> Vec<Sight> {
        let mut last: HashMap<LocationId, Origin> = HashMap::new();
        let mut sights = Vec::new();
        for step in steps {
            let reader = match step {
                Step::Epoch(reader) => reader,
                Step::StandIn(before, known) => {
                    last.insert(known.location, self.origin(before, known));
                    continue;
                }
            };
            let epoch = self.trace.epoch(reader);
            let here = Origin::Epoch(reader);
            last.extend(self.made[reader.index()].iter().map(|location| (*location, here)));
            for read in &epoch.reads {
                let origin = last.get(&read.location).copied().unwrap_or(Origin::Nobody);
                sights.push(Sight { reader, location: read.location, origin });
            }
            let lasting = epoch.writes.iter().filter(|write| !write.is_undone());
            last.extend(lasting.map(|write| (write.location, here)));
        }
        sights
    }

    /// Whose write a stand-in is as good as.
    fn origin(&self, before: EpochIndex, known: &KnownValue) -> Origin {
        let Some(&Origin::Epoch(writer)) = self.expected.get(&(before, known.location)) else {
            return Origin::Wrong;
        };
        let mut writes = self.trace.epoch(writer).writes.iter();
        let left = writes.find(|write| write.location == known.location);
        let left = left.and_then(|write| write.new.as_ref());
        let same = left.is_some_and(|left| is_same(&known.value, left));
        if same { Origin::Epoch(writer) } else { Origin::Wrong }
    }
}

fn is_same(value: &FieldValue, traced: &Value) -> bool {
    let FieldValue::Primitive { of, bits } = value else {
        return match value {
            FieldValue::Text(text) => *traced == Value::Text { text: (**text).into(), cut: false },
            _ => *traced == Value::Null,
        };
    };
    *traced
        == match of {
            Primitive::Boolean => Value::Boolean(*bits != 0),
            Primitive::Char => Value::Character(*bits as u16),
            Primitive::Float => Value::float(f32::from_bits(*bits as u32)),
            Primitive::Double => Value::double(f64::from_bits(*bits as u64)),
            Primitive::Byte | Primitive::Short | Primitive::Int | Primitive::Long => {
                Value::Integer(*bits)
            }
        }
}

/// What running these tests brings about: class fixtures once for consecutive
/// tests that they belong to, and values after the fixtures.
fn steps_of<'a>(epochs: &[TestEpochs], tests: &[Planned<'a>]) -> Vec<Step<'a>> {
    let mut run = Vec::new();
    let mut opened = BTreeSet::new();
    let mut to_close: BTreeSet<EpochIndex> = BTreeSet::new();
    for Planned { test, values } in tests {
        let TestEpochs { before, own, after } = &epochs[*test];
        let over: Vec<_> =
            to_close.iter().filter(|epoch| !after.contains(epoch)).copied().collect();
        for epoch in over {
            to_close.remove(&epoch);
            run.push(Step::Epoch(epoch));
        }
        opened.retain(|epoch| before.contains(epoch));
        let opening = before.iter().filter(|epoch| opened.insert(**epoch));
        run.extend(opening.copied().map(Step::Epoch));
        if let Some(first) = own.first() {
            run.extend(values.iter().map(|value| Step::StandIn(*first, value)));
        }
        run.extend(own.iter().copied().map(Step::Epoch));
        to_close.extend(after);
    }
    run.extend(to_close.into_iter().map(Step::Epoch));
    run
}

/// Tests and fixtures before them; fixtures after a class only if somebody
/// relevant sees what they wrote.
fn relevant(trace: &Trace, sights: &[Sight]) -> HashSet<EpochIndex> {
    let mut by_reader: BTreeMap<EpochIndex, Vec<EpochIndex>> = BTreeMap::new();
    for sight in sights {
        by_reader.entry(sight.reader).or_default().extend(sight.origin.epoch());
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

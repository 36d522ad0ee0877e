//! Random runs of a suite, as a trace would tell them.

use proptest::prelude::*;
use residue_model::TestId;
use residue_model::trace::{
    Epoch, EpochIndex, EpochKind, Location, LocationId, LocationName, Read, Trace, Value, Write,
};

const LOCATIONS: u32 = 5;

type Accesses = (Vec<u32>, Vec<u32>);

/// A class: fixture before, its tests, fixture after.
type Class = (Option<Accesses>, Vec<Accesses>, Option<Accesses>);

fn accesses() -> impl Strategy<Value = Accesses> {
    let few = || prop::collection::vec(0..LOCATIONS, 0..3);
    (few(), few())
}

fn class() -> impl Strategy<Value = Class> {
    let tests = prop::collection::vec(accesses(), 1..4);
    let fixture = || prop::option::weighted(0.3, accesses());
    (fixture(), tests, fixture())
}

/// A run of up to a dozen tests in up to four classes. Two of the locations
/// may belong to objects that an epoch made, the others are static fields of
/// `a.State`; every write leaves another number.
pub(crate) fn traces() -> impl Strategy<Value = Trace> {
    let made = prop::collection::vec(prop::option::weighted(0.5, 0_u32..12), 2);
    (prop::collection::vec(class(), 1..5), made).prop_map(|(classes, made)| trace(&classes, &made))
}

fn trace(classes: &[Class], made: &[Option<u32>]) -> Trace {
    let mut trace = Trace::default();
    for (number, (before, tests, after)) in classes.iter().enumerate() {
        let first = trace.order.len();
        trace.epochs.extend(before.iter().map(|it| epoch(EpochKind::BeforeClass, first, it)));
        for (place, accesses) in tests.iter().enumerate() {
            trace.epochs.push(epoch(EpochKind::Test, first + place, accesses));
            trace.order.push(TestId::parse(&format!("a.C{number}#t{place}")).unwrap());
        }
        let last = trace.order.len() - 1;
        trace.epochs.extend(after.iter().map(|it| epoch(EpochKind::AfterClass, last, it)));
    }
    for location in 0..LOCATIONS {
        let creator = made.get(location as usize).copied().flatten();
        let creator = creator.filter(|epoch| (*epoch as usize) < trace.epochs.len());
        let name = match made.get(location as usize) {
            Some(_) => LocationName::Undescribed { cell: location },
            None => static_field(location),
        };
        trace.locations.push(Location { name, creator: creator.map(EpochIndex) });
        // Nobody can touch what is not there yet.
        let absent = creator.map_or(0, |creator| creator as usize);
        for epoch in &mut trace.epochs[..absent] {
            epoch.reads.retain(|read| read.location.0 != location);
            epoch.writes.retain(|write| write.location.0 != location);
        }
    }
    for (number, write) in (0..).zip(trace.epochs.iter_mut().flat_map(|epoch| &mut epoch.writes)) {
        write.new = Some(Value::Integer(number));
    }
    trace
}

pub(crate) fn static_field(location: u32) -> LocationName {
    LocationName::StaticField { class: "a.State".into(), field: format!("s{location}").into() }
}

fn epoch(kind: EpochKind, test: usize, (reads, writes): &Accesses) -> Epoch {
    let distinct = |numbers: &[u32]| {
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().map(LocationId)
    };
    let read = |location| Read { location, stack: None };
    let write = |location| Write { location, stack: None, old: None, new: None };
    Epoch {
        kind,
        test,
        reads: distinct(reads).map(read).collect(),
        writes: distinct(writes).map(write).collect(),
    }
}

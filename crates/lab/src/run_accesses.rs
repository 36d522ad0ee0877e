//! From a trace to what detection wants to know of it.
//!
//! Detection compares runs with each other, so locations and values get
//! digests that are the same in every run: a location that of the way it is
//! reached, a value that of how it prints.

use std::collections::BTreeMap;

use residue_detect::{Actor, Location, RunAccesses, ValueDigest, Write};
use residue_model::trace::{self, EpochIndex, EpochKind, LocationId, LocationName, Trace, Value};

/// What the tests and class fixtures of a traced run read and wrote.
pub(crate) fn run_accesses(trace: &Trace) -> RunAccesses {
    let digests: Vec<Location> =
        (0..trace.locations.len() as u32).map(|id| digest(trace, LocationId(id))).collect();
    let digest = |location: LocationId| digests[location.index()];
    let made = locations_by_creator(trace);
    let mut run = RunAccesses { lists_unwritten: true, ..RunAccesses::default() };
    for (index, epoch) in (0..).map(EpochIndex).zip(&trace.epochs) {
        let actor = match epoch.kind {
            EpochKind::BeforeClass => Actor::Opening,
            EpochKind::Test => Actor::Test,
            EpochKind::AfterClass => Actor::Closing,
        };
        let reads = epoch.reads.iter().map(|read| digest(read.location));
        let written = epoch.writes.iter().map(|write| lasting(write, digest(write.location)));
        let made = made.get(&index).into_iter().flatten();
        let writes = written.chain(made.map(|location| Write::to(digest(*location))));
        run.record(&trace.order[epoch.test], actor, reads, writes);
    }
    run
}

fn lasting(write: &trace::Write, location: Location) -> Write {
    let (before, after) = (value_digest(&write.old), value_digest(&write.new));
    Write { location, restored: before.is_some() && before == after, before, after }
}

/// To make an object is to write all that it consists of.
fn locations_by_creator(trace: &Trace) -> BTreeMap<EpochIndex, Vec<LocationId>> {
    let mut made: BTreeMap<EpochIndex, Vec<LocationId>> = BTreeMap::new();
    for (id, location) in (0..).map(LocationId).zip(&trace.locations) {
        if let Some(creator) = location.creator {
            made.entry(creator).or_default().push(id);
        }
    }
    made
}

fn digest(trace: &Trace, location: LocationId) -> Location {
    Location(hash(&match &trace.location(location).name {
        LocationName::Outside(outside) => outside.identity(),
        _ => format!("{:?}", trace.path(location)),
    }))
}

fn value_digest(value: &Option<Value>) -> Option<ValueDigest> {
    match value.as_ref()? {
        // What is in it may differ although it is the same object.
        Value::Object { .. } => None,
        // What was cut away may differ.
        Value::Text { cut: true, .. } => None,
        value => Some(ValueDigest(hash(&value.to_string()))),
    }
}

/// The same on every machine and in every version.
fn hash(text: &str) -> u64 {
    let digest = blake3::hash(text.as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&digest.as_bytes()[..8]);
    u64::from_le_bytes(first)
}

#[cfg(test)]
mod tests {
    use residue_model::TestId;
    use residue_model::trace::{Epoch, Read};

    use super::*;

    fn static_field(field: &str, creator: Option<u32>) -> trace::Location {
        let name = LocationName::StaticField { class: "s.S".into(), field: field.into() };
        trace::Location { name, creator: creator.map(EpochIndex) }
    }

    fn epoch(kind: EpochKind, test: usize) -> Epoch {
        Epoch { kind, test, reads: vec![], writes: vec![] }
    }

    fn write(location: u32, old: Value, new: Value) -> trace::Write {
        let location = LocationId(location);
        trace::Write { location, stack: None, old: Some(old), new: Some(new) }
    }

    fn trace(epochs: Vec<Epoch>, locations: Vec<trace::Location>) -> Trace {
        let order = ["p.T#x", "p.T#y"].map(|test| TestId::parse(test).unwrap()).to_vec();
        Trace { order, epochs, locations, ..Trace::default() }
    }

    #[test]
    fn fixtures_and_tests_are_told_apart() {
        let epochs = vec![
            epoch(EpochKind::BeforeClass, 0),
            epoch(EpochKind::Test, 0),
            epoch(EpochKind::Test, 1),
            epoch(EpochKind::AfterClass, 1),
        ];
        let run = run_accesses(&trace(epochs, vec![]));
        let seen: Vec<_> =
            run.stretches.iter().map(|part| (part.test.method(), part.actor)).collect();
        let expected =
            [("x", Actor::Opening), ("x", Actor::Test), ("y", Actor::Test), ("y", Actor::Closing)];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_value_put_back_is_told_from_one_that_stays_and_from_an_object() {
        let object = || Value::Object { class: "a.B".into(), id: 1 };
        let writes = vec![
            write(0, Value::Integer(1), Value::Integer(1)),
            write(1, Value::Integer(1), Value::Integer(2)),
            write(2, object(), object()),
        ];
        let epochs = vec![Epoch { writes, ..epoch(EpochKind::Test, 0) }];
        let locations = ["a", "b", "c"].map(|name| static_field(name, None)).to_vec();
        let run = run_accesses(&trace(epochs, locations));
        let restored: Vec<_> = run.stretches[0].writes.iter().map(|write| write.restored).collect();
        assert_eq!(restored, [true, false, false]);
    }

    #[test]
    fn whoever_makes_an_object_writes_what_it_consists_of() {
        let reads = vec![Read { location: LocationId(0), stack: None }];
        let epochs = vec![epoch(EpochKind::Test, 0), Epoch { reads, ..epoch(EpochKind::Test, 1) }];
        let run = run_accesses(&trace(epochs, vec![static_field("a", Some(0))]));
        let made = run.stretches[0].writes[0].location;
        assert_eq!(run.stretches[1].reads, [made]);
    }
}

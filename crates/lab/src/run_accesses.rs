//! From a trace to what detection wants to know of it.
//!
//! Detection compares runs with each other, so locations and what they hold get
//! digests that are the same in every run.

use std::collections::BTreeMap;

use residue_detect::{Actor, Location, RunAccesses, ValueDigest, Write};
use residue_model::trace::{self, EpochIndex, EpochKind, LocationId, LocationName, Trace};

use crate::contents::Contents;
use crate::location_names::{LocationNames, Named};
use crate::memos::memos;
use crate::tables::tables;

/// What the tests and class fixtures of a traced run read and wrote.
pub(crate) fn run_accesses(trace: &Trace) -> RunAccesses {
    let names = LocationNames::new(trace);
    let named: Vec<Vec<Named>> =
        trace.locations.iter().map(|location| names.of(&location.name)).collect();
    let named = |location: LocationId| named[location.index()].as_slice();
    let contents = Contents::new(trace, &names);
    let touched = locations_by_creator(trace);
    let memos = memos(trace, &names, named);
    let tables = tables(trace, &names, named);
    let mut run = RunAccesses { lists_unwritten: true, memos, tables, ..RunAccesses::default() };
    for (index, epoch) in (0..).map(EpochIndex).zip(&trace.epochs) {
        let actor = match epoch.kind {
            EpochKind::BeforeClass => Actor::Opening,
            EpochKind::Test => Actor::Test,
            EpochKind::AfterClass => Actor::Closing,
        };
        let mut left = contents.left_by(index);
        let mut reads: Vec<Location> = epoch
            .reads
            .iter()
            .flat_map(|read| named(read.location))
            .map(|one| one.location)
            .collect();
        let mut writes = Vec::new();
        for write in &epoch.writes {
            for one in named(write.location) {
                let told = left.remove(&one.location);
                let lasting = lasting(trace, write, one, &contents, told);
                if lasting.restored && actor == Actor::Test && is_global(trace, write.location) {
                    run.passing.insert(trace.order[epoch.test].clone());
                }
                writes.push(lasting);
                // What is left of a block depends on what was there.
                if !one.is_whole {
                    reads.push(one.location);
                }
            }
        }
        // Not all that was made need be told; what was used then is known to be there.
        for &location in touched.get(&index).into_iter().flatten() {
            for one in named(location) {
                left.entry(one.location).or_insert(None);
            }
        }
        run.record(&trace.order[epoch.test], actor, reads, writes, left);
    }
    run
}

/// What a write comes to in the end, given what was told of the location then.
fn lasting(
    trace: &Trace,
    write: &trace::Write,
    to: &Named,
    contents: &Contents<'_>,
    told: Option<Option<ValueDigest>>,
) -> Write {
    let location = to.location;
    if !to.is_single {
        return Write { restored: write.is_undone(), ..Write::to(location) };
    }
    let before = contents.value(&write.old);
    let new = contents.value(&write.new);
    let after = told.unwrap_or(new);
    // Something else may have come to the place of the object that was written.
    let is_in_place =
        is_global(trace, write.location) || told.is_none() || (new.is_some() && new == after);
    let restored = (is_in_place && write.is_undone()) || (before.is_some() && before == after);
    Write { location, restored, before, after }
}

/// Whether code anywhere may look at it.
fn is_global(trace: &Trace, location: LocationId) -> bool {
    matches!(
        trace.location(location).name,
        LocationName::StaticField { .. } | LocationName::SystemProperty { .. }
    )
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

#[cfg(test)]
mod tests {
    use residue_model::TestId;
    use residue_model::trace::{Epoch, Read, Value};

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
    fn a_value_put_back_is_told_from_one_that_stays_and_from_another_object() {
        let object = |id| Value::Object { class: "a.B".into(), id };
        let writes = vec![
            write(0, Value::Integer(1), Value::Integer(1)),
            write(1, Value::Integer(1), Value::Integer(2)),
            write(2, object(1), object(1)),
            write(3, object(1), object(2)),
        ];
        let epochs = vec![Epoch { writes, ..epoch(EpochKind::Test, 0) }];
        let locations = ["a", "b", "c", "d"].map(|name| static_field(name, None)).to_vec();
        let run = run_accesses(&trace(epochs, locations));
        let restored: Vec<_> = run.stretches[0].writes.iter().map(|write| write.restored).collect();
        assert_eq!(restored, [true, false, true, false]);
        assert_eq!(run.passing.iter().map(|test| test.as_str()).collect::<Vec<_>>(), ["p.T#x"]);
    }

    #[test]
    fn whoever_makes_an_object_writes_what_it_consists_of() {
        let reads = vec![Read { location: LocationId(0), stack: None }];
        let epochs = vec![epoch(EpochKind::Test, 0), Epoch { reads, ..epoch(EpochKind::Test, 1) }];
        let run = run_accesses(&trace(epochs, vec![static_field("a", Some(0))]));
        let made: Vec<Location> = run.stretches[0].made.keys().copied().collect();
        assert_eq!(run.stretches[1].reads, made);
    }
}

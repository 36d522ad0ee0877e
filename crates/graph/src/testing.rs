//! Traces in short form, for tests.

use residue_model::TestId;
use residue_model::trace::{
    Epoch, EpochIndex, EpochKind, FoundThrough, Location, LocationId, LocationName, Object,
    ObjectId, Read, Trace, Write,
};

/// A run being put together. Location `n` is the static field `State.s<n>`.
#[derive(Debug, Default)]
pub(crate) struct Run {
    trace: Trace,
}

impl Run {
    pub(crate) fn of(tests: &[&str]) -> Self {
        let order = tests.iter().map(|test| TestId::parse(test).unwrap()).collect();
        Self { trace: Trace { order, ..Trace::default() } }
    }

    pub(crate) fn test(self, test: usize, reads: &[u32], writes: &[u32]) -> Self {
        self.epoch(EpochKind::Test, test, reads, writes)
    }

    pub(crate) fn epoch(
        mut self,
        kind: EpochKind,
        test: usize,
        reads: &[u32],
        writes: &[u32],
    ) -> Self {
        let last = reads.iter().chain(writes).max().map_or(0, |last| *last as usize + 1);
        self.locations_up_to(last);
        let read = |location: &u32| Read { location: LocationId(*location), stack: None };
        let write = |location: &u32| Write {
            location: LocationId(*location),
            stack: None,
            old: None,
            new: None,
        };
        self.trace.epochs.push(Epoch {
            kind,
            test,
            reads: reads.iter().map(read).collect(),
            writes: writes.iter().map(write).collect(),
        });
        self
    }

    /// Makes a location part of an object that an epoch made.
    pub(crate) fn created(mut self, location: u32, epoch: u32) -> Self {
        self.locations_up_to(location as usize + 1);
        let object = ObjectId(self.trace.objects.len() as u32);
        let root = LocationName::StaticField { class: "a.State".into(), field: "root".into() };
        self.trace.objects.push(Object {
            id: 0,
            class: "a.Made".into(),
            length: None,
            creator: Some(EpochIndex(epoch)),
            found_through: FoundThrough::Location(root),
        });
        self.trace.locations[location as usize] = Location {
            name: LocationName::Field { object, class: "a.Made".into(), field: "f".into() },
            creator: Some(EpochIndex(epoch)),
        };
        self
    }

    pub(crate) fn trace(self) -> Trace {
        self.trace
    }

    fn locations_up_to(&mut self, count: usize) {
        while self.trace.locations.len() < count {
            let field = format!("s{}", self.trace.locations.len()).into();
            let name = LocationName::StaticField { class: "a.State".into(), field };
            self.trace.locations.push(Location { name, creator: None });
        }
    }
}

//! Who reads and writes the locations that pollution goes through.

use std::collections::{BTreeSet, HashMap};

use residue_model::TestId;
use residue_model::trace::{Epoch, EpochIndex, EpochKind, LocationId, Pollution, StackId, Trace};

/// Locations that were written for one piece of pollution, and from when to
/// when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written<'a> {
    pub(crate) since: EpochIndex,
    pub(crate) epoch: EpochIndex,
    pub(crate) locations: &'a [LocationId],
}

impl<'a> From<&'a Pollution> for Written<'a> {
    fn from(pollution: &'a Pollution) -> Self {
        let Pollution { since, epoch, locations, .. } = pollution;
        Self { since: *since, epoch: *epoch, locations }
    }
}

/// Accesses to polluted locations, by location, in the order of time.
pub(crate) struct Accesses {
    reads: HashMap<LocationId, Vec<EpochIndex>>,
    writes: HashMap<LocationId, Vec<Writing>>,
}

/// The writes of an epoch to a location.
struct Writing {
    epoch: EpochIndex,
    stack: Option<StackId>,
    /// They leave what was there.
    is_undone: bool,
}

impl Accesses {
    pub(crate) fn new<'a>(
        trace: &Trace,
        polluted: impl Iterator<Item = Written<'a>> + Clone,
    ) -> Self {
        let locations = || polluted.clone().flat_map(|one| one.locations.iter().copied());
        let mut reads: HashMap<_, Vec<_>> = locations().map(|at| (at, Vec::new())).collect();
        let mut writes: HashMap<_, Vec<_>> = locations().map(|at| (at, Vec::new())).collect();
        for (epoch, accesses) in (0..).map(EpochIndex).zip(&trace.epochs) {
            for read in &accesses.reads {
                if let Some(of_location) = reads.get_mut(&read.location) {
                    of_location.push(epoch);
                }
            }
            for write in &accesses.writes {
                if let Some(of_location) = writes.get_mut(&write.location) {
                    let (stack, is_undone) = (write.stack, write.is_undone());
                    of_location.push(Writing { epoch, stack, is_undone });
                }
            }
        }
        Self { reads, writes }
    }

    /// Whether a test did it. What a class initialiser does to the statics of
    /// its class changes them too, but is no write of a test.
    pub(crate) fn is_written(&self, polluted: Written<'_>) -> bool {
        self.writes_of(polluted).next().is_some()
    }

    /// Where the first of the polluted locations was written first.
    pub(crate) fn written_at(&self, polluted: Written<'_>) -> Option<StackId> {
        self.writes_of(polluted).flatten().next()
    }

    /// The stacks of its writes.
    fn writes_of(&self, polluted: Written<'_>) -> impl Iterator<Item = Option<StackId>> {
        let within = polluted.since..=polluted.epoch;
        let writes = polluted.locations.iter().filter_map(|location| self.writes.get(location));
        let of_it = writes.flatten().filter(move |writing| within.contains(&writing.epoch));
        of_it.map(|writing| writing.stack)
    }

    /// Tests that read after the pollution what it left, and tests that had
    /// read the same locations before it.
    pub(crate) fn readers(
        &self,
        trace: &Trace,
        polluted: Written<'_>,
        per_class: bool,
    ) -> (Vec<usize>, Vec<usize>) {
        let polluter = trace.epoch(polluted.epoch).test;
        let (mut after, mut before) = (BTreeSet::new(), BTreeSet::new());
        for location in polluted.locations {
            for &epoch in self.reads.get(location).into_iter().flatten() {
                let reader = trace.epoch(epoch);
                if runs_with(trace, reader, polluter, per_class) {
                    continue;
                }
                if epoch < polluted.since {
                    before.insert(reader.test);
                } else if epoch > polluted.epoch
                    && !self.is_written_between(*location, polluted.epoch, epoch)
                {
                    after.insert(reader.test);
                }
            }
        }
        (after.into_iter().collect(), before.into_iter().collect())
    }

    fn is_written_between(&self, location: LocationId, from: EpochIndex, to: EpochIndex) -> bool {
        let writes = self.writes.get(&location).into_iter().flatten();
        let mut lasting = writes.filter(|writing| !writing.is_undone);
        lasting.any(|writing| from < writing.epoch && writing.epoch < to)
    }

    /// Whether a test reads what was polluted, whoever wrote it last.
    pub(crate) fn is_read_by(&self, trace: &Trace, polluted: Written<'_>, test: &TestId) -> bool {
        let reads = polluted.locations.iter().filter_map(|location| self.reads.get(location));
        reads.flatten().any(|&epoch| trace.order[trace.epoch(epoch).test] == *test)
    }
}

/// The polluter itself, and class fixtures that run with it anyway.
fn runs_with(trace: &Trace, reader: &Epoch, polluter: usize, per_class: bool) -> bool {
    let class = |test: usize| trace.order[test].top_level_class();
    let of_class = per_class || reader.kind != EpochKind::Test;
    reader.test == polluter || of_class && class(reader.test) == class(polluter)
}

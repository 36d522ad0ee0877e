//! What happened outside the heap, as records of the trace file.
//!
//! The host puts these records in after the run, right behind the preamble:
//! at the end there may be half a record of a JVM that died. Texts stand in
//! the records themselves, so they depend on nothing else in the file; stacks
//! are numbers of those that the agent has written.

use residue_model::trace::{
    Epoch, Gap, Location, LocationId, LocationName, Outside, OutsideAccesses, OutsideEpoch,
    OutsideKind, OutsideRead, OutsideWrite, Read, StackId, Trace, Value, Write,
};

use super::TraceError;
use super::codec::{Cursor, put_number, put_text};
use super::record::{PREAMBLE, RecordKind, epoch_code, epoch_of_code, gap_code, gap_of_code};

/// Adds to a trace file what its run did outside the heap.
pub fn with_outside(file: &[u8], accesses: &OutsideAccesses) -> Vec<u8> {
    let mut out = PREAMBLE.to_vec();
    for location in &accesses.locations {
        put_record(&mut out, RecordKind::OutsideLocation, |payload| {
            put_number(payload, code(location.kind));
            put_text(payload, &location.name);
            location.other_names.iter().for_each(|name| put_text(payload, name));
        });
    }
    for epoch in &accesses.epochs {
        put_record(&mut out, RecordKind::OutsideEpoch, |payload| put_epoch(payload, epoch));
    }
    for gap in &accesses.gaps {
        put_record(&mut out, RecordKind::OutsideGap, |payload| {
            put_number(payload, gap_code(gap.kind).into());
            put_text(payload, &gap.detail);
            put_number(payload, gap.count);
        });
    }
    out.extend_from_slice(file.get(PREAMBLE.len()..).unwrap_or_default());
    out
}

fn put_record(out: &mut Vec<u8>, kind: RecordKind, put: impl FnOnce(&mut Vec<u8>)) {
    let mut payload = Vec::new();
    put(&mut payload);
    out.push(kind as u8);
    put_number(out, payload.len() as u64);
    out.extend(payload);
}

fn put_epoch(payload: &mut Vec<u8>, epoch: &OutsideEpoch) {
    put_number(payload, epoch_code(epoch.kind).into());
    put_number(payload, epoch.test as u64);
    put_number(payload, epoch.reads.len() as u64);
    for read in &epoch.reads {
        put_access(payload, read.location, read.stack);
    }
    for write in &epoch.writes {
        put_access(payload, write.location, write.stack);
        payload.extend([value_code(write.old.as_ref()), value_code(write.new.as_ref())]);
    }
}

fn put_access(payload: &mut Vec<u8>, location: usize, stack: Option<u32>) {
    put_number(payload, location as u64);
    put_number(payload, stack.map_or(0, |stack| u64::from(stack) + 1));
}

/// Only whether something is there can be told.
fn value_code(value: Option<&Value>) -> u8 {
    match value {
        Some(Value::Boolean(there)) => 1 + u8::from(*there),
        _ => 0,
    }
}

fn code(kind: OutsideKind) -> u64 {
    OutsideKind::ALL.iter().position(|other| *other == kind).unwrap_or_default() as u64
}

pub(super) fn take_location(from: &mut Cursor<'_>) -> Result<Outside, TraceError> {
    let Some(kind) = OutsideKind::ALL.get(from.number()? as usize).copied() else {
        return from.damaged("an unknown kind of state outside the heap");
    };
    let name = from.text()?.into();
    let mut other_names = Vec::new();
    while !from.is_empty() {
        other_names.push(from.text()?.into());
    }
    Ok(Outside { kind, name, other_names: other_names.into() })
}

pub(super) fn take_gap(from: &mut Cursor<'_>) -> Result<Gap, TraceError> {
    let Some(kind) = gap_of_code(from.number()?) else {
        return from.damaged("an unknown kind of gap");
    };
    Ok(Gap { kind, detail: from.text()?.into(), count: from.long()? })
}

pub(super) fn take_epoch(
    from: &mut Cursor<'_>,
    locations: usize,
    tests: usize,
) -> Result<OutsideEpoch, TraceError> {
    let Some(kind) = epoch_of_code(from.number()?) else {
        return from.damaged("an unknown kind of epoch");
    };
    let test = from.number()? as usize;
    if test >= tests {
        return Err(TraceError::OtherOrder { position: test, tests });
    }
    let mut reads = Vec::new();
    for _ in 0..from.number()? {
        let (location, stack) = take_access(from, locations)?;
        reads.push(OutsideRead { location, stack });
    }
    let mut writes = Vec::new();
    while !from.is_empty() {
        let (location, stack) = take_access(from, locations)?;
        let (old, new) = (take_value(from)?, take_value(from)?);
        writes.push(OutsideWrite { location, stack, old, new });
    }
    Ok(OutsideEpoch { kind, test, reads, writes })
}

fn take_access(
    from: &mut Cursor<'_>,
    locations: usize,
) -> Result<(usize, Option<u32>), TraceError> {
    let location = from.number()? as usize;
    if location >= locations {
        return from.damaged("a location outside the heap that was never given");
    }
    Ok((location, from.number()?.checked_sub(1)))
}

fn take_value(from: &mut Cursor<'_>) -> Result<Option<Value>, TraceError> {
    match from.byte()? {
        0 => Ok(None),
        1 => Ok(Some(Value::Boolean(false))),
        2 => Ok(Some(Value::Boolean(true))),
        _ => from.damaged("an unknown kind of value"),
    }
}

/// Puts what happened outside the heap into a trace of what happened inside.
/// Where the agent did not get to write an epoch down, this adds it.
pub(super) fn merge(trace: &mut Trace, outside: OutsideAccesses, keep_all: bool) {
    let mut written = vec![false; outside.locations.len()];
    for write in outside.epochs.iter().flat_map(|epoch| &epoch.writes) {
        written[write.location] = true;
    }
    let mut numbers = vec![None; outside.locations.len()];
    for ((number, location), written) in numbers.iter_mut().zip(outside.locations).zip(written) {
        if written || keep_all {
            *number = Some(LocationId(trace.locations.len() as u32));
            let name = LocationName::Outside(location);
            trace.locations.push(Location { name, creator: None });
        }
    }
    let stacks = trace.stacks.len() as u32;
    let stack = |stack: Option<u32>| stack.filter(|at| *at < stacks).map(StackId::at);
    for (index, epoch) in outside.epochs.into_iter().enumerate() {
        let OutsideEpoch { kind, test, reads, writes } = epoch;
        if index == trace.epochs.len() {
            trace.epochs.push(Epoch { kind, test, reads: vec![], writes: vec![] });
        }
        // In front: they are few, and tell people more than most of the heap does.
        let into = &mut trace.epochs[index];
        let reads = reads.into_iter().filter_map(|read| {
            Some(Read { location: numbers[read.location]?, stack: stack(read.stack) })
        });
        into.reads.splice(0..0, reads);
        let writes = writes.into_iter().filter_map(|write| {
            let OutsideWrite { location, stack: at, old, new } = write;
            Some(Write { location: numbers[location]?, stack: stack(at), old, new })
        });
        into.writes.splice(0..0, writes);
    }
    trace.gaps.extend(outside.gaps);
}

#[cfg(test)]
mod tests {
    use residue_model::TestId;
    use residue_model::trace::{EpochKind, GapKind};

    use super::super::{TraceReader, TraceWriter};
    use super::*;

    fn epoch(test: usize, reads: &[usize], writes: &[usize]) -> OutsideEpoch {
        let reads =
            reads.iter().map(|&location| OutsideRead { location, stack: Some(0) }).collect();
        let write = |&location: &usize| OutsideWrite {
            location,
            stack: None,
            old: Some(Value::Boolean(false)),
            new: Some(Value::Boolean(true)),
        };
        let writes = writes.iter().map(write).collect();
        OutsideEpoch { kind: EpochKind::Test, test, reads, writes }
    }

    fn accesses() -> OutsideAccesses {
        let other_names = ["link".into()].into();
        let file = Outside { other_names, ..Outside::new(OutsideKind::FileContent, "data") };
        let gap = Gap { kind: GapKind::UnseenProgram, detail: "a: b".into(), count: 2 };
        OutsideAccesses {
            locations: vec![file, Outside::new(OutsideKind::Port, "80")],
            epochs: vec![epoch(0, &[1], &[0]), epoch(1, &[0, 1], &[])],
            gaps: vec![gap],
        }
    }

    fn order() -> Vec<TestId> {
        ["a.T#x", "a.T#y"].map(|test| TestId::parse(test).unwrap()).to_vec()
    }

    /// The agent has seen one epoch with a stack, then the JVM died.
    fn file() -> Vec<u8> {
        let mut writer = TraceWriter::new();
        writer.begin_epoch(EpochKind::Test, 0);
        let frame = writer.frame("a.T", "x", None, None);
        writer.stack(&[frame]);
        let mut bytes = writer.take_bytes();
        bytes.push(RecordKind::Reads as u8);
        bytes
    }

    #[test]
    fn both_worlds_are_in_one_trace_even_if_the_agent_saw_less() {
        let bytes = with_outside(&file(), &accesses());
        let trace = TraceReader::new(&bytes).keep_all_reads().read(&order()).unwrap();
        assert_eq!(trace.epochs.len(), 2);
        assert_eq!(trace.locations.len(), 2);
        assert_eq!(trace.path(LocationId(0)).to_string(), "file data (also link)");
        let [first, second] = &trace.epochs[..] else { panic!() };
        assert_eq!(first.writes[0].new, Some(Value::Boolean(true)));
        assert_eq!(second.reads[0].stack, Some(StackId::at(0)));
        assert!(trace.gaps.iter().any(|gap| gap.kind == GapKind::UnseenProgram && gap.count == 2));
    }

    #[test]
    fn reads_that_can_never_conflict_are_dropped_unless_wanted() {
        let bytes = with_outside(&file(), &accesses());
        let trace = TraceReader::new(&bytes).read(&order()).unwrap();
        assert_eq!(trace.locations.len(), 1);
        assert!(trace.epochs[0].reads.is_empty());
    }

    #[test]
    fn a_run_without_any_trace_still_tells_what_was_seen_outside() {
        let bytes = with_outside(&[], &accesses());
        let trace = TraceReader::new(&bytes).read(&order()).unwrap();
        assert_eq!(trace.epochs[1].reads.len(), 1);
        assert_eq!(trace.epochs[1].reads[0].stack, None, "there is no such stack");
    }

    #[test]
    fn a_location_that_was_never_given_is_damage() {
        let broken = OutsideAccesses { locations: vec![], ..accesses() };
        let bytes = with_outside(&[], &broken);
        let error = TraceReader::new(&bytes).read(&order()).unwrap_err();
        assert!(matches!(error, TraceError::Damaged { .. }), "{error}");
    }
}

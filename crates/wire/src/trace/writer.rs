//! Writing a trace while the run goes on.

use std::collections::{HashMap, HashSet};

use residue_model::trace::{EpochKind, FrameId, GapKind, StackId, Value};

use super::codec::{put_number, put_signed, put_text};
use super::record::{PREAMBLE, RecordKind, epoch_code, found, gap_code, holds, value};

/// Collects what the agent saw as bytes of a trace file.
///
/// At the end of each epoch the agent calls [`begin_epoch`](Self::begin_epoch)
/// for it, describes what [`needs_description`](Self::needs_description), tells
/// the accesses, and appends [`take_bytes`](Self::take_bytes) to the file.
/// Names, frames and stacks that are already in the file cost one look-up.
#[derive(Debug, Default)]
pub struct TraceWriter {
    out: Vec<u8>,
    /// Reused for every record, so that its length is known before it is written.
    payload: Vec<u8>,
    started: bool,
    pub(super) in_epoch: bool,
    names: HashMap<Box<str>, u32>,
    frames: HashMap<[u32; 4], FrameId>,
    stacks: HashMap<Box<[FrameId]>, StackId>,
    described_cells: HashSet<u32>,
    described_classes: HashSet<u32>,
    reads: Vec<(u32, Option<StackId>)>,
    writes: Vec<PendingWrite>,
    /// Encoded values of the pending writes.
    values: Vec<u8>,
}

/// What led to an object when it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found<'a> {
    /// This cell held it.
    InCell(u32),
    /// It belongs to the thread with this name.
    InThread(&'a str),
    /// Nobody knows.
    Unknown,
}

/// The field behind a slot of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotName<'a> {
    /// Binary name of the class that declares it.
    pub class: &'a str,
    /// Its name.
    pub field: &'a str,
}

/// What a cell holds at the end of an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Content {
    /// What.
    pub holds: Holds,
    /// It can never change.
    pub is_fixed: bool,
}

/// What a cell holds, comparable between runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A value with this digest.
    Value(u64),
    /// The object or array whose first slot has this cell.
    Object(u32),
    /// Something else.
    Unknown,
}

#[derive(Debug, Clone, Copy)]
struct PendingWrite {
    cell: u32,
    stack: Option<StackId>,
    /// Where the encoded values, old then new, are in `values`.
    values: (usize, usize),
}

impl TraceWriter {
    /// A writer at the start of a file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts an epoch: accesses told from now on are its own. Fixtures belong
    /// to a test too: the first of their group, or the last.
    pub fn begin_epoch(&mut self, kind: EpochKind, position: u32) {
        self.flush_accesses();
        self.in_epoch = true;
        self.record(RecordKind::Epoch, |payload| {
            put_number(payload, epoch_code(kind).into());
            put_number(payload, position.into());
        });
    }

    /// Whether a static field's cell, or the object or array whose first slot
    /// has this cell, is still to be described.
    pub fn needs_description(&self, cell: u32) -> bool {
        !self.described_cells.contains(&cell)
    }

    /// Whether a class is still to be described.
    pub fn needs_class(&self, class: u32) -> bool {
        !self.described_classes.contains(&class)
    }

    /// Says that a cell is a static field. Class names are binary names, as
    /// everywhere: `java.util.Map$Entry`.
    pub fn describe_static(&mut self, cell: u32, class: &str, field: &str) {
        if !self.described_cells.insert(cell) {
            return;
        }
        let (class, field) = (self.name(class), self.name(field));
        self.record(RecordKind::StaticField, |payload| {
            for number in [cell, class, field] {
                put_number(payload, number.into());
            }
        });
    }

    /// Names the slots of a class's objects in slot order. `class` is whatever
    /// number the caller gives it.
    pub fn describe_class<'a>(
        &mut self,
        class: u32,
        name: &str,
        slots: impl IntoIterator<Item = SlotName<'a>>,
    ) {
        if !self.described_classes.insert(class) {
            return;
        }
        let name = self.name(name);
        let slots: Vec<_> =
            slots.into_iter().map(|slot| (self.name(slot.class), self.name(slot.field))).collect();
        self.record(RecordKind::Class, |payload| {
            put_number(payload, class.into());
            put_number(payload, name.into());
            for (class, field) in slots {
                put_number(payload, class.into());
                put_number(payload, field.into());
            }
        });
    }

    /// Says that the cells from `first_slot` on are the slots of an object.
    /// `creator` is the number of the epoch that made it, counted from 1 in the
    /// order of [`begin_epoch`](Self::begin_epoch); 0 is before the first.
    pub fn describe_object(&mut self, first_slot: u32, class: u32, creator: u32, found: Found<'_>) {
        if !self.described_cells.insert(first_slot) {
            return;
        }
        let found = self.found(found);
        self.record(RecordKind::Object, |payload| {
            for number in [first_slot, class, creator] {
                put_number(payload, number.into());
            }
            put_found(payload, found);
        });
    }

    /// Says that the cells from `first_slot` on are elements of an array, with
    /// `1 << shift` elements a cell. `type_name` is that of the array as Java
    /// writes it: `int[]`, `java.lang.String[][]`.
    pub fn describe_array(
        &mut self,
        first_slot: u32,
        type_name: &str,
        length: u32,
        shift: u8,
        creator: u32,
        found: Found<'_>,
    ) {
        if !self.described_cells.insert(first_slot) {
            return;
        }
        let type_name = self.name(type_name);
        let found = self.found(found);
        self.record(RecordKind::Array, |payload| {
            for number in [first_slot, type_name, length, shift.into(), creator] {
                put_number(payload, number.into());
            }
            put_found(payload, found);
        });
    }

    /// Says that the array whose first slot has this cell stands for the system
    /// property with this key; with an empty one, for which properties there are.
    pub fn property(&mut self, first_slot: u32, key: &str) {
        let key = self.name(key);
        self.record(RecordKind::Property, |payload| {
            put_number(payload, first_slot.into());
            put_number(payload, key.into());
        });
    }

    /// The number of a frame, to be kept by the caller for the place in the
    /// code it stands for.
    pub fn frame(
        &mut self,
        class: &str,
        method: &str,
        file: Option<&str>,
        line: Option<i32>,
    ) -> FrameId {
        let file = file.map_or(0, |file| self.name(file) + 1);
        let zigzag = |line: i32| ((line << 1) ^ (line >> 31)) as u32;
        let line = line.map_or(0, |line| zigzag(line).saturating_add(1));
        let key = [self.name(class), self.name(method), file, line];
        if let Some(&known) = self.frames.get(&key) {
            return known;
        }
        let id = FrameId(self.frames.len() as u32);
        self.frames.insert(key, id);
        self.record(RecordKind::Frame, |payload| {
            for number in key {
                put_number(payload, number.into());
            }
        });
        id
    }

    /// The number of a stack, innermost frame first.
    pub fn stack(&mut self, frames: &[FrameId]) -> StackId {
        if let Some(&known) = self.stacks.get(frames) {
            return known;
        }
        let id = StackId::at(self.stacks.len() as u32);
        self.stacks.insert(frames.into(), id);
        self.record(RecordKind::Stack, |payload| {
            for frame in frames {
                put_number(payload, frame.0.into());
            }
        });
        id
    }

    /// A cell was read before it was written in this epoch. In whatever order;
    /// telling it twice does no harm.
    pub fn read(&mut self, cell: u32, stack: Option<StackId>) {
        if self.in_epoch {
            self.reads.push((cell, stack));
        }
    }

    /// Many reads at once.
    pub fn reads(&mut self, reads: &[(u32, Option<StackId>)]) {
        if self.in_epoch {
            self.reads.extend_from_slice(reads);
        }
    }

    /// A cell was written in this epoch: where first, the value before that,
    /// and the value at the epoch's end.
    pub fn write(
        &mut self,
        cell: u32,
        stack: Option<StackId>,
        old: Option<&Value>,
        new: Option<&Value>,
    ) {
        if self.in_epoch {
            let start = self.values.len();
            let mut values = std::mem::take(&mut self.values);
            self.put_value(&mut values, old);
            self.put_value(&mut values, new);
            self.values = values;
            self.writes.push(PendingWrite { cell, stack, values: (start, self.values.len()) });
        }
    }

    /// What cells hold at the end of this epoch: those of objects that it made,
    /// and others that it wrote.
    pub fn contents(&mut self, contents: &[(u32, Content)]) {
        if !self.in_epoch || contents.is_empty() {
            return;
        }
        self.flush_accesses();
        let mut sorted = contents.to_vec();
        sorted.sort_by_key(|(cell, _)| *cell);
        sorted.dedup_by_key(|(cell, _)| *cell);
        self.record(RecordKind::Contents, |payload| {
            let mut end = 0;
            for (cell, content) in sorted {
                put_number(payload, (cell - end).into());
                put_content(payload, content);
                end = cell;
            }
        });
    }

    /// Something was not observed. Equal gaps are counted together.
    pub fn gap(&mut self, kind: GapKind, detail: &str, count: u64) {
        let detail = self.name(detail);
        self.record(RecordKind::Gap, |payload| {
            put_number(payload, gap_code(kind).into());
            put_number(payload, detail.into());
            put_number(payload, count);
        });
    }

    /// A rule leaves a field out.
    pub fn ignored(&mut self, class: &str, field: &str, is_static: bool, rule: &str) {
        let (class, field, rule) = (self.name(class), self.name(field), self.name(rule));
        self.record(RecordKind::Ignored, |payload| {
            for number in [class, field, is_static.into(), rule] {
                put_number(payload, number.into());
            }
        });
    }

    /// The run is over: without this the reader takes the trace as cut short.
    pub fn finish(&mut self) {
        self.flush_accesses();
        self.record(RecordKind::End, |_| {});
    }

    /// The bytes since the last call, to be appended to the file.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.flush_accesses();
        if !self.started {
            self.start();
        }
        std::mem::take(&mut self.out)
    }

    fn start(&mut self) {
        self.started = true;
        self.out.extend_from_slice(&PREAMBLE);
    }

    pub(super) fn record(&mut self, kind: RecordKind, put: impl FnOnce(&mut Vec<u8>)) {
        if !self.started {
            self.start();
        }
        self.payload.clear();
        put(&mut self.payload);
        self.out.push(kind as u8);
        put_number(&mut self.out, self.payload.len() as u64);
        self.out.extend_from_slice(&self.payload);
    }

    pub(super) fn name(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.names.get(text) {
            return known;
        }
        let id = self.names.len() as u32;
        self.names.insert(text.into(), id);
        self.record(RecordKind::Name, |payload| payload.extend_from_slice(text.as_bytes()));
        id
    }

    fn found(&mut self, found: Found<'_>) -> (u8, u32) {
        match found {
            Found::InCell(cell) => (found::IN_CELL, cell),
            Found::InThread(name) => (found::IN_THREAD, self.name(name)),
            Found::Unknown => (found::UNKNOWN, 0),
        }
    }

    fn flush_accesses(&mut self) {
        self.flush_reads();
        self.flush_writes();
    }

    fn flush_reads(&mut self) {
        let mut reads = std::mem::take(&mut self.reads);
        if !reads.is_empty() {
            // A read with a stack says more than the same read without one.
            reads.sort_unstable_by_key(|(cell, stack)| (*cell, stack.is_none(), *stack));
            reads.dedup_by_key(|(cell, _)| *cell);
            self.record(RecordKind::Reads, |payload| {
                let mut end = 0;
                for run in reads.chunk_by(|a, b| b.0 == a.0 + 1 && a.1 == b.1) {
                    put_run(payload, &mut end, run[0].0, run.len(), run[0].1);
                }
            });
        }
        reads.clear();
        self.reads = reads;
    }

    fn flush_writes(&mut self) {
        let mut writes = std::mem::take(&mut self.writes);
        let mut values = std::mem::take(&mut self.values);
        if !writes.is_empty() {
            // Stable, so that of a cell told twice the first stays.
            writes.sort_by_key(|write| write.cell);
            writes.dedup_by_key(|write| write.cell);
            let of = |write: &PendingWrite| &values[write.values.0..write.values.1];
            let alike = |a: &PendingWrite, b: &PendingWrite| {
                b.cell == a.cell + 1 && a.stack == b.stack && of(a) == of(b)
            };
            self.record(RecordKind::Writes, |payload| {
                let mut end = 0;
                for run in writes.chunk_by(alike) {
                    put_run(payload, &mut end, run[0].cell, run.len(), run[0].stack);
                    payload.extend_from_slice(of(&run[0]));
                }
            });
        }
        writes.clear();
        values.clear();
        (self.writes, self.values) = (writes, values);
    }

    pub(super) fn put_value(&mut self, out: &mut Vec<u8>, shown: Option<&Value>) {
        let names = match shown {
            Some(Value::Constant { class, name }) => [self.name(class), self.name(name)],
            Some(Value::Object { class, .. }) => [self.name(class), 0],
            _ => [0, 0],
        };
        let Some(shown) = shown else { return out.push(value::ABSENT) };
        match shown {
            Value::Null => out.push(value::NULL),
            Value::Boolean(false) => out.push(value::FALSE),
            Value::Boolean(true) => out.push(value::TRUE),
            Value::Character(unit) => {
                out.push(value::CHARACTER);
                put_number(out, (*unit).into());
            }
            Value::Integer(number) => {
                out.push(value::INTEGER);
                put_signed(out, *number);
            }
            Value::Decimal(text) => {
                out.push(value::DECIMAL);
                put_text(out, text);
            }
            Value::Text { text, cut } => {
                out.push(if *cut { value::CUT_TEXT } else { value::TEXT });
                put_text(out, text);
            }
            Value::Constant { .. } => {
                out.push(value::CONSTANT);
                names.into_iter().for_each(|name| put_number(out, name.into()));
            }
            Value::Object { id, .. } => {
                out.push(value::OBJECT);
                put_number(out, names[0].into());
                put_number(out, (*id).into());
            }
        }
    }
}

/// Cells `first..first + count`, as distance from the run before.
fn put_run(out: &mut Vec<u8>, end: &mut u32, first: u32, count: usize, stack: Option<StackId>) {
    put_number(out, (first - *end).into());
    put_number(out, ((count as u64 - 1) << 1) | u64::from(stack.is_some()));
    if let Some(stack) = stack {
        put_number(out, stack.index() as u64);
    }
    *end = first.saturating_add(count as u32);
}

fn put_content(out: &mut Vec<u8>, Content { holds, is_fixed }: Content) {
    let fixed = if is_fixed { holds::FIXED } else { 0 };
    match holds {
        Holds::Unknown => out.push(holds::UNKNOWN | fixed),
        Holds::Value(digest) => {
            out.push(holds::VALUE | fixed);
            out.extend_from_slice(&digest.to_le_bytes());
        }
        Holds::Object(first_slot) => {
            out.push(holds::OBJECT | fixed);
            put_number(out, first_slot.into());
        }
    }
}

fn put_found(out: &mut Vec<u8>, (code, number): (u8, u32)) {
    out.push(code);
    if code != found::UNKNOWN {
        put_number(out, number.into());
    }
}

//! What the epochs do, until it is in the file.

use std::fs::File;
use std::io::Write as _;

use residue_model::trace::{EpochKind, GapKind, StackId, Value};
use residue_wire::trace::{Content, Found, Holds, NewPollution, SlotName, TraceWriter};
use rustc_hash::FxHashMap;

use crate::classes::{Classes, Weak};
use crate::gaps::Gaps;
use crate::names::Names;
use crate::registry::LeftOut;
use crate::shadow::{Form, Owner, Shadow};
use crate::stacks::Stacks;
use crate::values::UNTRACKED;
use crate::watching::Watching;

/// Stacks that are taken of reads of one field in one epoch; further reads of it
/// are told without.
const MOST_STACKS_OF_A_FIELD: u32 = 64;

/// The first write of an epoch to a location.
#[derive(Debug)]
pub(crate) struct Write {
    pub(crate) holder: Option<Weak>,
    pub(crate) id: u32,
    pub(crate) cell: u32,
    pub(crate) now: u32,
    pub(crate) stack: Option<StackId>,
    /// Whether a test is to blame. If not, what was written was always there.
    pub(crate) is_told: bool,
    pub(crate) old: Option<Value>,
    pub(crate) new: Option<Value>,
}

#[derive(Debug)]
struct Read {
    cell: u32,
    now: u32,
    stack: Option<StackId>,
}

/// A write to a static of a class that was not there yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EarlyWrite {
    pub(crate) field: u32,
    pub(crate) now: u32,
    pub(crate) stack: Option<StackId>,
}

#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) writer: TraceWriter,
    file: Option<File>,
    pub(crate) stacks: Stacks,
    /// What runs now, and with which number.
    current: Option<(EpochKind, u32)>,
    writes: Vec<Write>,
    reads: Vec<Read>,
    pub(crate) early_writes: Vec<EarlyWrite>,
    /// Statics that initialisers which are still running have written, with the
    /// ids of their classes' statics.
    pub(crate) initialiser_writes: Vec<(u32, u32)>,
    /// What locations hold at the end of the epoch that ends just now.
    pub(crate) contents: Vec<(u32, Content)>,
    /// The writes of the epoch that ends just now.
    pub(crate) ended: Vec<Write>,
    ended_epoch: Option<(EpochKind, u32, u32)>,
    /// Where an array was first read or written in its epoch.
    array_stacks: FxHashMap<(u32, u32, bool), StackId>,
    field_stacks: FxHashMap<(u32, u32), u32>,
    described: Cells,
    pub(crate) threads: FxHashMap<u32, String>,
    /// Keys of system properties, by the id of what stands for them.
    pub(crate) properties: FxHashMap<u32, String>,
    pub(crate) left_out: Vec<LeftOut>,
    /// What the epoch that ends just now, or those before it, left changed.
    pub(crate) pollutions: Vec<NewPollution>,
    finished: bool,
}

/// A set of cells, a bit each.
#[derive(Debug, Default)]
struct Cells {
    words: Vec<u64>,
}

impl Cells {
    fn contains(&self, cell: u32) -> bool {
        let word = self.words.get(cell as usize / 64).copied().unwrap_or(0);
        word >> (cell % 64) & 1 != 0
    }

    fn insert(&mut self, cell: u32) {
        let at = cell as usize / 64;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        self.words[at] |= 1 << (cell % 64);
    }
}

/// What describing locations needs.
#[derive(Clone, Copy)]
pub(crate) struct Describers<'a> {
    pub(crate) shadow: &'a Shadow,
    pub(crate) classes: &'a Classes,
    pub(crate) names: &'a Names,
}

impl Recording {
    pub(crate) fn new(file: File) -> Self {
        Self {
            writer: TraceWriter::new(),
            file: Some(file),
            stacks: Stacks::default(),
            current: None,
            writes: Vec::new(),
            reads: Vec::new(),
            early_writes: Vec::new(),
            initialiser_writes: Vec::new(),
            contents: Vec::new(),
            ended: Vec::new(),
            ended_epoch: None,
            array_stacks: FxHashMap::default(),
            field_stacks: FxHashMap::default(),
            described: Cells::default(),
            threads: FxHashMap::default(),
            properties: FxHashMap::default(),
            left_out: Vec::new(),
            pollutions: Vec::new(),
            finished: false,
        }
    }

    pub(crate) fn begin_epoch(&mut self, kind: EpochKind, position: u32) {
        self.current = Some((kind, position));
    }

    pub(crate) fn add_write(&mut self, write: Write) {
        self.writes.push(write);
    }

    pub(crate) fn add_read(&mut self, cell: u32, now: u32, stack: Option<StackId>) {
        self.reads.push(Read { cell, now, stack });
    }

    /// The stack of an array that was taken already in this epoch.
    pub(crate) fn array_stack(&self, id: u32, now: u32, is_write: bool) -> Option<StackId> {
        self.array_stacks.get(&(id, now, is_write)).copied()
    }

    pub(crate) fn set_array_stack(&mut self, id: u32, now: u32, is_write: bool, stack: StackId) {
        self.array_stacks.insert((id, now, is_write), stack);
    }

    /// Whether a read of a field of a class is still worth a stack.
    pub(crate) fn wants_stack(&mut self, class: u32, slot: u32) -> bool {
        let taken = self.field_stacks.entry((class, slot)).or_default();
        *taken += 1;
        *taken <= MOST_STACKS_OF_A_FIELD
    }

    /// Sets the writes of an epoch apart; later ones are left for the next.
    pub(crate) fn end_epoch(&mut self, now: u32) -> usize {
        let (ended, later) =
            std::mem::take(&mut self.writes).into_iter().partition(|write| write.now <= now);
        self.ended = ended;
        self.writes = later;
        self.ended_epoch = self.current.map(|(kind, position)| (kind, position, now));
        self.ended.len()
    }

    /// Writes the epoch that has ended to the file.
    pub(crate) fn flush(
        &mut self,
        describers: Describers<'_>,
        gaps: &mut Gaps,
        watching: &mut Watching,
    ) {
        let Some((kind, position, now)) = self.ended_epoch.take() else { return };
        self.writer.begin_epoch(kind, position);
        watching.write(&mut self.writer);
        let (logged, lost) = describers.shadow.take_reads(now);
        gaps.add(GapKind::Other, "reads of one epoch beyond what the log holds", lost);
        let (with_stacks, later): (Vec<Read>, Vec<Read>) =
            std::mem::take(&mut self.reads).into_iter().partition(|read| read.now <= now);
        self.reads = later;
        let logged =
            logged.into_iter().filter(|read| read.now == now).map(|read| (read.cell, None));
        let reads: Vec<_> =
            with_stacks.iter().map(|read| (read.cell, read.stack)).chain(logged).collect();
        for &(cell, _) in &reads {
            self.describe(cell, describers);
        }
        self.writer.reads(&reads);
        for write in std::mem::take(&mut self.ended).into_iter().filter(|write| write.is_told) {
            self.describe(write.cell, describers);
            let [old, new] = [write.old, write.new].map(|value| self.told(value, describers));
            self.writer.write(write.cell, write.stack, old.as_ref(), new.as_ref());
        }
        for pollution in std::mem::take(&mut self.pollutions) {
            self.writer.pollution(&pollution);
        }
        let mut contents = std::mem::take(&mut self.contents);
        for (cell, content) in &mut contents {
            self.describe(*cell, describers);
            if let Holds::Object(id) = content.holds {
                let first_slot = self.describe_object(id, describers);
                content.holds = first_slot.map_or(Holds::Unknown, Holds::Object);
            }
        }
        self.writer.contents(&contents);
        self.array_stacks.retain(|&(_, epoch, _), _| epoch > now);
        self.field_stacks.clear();
        self.append(gaps);
    }

    /// Writes what is there to the file.
    pub(crate) fn append(&mut self, gaps: &mut Gaps) {
        for field in std::mem::take(&mut self.left_out) {
            self.writer.ignored(&field.class, &field.field, field.is_static, &field.rule);
        }
        gaps.write(&mut self.writer);
        let bytes = self.writer.take_bytes();
        let written = self.file.as_mut().map(|file| file.write_all(&bytes));
        if let Some(Err(_)) = written {
            // Nothing can be told any more; the reader finds a trace that is cut short.
            self.file = None;
        }
    }

    /// The run is over as the runner sees it.
    pub(crate) fn finish(&mut self, gaps: &mut Gaps) {
        if !self.finished {
            self.finished = true;
            gaps.write(&mut self.writer);
            self.writer.finish();
            self.append(gaps);
        }
    }

    /// The JVM ends. What the current epoch did so far is worth telling.
    pub(crate) fn cut_short(
        &mut self,
        describers: Describers<'_>,
        gaps: &mut Gaps,
        watching: &mut Watching,
    ) {
        if self.finished {
            return;
        }
        let newest = self.writes.iter().map(|write| write.now).max();
        let newest = newest.max(self.reads.iter().map(|read| read.now).max());
        watching.epoch_ends();
        if let Some(now) = newest.or(watching.has_ended().then_some(0)) {
            self.end_epoch(now);
            self.flush(describers, gaps, watching);
        }
        self.append(gaps);
    }

    /// A value as the trace has it: there an object is called by its first slot.
    fn told(&mut self, value: Option<Value>, describers: Describers<'_>) -> Option<Value> {
        match value {
            Some(Value::Object { class, id }) => {
                let first_slot = self.describe_object(id, describers);
                Some(Value::Object { class, id: first_slot.unwrap_or(id) })
            }
            value => value,
        }
    }

    /// Describes an object; returns the cell of its first slot.
    fn describe_object(&mut self, id: u32, describers: Describers<'_>) -> Option<u32> {
        let is_tracked = id != 0 && id < UNTRACKED;
        let owner = describers.shadow.object(id).filter(|_| is_tracked)?;
        if let Some(parent) = self.describe_owner(owner.first_slot, owner, describers) {
            self.describe(parent, describers);
        }
        Some(owner.first_slot)
    }

    /// Describes what a cell is part of, and what that was found through.
    fn describe(&mut self, cell: u32, describers: Describers<'_>) {
        let mut next = Some(cell);
        while let Some(cell) = next {
            if self.described.contains(cell) {
                return;
            }
            self.described.insert(cell);
            let Some(owner) = describers.shadow.owner(cell) else { return };
            next = self.describe_owner(cell, owner, describers);
        }
    }

    /// Returns the cell through which the owner was found.
    fn describe_owner(
        &mut self,
        cell: u32,
        owner: Owner,
        describers: Describers<'_>,
    ) -> Option<u32> {
        let class = describers.classes.known(owner.class)?;
        let names = describers.names;
        let (parent, creator) = match owner.form {
            Form::Statics => {
                let field = class.statics.get((cell - owner.first_slot) as usize)?;
                self.writer.describe_static(cell, &class.shown, &names.text(field.field));
                return None;
            }
            Form::Object { parent, creator } | Form::Array { parent, creator, .. } => {
                (parent, creator)
            }
        };
        if !self.writer.needs_description(owner.first_slot) {
            return None;
        }
        let thread = self.threads.get(&owner.id).cloned();
        let found = match (parent, &thread) {
            (0, Some(name)) => Found::InThread(name),
            (0, None) => Found::Unknown,
            (cell, _) => Found::InCell(cell),
        };
        if let Form::Array { length, shift, .. } = owner.form {
            let first = owner.first_slot;
            self.writer.describe_array(first, &class.shown, length, shift, creator, found);
        } else {
            if self.writer.needs_class(owner.class) {
                let slots: Vec<(String, String)> = class
                    .slots
                    .iter()
                    .map(|slot| match slot {
                        Some(slot) => (names.binary(slot.class), names.text(slot.field)),
                        None => (class.shown.clone(), "?".into()),
                    })
                    .collect();
                let slots = slots.iter().map(|(class, field)| SlotName { class, field });
                self.writer.describe_class(owner.class, &class.shown, slots);
            }
            self.writer.describe_object(owner.first_slot, owner.class, creator, found);
        }
        if let Some(key) = self.properties.get(&owner.id) {
            self.writer.property(owner.first_slot, key);
        }
        (parent != 0).then_some(parent)
    }
}

//! The shadow memory from the agent's side: what lies where, and to which object
//! a cell belongs. `ResidueCells` and `ResidueClasses` of the hook are the other
//! side; the numbers below are the same as there.

use std::sync::atomic::Ordering;

use crate::memory::{Arena, Region};

/// Ids must fit into the 31 hash bits of a mark word.
const MOST_CELL_BYTES: usize = 4 << 31;
const LEAST_CELL_BYTES: usize = 1 << 24;
const MOST_CLASSES: usize = 1 << 20;
const CLASS_BYTES: usize = 64;
const LOG_ENTRIES: usize = 1 << 25;
const LOG_ENTRY_BYTES: usize = 16;
const TABLE_BYTES: usize = 1 << 32;
const BLOCK_SHIFT: u32 = 10;

/// Cells that belong to nothing: they stand for unknown and ignored statics.
const FIRST_CELL: u32 = 16;

const HEADER: u32 = 3;
const ARRAY_HEADER: u32 = 4;
const STATICS: u32 = 1 << 31;
const MOST_SLOTS_SHIFT: u32 = 16;

/// Longest way to a root that is followed.
const LONGEST_WAY: usize = 64;

/// Entries of the table of stacks, see `ResidueStacks`.
pub(crate) const STACK_ENTRIES: usize = 1 << 12;
const STACK_ENTRY_BYTES: usize = 24;

/// What a class is for adoption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClassKind {
    /// Its objects are not tracked.
    Value = 1,
    Object = 2,
    PrimitiveArray = 3,
    ReferenceArray = 4,
}

/// Addresses in a class record.
pub(crate) mod class_record {
    pub(crate) const KIND: usize = 0;
    pub(crate) const SLOTS: usize = 4;
    pub(crate) const REFERENCES: usize = 8;
    pub(crate) const SLOT_TABLE: usize = 16;
    pub(crate) const OFFSET_TABLE: usize = 24;
    pub(crate) const STATIC_REFERENCES: usize = 32;
    pub(crate) const STATIC_SLOT_TABLE: usize = 40;
    pub(crate) const STATIC_OFFSET_TABLE: usize = 48;
    pub(crate) const STATICS: usize = 56;
    pub(crate) const ELEMENT_TYPE: usize = 16;
    pub(crate) const ELEMENT_SHIFT: usize = 18;
    pub(crate) const ELEMENT_BASE: usize = 20;
}

#[derive(Debug)]
pub(crate) struct Shadow {
    cells: Region,
    blocks: Region,
    classes: Region,
    control: Region,
    logs: Region,
    pub(crate) stacks: Region,
    pub(crate) tables: Arena,
}

/// What owns a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner {
    /// The id of the object, or of the statics of a class.
    pub(crate) id: u32,
    pub(crate) class: u32,
    pub(crate) first_slot: u32,
    pub(crate) form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Statics,
    Object { parent: u32, creator: u32 },
    Array { parent: u32, creator: u32, length: u32, shift: u8 },
}

/// A read that needed no stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoggedRead {
    pub(crate) now: u32,
    pub(crate) cell: u32,
}

impl Shadow {
    pub(crate) fn new() -> Option<Self> {
        let cells = Region::reserve(MOST_CELL_BYTES, LEAST_CELL_BYTES)?;
        let exact = |bytes| Region::reserve(bytes, bytes);
        let shadow = Self {
            cells,
            blocks: exact((cells.bytes() >> BLOCK_SHIFT) + 4096)?,
            classes: exact(MOST_CLASSES * CLASS_BYTES)?,
            control: exact(4096)?,
            logs: Region::reserve(2 * LOG_ENTRIES * LOG_ENTRY_BYTES, 1 << 20)?,
            stacks: exact(STACK_ENTRIES * STACK_ENTRY_BYTES)?,
            tables: Arena::new(Region::reserve(TABLE_BYTES, 1 << 26)?),
        };
        shadow.control.u32(0).store(FIRST_CELL, Ordering::Relaxed);
        // An array or class without a record is a value.
        shadow.set_class_u32(0, class_record::KIND, ClassKind::Value as u32);
        Some(shadow)
    }

    pub(crate) fn cells_base(&self) -> usize {
        self.cells.base()
    }

    pub(crate) fn cell_limit(&self) -> usize {
        (self.cells.bytes() / 4).min(i32::MAX as usize)
    }

    pub(crate) fn classes_base(&self) -> usize {
        self.classes.base()
    }

    pub(crate) fn control_base(&self) -> usize {
        self.control.base()
    }

    pub(crate) fn blocks_base(&self) -> usize {
        self.blocks.base()
    }

    pub(crate) fn logs_base(&self) -> usize {
        self.logs.base()
    }

    /// Of one of the two logs.
    pub(crate) fn log_entries(&self) -> usize {
        self.logs.bytes() / 2 / LOG_ENTRY_BYTES
    }

    pub(crate) fn most_classes(&self) -> u32 {
        MOST_CLASSES as u32
    }

    fn cell(&self, cell: u32) -> u32 {
        self.cells.u32(cell as usize * 4).load(Ordering::Acquire)
    }

    fn set_cell(&self, cell: u32, value: u32) {
        self.cells.u32(cell as usize * 4).store(value, Ordering::Release);
    }

    /// The state of a cell in the current epoch changes as if it were written.
    pub(crate) fn mark_written(&self, cell: u32, now: u32) {
        self.set_cell(cell, now | 0b101);
    }

    /// Nobody has touched the location yet.
    pub(crate) fn forget_accesses(&self, cell: u32) {
        self.set_cell(cell, 0);
    }

    pub(crate) fn class_u32(&self, class: u32, at: usize) -> u32 {
        self.classes.u32(class as usize * CLASS_BYTES + at).load(Ordering::Acquire)
    }

    /// A table that a class record refers to.
    pub(crate) fn class_table(&self, class: u32, at: usize) -> Option<Region> {
        let address = self.classes.u64(class as usize * CLASS_BYTES + at).load(Ordering::Acquire);
        self.tables.at(address as usize)
    }

    pub(crate) fn set_class_u32(&self, class: u32, at: usize, value: u32) {
        self.classes.u32(class as usize * CLASS_BYTES + at).store(value, Ordering::Release);
    }

    pub(crate) fn set_class_u64(&self, class: u32, at: usize, value: u64) {
        self.classes.u64(class as usize * CLASS_BYTES + at).store(value, Ordering::Release);
    }

    pub(crate) fn set_class_u8(&self, class: u32, at: usize, value: u8) {
        self.classes.u8(class as usize * CLASS_BYTES + at).store(value, Ordering::Release);
    }

    /// The id of new statics of a class; none if there is no room.
    pub(crate) fn allocate_statics(&self, class: u32, count: u32) -> Option<u32> {
        let size = HEADER + count;
        let next = self.control.u32(0);
        let id = next.fetch_add(size, Ordering::Relaxed);
        if id as usize + size as usize > self.cell_limit() {
            next.fetch_sub(size, Ordering::Relaxed);
            return None;
        }
        self.set_cell(id, class | STATICS);
        let block = self.blocks.u32((id >> BLOCK_SHIFT) as usize * 4);
        let _ = block.compare_exchange(0, id, Ordering::AcqRel, Ordering::Relaxed);
        Some(id)
    }

    pub(crate) fn static_cell(&self, id: u32, slot: u32) -> u32 {
        id + HEADER + slot
    }

    /// The class of an object or of statics.
    pub(crate) fn class_of(&self, id: u32) -> u32 {
        self.cell(id) & !STATICS
    }

    /// Finds the object a cell is part of, by going through the objects from the
    /// start of its block.
    pub(crate) fn owner(&self, cell: u32) -> Option<Owner> {
        let mut block = cell >> BLOCK_SHIFT;
        let mut id = loop {
            let first = self.blocks.u32(block as usize * 4).load(Ordering::Acquire);
            if first != 0 && first <= cell {
                break first;
            }
            block = block.checked_sub(1)?;
        };
        loop {
            let (owner, size) = self.at(id)?;
            if cell < id + size {
                return (cell >= owner.first_slot).then_some(owner);
            }
            id += size;
        }
    }

    /// The same, if the id is known or else 0.
    pub(crate) fn owner_with_id(&self, id: u32, cell: u32) -> Option<Owner> {
        if id == 0 { self.owner(cell) } else { self.at(id).map(|(owner, _)| owner) }
    }

    /// Whether the location was reached from a thread, not from a static field.
    pub(crate) fn is_of_thread(&self, cell: u32) -> bool {
        let mut cell = cell;
        for _ in 0..LONGEST_WAY {
            match self.owner(cell).map(|owner| owner.form) {
                Some(Form::Object { parent: 0, .. } | Form::Array { parent: 0, .. }) => {
                    return true;
                }
                Some(Form::Object { parent, .. } | Form::Array { parent, .. }) => cell = parent,
                Some(Form::Statics) | None => return false,
            }
        }
        false
    }

    /// The object with this id.
    pub(crate) fn object(&self, id: u32) -> Option<Owner> {
        self.at(id).map(|(owner, _)| owner).filter(|owner| owner.form != Form::Statics)
    }

    /// The object with this id, and the number of its cells.
    fn at(&self, id: u32) -> Option<(Owner, u32)> {
        let word = self.cell(id);
        let class = word & !STATICS;
        if class == 0 {
            return None;
        }
        if word & STATICS != 0 {
            let count = self.class_u32(class, class_record::STATICS + 4);
            let owner = Owner { id, class, first_slot: id + HEADER, form: Form::Statics };
            return Some((owner, HEADER + count));
        }
        let (parent, creator) = (self.cell(id + 1), self.cell(id + 2));
        if self.class_u32(class, class_record::KIND) < ClassKind::PrimitiveArray as u32 {
            let slots = self.class_u32(class, class_record::SLOTS);
            let form = Form::Object { parent, creator };
            return Some((Owner { id, class, first_slot: id + HEADER, form }, HEADER + slots));
        }
        let length = self.cell(id + 3);
        let shift = shift(length);
        let slots = if length == 0 { 0 } else { ((length - 1) >> shift) + 1 };
        let form = Form::Array { parent, creator, length, shift };
        Some((Owner { id, class, first_slot: id + ARRAY_HEADER, form }, ARRAY_HEADER + slots))
    }

    /// The log for odd or even epochs, and how many entries did not fit.
    pub(crate) fn take_reads(&self, now: u32) -> (Vec<LoggedRead>, u64) {
        let odd = (now >> 3 & 1) as usize;
        let counter = self.control.i32(4 + 4 * odd);
        let most = self.log_entries();
        let wanted = counter.load(Ordering::Acquire).max(0) as usize;
        let count = wanted.min(most);
        let log = self.logs.part(odd * most * LOG_ENTRY_BYTES, most * LOG_ENTRY_BYTES);
        let mut reads = Vec::with_capacity(count);
        for entry in (0..count).map(|index| index * LOG_ENTRY_BYTES) {
            let epoch = log.u32(entry).load(Ordering::Acquire);
            if epoch != 0 {
                let cell = log.u32(entry + 4).load(Ordering::Relaxed);
                reads.push(LoggedRead { now: epoch, cell });
            }
        }
        log.clear(count * LOG_ENTRY_BYTES);
        counter.store(0, Ordering::Release);
        (reads, (wanted - count) as u64)
    }
}

/// Elements that share a slot, as a power of two.
fn shift(length: u32) -> u8 {
    if length <= 1 << MOST_SLOTS_SHIFT {
        0
    } else {
        (32 - ((length - 1) >> MOST_SLOTS_SHIFT).leading_zeros()) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_array_has_at_most_65_536_slots() {
        for length in [1, 2, 65_535, 65_536, 65_537, 131_072, 131_073, i32::MAX as u32] {
            let slots = ((length - 1) >> shift(length)) + 1;
            assert!(slots <= 65_536, "{length} elements have {slots} slots");
            assert!(
                length <= 65_536 || slots > 32_768,
                "{length} elements have only {slots} slots"
            );
        }
    }

    #[test]
    fn a_cell_finds_its_owner() {
        let shadow = Shadow::new().unwrap();
        shadow.set_class_u32(5, class_record::KIND, ClassKind::Object as u32);
        shadow.set_class_u32(5, class_record::STATICS + 4, 700);
        let ids: Vec<u32> = (0..9).map(|_| shadow.allocate_statics(5, 700).unwrap()).collect();
        for &id in &ids {
            for slot in [0, 1, 350, 699] {
                let owner = shadow.owner(shadow.static_cell(id, slot)).unwrap();
                assert_eq!((owner.id, owner.form), (id, Form::Statics));
            }
            assert_eq!(shadow.owner(id), None, "a header is no location");
        }
        assert_eq!(shadow.owner(ids[8] + 10_000), None);
    }
}

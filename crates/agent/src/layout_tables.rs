//! The tables of a class record: which references to follow, where a slot is,
//! and which slot is at an offset. The hook reads them without asking.

use std::sync::atomic::Ordering;

use crate::memory::Region;
use crate::shadow::{Shadow, class_record};

/// Objects beyond this size are no objects with fields.
const MOST_OFFSET: u32 = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SlotPlace {
    pub(crate) offset: u32,
    /// As in descriptors, `L` for all references.
    pub(crate) element_type: u8,
    pub(crate) is_followed: bool,
    pub(crate) is_tracked: bool,
}

impl SlotPlace {
    fn pack(self) -> u64 {
        u64::from(self.offset)
            | u64::from(self.element_type) << 32
            | u64::from(self.is_followed) << 48
            | u64::from(self.is_tracked) << 49
    }

    fn unpack(packed: u64) -> Option<Self> {
        (packed != 0).then_some(Self {
            offset: packed as u32,
            element_type: (packed >> 32) as u8,
            is_followed: packed >> 48 & 1 != 0,
            is_tracked: packed >> 49 & 1 != 0,
        })
    }
}

#[derive(Debug, Default)]
pub(crate) struct Tables {
    slots: Vec<Option<SlotPlace>>,
    statics: Vec<Option<SlotPlace>>,
}

impl Tables {
    /// The slots of a superclass; its statics stay its own.
    pub(crate) fn inherited(shadow: &Shadow, parent: u32) -> Self {
        let slots = shadow
            .class_table(parent, class_record::SLOT_TABLE)
            .map(|table| {
                let count = table.u32(0).load(Ordering::Relaxed) as usize;
                (0..count)
                    .map(|slot| SlotPlace::unpack(table.u64(8 + 8 * slot).load(Ordering::Relaxed)))
                    .collect()
            })
            .unwrap_or_default();
        Self { slots, statics: Vec::new() }
    }

    pub(crate) fn set(&mut self, slot: u32, place: SlotPlace) {
        put(&mut self.slots, slot, place);
    }

    pub(crate) fn set_static(&mut self, slot: u32, place: SlotPlace) {
        put(&mut self.statics, slot, place);
    }

    /// Whether objects of the class have anything that can be shared.
    pub(crate) fn matters(&self) -> bool {
        self.slots.iter().flatten().any(|place| place.is_tracked || place.is_followed)
    }

    pub(crate) fn write(&self, shadow: &Shadow, class: u32, slots: u32, statics: usize) {
        let written = [
            (class_record::REFERENCES, references(shadow, &self.slots)),
            (class_record::SLOT_TABLE, places(shadow, &self.slots, slots as usize)),
            (class_record::OFFSET_TABLE, offsets(shadow, &self.slots)),
            (class_record::STATIC_REFERENCES, references(shadow, &self.statics)),
            (class_record::STATIC_SLOT_TABLE, places(shadow, &self.statics, statics)),
            (class_record::STATIC_OFFSET_TABLE, offsets(shadow, &self.statics)),
        ];
        for (at, table) in written {
            shadow.set_class_u64(class, at, table.map_or(0, |table| table.base() as u64));
        }
    }
}

fn put(places: &mut Vec<Option<SlotPlace>>, slot: u32, place: SlotPlace) {
    let slot = slot as usize;
    if places.len() <= slot {
        places.resize(slot + 1, None);
    }
    places[slot] = Some(place);
}

/// Count, padding, then offset and slot of each.
fn references(shadow: &Shadow, places: &[Option<SlotPlace>]) -> Option<Region> {
    let followed: Vec<(u32, u32)> = (0..)
        .zip(places)
        .filter_map(|(slot, place)| {
            place.filter(|one| one.is_followed).map(|one| (one.offset, slot))
        })
        .collect();
    if followed.is_empty() {
        return None;
    }
    let table = shadow.tables.allocate(8 + 8 * followed.len())?;
    table.u32(0).store(followed.len() as u32, Ordering::Relaxed);
    for (index, (offset, slot)) in followed.into_iter().enumerate() {
        table.u32(8 + 8 * index).store(offset, Ordering::Relaxed);
        table.u32(12 + 8 * index).store(slot, Ordering::Relaxed);
    }
    Some(table)
}

/// Count, padding, then the place of each slot.
fn places(shadow: &Shadow, places: &[Option<SlotPlace>], count: usize) -> Option<Region> {
    let table = shadow.tables.allocate(8 + 8 * count)?;
    table.u32(0).store(count as u32, Ordering::Relaxed);
    for (slot, place) in places.iter().take(count).enumerate() {
        table.u64(8 + 8 * slot).store(place.map_or(0, SlotPlace::pack), Ordering::Relaxed);
    }
    Some(table)
}

/// Count, then for each offset the slot plus 1 in 16 bits.
fn offsets(shadow: &Shadow, places: &[Option<SlotPlace>]) -> Option<Region> {
    let tracked = (0u32..).zip(places).filter_map(|(slot, place)| {
        place.filter(|one| one.is_tracked).map(|one| (one.offset, slot))
    });
    let tracked: Vec<(u32, u32)> = tracked
        .filter(|&(offset, slot)| offset < MOST_OFFSET && slot < u32::from(u16::MAX))
        .collect();
    let count = tracked.iter().map(|(offset, _)| offset + 1).max()?;
    let table = shadow.tables.allocate(4 + 2 * count as usize)?;
    table.u32(0).store(count, Ordering::Relaxed);
    for (offset, slot) in tracked {
        table.u16(4 + 2 * offset as usize).store(slot as u16 + 1, Ordering::Relaxed);
    }
    Some(table)
}

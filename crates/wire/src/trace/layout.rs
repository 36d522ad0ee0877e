//! Which cells belong to what.

use super::parse::{Parsed, Shape};

/// Cells `first..end` belong to one static field, object or array.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) first: u32,
    pub(super) end: u64,
    pub(super) owner: Owner,
}

/// Who owns cells, by position in [`Parsed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Static(usize),
    Instance(usize),
    Array(usize),
    /// The file does not tell.
    Nobody,
}

/// All extents, by cell.
#[derive(Debug)]
pub(super) struct Layout {
    /// Sorted, and none reaches into the next.
    extents: Vec<Extent>,
    /// How many had to be cut for that.
    pub(super) overlaps: u64,
}

impl Layout {
    pub(super) fn new(parsed: &Parsed<'_>) -> Self {
        let statics = parsed.statics.iter().enumerate().map(|(index, field)| {
            let end = u64::from(field.cell) + 1;
            Extent { first: field.cell, end, owner: Owner::Static(index) }
        });
        let objects = parsed.objects.iter().enumerate().map(|(index, object)| {
            let (slots, owner) = match &object.shape {
                Shape::Instance { class } => {
                    let slots = parsed.classes.get(class).map_or(0, |class| class.slots.len());
                    (slots as u64, Owner::Instance(index))
                }
                Shape::Array { length, shift, .. } => {
                    let slots =
                        length.checked_sub(1).map_or(0, |last| u64::from(last >> shift) + 1);
                    (slots, Owner::Array(index))
                }
            };
            let first = object.first_slot;
            Extent { first, end: u64::from(first) + slots, owner }
        });
        let mut described: Vec<_> =
            statics.chain(objects).filter(|extent| extent.end > extent.first.into()).collect();
        described.sort_by_key(|extent| extent.first);
        let mut layout = Self { extents: Vec::with_capacity(described.len()), overlaps: 0 };
        for extent in described {
            layout.add(extent);
        }
        layout
    }

    /// Extents that overlap are a mistake of the agent, but no reason to lose
    /// the rest: the cells go to the owner that starts nearest before them.
    fn add(&mut self, extent: Extent) {
        match self.extents.last_mut() {
            Some(before) if before.end > extent.first.into() => {
                self.overlaps += 1;
                if before.first == extent.first {
                    return;
                }
                before.end = extent.first.into();
            }
            _ => {}
        }
        self.extents.push(extent);
    }

    /// The extent of a cell; between two descriptions that of nobody.
    pub(super) fn extent(&self, cell: u32) -> Extent {
        let after = self.extents.partition_point(|extent| extent.first <= cell);
        let before = after.checked_sub(1).map(|at| self.extents[at]);
        let undescribed_from = match before {
            Some(extent) if u64::from(cell) < extent.end => return extent,
            Some(extent) => extent.end,
            None => 0,
        };
        let end = self.extents.get(after).map_or(u64::from(u32::MAX) + 1, |next| next.first.into());
        Extent { first: undescribed_from as u32, end, owner: Owner::Nobody }
    }
}

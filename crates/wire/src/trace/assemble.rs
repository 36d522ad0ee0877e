//! From records to a trace: cells become locations, and reads that can never
//! conflict are left out.
//!
//! Neighbouring elements of an array that no epoch tells apart become one
//! location: scanning an array of 65,536 elements in each of 5,000 tests then
//! costs 5,000 reads, not 327 million, and nothing is lost. Such stretches end
//! where any epoch's run of accesses begins or ends.

use std::collections::HashMap;

use residue_model::TestId;
use residue_model::trace::{
    Content, Epoch, EpochIndex, FoundThrough, Gap, GapKind, Held, Location, LocationId,
    LocationName, Name, Object, ObjectId, Pollution, Read, Trace, Value, Write,
};

use super::TraceError;
use super::cells::{CellMap, CellSet};
use super::layout::{Extent, Layout, Owner};
use super::outside;
use super::parse::{Parsed, RawEpoch, RawFound, RawObject, Run, Shape, each_content};
use super::writer::Holds;

pub(super) fn assemble(
    mut parsed: Parsed<'_>,
    order: &[TestId],
    keep_all: bool,
    with_contents: bool,
) -> Result<Trace, TraceError> {
    let epochs = std::mem::take(&mut parsed.epochs);
    let outside = std::mem::take(&mut parsed.outside);
    let code = parsed.code.take();
    let layout = Layout::new(&parsed);
    let overlaps = layout.overlaps;
    let boundaries = boundaries(&parsed, &epochs)?;
    let mut assembly = Assembly::new(&parsed, layout, boundaries, keep_all);
    for write in epochs.iter().flat_map(|epoch| &epoch.writes) {
        assembly.mark_written(write.run);
    }
    let mut finished = Vec::with_capacity(epochs.len());
    let mut contents = Vec::new();
    for (index, epoch) in (0..).map(EpochIndex).zip(epochs) {
        if with_contents {
            assembly.contents(index, &epoch, &mut contents)?;
        }
        let epoch = assembly.epoch(epoch)?;
        if with_contents {
            assembly.number_values(&epoch);
        }
        finished.push(epoch);
    }
    let pollutions = assembly.pollutions();
    let Assembly { locations, objects, undescribed, .. } = assembly;
    let last_seen = finished.last().map(|epoch| &order[epoch.test]);
    let gaps = gaps(&mut parsed, undescribed, overlaps, last_seen);
    parsed.ignored.sort_unstable();
    parsed.ignored.dedup();
    let mut trace = Trace {
        order: order.to_vec(),
        epochs: finished,
        locations,
        objects,
        frames: parsed.frames,
        stacks: parsed.stacks,
        gaps,
        pollutions,
        contents,
        ignored: parsed.ignored,
        code,
    };
    outside::merge(&mut trace, outside, keep_all);
    Ok(trace)
}

fn boundaries(parsed: &Parsed<'_>, epochs: &[RawEpoch<'_>]) -> Result<CellSet, TraceError> {
    let mut boundaries = CellSet::default();
    let mut mark = |run: Run| {
        boundaries.insert(run.first);
        if let Ok(end) = u32::try_from(run.end) {
            boundaries.insert(end);
        }
    };
    for epoch in epochs {
        for record in &epoch.reads {
            parsed.each_read(record, &mut mark)?;
        }
        epoch.writes.iter().for_each(|write| mark(write.run));
    }
    for cell in parsed.pollutions.iter().flat_map(|pollution| &pollution.cells) {
        mark(Run::of_cell(*cell));
    }
    Ok(boundaries)
}

fn gaps(
    parsed: &mut Parsed<'_>,
    undescribed: u64,
    overlaps: u64,
    last_seen: Option<&TestId>,
) -> Vec<Gap> {
    let mut gaps = std::mem::take(&mut parsed.gaps);
    let mut add = |kind: GapKind, detail: &str, count: u64| {
        if count > 0 {
            let known = gaps.entry((kind, detail.into())).or_default();
            *known = known.saturating_add(count);
        }
    };
    add(GapKind::Undescribed, "", undescribed);
    add(GapKind::Other, "objects whose cells overlap with those of another", overlaps);
    if !parsed.complete {
        let detail = match last_seen {
            Some(test) => format!("the last test seen is {test}"),
            None => "no test was seen".into(),
        };
        add(GapKind::CutShort, &detail, 1);
    }
    gaps.into_iter().map(|((kind, detail), count)| Gap { kind, detail, count }).collect()
}

/// Cells that no epoch tells apart.
#[derive(Debug)]
struct Stretch {
    length: u64,
    written: bool,
    /// Set when an access is kept for the first time.
    location: Option<LocationId>,
}

struct Assembly<'a> {
    parsed: &'a Parsed<'a>,
    layout: Layout,
    boundaries: CellSet,
    keep_all: bool,
    stretches: Vec<Stretch>,
    stretch_at: CellMap,
    locations: Vec<Location>,
    objects: Vec<Object>,
    object_ids: Vec<Option<ObjectId>>,
    by_first_slot: HashMap<u32, usize>,
    undescribed: u64,
}

impl<'a> Assembly<'a> {
    fn new(parsed: &'a Parsed<'a>, layout: Layout, boundaries: CellSet, keep_all: bool) -> Self {
        Self {
            layout,
            boundaries,
            keep_all,
            stretches: Vec::new(),
            stretch_at: CellMap::default(),
            locations: Vec::new(),
            objects: Vec::new(),
            object_ids: vec![None; parsed.objects.len()],
            by_first_slot: parsed
                .objects
                .iter()
                .enumerate()
                .map(|(index, object)| (object.first_slot, index))
                .collect(),
            undescribed: 0,
            parsed,
        }
    }

    fn mark_written(&mut self, run: Run) {
        let mut cell = u64::from(run.first);
        while cell < run.end {
            let stretch = self.stretch(cell as u32);
            self.stretches[stretch].written = true;
            cell += self.stretches[stretch].length;
        }
    }

    /// The stretch that starts at a cell.
    fn stretch(&mut self, cell: u32) -> usize {
        if let Some(known) = self.stretch_at.get(cell) {
            return known as usize;
        }
        let extent = self.layout.extent(cell);
        let next = u64::from(cell) + 1;
        let end = match extent.owner {
            Owner::Static(_) | Owner::Instance(_) => next,
            Owner::Array(_) | Owner::Nobody => self.boundaries.next(next, extent.end),
        };
        let length = end - u64::from(cell);
        self.stretch_at.insert(cell, self.stretches.len() as u32);
        // Most reads are of what nobody ever writes; they are settled here.
        let location = self.keep_all.then(|| self.new_location(cell, length, extent));
        let location = location.or_else(|| {
            let created = self.creator(extent.owner).is_some();
            created.then(|| self.new_location(cell, length, extent))
        });
        self.stretches.push(Stretch { length, written: false, location });
        self.stretches.len() - 1
    }

    fn epoch(&mut self, epoch: RawEpoch<'_>) -> Result<Epoch, TraceError> {
        let mut reads = Vec::new();
        for record in &epoch.reads {
            self.parsed.each_read(record, |run| {
                self.each_location(run, |location| {
                    reads.push(Read { location, stack: run.stack });
                });
            })?;
        }
        if epoch.reads.len() > 1 {
            reads.sort_by_key(|read| (read.location, read.stack.is_none()));
            reads.dedup_by_key(|read| read.location);
        }
        let mut writes = Vec::new();
        for write in &epoch.writes {
            self.each_location(write.run, |location| {
                let (old, new) = (write.old.clone(), write.new.clone());
                writes.push(Write { location, stack: write.run.stack, old, new });
            });
        }
        if epoch.write_records > 1 {
            writes.sort_by_key(|write| write.location);
            writes.dedup_by(|later, first| {
                let same = later.location == first.location;
                if same {
                    first.new = later.new.take();
                }
                same
            });
        }
        Ok(Epoch { kind: epoch.kind, test: epoch.test, reads, writes })
    }

    fn pollutions(&mut self) -> Vec<Pollution> {
        let parsed = self.parsed;
        let mut finished = Vec::with_capacity(parsed.pollutions.len());
        for raw in &parsed.pollutions {
            let mut pollution = raw.pollution.clone();
            for cell in &raw.cells {
                self.each_location(Run::of_cell(*cell), |location| {
                    pollution.locations.push(location);
                });
            }
            pollution.locations.sort_unstable();
            pollution.locations.dedup();
            finished.push(pollution);
        }
        finished
    }

    /// What an epoch left, cell by cell.
    fn contents(
        &mut self,
        index: EpochIndex,
        epoch: &RawEpoch<'_>,
        told: &mut Vec<Content>,
    ) -> Result<(), TraceError> {
        for record in &epoch.contents {
            each_content(record, |cell, content| {
                let extent = self.layout.extent(cell);
                let location = self.location_name(cell, 1, extent);
                let held = match content.holds {
                    Holds::Value(digest) => Held::Value(digest),
                    Holds::Object(first) => {
                        self.object_at(first).map_or(Held::Unknown, Held::Object)
                    }
                    Holds::Unknown => Held::Unknown,
                };
                told.push(Content { epoch: index, location, is_fixed: content.is_fixed, held });
            })?;
        }
        Ok(())
    }

    /// Gives a number to every object that was put somewhere or replaced.
    fn number_values(&mut self, epoch: &Epoch) {
        for value in epoch.writes.iter().flat_map(|write| [&write.old, &write.new]) {
            if let Some(Value::Object { id, .. }) = value {
                self.object_at(*id);
            }
        }
    }

    fn object_at(&mut self, first_slot: u32) -> Option<ObjectId> {
        let index = *self.by_first_slot.get(&first_slot)?;
        Some(self.object_id(index))
    }

    fn each_location(&mut self, run: Run, mut visit: impl FnMut(LocationId)) {
        let mut cell = u64::from(run.first);
        while cell < run.end {
            let index = self.stretch(cell as u32);
            let Stretch { length, written, location } = self.stretches[index];
            if let Some(location) = location {
                visit(location);
            } else if written {
                let extent = self.layout.extent(cell as u32);
                let location = self.new_location(cell as u32, length, extent);
                self.stretches[index].location = Some(location);
                visit(location);
            }
            cell += length;
        }
    }

    fn new_location(&mut self, cell: u32, length: u64, extent: Extent) -> LocationId {
        if extent.owner == Owner::Nobody {
            self.undescribed += 1;
        }
        let name = self.location_name(cell, length, extent);
        let creator = self.creator(extent.owner);
        self.locations.push(Location { name, creator });
        LocationId(self.locations.len() as u32 - 1)
    }

    fn creator(&self, owner: Owner) -> Option<EpochIndex> {
        match owner {
            Owner::Static(_) | Owner::Nobody => None,
            Owner::Instance(object) | Owner::Array(object) => {
                self.parsed.objects[object].creator.checked_sub(1).map(EpochIndex)
            }
        }
    }

    fn location_name(&mut self, cell: u32, length: u64, extent: Extent) -> LocationName {
        match extent.owner {
            Owner::Static(_) | Owner::Nobody => self.name_of(cell, length, extent, ObjectId(0)),
            Owner::Instance(index) | Owner::Array(index) => {
                let object = self.object_id(index);
                self.name_of(cell, length, extent, object)
            }
        }
    }

    /// `object` is the number of the extent's owner, if that is an object.
    fn name_of(&self, cell: u32, length: u64, extent: Extent, object: ObjectId) -> LocationName {
        let slot = cell - extent.first;
        match extent.owner {
            Owner::Nobody => LocationName::Undescribed { cell },
            Owner::Static(index) => {
                let field = &self.parsed.statics[index];
                LocationName::StaticField { class: field.class.clone(), field: field.field.clone() }
            }
            Owner::Instance(index) | Owner::Array(index) => {
                let first_slot = self.parsed.objects[index].first_slot;
                if let Some(key) = self.parsed.properties.get(&first_slot) {
                    return LocationName::SystemProperty { key: key.clone() };
                }
                match &self.parsed.objects[index].shape {
                    Shape::Instance { class } => {
                        // Layouts are made from the slots of described classes.
                        let (class, field) =
                            self.parsed.classes[class].slots[slot as usize].clone();
                        LocationName::Field { object, class, field }
                    }
                    Shape::Array { length: elements, shift, .. } => {
                        let first = slot << shift;
                        let beyond = (u64::from(slot) + length) << shift;
                        let last = beyond.min(u64::from(*elements)) as u32 - 1;
                        LocationName::Elements { object, first, last }
                    }
                }
            }
        }
    }

    /// The number of an object, given now together with those of all objects
    /// it was found through. A loop, since lists are as long as they like.
    fn object_id(&mut self, index: usize) -> ObjectId {
        let mut unfinished = Vec::new();
        let id = self.number(index, &mut unfinished);
        while let Some((index, id)) = unfinished.pop() {
            let found_through = match &self.parsed.objects[index].found {
                RawFound::Unknown => FoundThrough::Unknown,
                RawFound::InThread(name) => FoundThrough::Thread(name.clone()),
                RawFound::InCell(cell) => {
                    let extent = self.layout.extent(*cell);
                    let holder = match extent.owner {
                        Owner::Nobody => None,
                        Owner::Static(_) => Some(ObjectId(0)),
                        Owner::Instance(holder) | Owner::Array(holder) => {
                            Some(self.number(holder, &mut unfinished))
                        }
                    };
                    holder.map_or(FoundThrough::Unknown, |holder| {
                        FoundThrough::Location(self.name_of(*cell, 1, extent, holder))
                    })
                }
            };
            self.objects[id.index()].found_through = found_through;
        }
        id
    }

    fn number(&mut self, index: usize, unfinished: &mut Vec<(usize, ObjectId)>) -> ObjectId {
        if let Some(known) = self.object_ids[index] {
            return known;
        }
        let id = ObjectId(self.objects.len() as u32);
        let creator = self.creator(Owner::Instance(index));
        let class = class_name(self.parsed, index);
        let RawObject { first_slot, shape, .. } = &self.parsed.objects[index];
        let length = match shape {
            Shape::Array { length, .. } => Some(*length),
            Shape::Instance { .. } => None,
        };
        let found_through = FoundThrough::Unknown;
        self.objects.push(Object { id: *first_slot, class, length, creator, found_through });
        self.object_ids[index] = Some(id);
        unfinished.push((index, id));
        id
    }
}

fn class_name(parsed: &Parsed<'_>, object: usize) -> Name {
    match &parsed.objects[object].shape {
        Shape::Instance { class } => parsed.classes[class].name.clone(),
        Shape::Array { type_name, .. } => type_name.clone(),
    }
}

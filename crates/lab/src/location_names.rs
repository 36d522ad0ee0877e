//! Names of locations and objects that mean the same in every run.
//!
//! An object is named by the way on which it was found: from a static field or
//! a thread through fields and elements. That way may lead to another object
//! later. An object that is used although its way has changed since is called
//! by its way and whoever made it, throughout the run: no two things in one run
//! have one name, as far as the trace tells.
//!
//! Elements of an array have a name each up to the 64th, then one for each block
//! of 64, 128, 256 and so on, as the agent digests them.

use std::collections::{HashMap, HashSet};

use residue_detect::Location;
use residue_model::trace::digest::{mix, text};
use residue_model::trace::{EpochIndex, FoundThrough, Held, LocationName, ObjectId, Trace, Value};

/// Elements with a name of their own.
const SINGLE_ELEMENTS: u32 = 64;

/// Arrays of more elements are not tracked element by element.
const MOST_TRACKED_ELEMENTS: u32 = 1 << 16;

/// Longest way that is followed; a circle is a mistake of the trace.
const LONGEST_WAY: usize = 1_000_000;

const STATIC: u64 = 1;
const THREAD: u64 = 2;
const NOWHERE: u64 = 3;
const FIELD: u64 = 4;
const ELEMENT: u64 = 5;
const BLOCK: u64 = 6;
const ELSEWHERE: u64 = 7;
const OUTSIDE: u64 = 8;
const PROPERTY: u64 = 9;
const PROPERTY_LISTING: u64 = 10;

/// A location by its name in all runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) location: Location,
    /// It is a single slot, whose value is what the location holds.
    pub(crate) is_single: bool,
    /// An access to these elements is an access to all of it.
    pub(crate) is_whole: bool,
}

/// The names that hold in one run.
pub(crate) struct LocationNames<'a> {
    trace: &'a Trace,
    /// Of the ways to the objects.
    ways: Vec<u64>,
}

impl<'a> LocationNames<'a> {
    pub(crate) fn new(trace: &'a Trace) -> Self {
        let used_elsewhere = Moves::of(trace).used_elsewhere;
        let mut names = Self { trace, ways: Vec::with_capacity(trace.objects.len()) };
        let mut known: Vec<Option<u64>> = vec![None; trace.objects.len()];
        for object in (0..trace.objects.len() as u32).map(ObjectId) {
            names.find_way(object, &mut known, &used_elsewhere);
        }
        names.ways = known.into_iter().map(|way| way.unwrap_or(NOWHERE)).collect();
        names
    }

    /// A digest of the way to an object.
    pub(crate) fn way(&self, object: ObjectId) -> u64 {
        self.ways[object.index()]
    }

    /// What a location of the trace is called: several names for a stretch of
    /// elements.
    pub(crate) fn of(&self, location: &LocationName) -> Vec<Named> {
        let one =
            |digest| vec![Named { location: Location(digest), is_single: true, is_whole: true }];
        match location {
            LocationName::StaticField { class, field } => one(static_field(class, field)),
            LocationName::Undescribed { cell } => one(mix(NOWHERE, (*cell).into())),
            LocationName::SystemProperty { key } => one(system_property(key.as_deref())),
            LocationName::Outside(outside) => one(mix(OUTSIDE, text(&outside.identity()))),
            LocationName::Field { object, class, field } => {
                one(field_of(self.way(*object), class, field))
            }
            LocationName::Elements { object, first, last } => self.elements(*object, *first, *last),
        }
    }

    fn elements(&self, array: ObjectId, first: u32, last: u32) -> Vec<Named> {
        let way = self.way(array);
        let length = self.trace.object(array).length.unwrap_or(u32::MAX);
        let is_tracked = length <= MOST_TRACKED_ELEMENTS;
        let mut named = Vec::new();
        let mut next = first;
        loop {
            let end = if next < SINGLE_ELEMENTS { next } else { block_end(next).min(length - 1) };
            let is_single = next < SINGLE_ELEMENTS;
            let start = if is_single { next } else { block_start(next) };
            named.push(Named {
                location: Location(element_of(way, next)),
                is_single,
                is_whole: is_tracked && first <= start && end <= last,
            });
            if end >= last {
                return named;
            }
            next = end + 1;
        }
    }

    /// Finds the way to an object and to those it leads through. A loop, since
    /// lists are as long as they like.
    fn find_way(
        &self,
        object: ObjectId,
        known: &mut [Option<u64>],
        used_elsewhere: &HashSet<ObjectId>,
    ) {
        let mut unknown = vec![object];
        while let Some(&object) = unknown.last() {
            let is_circle = unknown.len() > LONGEST_WAY;
            let found = &self.trace.object(object).found_through;
            let way = match found {
                _ if known[object.index()].is_some() => None,
                FoundThrough::Thread(name) => Some(mix(THREAD, text(name))),
                FoundThrough::Location(outer) if !is_circle => match outer.holder() {
                    None => Some(slot_of(NOWHERE, outer)),
                    Some(holder) => match known[holder.index()] {
                        Some(way) => Some(slot_of(way, outer)),
                        None => {
                            unknown.push(holder);
                            continue;
                        }
                    },
                },
                FoundThrough::Location(_) | FoundThrough::Unknown => {
                    Some(mix(NOWHERE, text(&self.trace.object(object).class)))
                }
            };
            if let Some(way) = way {
                let moved = used_elsewhere.contains(&object);
                known[object.index()] = Some(if moved { self.elsewhere(object, way) } else { way });
            }
            unknown.pop();
        }
    }

    fn elsewhere(&self, object: ObjectId, way: u64) -> u64 {
        let maker = self.trace.object(object).creator.map_or(0, |epoch| {
            let test = self.trace.test_of(epoch).to_string();
            mix(self.trace.epoch(epoch).kind as u64, text(&test))
        });
        mix(mix(ELSEWHERE, way), maker)
    }
}

fn static_field(class: &str, field: &str) -> u64 {
    mix(mix(STATIC, text(class)), text(field))
}

fn system_property(key: Option<&str>) -> u64 {
    key.map_or(PROPERTY_LISTING, |key| mix(PROPERTY, text(key)))
}

fn field_of(way: u64, class: &str, field: &str) -> u64 {
    mix(mix(mix(FIELD, way), text(class)), text(field))
}

fn element_of(way: u64, index: u32) -> u64 {
    let kind = if index < SINGLE_ELEMENTS { ELEMENT } else { BLOCK };
    let start = if index < SINGLE_ELEMENTS { index } else { block_start(index) };
    mix(mix(kind, way), start.into())
}

fn block_start(index: u32) -> u32 {
    1 << index.ilog2()
}

fn block_end(index: u32) -> u32 {
    block_start(index).saturating_mul(2) - 1
}

/// The slot through which an object was found, in a holder with this way.
fn slot_of(way: u64, location: &LocationName) -> u64 {
    match location {
        LocationName::StaticField { class, field } => static_field(class, field),
        LocationName::Undescribed { cell } => mix(NOWHERE, (*cell).into()),
        LocationName::SystemProperty { key } => system_property(key.as_deref()),
        LocationName::Outside(outside) => mix(OUTSIDE, text(&outside.identity())),
        LocationName::Field { class, field, .. } => field_of(way, class, field),
        // The objects in a block are told apart, though the slots are not.
        LocationName::Elements { first, .. } => mix(mix(ELEMENT, way), (*first).into()),
    }
}

/// Which objects are used after something else was put where they were found.
struct Moves<'a> {
    trace: &'a Trace,
    /// Objects by the slot they were found in.
    found_in: HashMap<&'a LocationName, Vec<ObjectId>>,
    by_id: HashMap<u32, ObjectId>,
    moved: HashSet<ObjectId>,
    used_elsewhere: HashSet<ObjectId>,
    /// How many had moved when an object was last looked at.
    looked_at: HashMap<ObjectId, usize>,
}

impl<'a> Moves<'a> {
    fn of(trace: &'a Trace) -> Self {
        let mut moves = Self {
            trace,
            found_in: HashMap::new(),
            by_id: HashMap::new(),
            moved: HashSet::new(),
            used_elsewhere: HashSet::new(),
            looked_at: HashMap::new(),
        };
        for (object, described) in (0..).map(ObjectId).zip(&trace.objects) {
            moves.by_id.insert(described.id, object);
            if let FoundThrough::Location(slot) = &described.found_through {
                moves.found_in.entry(slot).or_default().push(object);
            }
        }
        let mut contents = trace.contents.iter().peekable();
        for (index, epoch) in (0..).map(EpochIndex).zip(&trace.epochs) {
            for read in &epoch.reads {
                moves.used(trace.location(read.location).name.holder());
            }
            for write in &epoch.writes {
                let name = &trace.location(write.location).name;
                moves.used(name.holder());
                let now = match &write.new {
                    Some(Value::Object { id, .. }) => moves.by_id.get(id).copied(),
                    _ => None,
                };
                moves.put(name, now, index);
            }
            while let Some(content) = contents.next_if(|content| content.epoch == index) {
                if let Held::Object(object) = content.held {
                    moves.used(Some(object));
                }
            }
        }
        moves
    }

    /// Something else may be in this slot from now on.
    fn put(&mut self, slot: &LocationName, now: Option<ObjectId>, epoch: EpochIndex) {
        match slot {
            LocationName::Elements { object, first, last } => (*first..=*last).for_each(|index| {
                let one = LocationName::Elements { object: *object, first: index, last: index };
                self.displace(&one, now, epoch);
            }),
            slot => self.displace(slot, now, epoch),
        }
    }

    fn displace(&mut self, slot: &LocationName, now: Option<ObjectId>, epoch: EpochIndex) {
        for &object in self.found_in.get(slot).into_iter().flatten() {
            // What this epoch made was found after it had ended.
            let creator = self.trace.object(object).creator;
            if creator.is_none_or(|creator| creator < epoch) && Some(object) != now {
                self.moved.insert(object);
            }
        }
    }

    /// The object is used: if it, or what it is part of, has moved, that is so
    /// elsewhere.
    fn used(&mut self, object: Option<ObjectId>) {
        let mut here = object.filter(|_| !self.moved.is_empty());
        while let Some(object) = here {
            if self.looked_at.insert(object, self.moved.len()) == Some(self.moved.len()) {
                return;
            }
            if self.moved.contains(&object) {
                self.used_elsewhere.insert(object);
            }
            here = match &self.trace.object(object).found_through {
                FoundThrough::Location(outer) => outer.holder(),
                FoundThrough::Thread(_) | FoundThrough::Unknown => None,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use residue_model::TestId;
    use residue_model::trace::{Epoch, EpochKind, LocationId, Object, Read, Write};

    use super::*;

    fn static_slot() -> LocationName {
        LocationName::StaticField { class: "a.S".into(), field: "map".into() }
    }

    fn element(object: u32, first: u32, last: u32) -> LocationName {
        LocationName::Elements { object: ObjectId(object), first, last }
    }

    fn array(id: u32, length: u32, creator: Option<u32>, slot: LocationName) -> Object {
        Object {
            id,
            class: "a.Node[]".into(),
            length: Some(length),
            creator: creator.map(EpochIndex),
            found_through: FoundThrough::Location(slot),
        }
    }

    fn epoch(test: usize, reads: &[u32], writes: Vec<Write>) -> Epoch {
        let read = |&location: &u32| Read { location: LocationId(location), stack: None };
        Epoch { kind: EpochKind::Test, test, reads: reads.iter().map(read).collect(), writes }
    }

    /// Test x puts an array into the static, y another; z uses one of them.
    fn replaced(used: u32) -> Trace {
        let put = |old: Value, id| Write {
            location: LocationId(0),
            stack: None,
            old: Some(old),
            new: Some(Value::Object { class: "a.Node[]".into(), id }),
        };
        let first = Value::Object { class: "a.Node[]".into(), id: 10 };
        let location = |name| trace_location(name);
        Trace {
            order: ["p.T#x", "p.T#y", "p.T#z"].map(|id| TestId::parse(id).unwrap()).to_vec(),
            epochs: vec![
                epoch(0, &[], vec![put(Value::Null, 10)]),
                epoch(1, &[], vec![put(first, 20)]),
                epoch(2, &[used], vec![]),
            ],
            locations: vec![
                location(static_slot()),
                location(element(0, 3, 3)),
                location(element(1, 3, 3)),
            ],
            objects: vec![
                array(10, 8, Some(0), static_slot()),
                array(20, 8, Some(1), static_slot()),
            ],
            ..Trace::default()
        }
    }

    fn trace_location(name: LocationName) -> residue_model::trace::Location {
        residue_model::trace::Location { name, creator: None }
    }

    #[test]
    fn what_takes_the_place_of_another_takes_its_name_unless_both_are_used() {
        let way = |trace: &Trace, object| LocationNames::new(trace).way(ObjectId(object));
        let successor_used = replaced(2);
        assert_eq!(way(&successor_used, 0), way(&successor_used, 1));
        let both_used = replaced(1);
        assert_ne!(way(&both_used, 0), way(&both_used, 1));
        assert_eq!(way(&both_used, 1), way(&successor_used, 1), "the one in place");
    }

    #[test]
    fn later_elements_are_named_in_blocks_that_double() {
        let trace =
            Trace { objects: vec![array(10, 300, None, static_slot())], ..Trace::default() };
        let names = LocationNames::new(&trace);
        let of = |first, last| names.of(&element(0, first, last));
        let all = of(0, 299);
        assert_eq!(all.len(), 64 + 3, "64..128, 128..256, 256..300");
        assert!(all.iter().all(|named| named.is_whole));
        let some = of(62, 130);
        assert_eq!(some[..3], all[62..65]);
        assert_eq!(some[3].location, all[65].location);
        assert!(!some[3].is_whole && !some[3].is_single, "130 is not the end of its block");
        assert_eq!(of(299, 299)[0].location, all[66].location);
    }
}

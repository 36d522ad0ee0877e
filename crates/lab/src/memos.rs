//! Locations that are the memory of a single method.
//!
//! A cache, or something that is made when it is first asked for, is read by one
//! method of the code under test and filled by that one or by one that it calls
//! for it. Who finds it empty makes what others find there. A counter looks
//! nearly the same, but whoever reads it writes it. What is inside the thing that
//! was made, and was never changed since, belongs to that memory: without the one
//! the other is not there.

use std::collections::{HashMap, HashSet};

use residue_detect::Location;
use residue_model::trace::digest::{mix, text};
use residue_model::trace::{FoundThrough, LocationId, ObjectId, StackId, Trace};

use crate::location_names::{LocationNames, Named};

/// Code on whose behalf the JDK is at work is further out.
const OF_THE_JDK: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];

/// A method counts as at work for those that called it, so many steps out.
const NEAR: usize = 3;

#[derive(Debug, Default)]
struct Use {
    /// The one method that reads it, as far as seen; nothing if there are several
    /// or none is known.
    reader: Option<Option<u64>>,
    /// Methods that were at work whenever it was written, or for which others
    /// were.
    fillers: Option<Vec<u64>>,
    /// Somebody read it and left it alone.
    is_only_read: bool,
    /// How many tests or class fixtures wrote it.
    writers: usize,
}

/// For the locations of a run whether they are the memory of a method, or a part
/// of one, as far as the run tells.
pub(crate) fn memos<'a>(
    trace: &Trace,
    names: &LocationNames<'_>,
    named: impl Fn(LocationId) -> &'a [Named],
) -> HashMap<Location, bool> {
    let uses = uses(trace, &named);
    let told = uses.iter().filter_map(|(location, seen)| Some((*location, seen.is_memo()?)));
    let mut told: HashMap<Location, bool> = told.collect();
    let filled_once = uses.iter().filter(|(_, seen)| seen.is_filled_once());
    let around = filled_once.map(|(location, _)| (*location, true)).chain(told.clone()).collect();
    let mut insides = Insides { trace, names, around, known: HashMap::new() };
    let mut inside = Vec::new();
    for (number, location) in (0..).zip(&trace.locations) {
        let belongs = location.name.holder().and_then(|object| insides.of(object));
        let Some(belongs) = belongs else { continue };
        let unwritten = named(LocationId(number)).iter().map(|one| one.location);
        let unwritten = unwritten.filter(|l| uses.get(l).is_none_or(|seen| seen.writers == 0));
        inside.extend(unwritten.map(|location| (location, belongs)));
    }
    told.extend(inside);
    told
}

/// Who reads and writes what.
fn uses<'a>(trace: &Trace, named: impl Fn(LocationId) -> &'a [Named]) -> HashMap<Location, Use> {
    let mut methods = Methods { trace, known: HashMap::new() };
    let mut uses: HashMap<Location, Use> = HashMap::new();
    for epoch in &trace.epochs {
        let written: HashSet<LocationId> =
            epoch.writes.iter().map(|write| write.location).collect();
        for read in &epoch.reads {
            // Nobody had written it: no stack was taken.
            let Some(stack) = read.stack else { continue };
            let method = methods.near(stack).first().copied();
            for one in named(read.location) {
                let seen = uses.entry(one.location).or_default();
                seen.is_only_read |= !written.contains(&read.location);
                seen.read_by(method);
            }
        }
        for write in epoch.writes.iter().filter(|write| !write.is_undone()) {
            let near = write.stack.map_or(&[][..], |stack| methods.near(stack));
            for one in named(write.location) {
                let seen = uses.entry(one.location).or_default();
                seen.writers += 1;
                seen.written_by(near);
            }
        }
    }
    uses
}

/// Which objects are inside the memory of a method.
struct Insides<'a> {
    trace: &'a Trace,
    names: &'a LocationNames<'a>,
    /// What is known of locations that may be around others.
    around: HashMap<Location, bool>,
    known: HashMap<ObjectId, Option<bool>>,
}

impl Insides<'_> {
    /// What is known of the innermost location around an object of which
    /// something is known.
    fn of(&mut self, object: ObjectId) -> Option<bool> {
        let mut way = Vec::new();
        let mut next = Some(object);
        let mut found = None;
        while let Some(object) = next {
            if let Some(known) = self.known.get(&object) {
                found = *known;
                break;
            }
            // A circle would be a mistake of the trace.
            self.known.insert(object, None);
            way.push(object);
            let FoundThrough::Location(outer) = &self.trace.object(object).found_through else {
                break;
            };
            let slots = self.names.of(outer);
            found = slots.iter().find_map(|slot| self.around.get(&slot.location).copied());
            next = outer.holder().filter(|_| found.is_none());
        }
        self.known.extend(way.into_iter().map(|object| (object, found)));
        found
    }
}

impl Use {
    fn read_by(&mut self, method: Option<u64>) {
        self.reader = match self.reader {
            None => Some(method),
            Some(known) if known == method => self.reader,
            Some(_) => Some(None),
        };
    }

    fn written_by(&mut self, near: &[u64]) {
        match &mut self.fillers {
            None => self.fillers = Some(near.to_vec()),
            Some(fillers) => fillers.retain(|method| near.contains(method)),
        }
    }

    /// Nothing if too little was seen.
    fn is_memo(&self) -> Option<bool> {
        let fillers = self.fillers.as_deref()?;
        match self.reader {
            None if fillers.is_empty() => Some(false),
            None => None,
            Some(reader) if !reader.is_some_and(|reader| fillers.contains(&reader)) => Some(false),
            Some(_) => self.is_only_read.then_some(true),
        }
    }

    /// Whether one method filled it, once: it may be a memory that is looked into
    /// only if a quicker one is empty.
    fn is_filled_once(&self) -> bool {
        let fillers = self.fillers.as_deref().unwrap_or_default();
        let is_filler = |reader: Option<u64>| reader.is_some_and(|r| fillers.contains(&r));
        self.writers == 1 && !fillers.is_empty() && self.reader.is_none_or(is_filler)
    }
}

/// The innermost methods of a stack that are not of the JDK.
struct Methods<'a> {
    trace: &'a Trace,
    known: HashMap<StackId, Vec<u64>>,
}

impl Methods<'_> {
    fn near(&mut self, stack: StackId) -> &[u64] {
        self.known.entry(stack).or_insert_with(|| {
            let is_own = |class: &str| !OF_THE_JDK.iter().any(|jdk| class.starts_with(jdk));
            let own = self.trace.frames_of(stack).filter(|frame| is_own(&frame.class));
            own.take(NEAR).map(|frame| mix(text(&frame.class), text(&frame.method))).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use residue_model::Frame;
    use residue_model::trace::{
        self, Epoch, EpochKind, FrameId, LocationName, Object, Read, Stack, Value, Write,
    };

    use super::*;

    const GET: usize = 0;
    const GET_BY_JDK: usize = 1;
    const RESET: usize = 2;
    const LOAD_FOR_GET: usize = 3;

    fn frame(class: &str, method: &str) -> Frame {
        Frame { class: class.into(), method: method.into(), file: None, line: Some(1) }
    }

    /// Of a static field, used by epochs: who reads it where, who writes it where.
    fn told(epochs: &[(Option<usize>, Option<usize>)]) -> Option<bool> {
        told_with_inside(epochs)[0]
    }

    /// The same, and of a field inside the object in it.
    fn told_with_inside(epochs: &[(Option<usize>, Option<usize>)]) -> [Option<bool>; 2] {
        let name = LocationName::StaticField { class: "a.S".into(), field: "f".into() };
        let stack = |frames: &[u32]| Stack { frames: frames.iter().map(|&f| FrameId(f)).collect() };
        let at = |stack: usize| StackId::at(stack as u32);
        let location = LocationId(0);
        let epoch = |(read, write): &(Option<usize>, Option<usize>)| Epoch {
            kind: EpochKind::Test,
            test: 0,
            reads: read.map(|read| Read { location, stack: Some(at(read)) }).into_iter().collect(),
            writes: write
                .map(|write| Write {
                    location,
                    stack: Some(at(write)),
                    old: Some(Value::Integer(0)),
                    new: Some(Value::Integer(1)),
                })
                .into_iter()
                .collect(),
        };
        let object = Object {
            id: 1,
            class: "a.B".into(),
            length: None,
            creator: None,
            found_through: FoundThrough::Location(name.clone()),
        };
        let (class, field) = ("a.B".into(), "g".into());
        let inside = LocationName::Field { object: ObjectId(0), class, field };
        let locations = [name, inside].map(|name| trace::Location { name, creator: None });
        let trace = Trace {
            epochs: epochs.iter().map(epoch).collect(),
            locations: locations.to_vec(),
            objects: vec![object],
            frames: vec![
                frame("a.S", "get"),
                frame("java.util.HashMap", "get"),
                frame("a.S", "reset"),
                frame("a.S", "load"),
            ],
            stacks: vec![stack(&[0]), stack(&[1, 0]), stack(&[2]), stack(&[3, 0])],
            ..Trace::default()
        };
        let names = LocationNames::new(&trace);
        let named = [0, 1].map(|location| names.of(&trace.locations[location].name));
        let memos = memos(&trace, &names, |location| &named[location.index()]);
        named.each_ref().map(|named| memos.get(&named[0].location).copied())
    }

    #[test]
    fn what_is_inside_a_memory_belongs_to_it() {
        let memory = [(None, Some(GET)), (Some(GET), None)];
        assert_eq!(told_with_inside(&memory), [Some(true), Some(true)]);
        let setting = [(None, Some(RESET)), (Some(GET), None)];
        assert_eq!(told_with_inside(&setting), [Some(false), Some(false)]);
        assert_eq!(told_with_inside(&[(None, Some(GET))]), [None, Some(true)], "filled once");
    }

    #[test]
    fn what_one_method_fills_and_reads_is_its_memory() {
        assert_eq!(told(&[(None, Some(GET)), (Some(GET), None)]), Some(true));
        let through_the_jdk = [(None, Some(GET_BY_JDK)), (Some(GET), None)];
        assert_eq!(told(&through_the_jdk), Some(true), "the JDK works for its callers");
    }

    #[test]
    fn what_a_method_lets_another_fill_is_its_memory_too() {
        let loaded = [(Some(GET), Some(LOAD_FOR_GET)), (Some(GET), None)];
        assert_eq!(told(&loaded), Some(true));
        let also_reset = [(Some(GET), Some(LOAD_FOR_GET)), (None, Some(RESET)), (Some(GET), None)];
        assert_eq!(told(&also_reset), Some(false));
    }

    #[test]
    fn what_another_method_reads_or_writes_is_not() {
        assert_eq!(told(&[(None, Some(RESET)), (Some(GET), None)]), Some(false));
        assert_eq!(told(&[(None, Some(GET)), (Some(GET), None), (Some(RESET), None)]), Some(false));
    }

    #[test]
    fn a_counter_is_not_known_to_be_one_nor_what_nobody_read() {
        assert_eq!(told(&[(None, Some(GET)), (Some(GET), Some(GET))]), None);
        assert_eq!(told(&[(None, Some(GET))]), None);
    }
}

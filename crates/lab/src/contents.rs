//! What locations hold, as digests that are equal in all runs where a reader
//! could not tell the difference.
//!
//! A reference is as good as another if it leads to an object of the same class
//! and length that was found on the same way and is fixed in the same respects:
//! what can never change inside an object is not tracked, so it counts as a part
//! of the reference. What can change are locations of their own.

use std::cell::RefCell;
use std::collections::HashMap;

use residue_detect::{Location, ValueDigest};
use residue_model::trace::digest::{mix, text};
use residue_model::trace::{
    Content, EpochIndex, FoundThrough, Held, LocationName, ObjectId, Trace, Value,
};

use crate::location_names::LocationNames;

/// Objects fixed inside objects that are looked into.
const DEEPEST: usize = 64;

const OBJECT: u64 = 100;
const BLOCK: u64 = 101;

pub(crate) struct Contents<'a> {
    trace: &'a Trace,
    names: &'a LocationNames<'a>,
    by_id: HashMap<u32, ObjectId>,
    fixed: HashMap<ObjectId, Vec<&'a Content>>,
    digests: RefCell<HashMap<ObjectId, Option<u64>>>,
}

impl<'a> Contents<'a> {
    pub(crate) fn new(trace: &'a Trace, names: &'a LocationNames<'a>) -> Self {
        let by_id = (0..)
            .map(ObjectId)
            .zip(&trace.objects)
            .map(|(object, described)| (described.id, object));
        let mut fixed: HashMap<ObjectId, Vec<&Content>> = HashMap::new();
        for content in trace.contents.iter().filter(|content| content.is_fixed) {
            if let LocationName::Field { object, .. } = content.location {
                fixed.entry(object).or_default().push(content);
            }
        }
        let digests = RefCell::default();
        Self { trace, names, by_id: by_id.collect(), fixed, digests }
    }

    /// A value that was seen before or after a write.
    pub(crate) fn value(&self, value: &Option<Value>) -> Option<ValueDigest> {
        let digest = match value.as_ref()? {
            Value::Object { id, .. } => self.object(*self.by_id.get(id)?, 0),
            value => value.digest(),
        };
        digest.map(ValueDigest)
    }

    /// All that an epoch left, as far as the trace tells; none for what cannot
    /// be compared.
    pub(crate) fn left_by(&self, epoch: EpochIndex) -> HashMap<Location, Option<ValueDigest>> {
        let contents = &self.trace.contents;
        let start = contents.partition_point(|content| content.epoch < epoch);
        let end = contents.partition_point(|content| content.epoch <= epoch);
        let mut left: HashMap<Location, Option<ValueDigest>> = HashMap::new();
        for content in contents[start..end].iter().filter(|content| !content.is_fixed) {
            let held = self.held(content.held);
            for named in self.names.of(&content.location) {
                if named.is_single {
                    left.insert(named.location, held.map(ValueDigest));
                } else {
                    // Elements of a block come one after the other.
                    let known = left.entry(named.location).or_insert(Some(ValueDigest(BLOCK)));
                    *known =
                        known.zip(held).map(|(ValueDigest(sum), one)| ValueDigest(mix(sum, one)));
                }
            }
        }
        left
    }

    fn held(&self, held: Held) -> Option<u64> {
        match held {
            Held::Value(digest) => Some(digest),
            Held::Object(object) => self.object(object, 0),
            Held::Unknown => None,
        }
    }

    fn object(&self, object: ObjectId, depth: usize) -> Option<u64> {
        if let Some(known) = self.digests.borrow().get(&object) {
            return *known;
        }
        let digest = self.digest(object, depth);
        self.digests.borrow_mut().insert(object, digest);
        digest
    }

    fn digest(&self, object: ObjectId, depth: usize) -> Option<u64> {
        let mut digest = self.shell(object)?;
        for content in self.fixed.get(&object).into_iter().flatten() {
            let held = match content.held {
                Held::Object(_) if depth == DEEPEST => None,
                Held::Object(inner) if self.is_found_through(inner, &content.location) => {
                    self.object(inner, depth + 1)
                }
                // Elsewhere it is looked into; here it matters which one it is.
                Held::Object(other) => self.shell(other),
                held => self.held(held),
            };
            digest = mix(digest, held?);
        }
        Some(digest)
    }

    /// The object without what is in it.
    fn shell(&self, object: ObjectId) -> Option<u64> {
        let described = self.trace.object(object);
        // Such names are given out as classes come.
        let is_numbered = ["/", "$$", "$Proxy"].iter().any(|part| described.class.contains(part));
        let length = described.length.map_or(0, |length| u64::from(length) + 1);
        // Empty arrays are shared by whoever has nothing to put in.
        let way = if described.length == Some(0) { 0 } else { self.names.way(object) };
        (!is_numbered).then(|| mix(mix(mix(OBJECT, text(&described.class)), length), way))
    }

    fn is_found_through(&self, object: ObjectId, slot: &LocationName) -> bool {
        matches!(&self.trace.object(object).found_through, FoundThrough::Location(outer) if outer == slot)
    }
}

#[cfg(test)]
mod tests {
    use residue_model::trace::Object;

    use super::*;

    fn slot(object: u32, field: &str) -> LocationName {
        let (class, field) = ("a.B".into(), field.into());
        LocationName::Field { object: ObjectId(object), class, field }
    }

    /// An object in a static field; its final `inner` has another one with a
    /// final `number`, and its `size` can change.
    fn trace(number: u64, size: u64) -> Trace {
        let root = LocationName::StaticField { class: "a.S".into(), field: "s".into() };
        let object = |id, found| Object {
            id,
            class: "a.B".into(),
            length: None,
            creator: Some(EpochIndex(0)),
            found_through: FoundThrough::Location(found),
        };
        let content =
            |location, is_fixed, held| Content { epoch: EpochIndex(0), location, is_fixed, held };
        Trace {
            objects: vec![object(10, root), object(20, slot(0, "inner"))],
            contents: vec![
                content(slot(0, "inner"), true, Held::Object(ObjectId(1))),
                content(slot(0, "size"), false, Held::Value(size)),
                content(slot(1, "number"), true, Held::Value(number)),
            ],
            ..Trace::default()
        }
    }

    fn digest(trace: &Trace) -> Option<ValueDigest> {
        let names = LocationNames::new(trace);
        Contents::new(trace, &names).value(&Some(Value::Object { class: "a.B".into(), id: 10 }))
    }

    #[test]
    fn a_reference_is_told_from_others_by_what_can_never_change() {
        assert!(digest(&trace(1, 5)).is_some());
        assert_eq!(digest(&trace(1, 5)), digest(&trace(1, 6)), "that is a location of its own");
        assert_ne!(digest(&trace(1, 5)), digest(&trace(2, 5)));
        let mut unknown = trace(1, 5);
        unknown.contents[2].held = Held::Unknown;
        assert_eq!(digest(&unknown), None);
        let mut numbered = trace(1, 5);
        numbered.objects[0].class = "a.B$$Lambda$3/0x00aa".into();
        assert_eq!(digest(&numbered), None);
    }

    #[test]
    fn what_can_change_is_left_location_by_location() {
        let trace = trace(1, 5);
        let names = LocationNames::new(&trace);
        let left = Contents::new(&trace, &names).left_by(EpochIndex(0));
        let size = names.of(&slot(0, "size"))[0].location;
        assert_eq!(left, HashMap::from([(size, Some(ValueDigest(5)))]));
    }

    #[test]
    fn empty_arrays_are_alike_wherever_they_were_found() {
        let found_in = |field: &str| {
            let mut trace = trace(1, 5);
            trace.objects[1].length = Some(0);
            trace.objects[1].found_through = FoundThrough::Location(slot(0, field));
            let names = LocationNames::new(&trace);
            Contents::new(&trace, &names).shell(ObjectId(1))
        };
        assert_eq!(found_in("inner"), found_in("other"));
    }
}

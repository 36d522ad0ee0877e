//! Numbers for the field references of rewritten code, and what they mean.

use std::sync::Mutex;

use residue_classfile::{FieldIds, FieldReference};
use rustc_hash::FxHashMap;

use crate::knowledge::{Knowledge, lock};
use crate::names::Name;

/// As many as the hook's tables have room for; they are on the Java heap.
pub(crate) const FIELD_LIMIT: usize = 1 << 19;
pub(crate) const STATIC_LIMIT: usize = 1 << 17;

/// Of the hook's tables: the field is not tracked.
pub(crate) const IGNORED: u32 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Reference {
    pub(crate) owner: Name,
    pub(crate) name: Name,
    pub(crate) descriptor: Name,
}

/// Number 0 is not given.
#[derive(Debug)]
struct Numbers {
    of: FxHashMap<Reference, u32>,
    references: Vec<Reference>,
    limit: usize,
}

impl Numbers {
    fn new(limit: usize) -> Self {
        Self { of: FxHashMap::default(), references: Vec::new(), limit }
    }

    fn number(&mut self, reference: Reference) -> Option<u32> {
        if let Some(&known) = self.of.get(&reference) {
            return Some(known);
        }
        let number = self.references.len() + 1;
        if number >= self.limit {
            return None;
        }
        self.references.push(reference);
        self.of.insert(reference, number as u32);
        Some(number as u32)
    }

    fn get(&self, number: u32) -> Option<Reference> {
        self.references.get((number as usize).checked_sub(1)?).copied()
    }
}

#[derive(Debug)]
pub(crate) struct FieldReferences {
    instance: Numbers,
    statics: Numbers,
}

impl FieldReferences {
    pub(crate) fn new() -> Self {
        Self { instance: Numbers::new(FIELD_LIMIT), statics: Numbers::new(STATIC_LIMIT) }
    }

    /// Nothing if there are too many.
    fn number(&mut self, reference: Reference, is_static: bool) -> Option<u32> {
        let numbers = if is_static { &mut self.statics } else { &mut self.instance };
        numbers.number(reference)
    }

    pub(crate) fn field(&self, number: u32) -> Option<Reference> {
        self.instance.get(number)
    }

    pub(crate) fn static_field(&self, number: u32) -> Option<Reference> {
        self.statics.get(number)
    }
}

/// Gives numbers while a class is rewritten. Fields that are known to be
/// ignored get none, so that their accesses stay as they are.
///
/// What is known is locked for each number anew, so that several classes can be
/// rewritten at once.
pub(crate) struct Numbering<'a> {
    knowledge: &'a Mutex<Knowledge>,
    /// Whether classes count that are not loaded yet, but expected.
    is_ahead: bool,
    /// Expected classes whose fields got no number.
    pub(crate) relied_on: Vec<Name>,
    /// References that got no number because there are too many.
    pub(crate) turned_away: u64,
}

impl<'a> Numbering<'a> {
    pub(crate) fn new(knowledge: &'a Mutex<Knowledge>, is_ahead: bool) -> Self {
        Self { knowledge, is_ahead, relied_on: Vec::new(), turned_away: 0 }
    }
}

impl FieldIds for Numbering<'_> {
    fn field(&mut self, field: FieldReference<'_>) -> Option<u32> {
        let Knowledge { registry, rewriting, .. } = &mut *lock(self.knowledge);
        let names = &mut registry.names;
        let reference = Reference {
            owner: names.intern(field.owner),
            name: names.intern(field.name),
            descriptor: names.intern(field.descriptor),
        };
        let before = self.relied_on.len();
        let known = if self.is_ahead {
            registry.resolve_ahead(reference, field.is_static, &mut self.relied_on)
        } else {
            registry.resolve(reference, field.is_static)
        };
        if known.is_some_and(|(_, field)| !field.is_tracked) {
            return None;
        }
        // A number is right whatever the class turns out to be.
        self.relied_on.truncate(before);
        let number = rewriting.references.number(reference, field.is_static);
        self.turned_away += u64::from(number.is_none());
        number
    }
}

//! Numbers for the field references of rewritten code, and what they mean.

use residue_classfile::{FieldIds, FieldReference};
use rustc_hash::FxHashMap;

use crate::names::Name;
use crate::registry::Registry;

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
    /// References that got no number because there are too many.
    pub(crate) turned_away: u64,
}

impl FieldReferences {
    pub(crate) fn new() -> Self {
        Self {
            instance: Numbers::new(FIELD_LIMIT),
            statics: Numbers::new(STATIC_LIMIT),
            turned_away: 0,
        }
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
pub(crate) struct Numbering<'a> {
    pub(crate) registry: &'a mut Registry,
    pub(crate) references: &'a mut FieldReferences,
}

impl FieldIds for Numbering<'_> {
    fn field(&mut self, field: FieldReference<'_>) -> Option<u32> {
        let names = &mut self.registry.names;
        let reference = Reference {
            owner: names.intern(field.owner),
            name: names.intern(field.name),
            descriptor: names.intern(field.descriptor),
        };
        let Reference { owner, name, descriptor } = reference;
        let known = self.registry.resolve(owner, name, descriptor, field.is_static);
        if known.is_some_and(|(_, field)| !field.is_tracked) {
            return None;
        }
        let references = &mut *self.references;
        let numbers =
            if field.is_static { &mut references.statics } else { &mut references.instance };
        let number = numbers.number(reference);
        references.turned_away += u64::from(number.is_none());
        number
    }
}

//! How the JDK's collections keep their elements. What happens inside them is
//! judged by the elements (`ResidueContents`), so that a table that has grown,
//! or another order of growth, makes no difference.

use std::collections::HashMap;

use crate::classes::Classes;
use crate::names::Names;
use crate::shadow::{Form, Owner, Shadow};

/// Longest way from an inner part up to its collection.
const LONGEST_WAY: usize = 1 << 20;

/// How a collection is read; the numbers are those of `ResidueContents`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collection {
    HashMap = 2,
    LinkedHashMap = 3,
    Hashtable = 4,
    ConcurrentHashMap = 5,
    IdentityHashMap = 6,
    WeakHashMap = 7,
    TreeMap = 8,
    ArrayList = 9,
    Vector = 10,
    ArrayDeque = 11,
}

/// The collection that a class of this name is.
pub(crate) fn collection(class: &str) -> Option<Collection> {
    Some(match class {
        "java.util.HashMap" => Collection::HashMap,
        "java.util.LinkedHashMap" => Collection::LinkedHashMap,
        "java.util.Hashtable" => Collection::Hashtable,
        "java.util.concurrent.ConcurrentHashMap" => Collection::ConcurrentHashMap,
        "java.util.IdentityHashMap" => Collection::IdentityHashMap,
        "java.util.WeakHashMap" => Collection::WeakHashMap,
        "java.util.TreeMap" => Collection::TreeMap,
        "java.util.ArrayList" => Collection::ArrayList,
        "java.util.Vector" => Collection::Vector,
        "java.util.ArrayDeque" => Collection::ArrayDeque,
        _ => return None,
    })
}

/// Parts of these collections that hold a key.
const ENTRIES: [&str; 8] = [
    "java.util.HashMap$Node",
    "java.util.HashMap$TreeNode",
    "java.util.LinkedHashMap$Entry",
    "java.util.Hashtable$Entry",
    "java.util.concurrent.ConcurrentHashMap$Node",
    "java.util.concurrent.ConcurrentHashMap$TreeNode",
    "java.util.WeakHashMap$Entry",
    "java.util.TreeMap$Entry",
];

/// Other parts.
const PARTS: [&str; 3] = [
    "java.util.concurrent.ConcurrentHashMap$TreeBin",
    "java.util.concurrent.ConcurrentHashMap$ForwardingNode",
    "java.util.concurrent.ConcurrentHashMap$CounterCell",
];

/// Fields through which a collection, or a part of one, has its parts.
const INNER_FIELDS: [&str; 18] = [
    "table",
    "nextTable",
    "counterCells",
    "head",
    "tail",
    "root",
    "elementData",
    "elements",
    "next",
    "before",
    "after",
    "left",
    "right",
    "parent",
    "prev",
    "first",
    "waiter",
    "lockState",
];

pub(crate) fn is_entry(class: &str) -> bool {
    ENTRIES.contains(&class)
}

fn is_part(class: &str) -> bool {
    is_entry(class) || PARTS.contains(&class)
}

/// What an object belongs to.
enum Above {
    IsCollection,
    /// It is a part of the object with this id, which may be a part in turn.
    Part(u32),
    Nothing,
}

/// Looks objects of the shadow memory up by name.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) shadow: &'a Shadow,
    pub(crate) classes: &'a Classes,
    pub(crate) names: &'a Names,
}

impl Parts<'_> {
    /// The collection that an object is an inner part of, or else the object.
    /// `known` has the answers so far: ways through a list are long and share
    /// most of their steps.
    pub(crate) fn unit_of(self, id: u32, known: &mut HashMap<u32, u32>) -> u32 {
        let mut way = Vec::new();
        let mut here = id;
        let collection = loop {
            if let Some(&unit) = known.get(&here) {
                break (unit != here || self.is_collection_id(here)).then_some(unit);
            }
            way.push(here);
            match self.above(here) {
                Above::IsCollection => break Some(here),
                Above::Part(_) if way.len() == LONGEST_WAY => break None,
                Above::Part(of) => here = of,
                Above::Nothing => break None,
            }
        };
        for part in way {
            known.insert(part, collection.unwrap_or(part));
        }
        collection.unwrap_or(id)
    }

    fn is_collection_id(self, id: u32) -> bool {
        matches!(self.above(id), Above::IsCollection)
    }

    /// What an object is a part of.
    fn above(self, id: u32) -> Above {
        let Some(owner) = self.shadow.owner_with_id(id, id) else { return Above::Nothing };
        let (parent, is_array) = match owner.form {
            Form::Statics => return Above::Nothing,
            Form::Object { parent, .. } => (parent, false),
            Form::Array { parent, .. } => (parent, true),
        };
        if self.is_collection(owner) {
            return Above::IsCollection;
        }
        if !is_array && !self.is_part(owner) {
            return Above::Nothing;
        }
        let Some(above) = self.shadow.owner(parent) else { return Above::Nothing };
        let leads_on = match above.form {
            Form::Statics => false,
            Form::Array { .. } => !is_array,
            Form::Object { .. } => {
                let is_inside = self.is_collection(above) || self.is_part(above);
                is_inside && self.is_inner_slot(above, parent - above.first_slot)
            }
        };
        if leads_on { Above::Part(above.id) } else { Above::Nothing }
    }

    pub(crate) fn is_part(self, owner: Owner) -> bool {
        self.classes.known(owner.class).is_some_and(|class| is_part(&class.shown))
    }

    /// Subclasses too.
    pub(crate) fn is_collection(self, owner: Owner) -> bool {
        let Some(class) = self.classes.known(owner.class) else { return false };
        collection(&class.shown).is_some()
            || class
                .slots
                .iter()
                .flatten()
                .any(|slot| collection(&self.names.binary(slot.class)).is_some())
    }

    /// Whether a slot leads to a part of the collection, not to an element.
    pub(crate) fn is_inner_slot(self, owner: Owner, slot: u32) -> bool {
        let class = self.classes.known(owner.class);
        let field = class.and_then(|class| class.slots.get(slot as usize).copied().flatten());
        field.is_some_and(|field| {
            let class = self.names.binary(field.class);
            let is_inside = collection(&class).is_some() || is_part(&class);
            is_inside && INNER_FIELDS.contains(&self.names.text(field.field).as_str())
        })
    }
}

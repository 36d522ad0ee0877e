//! Everything that could be reached at one moment.

use std::collections::BTreeMap;
use std::sync::Arc;

use residue_model::trace::Name;

use crate::slot::{Slot, element};

/// What an object consists of.
#[derive(Debug)]
pub(crate) enum Contents {
    /// One slot for each field of the class.
    Fields(Vec<Slot>),
    References(Vec<Slot>),
    /// Elements of a primitive type as they lie in memory.
    Primitives(u8, Vec<u8>),
}

impl Contents {
    /// Slots that may refer to other objects.
    pub(crate) fn references(&self) -> &[Slot] {
        match self {
            Self::Fields(slots) | Self::References(slots) => slots,
            Self::Primitives(..) => &[],
        }
    }
}

/// What objects of a class look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) class: Name,
    /// Class that declares it, and name, those of superclasses first.
    pub(crate) fields: Vec<(Name, Name)>,
    /// How it keeps its elements, if it is a collection of the JDK.
    pub(crate) collection: Option<Collection>,
    /// So many of the first fields are how it does that.
    pub(crate) inner_fields: usize,
    /// Whether rules leave out some of the fields.
    pub(crate) hides: bool,
}

impl Shape {
    /// Whether nothing is left that could tell one object from another.
    pub(crate) fn is_opaque(&self) -> bool {
        self.hides && self.fields.is_empty() && self.collection.is_none()
    }
}

/// Collections that are compared by their elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collection {
    HashMap,
    Hashtable,
    ConcurrentHashMap,
    WeakHashMap,
    IdentityHashMap,
    LinkedHashMap,
    TreeMap,
    ArrayList,
    Vector,
    ArrayDeque,
}

impl Collection {
    pub(crate) fn of_class(name: &str) -> Option<Self> {
        Some(match name {
            "java.util.HashMap" => Self::HashMap,
            "java.util.Hashtable" => Self::Hashtable,
            "java.util.concurrent.ConcurrentHashMap" => Self::ConcurrentHashMap,
            "java.util.WeakHashMap" => Self::WeakHashMap,
            "java.util.IdentityHashMap" => Self::IdentityHashMap,
            "java.util.LinkedHashMap" => Self::LinkedHashMap,
            "java.util.TreeMap" => Self::TreeMap,
            "java.util.ArrayList" => Self::ArrayList,
            "java.util.Vector" => Self::Vector,
            "java.util.ArrayDeque" => Self::ArrayDeque,
            _ => return None,
        })
    }
}

/// Where ways begin.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Root {
    /// A static field. Classes of one name are told apart by a number.
    Static { number: u32, class: Name, field: Name },
    /// A thread, or an object that a framework keeps, by its number.
    Object(u32),
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) shape: Arc<Shape>,
    pub(crate) contents: Arc<Contents>,
}

#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    pub(crate) roots: BTreeMap<Root, Slot>,
    /// By number.
    pub(crate) objects: BTreeMap<u32, Node>,
}

/// The elements of a collection, each as key and value; a list has no keys.
#[derive(Debug, Default)]
pub(crate) struct Elements {
    pub(crate) entries: Vec<(Slot, Slot)>,
    pub(crate) is_ordered: bool,
    /// Objects that the collection is made of.
    pub(crate) parts: Vec<u32>,
}

impl Snapshot {
    /// What a field of an object holds, whichever class declares it.
    fn field(&self, object: u32, name: &str) -> Option<&Slot> {
        let node = self.objects.get(&object)?;
        let at = node.shape.fields.iter().rposition(|(_, field)| &**field == name)?;
        match &*node.contents {
            Contents::Fields(slots) => slots.get(at),
            _ => None,
        }
    }

    fn object(&self, object: u32, name: &str) -> Option<u32> {
        self.field(object, name).and_then(number)
    }

    fn count(&self, object: u32, name: &str) -> usize {
        match self.field(object, name) {
            Some(Slot::Primitive(_, bits)) => usize::try_from(*bits).unwrap_or(0),
            _ => 0,
        }
    }

    fn array(&self, object: u32) -> &[Slot] {
        match self.objects.get(&object).map(|node| &*node.contents) {
            Some(Contents::References(elements)) => elements,
            _ => &[],
        }
    }

    /// What is in a collection.
    pub(crate) fn elements(&self, collection: u32, kind: Collection) -> Elements {
        let mut found = Elements::default();
        match kind {
            Collection::HashMap | Collection::Hashtable => {
                self.chains(collection, "key", "value", &mut found);
            }
            Collection::ConcurrentHashMap => {
                self.chains(collection, "key", "val", &mut found);
                if let Some(cells) = self.part(collection, "counterCells", &mut found) {
                    found.parts.extend(self.array(cells).iter().filter_map(number));
                }
            }
            // The collector clears keys, at no test's will.
            Collection::WeakHashMap => self.chains(collection, "referent", "value", &mut found),
            Collection::IdentityHashMap => {
                let table = self.part(collection, "table", &mut found);
                for pair in table.map_or(&[][..], |table| self.array(table)).chunks_exact(2) {
                    if pair[0] != Slot::Null {
                        found.entries.push((pair[0].clone(), pair[1].clone()));
                    }
                }
            }
            Collection::LinkedHashMap => {
                found.is_ordered = true;
                let mut next = self.part(collection, "head", &mut found);
                while let Some(node) = next {
                    self.entry(node, "key", "value", &mut found);
                    next = self.part(node, "after", &mut found);
                }
            }
            Collection::TreeMap => {
                found.is_ordered = true;
                self.tree(collection, &mut found);
            }
            Collection::ArrayList => {
                self.list(collection, "elementData", 0, "size", &mut found);
            }
            Collection::Vector => {
                self.list(collection, "elementData", 0, "elementCount", &mut found);
            }
            Collection::ArrayDeque => {
                let head = self.count(collection, "head");
                self.list(collection, "elements", head, "tail", &mut found);
            }
        }
        found
    }

    /// An object that the collection is made of.
    fn part(&self, object: u32, field: &str, found: &mut Elements) -> Option<u32> {
        let part = self.object(object, field)?;
        found.parts.push(part);
        Some(part)
    }

    fn entry(&self, node: u32, key: &str, value: &str, found: &mut Elements) {
        let slot = |field| self.field(node, field).cloned().unwrap_or(Slot::Null);
        found.entries.push((slot(key), slot(value)));
    }

    /// Tables whose elements are the heads of lists.
    fn chains(&self, map: u32, key: &str, value: &str, found: &mut Elements) {
        let has_null_key = key == "key" && value == "value";
        let Some(table) = self.part(map, "table", found) else { return };
        for head in self.array(table).iter().filter_map(number) {
            found.parts.push(head);
            // Long lists of a concurrent map are behind a node of their own.
            let mut next = self.part(head, "first", found).or(Some(head));
            while let Some(node) = next {
                if has_null_key || self.field(node, key).is_some_and(|key| *key != Slot::Null) {
                    self.entry(node, key, value, found);
                }
                next = self.part(node, "next", found);
            }
        }
    }

    /// In order, by a stack of the nodes whose left side is done next.
    fn tree(&self, map: u32, found: &mut Elements) {
        let mut above = Vec::new();
        let mut here = self.part(map, "root", found);
        while here.is_some() || !above.is_empty() {
            if let Some(node) = here {
                above.push(node);
                here = self.part(node, "left", found);
            } else if let Some(node) = above.pop() {
                self.entry(node, "key", "value", found);
                here = self.part(node, "right", found);
            }
        }
    }

    /// From one index of an array up to another, around its end if need be.
    fn list(&self, list: u32, array: &str, from: usize, end: &str, found: &mut Elements) {
        found.is_ordered = true;
        let to = self.count(list, end);
        let Some(array) = self.part(list, array, found) else { return };
        let elements = self.array(array);
        let (first, second) =
            if from <= to { (from..to, 0..0) } else { (from..elements.len(), 0..to) };
        for index in first.chain(second) {
            let element = elements.get(index).cloned().unwrap_or(Slot::Null);
            found.entries.push((Slot::Null, element));
        }
    }
}

/// The number of the object that a slot refers to.
pub(crate) fn number(slot: &Slot) -> Option<u32> {
    match slot {
        Slot::Object { number, .. } => Some(*number),
        _ => None,
    }
}

/// Elements of an array of a primitive type.
pub(crate) fn primitives(kind: u8, bytes: &[u8]) -> Vec<Slot> {
    bytes.chunks(crate::jvm::width(kind)).map(|bytes| element(kind, bytes)).collect()
}

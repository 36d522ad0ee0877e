//! Whether what common roots lead to is the same before and after a test, up to
//! which objects it is made of.
//!
//! An object that was there before and still is stands for itself. Every other
//! object of one side may stand for one of the other side, one to one, if their
//! classes are the same and all they consist of is. Collections of the JDK
//! consist of their elements; the order counts where it can be seen.
//!
//! Slow and simple on purpose: every object of both snapshots is compared.

use std::collections::{HashMap, HashSet};

use crate::slot::Slot;
use crate::snapshot::{Contents, Elements, Node, Root, Snapshot, number, primitives};

/// Something that is not the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unlike {
    /// The object it is part of; nothing for a static field.
    pub(crate) holder: Option<u32>,
    /// `static a.B#c`, `a.B#c`, `int[]`, or `elements of java.util.HashMap`.
    pub(crate) label: String,
    /// Objects that a collection is made of, before and after.
    pub(crate) parts: Vec<u32>,
}

/// All that is not the same.
pub(crate) fn unlike(before: &Snapshot, after: &Snapshot) -> Vec<Unlike> {
    let mut pairing = Pairing::new(before, after, true);
    let mut found = Vec::new();
    for (root, old) in &before.roots {
        if let (Root::Static { class, field, .. }, Some(new)) = (root, after.roots.get(root))
            && !pairing.are_alike(old, new)
        {
            let label = format!("static {class}#{field}");
            found.push(Unlike { holder: None, label, parts: vec![] });
        }
    }
    let inner: HashSet<u32> = inner_parts(before).chain(inner_parts(after)).collect();
    for (&object, old) in &before.objects {
        if let (Some(new), false) = (after.objects.get(&object), inner.contains(&object)) {
            pairing.compare_with_itself(object, old, new, &mut found);
        }
    }
    found
}

/// Objects that collections are made of: their elements tell it all.
fn inner_parts(snapshot: &Snapshot) -> impl Iterator<Item = u32> {
    let collections = snapshot
        .objects
        .iter()
        .filter_map(|(object, node)| Some((*object, node.shape.collection?)));
    collections.flat_map(|(object, kind)| snapshot.elements(object, kind).parts)
}

/// Whether all of it is the same, even if objects that still are there stand for
/// each other: two equal ones may have changed places.
pub(crate) fn is_isomorphic(before: &Snapshot, after: &Snapshot) -> bool {
    let mut pairing = Pairing::new(before, after, false);
    let common = before.roots.iter().filter_map(|(root, old)| Some((old, after.roots.get(root)?)));
    let slots = common.map(|(old, new)| (old.clone(), new.clone())).collect();
    pairing.settle(slots)
}

struct Pairing<'a> {
    before: &'a Snapshot,
    after: &'a Snapshot,
    /// Whether objects that are on both sides stand for themselves only.
    is_by_identity: bool,
    new_of: HashMap<u32, u32>,
    old_of: HashMap<u32, u32>,
    /// In the order in which they were found, to be taken back.
    pairs: Vec<(u32, u32)>,
}

impl<'a> Pairing<'a> {
    fn new(before: &'a Snapshot, after: &'a Snapshot, is_by_identity: bool) -> Self {
        let (new_of, old_of, pairs) = (HashMap::new(), HashMap::new(), Vec::new());
        Self { before, after, is_by_identity, new_of, old_of, pairs }
    }

    fn compare_with_itself(
        &mut self,
        object: u32,
        old: &Node,
        new: &Node,
        found: &mut Vec<Unlike>,
    ) {
        let class = &old.shape.class;
        let mut tell = |label, parts| found.push(Unlike { holder: Some(object), label, parts });
        match (&*old.contents, &*new.contents) {
            (Contents::Fields(olds), Contents::Fields(news)) => {
                for (at, (old_slot, new_slot)) in olds.iter().zip(news).enumerate() {
                    let (declaring, field) = &old.shape.fields[at];
                    if !self.is_inner(old, at) && !self.are_alike(old_slot, new_slot) {
                        tell(format!("{declaring}#{field}"), vec![]);
                    }
                }
            }
            (Contents::References(olds), Contents::References(news)) => {
                let mut pairs = olds.iter().zip(news);
                if !pairs.all(|(old, new)| self.are_alike(old, new)) {
                    tell(class.to_string(), vec![]);
                }
            }
            (Contents::Primitives(_, olds), Contents::Primitives(_, news)) if olds != news => {
                tell(class.to_string(), vec![]);
            }
            _ => {}
        }
        if let Some(kind) = old.shape.collection {
            let olds = self.before.elements(object, kind);
            let news = self.after.elements(object, kind);
            if !self.have_same(&olds, &news) {
                tell(format!("elements of {class}"), [olds.parts, news.parts].concat());
            }
        }
    }

    /// Whether a field is one through which a collection keeps its elements.
    fn is_inner(&self, node: &Node, field: usize) -> bool {
        node.shape.collection.is_some() && field < node.shape.inner_fields
    }

    fn have_same(&mut self, old: &Elements, new: &Elements) -> bool {
        let known = self.pairs.len();
        let mut pending = Vec::new();
        let same = self.match_elements(old, new, &mut pending) && self.settle(pending);
        if !same {
            self.take_back(known);
        }
        same
    }

    fn are_alike(&mut self, old: &Slot, new: &Slot) -> bool {
        // Most slots: a value, or an object that stands for itself.
        if old == new && (self.is_by_identity || number(old).is_none()) {
            return true;
        }
        let known = self.pairs.len();
        let same = self.settle(vec![(old.clone(), new.clone())]);
        if !same {
            self.take_back(known);
        }
        same
    }

    fn settle(&mut self, mut pending: Vec<(Slot, Slot)>) -> bool {
        while let Some((old, new)) = pending.pop() {
            let same = match (number(&old), number(&new)) {
                (Some(old), Some(new)) => self.match_objects(old, new, &mut pending),
                _ => old == new,
            };
            if !same {
                return false;
            }
        }
        true
    }

    fn match_objects(&mut self, old: u32, new: u32, pending: &mut Vec<(Slot, Slot)>) -> bool {
        if self.is_by_identity {
            if old == new {
                return true;
            }
            let both = |object| {
                self.before.objects.contains_key(&object)
                    && self.after.objects.contains_key(&object)
            };
            if both(old) || both(new) {
                return false;
            }
        }
        match (self.new_of.get(&old), self.old_of.get(&new)) {
            (None, None) => {}
            (known, _) => return known == Some(&new),
        }
        let (Some(one), Some(other)) =
            (self.before.objects.get(&old), self.after.objects.get(&new))
        else {
            return false;
        };
        if one.shape != other.shape || one.shape.is_opaque() && old != new {
            return false;
        }
        self.pair(old, new);
        self.match_contents(old, one, new, other, pending)
    }

    fn match_contents(
        &mut self,
        old: u32,
        one: &Node,
        new: u32,
        other: &Node,
        pending: &mut Vec<(Slot, Slot)>,
    ) -> bool {
        let (olds, news) = match (&*one.contents, &*other.contents) {
            (Contents::Fields(olds), Contents::Fields(news)) => {
                let seen = |slots: &[Slot]| -> Vec<Slot> {
                    let seen = slots.iter().enumerate().filter(|(at, _)| !self.is_inner(one, *at));
                    seen.map(|(_, slot)| slot.clone()).collect()
                };
                (seen(olds), seen(news))
            }
            (Contents::References(olds), Contents::References(news)) => {
                (olds.clone(), news.clone())
            }
            (Contents::Primitives(kind, olds), Contents::Primitives(_, news)) => {
                (primitives(*kind, olds), primitives(*kind, news))
            }
            _ => return false,
        };
        if olds.len() != news.len() {
            return false;
        }
        pending.extend(olds.into_iter().zip(news));
        match one.shape.collection {
            None => true,
            Some(kind) => {
                let olds = self.before.elements(old, kind);
                let news = self.after.elements(new, kind);
                self.match_elements(&olds, &news, pending)
            }
        }
    }

    fn match_elements(
        &mut self,
        old: &Elements,
        new: &Elements,
        pending: &mut Vec<(Slot, Slot)>,
    ) -> bool {
        if old.entries.len() != new.entries.len() {
            return false;
        }
        if old.is_ordered {
            for ((old_key, old_value), (new_key, new_value)) in old.entries.iter().zip(&new.entries)
            {
                pending.push((old_key.clone(), new_key.clone()));
                pending.push((old_value.clone(), new_value.clone()));
            }
            return true;
        }
        // Equal values, and the same object, are the same key; for other keys
        // some entry has to do.
        let mut left: HashMap<&Slot, Vec<&Slot>> = HashMap::new();
        for (key, value) in &new.entries {
            left.entry(key).or_default().push(value);
        }
        let mut others = Vec::new();
        for (key, value) in &old.entries {
            match left.get_mut(key).and_then(Vec::pop) {
                Some(new_value) => pending.push((value.clone(), new_value.clone())),
                None => others.push((key, value)),
            }
        }
        let mut left: Vec<(&Slot, &Slot)> = left
            .into_iter()
            .flat_map(|(key, values)| values.into_iter().map(move |value| (key, value)))
            .collect();
        others.into_iter().all(|(key, value)| {
            let fits = left.iter().position(|(new_key, new_value)| {
                self.are_alike(key, new_key) && self.are_alike(value, new_value)
            });
            fits.map(|at| left.swap_remove(at)).is_some()
        })
    }

    fn pair(&mut self, old: u32, new: u32) {
        self.new_of.insert(old, new);
        self.old_of.insert(new, old);
        self.pairs.push((old, new));
    }

    fn take_back(&mut self, known: usize) {
        for (old, new) in self.pairs.drain(known..) {
            self.new_of.remove(&old);
            self.old_of.remove(&new);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::snapshot::{Collection, Shape};

    fn int(value: i64) -> Slot {
        Slot::Primitive(b'I', value)
    }

    fn object(number: u32) -> Slot {
        Slot::Object { class: "?".into(), number }
    }

    fn shape(class: &str, fields: &[&str], collection: Option<Collection>) -> Shape {
        let inner_fields = if collection.is_some() { fields.len() } else { 0 };
        let fields = fields.iter().map(|field| (class.into(), (*field).into())).collect();
        Shape { class: class.into(), fields, collection, inner_fields, hides: false }
    }

    /// Static fields of `a.S` by name, and objects by number.
    fn snapshot(roots: &[(&str, Slot)], objects: Vec<(u32, Shape, Contents)>) -> Snapshot {
        let root = |(field, slot): &(&str, Slot)| {
            let root = Root::Static { number: 1, class: "a.S".into(), field: (*field).into() };
            (root, slot.clone())
        };
        let object = |(number, shape, contents)| {
            (number, Node { shape: Arc::new(shape), contents: Arc::new(contents) })
        };
        Snapshot {
            roots: roots.iter().map(root).collect(),
            objects: objects.into_iter().map(object).collect(),
        }
    }

    fn point(number: u32, x: i64) -> (u32, Shape, Contents) {
        (number, shape("a.P", &["x"], None), Contents::Fields(vec![int(x)]))
    }

    fn labels(before: &Snapshot, after: &Snapshot) -> Vec<String> {
        unlike(before, after).into_iter().map(|one| one.label).collect()
    }

    #[test]
    fn an_equal_object_in_place_of_another_is_the_same_and_another_value_is_not() {
        let before = snapshot(&[("p", object(1))], vec![point(1, 7)]);
        let equal = snapshot(&[("p", object(2))], vec![point(2, 7)]);
        let other = snapshot(&[("p", object(2))], vec![point(2, 8)]);
        let changed = snapshot(&[("p", object(1))], vec![point(1, 8)]);
        assert_eq!(labels(&before, &equal), [""; 0]);
        assert_eq!(labels(&before, &other), ["static a.S#p"]);
        assert_eq!(labels(&before, &changed), ["a.P#x"]);
        assert!(is_isomorphic(&before, &equal) && !is_isomorphic(&before, &other));
    }

    #[test]
    fn one_shared_object_is_not_two_equal_ones() {
        let before = snapshot(&[("p", object(1)), ("q", object(1))], vec![point(1, 7)]);
        let after = snapshot(&[("p", object(2)), ("q", object(3))], vec![point(2, 7), point(3, 7)]);
        assert_eq!(labels(&before, &after), ["static a.S#q"]);
        assert!(!is_isomorphic(&before, &after));
    }

    #[test]
    fn who_is_still_there_stands_for_itself_though_the_whole_may_be_the_same() {
        let points = || vec![point(1, 7), point(2, 7)];
        let before = snapshot(&[("p", object(1)), ("q", object(2))], points());
        let after = snapshot(&[("p", object(2)), ("q", object(1))], points());
        assert_eq!(labels(&before, &after), ["static a.S#p", "static a.S#q"]);
        assert!(is_isomorphic(&before, &after));
    }

    #[test]
    fn a_circle_comes_to_an_end() {
        let ring = |one, other| {
            let node = |number, next| {
                let fields = Contents::Fields(vec![object(next)]);
                (number, shape("a.N", &["next"], None), fields)
            };
            snapshot(&[("n", object(one))], vec![node(one, other), node(other, one)])
        };
        assert_eq!(labels(&ring(1, 2), &ring(3, 4)), [""; 0]);
        assert!(is_isomorphic(&ring(1, 2), &ring(3, 4)));
    }

    /// A hash map with a table of this size, and entries at these indices.
    fn map(
        map: u32,
        size: usize,
        entries: &[(usize, u32, Slot, Slot)],
    ) -> Vec<(u32, Shape, Contents)> {
        let mut table = vec![Slot::Null; size];
        let fields = &["table"];
        let kind = Some(Collection::HashMap);
        let fields_of_map = Contents::Fields(vec![object(map + 1)]);
        let mut objects = vec![(map, shape("java.util.HashMap", fields, kind), fields_of_map)];
        for (at, number, key, value) in entries {
            table[*at] = object(*number);
            let node = shape("java.util.HashMap$Node", &["key", "value", "next"], None);
            let slots = vec![key.clone(), value.clone(), Slot::Null];
            objects.push((*number, node, Contents::Fields(slots)));
        }
        let array = shape("java.util.HashMap$Node[]", &[], None);
        objects.push((map + 1, array, Contents::References(table)));
        objects
    }

    #[test]
    fn a_map_is_what_is_in_it_however_it_keeps_that() {
        let (a, b) = (Slot::text("a"), Slot::text("b"));
        let entry = |at, number, key: &Slot, value| (at, number, key.clone(), int(value));
        let root = [("m", object(1))];
        let before = snapshot(&root, map(1, 4, &[entry(0, 5, &a, 1), entry(1, 6, &b, 2)]));
        let grown = snapshot(&root, map(1, 8, &[entry(1, 6, &b, 2), entry(4, 5, &a, 1)]));
        let other = snapshot(&root, map(1, 4, &[entry(0, 5, &a, 1), entry(1, 6, &b, 3)]));
        let less = snapshot(&root, map(1, 4, &[entry(0, 5, &a, 1)]));
        assert_eq!(labels(&before, &grown), [""; 0]);
        assert_eq!(labels(&before, &other), ["elements of java.util.HashMap"]);
        assert_eq!(labels(&before, &less), ["elements of java.util.HashMap"]);
    }
}

//! Finds for each write of an epoch the change that it has made.

use std::collections::HashMap;

use residue_model::trace::{LocationName, ObjectId, Trace, Value, Write};

use super::{Comparison, Difference, During, Identities, Reason};
use crate::changes::{Change, Place, Seen};

/// A write of the trace: one field, or one element, or a stretch of elements
/// whose values are not known.
#[derive(Debug)]
struct Told<'a> {
    holder: Option<ObjectId>,
    label: String,
    first: u32,
    last: u32,
    write: &'a Write,
}

/// One epoch.
pub(super) struct Matching<'a> {
    trace: &'a Trace,
    during: &'a During,
    /// Changes that no write has claimed yet.
    left: Vec<Option<&'a Change>>,
    /// Where they are, by what has changed.
    at: HashMap<String, Vec<usize>>,
}

impl<'a> Matching<'a> {
    pub(super) fn new(trace: &'a Trace, changes: &'a [Change], during: &'a During) -> Self {
        let mut at: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, change) in changes.iter().enumerate() {
            at.entry(label(&change.place)).or_default().push(position);
        }
        Self { trace, during, left: changes.iter().map(Some).collect(), at }
    }

    pub(super) fn run(
        mut self,
        writes: &[Write],
        identities: &mut Identities,
        to: &mut Comparison,
    ) {
        let (undone, lasting): (Vec<&Write>, Vec<&Write>) =
            writes.iter().partition(|write| write.is_undone());
        to.undone += undone.len();
        let mut waiting: Vec<Told<'_>> =
            lasting.into_iter().flat_map(|write| self.told(write)).collect();
        // Those that can mean one change only tell which object is which, and that
        // leaves fewer possibilities for the others.
        loop {
            let before = waiting.len();
            waiting.retain(|told| {
                let possible = self.possible(told, identities);
                let sure = matches!(possible.as_slice(), [_])
                    || told.holder.is_some_and(|holder| identities.holders.know(holder.0))
                        && !possible.is_empty();
                if sure {
                    self.agree(told, &possible, identities, to, true);
                }
                !sure
            });
            if waiting.len() == before {
                break;
            }
        }
        for told in waiting {
            let possible = self.possible(&told, identities);
            if possible.is_empty() {
                self.alone(&told, to);
            } else {
                self.agree(&told, &possible, identities, to, false);
            }
        }
        for change in self.left.iter().flatten() {
            if is_cleared_reference(change) {
                to.explain(Reason::Cleared);
            } else {
                let (during, change) = (self.during.clone(), (*change).clone());
                to.differences.push(Difference::Missed { during, change });
            }
        }
    }

    fn told<'w>(&self, write: &'w Write) -> Vec<Told<'w>> {
        let name = &self.trace.location(write.location).name;
        let one = |holder, label, first, last| Told { holder, label, first, last, write };
        match name {
            LocationName::StaticField { class, field } => {
                vec![one(None, format!("static {class}#{field}"), 0, 0)]
            }
            LocationName::Field { object, class, field } => {
                vec![one(Some(*object), format!("{class}#{field}"), 0, 0)]
            }
            LocationName::Elements { object, first, last } => {
                let class = &self.trace.object(*object).class;
                if write.old.is_none() {
                    vec![one(Some(*object), class.to_string(), *first, *last)]
                } else {
                    (*first..=*last)
                        .map(|index| one(Some(*object), class.to_string(), index, index))
                        .collect()
                }
            }
            // No walk over the heap sees it.
            // Seen in the table, which is walked.
            LocationName::SystemProperty { .. } | LocationName::Outside(_) => vec![],
            LocationName::Undescribed { cell } => vec![one(None, format!("cell {cell}"), 0, 0)],
        }
    }

    /// Changes that a write may have made.
    fn possible(&self, told: &Told<'_>, identities: &Identities) -> Vec<usize> {
        let positions = self.at.get(&told.label).map_or(&[][..], Vec::as_slice);
        let fits = |position: &usize| {
            self.left[*position].is_some_and(|change| {
                let object = match (told.holder, object(&change.place)) {
                    (Some(holder), Some(object)) => identities.holders.allow(holder.0, object),
                    (None, None) => true,
                    _ => false,
                };
                object
                    && (told.first..=told.last).contains(&index(&change.place))
                    && is_value(told.write.old.as_ref(), &change.old)
                    && is_value(told.write.new.as_ref(), &change.new)
            })
        };
        positions.iter().copied().filter(fits).collect()
    }

    fn agree(
        &mut self,
        told: &Told<'_>,
        possible: &[usize],
        identities: &mut Identities,
        to: &mut Comparison,
        is_sure: bool,
    ) {
        // A stretch stands for all changes within it.
        let claimed = if told.first == told.last { &possible[..1] } else { possible };
        for &position in claimed {
            let Some(change) = self.left[position].take() else { continue };
            if !is_sure {
                continue;
            }
            if let (Some(holder), Some(object)) = (told.holder, object(&change.place)) {
                identities.holders.pair(holder.0, object);
            }
            let pairs = [(&told.write.old, &change.old), (&told.write.new, &change.new)];
            for (value, seen) in pairs {
                if let (Some(Value::Object { id, .. }), Some(object)) = (value, seen.object) {
                    if !identities.values.allow(*id, object) {
                        let (during, path) = (self.during.clone(), change.path.clone());
                        to.differences.push(Difference::Confused { during, path });
                    }
                    identities.values.pair(*id, object);
                }
            }
        }
        to.agreed += claimed.len();
    }

    fn alone(&self, told: &Told<'_>, to: &mut Comparison) {
        match (&told.write.old, &told.write.new) {
            (Some(old), Some(new)) if old == new => to.explain(Reason::LooksAlike),
            (Some(_), None) if told.holder.is_some() => to.explain(Reason::Gone),
            (None, Some(_)) if told.holder.is_none() => to.explain(Reason::FirstUse),
            (None, None) if told.first < told.last => to.explain(Reason::Stretch),
            (old, new) => {
                let shown =
                    |value: &Option<Value>| value.as_ref().map_or("?".into(), Value::to_string);
                to.differences.push(Difference::Invented {
                    during: self.during.clone(),
                    path: format!("{:#}", self.trace.path(told.write.location)),
                    values: format!("{} -> {}", shown(old), shown(new)),
                });
            }
        }
    }
}

pub(super) fn label(place: &Place) -> String {
    match place {
        Place::Static { class, field } => format!("static {class}#{field}"),
        Place::Field { class, field, .. } => format!("{class}#{field}"),
        Place::Element { class, .. } => class.clone(),
    }
}

fn object(place: &Place) -> Option<u32> {
    match place {
        Place::Static { .. } => None,
        Place::Field { object, .. } | Place::Element { object, .. } => Some(*object),
    }
}

fn index(place: &Place) -> u32 {
    match place {
        Place::Element { index, .. } => *index,
        _ => 0,
    }
}

/// A value that the trace does not tell may be any.
fn is_value(told: Option<&Value>, seen: &Seen) -> bool {
    told.is_none_or(|value| Seen::from(value).text == seen.text)
}

fn is_cleared_reference(change: &Change) -> bool {
    label(&change.place) == "java.lang.ref.Reference#referent" && change.new.text == "null"
}

//! Holds the writes of a trace against what a walk over the heap saw change.
//!
//! The two must agree write by write: same epoch, same field or element, same
//! value before and after, and one object of the trace is one object of the
//! heap throughout. A write that its epoch has undone is no change. Everything
//! else is a difference, but for the few [`Reason`]s that each have a test.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use residue_model::TestId;
use residue_model::trace::{EpochIndex, LocationName, ObjectId, Trace, Value, Write};

use crate::changes::{Change, Changes, Place, Seen};

/// What came of it.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Epochs that both have seen.
    pub epochs: usize,
    /// Writes and changes that are each other's.
    pub agreed: usize,
    /// Writes that their epoch undid, so that the heap shows nothing.
    pub undone: usize,
    /// Writes and changes that cannot be matched, and why.
    pub explained: BTreeMap<Reason, usize>,
    /// Where one of the two is wrong.
    pub differences: Vec<Difference>,
}

/// Why a write or a change may stand alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The trace keeps the beginning of a text only, which is the same before
    /// and after. It does not claim that the text has changed.
    LooksAlike,
    /// The object was collected before its epoch ended.
    Gone,
    /// Elements of a very long array are tracked in stretches without their
    /// values, so an undone write cannot be told.
    Stretch,
    /// The write is what initialised its class, so the trace does not know the
    /// value before it, and it was the same.
    FirstUse,
    /// The collector has cleared a reference, which is no test's doing.
    Cleared,
}

/// Trace and heap disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Something has changed, but the trace has no such write.
    Missed {
        /// In which epoch.
        during: During,
        /// What has changed.
        change: Change,
    },
    /// The trace has a write, but nothing has changed like that.
    Invented {
        /// In which epoch.
        during: During,
        /// The location and how it is reached.
        path: String,
        /// Value before and after.
        values: String,
    },
    /// What is one object to the trace are several on the heap, or the other
    /// way round.
    Confused {
        /// In which epoch.
        during: During,
        /// The location with such an object.
        path: String,
    },
    /// A class was initialised in a way that the walk is not told of.
    Unseen {
        /// In which epoch.
        during: During,
        /// Which class.
        class: String,
    },
    /// They do not have the same epochs.
    Epochs {
        /// What they have.
        text: String,
    },
}

/// An epoch as a reader finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct During {
    /// Its number, from 1.
    pub epoch: usize,
    /// The test it belongs to.
    pub test: TestId,
}

impl Comparison {
    /// Whether there is no difference.
    pub fn is_agreement(&self) -> bool {
        self.differences.is_empty()
    }

    /// Compares all epochs.
    pub fn of(trace: &Trace, changes: &Changes) -> Self {
        let mut comparison = Self::default();
        let told: Vec<_> = trace.epochs.iter().map(|epoch| (epoch.kind, epoch.test)).collect();
        let walked: Vec<_> = changes.epochs.iter().map(|epoch| (epoch.kind, epoch.test)).collect();
        if told != walked || !changes.complete {
            let (told, walked) = (told.len(), walked.len());
            let end = if changes.complete { "" } else { " and no end" };
            let text = format!("the trace has {told} epochs, the heap {walked}{end}");
            comparison.differences.push(Difference::Epochs { text });
            return comparison;
        }
        let mut identities = Identities::default();
        for (index, epoch) in changes.epochs.iter().enumerate() {
            let test = trace.test_of(EpochIndex(index as u32)).clone();
            let during = During { epoch: index + 1, test };
            comparison.epochs += 1;
            comparison.differences.extend(epoch.unseen.iter().map(|class| {
                Difference::Unseen { during: during.clone(), class: class.clone() }
            }));
            Matching::new(trace, &epoch.changes, &during).run(
                &trace.epochs[index].writes,
                &mut identities,
                &mut comparison,
            );
        }
        comparison
    }

    fn explain(&mut self, reason: Reason) {
        *self.explained.entry(reason).or_default() += 1;
    }
}

/// Which object of the trace is which object of the heap. Objects that
/// locations are part of and objects that are values have numbers of their own
/// in a trace.
#[derive(Debug, Default)]
struct Identities {
    holders: Pairs,
    values: Pairs,
}

#[derive(Debug, Default)]
struct Pairs {
    to_heap: HashMap<u32, u32>,
    to_trace: HashMap<u32, u32>,
}

impl Pairs {
    fn allow(&self, of_trace: u32, of_heap: u32) -> bool {
        let known = (self.to_heap.get(&of_trace), self.to_trace.get(&of_heap));
        known.0.is_none_or(|&heap| heap == of_heap) && known.1.is_none_or(|&one| one == of_trace)
    }

    fn know(&self, of_trace: u32) -> bool {
        self.to_heap.contains_key(&of_trace)
    }

    fn pair(&mut self, of_trace: u32, of_heap: u32) {
        self.to_heap.insert(of_trace, of_heap);
        self.to_trace.insert(of_heap, of_trace);
    }
}

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
struct Matching<'a> {
    trace: &'a Trace,
    during: &'a During,
    /// Changes that no write has claimed yet.
    left: Vec<Option<&'a Change>>,
    /// Where they are, by what has changed.
    at: HashMap<String, Vec<usize>>,
}

impl<'a> Matching<'a> {
    fn new(trace: &'a Trace, changes: &'a [Change], during: &'a During) -> Self {
        let mut at: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, change) in changes.iter().enumerate() {
            at.entry(label(&change.place)).or_default().push(position);
        }
        Self { trace, during, left: changes.iter().map(Some).collect(), at }
    }

    fn run(mut self, writes: &[Write], identities: &mut Identities, to: &mut Comparison) {
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

fn label(place: &Place) -> String {
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

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LooksAlike => "long texts of which the trace keeps the same beginning",
            Self::Gone => "objects that were collected before their test ended",
            Self::Stretch => "stretches of very long arrays, whose values are not kept",
            Self::FirstUse => "writes that initialised their class and changed nothing",
            Self::Cleared => "references that the collector has cleared",
        })
    }
}

impl fmt::Display for During {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epoch {} ({})", self.epoch, self.test)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missed { during, change } => {
                let Change { path, old, new, reachable, .. } = change;
                let state = if *reachable { "" } else { ", no longer reachable" };
                write!(f, "missed    {during}: {path}: {} -> {}{state}", old.text, new.text)
            }
            Self::Invented { during, path, values } => {
                write!(f, "invented  {during}: {path}: {values}")
            }
            Self::Confused { during, path } => write!(f, "confused  {during}: {path}"),
            Self::Unseen { during, class } => {
                write!(f, "unseen    {during}: the initialiser of {class}")
            }
            Self::Epochs { text } => write!(f, "epochs    {text}"),
        }
    }
}

#[cfg(test)]
mod tests;

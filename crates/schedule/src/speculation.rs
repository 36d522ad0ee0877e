//! Needs that can be met by values in place of the needed test.
//!
//! A need is simple when all that the test reads of the other are static fields
//! whose values at that point of the reference order are known exactly. Then a
//! worker may run the test without the other if it puts these values in place
//! just before it. This is what such a worker's fields hold at that point of
//! the reference order, so it is right for whoever comes later in that worker
//! too. Whether the other test really leaves these values is checked where it
//! runs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use residue_graph::{DependencyGraph, TestEpochs};
use residue_model::trace::{EpochIndex, EpochKind, LocationId, LocationName, Trace, Value};
use residue_model::{FieldType, FieldValue, Primitive, StaticField};

use crate::data_needs::of_others;
use crate::last_writers::{Inherited, inherited};
use crate::schedule::Lane;

/// Which needs can be met by values.
#[derive(Debug, Clone, Default)]
pub struct Speculation {
    /// By test and needed test.
    simple: BTreeMap<(usize, usize), Vec<KnownValue>>,
    /// The other needs, likewise.
    obstacles: BTreeMap<(usize, usize), Obstacle>,
}

/// What a static field holds when a test begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownValue {
    /// How the trace calls the field.
    pub location: LocationId,
    /// Where.
    pub field: StaticField,
    /// What.
    pub value: FieldValue,
}

/// A need that is met by values.
#[derive(Debug, Clone, Copy)]
pub struct MetByValues<'a> {
    /// The test.
    pub reader: usize,
    /// The test that it needs.
    pub writer: usize,
    /// What it needs of it.
    pub values: &'a [KnownValue],
}

/// Why a need cannot be met by values. If there are several reasons, the first
/// counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Obstacle {
    /// It goes through an object, or through state outside the heap.
    Object,
    /// It goes through a static field that is final, not of the project, or of
    /// a class that several loaders have loaded.
    Field,
    /// The value is not known exactly: an object, a long text, a NaN.
    Value,
    /// A class fixture reads it, or leaves it after its class.
    Fixture,
    /// Static initialisers of the field's class depend on what tests leave.
    Initialiser,
    /// It was tried, and did not hold.
    Refuted,
}

impl Obstacle {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Field => "field",
            Self::Value => "value",
            Self::Fixture => "fixture",
            Self::Initialiser => "initialiser",
            Self::Refuted => "refuted",
        }
    }
}

/// The type of a static field, by class and name, if it can be set: it is one
/// of the project and not final.
pub type SettableFields<'a> = &'a dyn Fn(&str, &str) -> Option<FieldType>;

impl Speculation {
    /// Finds the simple needs of a trace.
    pub fn of(graph: &DependencyGraph<'_>, fields: SettableFields<'_>) -> Self {
        let trace = graph.trace();
        let inherited = inherited(trace);
        let by_test = graph.epochs_by_test();
        let judge = Judge {
            trace,
            fields,
            initialisers: dependent_initialisers(trace, &inherited),
            ambiguous: ambiguous(trace),
        };
        let mut found = Self::default();
        for (reader, epochs) in by_test.iter().enumerate() {
            let mut pairs: BTreeMap<usize, Result<Vec<KnownValue>, Obstacle>> = BTreeMap::new();
            for (epoch, read) in of_others(epochs, &inherited) {
                let writer = trace.epoch(read.writer).test;
                let inside = is_alone(epochs, epoch) && judge.leaves_it(&by_test[writer], read);
                let known = judge.known(read, inside);
                let pair = pairs.entry(writer).or_insert_with(|| Ok(Vec::new()));
                match (pair.as_mut(), known) {
                    (Ok(values), Ok(value)) => values.push(value),
                    (Ok(_), Err(obstacle)) => *pair = Err(obstacle),
                    (Err(before), Err(obstacle)) => *pair = Err(obstacle.min(*before)),
                    (Err(_), Ok(_)) => {}
                }
            }
            for (writer, judged) in pairs.into_iter().filter(|(writer, _)| *writer != reader) {
                match judged {
                    Ok(values) => drop(found.simple.insert((reader, writer), values)),
                    Err(obstacle) => drop(found.obstacles.insert((reader, writer), obstacle)),
                }
            }
        }
        found
    }

    /// Forgets a need that did not hold.
    pub fn refute(&mut self, reader: usize, writer: usize) {
        if self.simple.remove(&(reader, writer)).is_some() {
            self.obstacles.insert((reader, writer), Obstacle::Refuted);
        }
    }

    /// Leaves out needs that nobody asks for.
    pub fn retain(&mut self, mut wanted: impl FnMut(usize, usize) -> bool) {
        self.simple.retain(|(reader, writer), _| wanted(*reader, *writer));
        self.obstacles.retain(|(reader, writer), _| wanted(*reader, *writer));
    }

    /// Whether values can stand in for a test before another.
    pub fn is_simple(&self, reader: usize, writer: usize) -> bool {
        self.simple.contains_key(&(reader, writer))
    }

    /// How many needs are simple.
    pub fn len(&self) -> usize {
        self.simple.len()
    }

    /// Whether no need is simple.
    pub fn is_empty(&self) -> bool {
        self.simple.is_empty()
    }

    /// How many needs are not simple for which reason.
    pub fn obstacles(&self) -> BTreeMap<Obstacle, usize> {
        let mut counted = BTreeMap::new();
        for obstacle in self.obstacles.values() {
            *counted.entry(*obstacle).or_default() += 1;
        }
        counted
    }

    /// The needs that a lane does not meet by running the needed test.
    pub fn met_in(&self, lane: &Lane) -> Vec<MetByValues<'_>> {
        let tests: BTreeSet<usize> = lane.slots.iter().map(|slot| slot.test).collect();
        let all = self.simple.iter().map(|(&(reader, writer), values)| MetByValues {
            reader,
            writer,
            values,
        });
        all.filter(|met| tests.contains(&met.reader) && !tests.contains(&met.writer)).collect()
    }
}

/// Whether an epoch is all there is of a test itself.
fn is_alone(epochs: &TestEpochs, epoch: EpochIndex) -> bool {
    epochs.own == [epoch]
}

struct Judge<'a> {
    trace: &'a Trace,
    fields: SettableFields<'a>,
    initialisers: BTreeSet<&'a str>,
    ambiguous: BTreeSet<LocationId>,
}

impl Judge<'_> {
    /// Whether what is read is there when the test is over that it is of.
    fn leaves_it(&self, writer: &TestEpochs, read: Inherited) -> bool {
        match self.trace.epoch(read.writer).kind {
            EpochKind::Test => is_alone(writer, read.writer),
            // Nobody has written it since, so the first test of the class has not.
            EpochKind::BeforeClass => writer.own.len() == 1,
            EpochKind::AfterClass => false,
        }
    }

    /// What a read finds, if it can be put in place.
    fn known(&self, read: Inherited, inside: bool) -> Result<KnownValue, Obstacle> {
        let LocationName::StaticField { class, field } = &self.trace.location(read.location).name
        else {
            return Err(Obstacle::Object);
        };
        let of = (self.fields)(class, field).ok_or(Obstacle::Field)?;
        if self.ambiguous.contains(&read.location) {
            return Err(Obstacle::Field);
        }
        let mut written = self.trace.epoch(read.writer).writes.iter();
        let left = written.find(|write| write.location == read.location);
        let left = left.and_then(|write| write.new.as_ref());
        let value = left.and_then(|value| exact(value, of)).ok_or(Obstacle::Value)?;
        match () {
            () if !inside => Err(Obstacle::Fixture),
            () if self.initialisers.contains(&**class) => Err(Obstacle::Initialiser),
            () => Ok(KnownValue {
                location: read.location,
                field: StaticField { class: class.to_string(), name: field.to_string() },
                value,
            }),
        }
    }
}

/// Static fields that share their name with another one.
fn ambiguous(trace: &Trace) -> BTreeSet<LocationId> {
    let mut by_name: HashMap<&LocationName, Vec<LocationId>> = HashMap::new();
    for (id, location) in (0..).map(LocationId).zip(&trace.locations) {
        if matches!(location.name, LocationName::StaticField { .. }) {
            by_name.entry(&location.name).or_default().push(id);
        }
    }
    by_name.into_values().filter(|ids| ids.len() > 1).flatten().collect()
}

/// Classes whose static initialisers were seen to read what tests had left.
fn dependent_initialisers<'a>(trace: &'a Trace, inherited: &[Vec<Inherited>]) -> BTreeSet<&'a str> {
    let stacks: BTreeSet<_> = inherited.iter().flatten().filter_map(|read| read.stack).collect();
    let frames = stacks.into_iter().flat_map(|stack| &trace.stacks[stack.index()].frames);
    let frames = frames.map(|frame| &trace.frames[frame.index()]);
    frames.filter(|frame| frame.method == "<clinit>").map(|frame| frame.class.as_str()).collect()
}

/// A value as a trace has it, if nothing was lost on the way.
fn exact(value: &Value, of: FieldType) -> Option<FieldValue> {
    let bits = match (of, value) {
        (FieldType::Text | FieldType::Reference, Value::Null) => return Some(FieldValue::Null),
        (FieldType::Text, Value::Text { text, cut: false }) => {
            // Where there is a replacement character, there may have been anything.
            let whole = !text.contains(char::REPLACEMENT_CHARACTER);
            return whole.then(|| FieldValue::Text(text.to_string()));
        }
        (FieldType::Primitive(Primitive::Boolean), Value::Boolean(value)) => i64::from(*value),
        (FieldType::Primitive(Primitive::Char), Value::Character(unit)) => i64::from(*unit),
        (
            FieldType::Primitive(
                Primitive::Byte | Primitive::Short | Primitive::Int | Primitive::Long,
            ),
            Value::Integer(number),
        ) => *number,
        // NaNs look alike and have different bits.
        (FieldType::Primitive(Primitive::Float), Value::Decimal(text)) => {
            let value = text.parse::<f32>().ok().filter(|value| !value.is_nan())?;
            i64::from(value.to_bits().cast_signed())
        }
        (FieldType::Primitive(Primitive::Double), Value::Decimal(text)) => {
            let value = text.parse::<f64>().ok().filter(|value| !value.is_nan())?;
            value.to_bits().cast_signed()
        }
        _ => return None,
    };
    let FieldType::Primitive(of) = of else { return None };
    Some(FieldValue::Primitive { of, bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn primitive(of: Primitive, value: &Value) -> Option<i64> {
        match exact(value, FieldType::Primitive(of))? {
            FieldValue::Primitive { bits, .. } => Some(bits),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn decimals_come_back_to_the_bit_and_nan_does_not() {
        for value in [0.1_f64, -0.0, f64::MIN_POSITIVE, f64::MAX, f64::NEG_INFINITY, 1e300] {
            let bits = primitive(Primitive::Double, &Value::double(value));
            assert_eq!(bits, Some(value.to_bits().cast_signed()), "{value}");
        }
        for value in [0.1_f32, -0.0, f32::MIN_POSITIVE / 2.0, f32::MAX, f32::INFINITY] {
            let bits = primitive(Primitive::Float, &Value::float(value));
            assert_eq!(bits, Some(i64::from(value.to_bits().cast_signed())), "{value}");
        }
        assert_eq!(primitive(Primitive::Double, &Value::double(f64::NAN)), None);
        assert_eq!(primitive(Primitive::Float, &Value::float(f32::NAN)), None);
    }

    #[test]
    fn a_text_is_known_if_it_is_whole() {
        let text = |text: &str| exact(&Value::text(text), FieldType::Text);
        assert_eq!(text("ü"), Some(FieldValue::Text("ü".into())));
        assert_eq!(text("a lone surrogate: \u{FFFD}"), None);
        assert_eq!(text(&"x".repeat(81)), None);
    }

    #[test]
    fn of_objects_only_null_is_known() {
        let object = Value::Object { class: "a.Data".into(), id: 3 };
        assert_eq!(exact(&object, FieldType::Reference), None);
        assert_eq!(exact(&Value::Null, FieldType::Reference), Some(FieldValue::Null));
        // A box in a field of type Object may be of several types.
        assert_eq!(exact(&Value::Integer(1), FieldType::Reference), None);
        assert_eq!(exact(&Value::Null, FieldType::Primitive(Primitive::Int)), None);
    }
}

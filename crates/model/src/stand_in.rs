//! Stand-ins: values that are put into static fields in place of running the
//! tests that would leave them there.
//!
//! Values are exact to the bit. What a person would read the same, such as two
//! NaNs, is not the same here.

use std::fmt;

use crate::StatePath;

/// A static field of a class on the class path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StaticField {
    /// Binary name of the declaring class.
    pub class: String,
    /// Its name.
    pub name: String,
}

/// The type that a field is declared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FieldType {
    /// A primitive type.
    Primitive(Primitive),
    /// `String`.
    Text,
    /// Any other class, interface or array.
    Reference,
}

/// A primitive type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Primitive {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
}

impl Primitive {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Boolean,
        Self::Byte,
        Self::Char,
        Self::Short,
        Self::Int,
        Self::Long,
        Self::Float,
        Self::Double,
    ];

    /// Its descriptor in class files.
    pub fn descriptor(self) -> u8 {
        match self {
            Self::Boolean => b'Z',
            Self::Byte => b'B',
            Self::Char => b'C',
            Self::Short => b'S',
            Self::Int => b'I',
            Self::Long => b'J',
            Self::Float => b'F',
            Self::Double => b'D',
        }
    }
}

impl FieldType {
    /// The type with this descriptor.
    pub fn of_descriptor(descriptor: &[u8]) -> Self {
        match descriptor {
            [byte] => {
                let known = Primitive::ALL.into_iter().find(|one| one.descriptor() == *byte);
                known.map_or(Self::Reference, Self::Primitive)
            }
            b"Ljava/lang/String;" => Self::Text,
            _ => Self::Reference,
        }
    }
}

/// Exactly what a field holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FieldValue {
    /// `null`.
    Null,
    /// A `String`.
    Text(String),
    /// A primitive.
    Primitive {
        /// Its type.
        of: Primitive,
        /// The number, the character, 0 or 1, or the bits of a `float` or
        /// `double` as they are.
        bits: i64,
    },
}

impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Primitive { of, bits } = self else {
            return match self {
                Self::Text(text) => write!(f, "\"{}\"", text.escape_debug()),
                _ => f.write_str("null"),
            };
        };
        match of {
            Primitive::Boolean => write!(f, "{}", *bits != 0),
            Primitive::Char => match char::from_u32(*bits as u32) {
                Some(character) => write!(f, "'{}'", character.escape_debug()),
                None => write!(f, "'\\u{bits:04x}'"),
            },
            Primitive::Float => write!(f, "{:?}", f32::from_bits(*bits as u32)),
            Primitive::Double => write!(f, "{:?}", f64::from_bits(*bits as u64)),
            _ => write!(f, "{bits}"),
        }
    }
}

impl fmt::Display for StaticField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", crate::trace::simple_class_name(&self.class), self.name)
    }
}

/// What a run shall do to shared state and tell of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StandIns {
    /// Values to put in place.
    pub put: Vec<StandIn>,
    /// Fields to look at.
    pub watched: Vec<WatchedField>,
    /// What to note before the first test and to put back before another.
    pub put_back: Vec<PutBack>,
}

/// A value to put in place just before a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandIn {
    /// Position of the test in the order.
    pub before: usize,
    /// Where.
    pub field: StaticField,
    /// What.
    pub value: FieldValue,
}

/// State that shall be before a test as it was before the first one of the
/// order. Before the first one itself this changes nothing, but the class where
/// the path begins is initialised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutBack {
    /// Position of the test in the order.
    pub before: usize,
    /// Where.
    pub path: StatePath,
}

/// A field to look at when a test is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedField {
    /// Position of the test in the order.
    pub after: usize,
    /// Where.
    pub field: StaticField,
}

impl StandIns {
    /// Whether the run is a run like any other.
    pub fn is_empty(&self) -> bool {
        self.put.is_empty() && self.watched.is_empty() && self.put_back.is_empty()
    }
}

/// What became of the stand-ins of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StandInAccount {
    /// Positions in [`StandIns::put`] of values that could not be put in place,
    /// with the reason.
    pub refused: Vec<(usize, String)>,
    /// Positions in [`StandIns::watched`] with what the field held. Those that
    /// the run never came to are missing.
    pub left: Vec<(usize, FieldContent)>,
    /// Positions in [`StandIns::put_back`] of what could not be noted or put
    /// back, with the reason.
    pub not_put_back: Vec<(usize, String)>,
}

impl StandInAccount {
    /// Why a value could not be put in place.
    pub fn refusal(&self, put: usize) -> Option<&str> {
        self.refused.iter().find(|(at, _)| *at == put).map(|(_, reason)| reason.as_str())
    }

    /// What a watched field held.
    pub fn content(&self, watched: usize) -> Option<&FieldContent> {
        self.left.iter().find(|(at, _)| *at == watched).map(|(_, content)| content)
    }
}

/// What was found in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldContent {
    /// A value that is known exactly.
    Value(FieldValue),
    /// An object, or a text that is no valid Unicode.
    Other,
    /// It could not be read, and why.
    Unreadable(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_look_as_in_java_and_fields_as_in_code() {
        let primitive = |of, bits| FieldValue::Primitive { of, bits }.to_string();
        assert_eq!(primitive(Primitive::Boolean, 1), "true");
        assert_eq!(primitive(Primitive::Char, 0xD800), "'\\ud800'");
        assert_eq!(primitive(Primitive::Long, -7), "-7");
        assert_eq!(primitive(Primitive::Float, i64::from(0.1_f32.to_bits())), "0.1");
        assert_eq!(FieldValue::Text("a\"b".into()).to_string(), "\"a\\\"b\"");
        let field = StaticField { class: "a.b.Config".into(), name: "mode".into() };
        assert_eq!(field.to_string(), "Config.mode");
    }

    #[test]
    fn a_descriptor_tells_the_type() {
        for primitive in Primitive::ALL {
            let type_of = FieldType::of_descriptor(&[primitive.descriptor()]);
            assert_eq!(type_of, FieldType::Primitive(primitive));
        }
        assert_eq!(FieldType::of_descriptor(b"Ljava/lang/String;"), FieldType::Text);
        assert_eq!(FieldType::of_descriptor(b"[I"), FieldType::Reference);
    }
}

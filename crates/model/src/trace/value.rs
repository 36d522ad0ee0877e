//! Values as a person can compare them.

use std::fmt;

use super::digest::{self, Kind};
use super::{Name, simple_class_name};

/// Characters of a text that are kept.
pub const LONGEST_TEXT: usize = 80;

/// What a location held.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// `null`.
    Null,
    /// A `boolean`.
    Boolean(bool),
    /// A `char`: one UTF-16 unit, not always a character.
    Character(u16),
    /// A `byte`, `short`, `int` or `long`, or its box.
    Integer(i64),
    /// A `float` or `double`, or its box, as Java prints it. Kept as text so
    /// that two values are equal exactly when they look equal.
    Decimal(Name),
    /// A `String`, or its beginning.
    Text {
        /// At most [`LONGEST_TEXT`] characters of it.
        text: Name,
        /// Whether there was more.
        cut: bool,
    },
    /// An enum constant, or a class.
    Constant {
        /// Binary name of the enum, or of `Class`.
        class: Name,
        /// Name of the constant, or of the class.
        name: Name,
    },
    /// Any other object.
    Object {
        /// Binary name of its class.
        class: Name,
        /// Tells objects of a trace apart; 0 for one that is not tracked, so
        /// that it cannot be told from others of its class.
        id: u32,
    },
}

impl Value {
    /// A `String`, cut where needed.
    pub fn text(text: &str) -> Self {
        match text.char_indices().nth(LONGEST_TEXT) {
            None => Self::Text { text: text.into(), cut: false },
            Some((end, _)) => Self::Text { text: text[..end].into(), cut: true },
        }
    }

    /// A `float`.
    pub fn float(value: f32) -> Self {
        Self::decimal(f64::from(value), format!("{value:?}"))
    }

    /// A `double`.
    pub fn double(value: f64) -> Self {
        Self::decimal(value, format!("{value:?}"))
    }

    /// Whether the two are one value, as far as a trace can know: texts that
    /// are cut and objects that are not tracked may differ though they look
    /// alike.
    pub fn is_surely(&self, other: &Self) -> bool {
        let doubtful = matches!(self, Self::Text { cut: true, .. } | Self::Object { id: 0, .. });
        self == other && !doubtful
    }

    /// A number that is the same for this value in all runs; none for an object,
    /// which has a content, and for a text that is cut.
    pub fn digest(&self) -> Option<u64> {
        Some(match self {
            Self::Null => digest::of(Kind::Null, 0),
            Self::Boolean(value) => digest::of(Kind::Boolean, u64::from(*value)),
            Self::Character(unit) => digest::of(Kind::Character, u64::from(*unit)),
            Self::Integer(value) => digest::of(Kind::Integer, *value as u64),
            Self::Decimal(text) => digest::of(Kind::Decimal, digest::text(text)),
            Self::Text { text, cut: false } => digest::of_text(digest::text(text)),
            Self::Constant { class, name } => {
                digest::of_constant(digest::text(class), digest::text(name))
            }
            Self::Text { cut: true, .. } | Self::Object { .. } => return None,
        })
    }

    fn decimal(value: f64, finite: String) -> Self {
        let text = if value.is_nan() {
            "NaN".into()
        } else if value.is_infinite() {
            if value > 0.0 { "Infinity".into() } else { "-Infinity".into() }
        } else {
            finite
        };
        Self::Decimal(text.into())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Character(unit) => match char::from_u32(u32::from(*unit)) {
                Some(character) => write!(f, "'{}'", character.escape_debug()),
                None => write!(f, "'\\u{unit:04x}'"),
            },
            Self::Integer(value) => write!(f, "{value}"),
            Self::Decimal(text) => f.write_str(text),
            Self::Text { text, cut } => {
                write!(f, "\"{}\"", text.escape_debug())?;
                if *cut { f.write_str("…") } else { Ok(()) }
            }
            Self::Constant { class, name } if &**class == "java.lang.Class" => {
                write!(f, "{}.class", simple_class_name(name))
            }
            Self::Constant { class, name } => write!(f, "{}.{name}", simple_class_name(class)),
            Self::Object { class, id: 0 } => write!(f, "{}@?", simple_class_name(class)),
            Self::Object { class, id } => write!(f, "{}@{id:x}", simple_class_name(class)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_look_as_a_java_programmer_writes_them() {
        let shown = [
            (Value::Null, "null"),
            (Value::Boolean(true), "true"),
            (Value::Character(u16::from(b'\n')), "'\\n'"),
            (Value::Character(0xD800), "'\\ud800'"),
            (Value::Integer(-7), "-7"),
            (Value::float(0.1), "0.1"),
            (Value::double(1.0), "1.0"),
            (Value::double(f64::NEG_INFINITY), "-Infinity"),
            (Value::text("a\"b\u{7}"), "\"a\\\"b\\u{7}\""),
            (Value::Constant { class: "a.Color".into(), name: "RED".into() }, "Color.RED"),
            (
                Value::Constant { class: "java.lang.Class".into(), name: "a.Data".into() },
                "Data.class",
            ),
            (Value::Object { class: "a.Data".into(), id: 31 }, "Data@1f"),
            (Value::Object { class: "a.Data".into(), id: 0 }, "Data@?"),
        ];
        for (value, text) in shown {
            assert_eq!(value.to_string(), text);
        }
    }

    #[test]
    fn what_looks_alike_is_not_always_the_same() {
        let object = |id| Value::Object { class: "a.Data".into(), id };
        assert!(object(3).is_surely(&object(3)));
        assert!(!object(3).is_surely(&object(4)));
        assert!(!object(0).is_surely(&object(0)));
        let long = Value::text(&"x".repeat(100));
        assert!(!long.is_surely(&long));
        assert!(Value::Null.is_surely(&Value::Null));
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let Value::Text { text, cut } = Value::text(&"ü".repeat(81)) else { panic!() };
        assert_eq!((text.chars().count(), cut), (80, true));
        assert_eq!(Value::text(&"ü".repeat(80)).to_string(), format!("\"{}\"", "ü".repeat(80)));
    }
}

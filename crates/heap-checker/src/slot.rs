//! What a field or element holds.

use std::hash::{DefaultHasher, Hash, Hasher};

use residue_model::trace::{Name, Value};

/// What a field or element holds. Texts, boxes, enum constants and classes are
/// values: what counts is what they say, not which object says it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    Null,
    /// A number, a character or a boolean, or its box: descriptor and bits.
    Primitive(u8, i64),
    /// The beginning of a text, and a digest of the whole.
    Text(Value, u64),
    /// An enum constant or a class.
    Constant {
        class: Name,
        name: Name,
    },
    /// Any other object, by its number.
    Object {
        class: Name,
        number: u32,
    },
}

impl Slot {
    pub(crate) fn text(text: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self::Text(Value::text(text), hasher.finish())
    }

    /// What a static holds before anybody has written it.
    pub(crate) fn untouched(kind: u8) -> Self {
        if kind == b'L' { Self::Null } else { Self::Primitive(kind, 0) }
    }

    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Primitive(b'Z', bits) => Value::Boolean(*bits != 0),
            Self::Primitive(b'C', bits) => Value::Character(*bits as u16),
            Self::Primitive(b'F', bits) => Value::float(f32::from_bits(*bits as u32)),
            Self::Primitive(b'D', bits) => Value::double(f64::from_bits(*bits as u64)),
            Self::Primitive(_, bits) => Value::Integer(*bits),
            Self::Text(value, _) => value.clone(),
            Self::Constant { class, name } => {
                Value::Constant { class: class.clone(), name: name.clone() }
            }
            Self::Object { class, number } => Value::Object { class: class.clone(), id: *number },
        }
    }
}

/// An element of an array of a primitive type from its bytes.
pub(crate) fn element(kind: u8, bytes: &[u8]) -> Slot {
    let mut whole = [0; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    let bits = i64::from_ne_bytes(whole);
    Slot::Primitive(
        kind,
        match kind {
            b'B' => (bits as i8).into(),
            b'S' => (bits as i16).into(),
            b'I' => (bits as i32).into(),
            _ => bits,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_the_value_that_java_gives_them() {
        assert_eq!(element(b'B', &[0xff]).value(), Value::Integer(-1));
        assert_eq!(element(b'S', &(-2_i16).to_ne_bytes()).value(), Value::Integer(-2));
        assert_eq!(element(b'I', &(-3_i32).to_ne_bytes()).value(), Value::Integer(-3));
        assert_eq!(element(b'C', &0xffff_u16.to_ne_bytes()).value(), Value::Character(0xffff));
        assert_eq!(element(b'F', &0.5_f32.to_ne_bytes()).value(), Value::float(0.5));
        assert_eq!(element(b'D', &0.1_f64.to_ne_bytes()).value(), Value::double(0.1));
    }

    #[test]
    fn texts_that_begin_alike_are_told_apart() {
        let long = "x".repeat(100);
        assert_ne!(Slot::text(&long), Slot::text(&(long.clone() + "y")));
        assert_eq!(Slot::text(&long), Slot::text(&long));
    }
}

//! Numbers that are equal for equal values in all runs, so that runs can be
//! compared by content. The agent's hook (`ResidueDigest`) computes some of them
//! inside the JVM: [`mix`] and [`text`] are the same there.

/// Adds one more number.
pub fn mix(digest: u64, more: u64) -> u64 {
    let mixed = (digest ^ more).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 29
}

/// Of the UTF-16 units of a text.
pub fn text(text: &str) -> u64 {
    let units = text.encode_utf16();
    let length = units.clone().count() as u64;
    units.fold(length + 1, |digest, unit| mix(digest, unit.into()))
}

/// Of a string value, by the digest of its text.
pub fn of_text(text: u64) -> u64 {
    mix(Kind::Text as u64, text)
}

/// Of an enum constant, a class, or another object that cannot change, by the
/// digests of its class's name and of what tells it from others of its class.
pub fn of_constant(class: u64, rest: u64) -> u64 {
    mix(mix(Kind::Constant as u64, class), rest)
}

/// Keeps values of different kinds apart.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Null = 1,
    Boolean,
    Character,
    Integer,
    Decimal,
    Text,
    Constant,
}

pub(super) fn of(kind: Kind, bits: u64) -> u64 {
    mix(kind as u64, bits)
}

#[cfg(test)]
mod tests {
    use crate::trace::Value;

    #[test]
    fn equal_values_have_equal_digests_and_others_do_not() {
        let values = [
            Value::Null,
            Value::Boolean(false),
            Value::Integer(0),
            Value::Integer(1),
            Value::Character(0),
            Value::double(0.0),
            Value::double(1.5),
            Value::text(""),
            Value::text("0"),
            Value::text("ab"),
            Value::text("ba"),
            Value::Constant { class: "a.B".into(), name: "C".into() },
            Value::Constant { class: "a.C".into(), name: "B".into() },
        ];
        for (place, one) in values.iter().enumerate() {
            for (other_place, other) in values.iter().enumerate() {
                assert_eq!(one.digest() == other.digest(), place == other_place, "{one} {other}");
            }
        }
        assert!(values.iter().all(|value| value.digest().is_some()));
        assert_eq!(Value::text(&"x".repeat(81)).digest(), None);
        assert_eq!(Value::Object { class: "a.B".into(), id: 7 }.digest(), None);
    }
}

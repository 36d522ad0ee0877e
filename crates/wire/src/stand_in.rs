//! Stand-ins and what became of them, as bytes.

use residue_model::trace::Step;
use residue_model::{FieldContent, FieldValue, Primitive, StandIns, StatePath, StaticField};

use crate::bytes::{Malformed, Put, Reader};

const NULL: u8 = b'N';
const TEXT: u8 = b'T';
const OTHER: u8 = b'O';
const UNREADABLE: u8 = b'E';

pub(crate) fn put_stand_ins(out: &mut Vec<u8>, stand_ins: &StandIns) {
    out.put_list(&stand_ins.put, |out, stand_in| {
        out.put_u32(stand_in.before);
        put_field(out, &stand_in.field);
        put_value(out, &stand_in.value);
    });
    out.put_list(&stand_ins.watched, |out, watched| {
        out.put_u32(watched.after);
        put_field(out, &watched.field);
    });
    out.put_list(&stand_ins.put_back, |out, put_back| {
        out.put_u32(put_back.before);
        put_path(out, &put_back.path);
    });
}

/// A property has no class, and elements of an array have none either.
fn put_path(out: &mut Vec<u8>, path: &StatePath) {
    out.put_optional_text(path.class());
    out.put_text(path.name());
    out.put_list(path.steps(), |out, step| match step {
        Step::Field { class, field } => {
            out.put_optional_text(Some(class));
            out.put_text(field);
        }
        Step::Elements { first, last } => {
            out.put_optional_text(None);
            out.put_u32(*first as usize);
            out.put_u32(*last as usize);
        }
    });
}

fn put_field(out: &mut Vec<u8>, field: &StaticField) {
    out.put_text(&field.class);
    out.put_text(&field.name);
}

/// A primitive is its descriptor and its bits; the other kinds have letters
/// that are no descriptors.
fn put_value(out: &mut Vec<u8>, value: &FieldValue) {
    match value {
        FieldValue::Null => out.put_u8(NULL),
        FieldValue::Text(text) => {
            out.put_u8(TEXT);
            out.put_text(text);
        }
        FieldValue::Primitive { of, bits } => {
            out.put_u8(of.descriptor());
            out.extend_from_slice(&bits.to_be_bytes());
        }
    }
}

pub(crate) fn content(from: &mut Reader<'_>) -> Result<FieldContent, Malformed> {
    Ok(match from.u8()? {
        NULL => FieldContent::Value(FieldValue::Null),
        TEXT => FieldContent::Value(FieldValue::Text(from.text()?)),
        OTHER => FieldContent::Other,
        UNREADABLE => FieldContent::Unreadable(from.text()?),
        kind => {
            let of = Primitive::ALL.into_iter().find(|one| one.descriptor() == kind);
            let of = of.ok_or(Malformed("unknown kind of field content"))?;
            FieldContent::Value(FieldValue::Primitive { of, bits: from.u64()?.cast_signed() })
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values() -> impl Strategy<Value = FieldValue> {
        let primitive = (prop::sample::select(Primitive::ALL.to_vec()), any::<i64>())
            .prop_map(|(of, bits)| FieldValue::Primitive { of, bits });
        prop_oneof![Just(FieldValue::Null), any::<String>().prop_map(FieldValue::Text), primitive]
    }

    proptest! {
        #[test]
        fn a_value_comes_back_as_it_went(value in values()) {
            let mut out = Vec::new();
            put_value(&mut out, &value);
            let mut reader = Reader::new(&out);
            prop_assert_eq!(content(&mut reader), Ok(FieldContent::Value(value)));
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }

    #[test]
    fn what_cannot_be_compared_says_so() {
        let mut reader = Reader::new(b"O");
        assert_eq!(content(&mut reader), Ok(FieldContent::Other));
        let mut reader = Reader::new(b"E\0\0\0\x02no");
        assert_eq!(content(&mut reader), Ok(FieldContent::Unreadable("no".into())));
        assert!(content(&mut Reader::new(b"?")).is_err());
    }
}

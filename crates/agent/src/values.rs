//! Values as the hook takes them apart (`ResidueValues`), put together for the
//! trace.

use std::sync::atomic::{AtomicU32, Ordering};

use jni_sys::jobject;
use residue_model::trace::{LONGEST_TEXT, Value};

use crate::classes::Classes;
use crate::jvm::{Jni, Jvmti};
use crate::names;

/// A character takes at most two UTF-16 units, and one more tells that there is more.
const MOST_UNITS: usize = 2 * LONGEST_TEXT + 1;

/// Set in the numbers of objects that are not tracked.
pub(crate) const UNTRACKED: u32 = 1 << 31;

/// A value in parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) kind: i32,
    pub(crate) bits: i64,
    /// A string or class that belongs to it, or an object that is not tracked.
    pub(crate) shown: jobject,
}

impl Parts {
    pub(crate) fn value(self, jni: Jni, jvmti: Jvmti, classes: &Classes) -> Option<Value> {
        let Self { kind, bits, shown } = self;
        Some(match kind {
            1 => Value::Null,
            2 => Value::Boolean(bits != 0),
            3 => Value::Character(bits as u16),
            4 => Value::Integer(bits),
            5 => Value::float(f32::from_bits(bits as u32)),
            6 => Value::double(f64::from_bits(bits as u64)),
            7 => Value::text(&text(jni, shown)?),
            8 => Value::Constant {
                class: class_name(classes, bits)?.into(),
                name: text(jni, shown)?.into(),
            },
            9 => Value::Constant {
                class: "java.lang.Class".into(),
                name: type_name(jvmti, shown)?.into(),
            },
            10 => {
                let id = if shown.is_null() { bits as u32 } else { identity(jvmti, shown) };
                Value::Object { class: class_name(classes, bits)?.into(), id }
            }
            _ => return None,
        })
    }
}

/// A number for an object that is not tracked. It is kept in the high half of
/// the object's tag, since the low half is for ids; and ids are below 2^31.
fn identity(jvmti: Jvmti, object: jobject) -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let tag = jvmti.tag(object);
    let known = (tag >> 32) as u32;
    let number = if known != 0 { known } else { LAST.fetch_add(1, Ordering::Relaxed) + 1 };
    if known == 0 {
        jvmti.set_tag(object, i64::from(number) << 32 | tag & 0xffff_ffff);
    }
    number | UNTRACKED
}

fn text(jni: Jni, string: jobject) -> Option<String> {
    if string.is_null() {
        return None;
    }
    Some(String::from_utf16_lossy(&jni.string_start(string, MOST_UNITS)))
}

fn class_name(classes: &Classes, bits: i64) -> Option<&str> {
    classes.known((bits >> 32) as u32).map(|class| class.shown.as_str())
}

fn type_name(jvmti: Jvmti, class: jobject) -> Option<String> {
    if class.is_null() {
        return None;
    }
    let signature = jvmti.class_signature(class)?;
    let name = match signature.as_slice() {
        [b'L', name @ .., b';'] => name,
        other => other,
    };
    Some(names::binary(name))
}

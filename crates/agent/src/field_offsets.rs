//! Offsets of fields, from the way HotSpot makes its `jfieldID`s. That is no
//! documented format, so the hook checks it with fields of its own before it is
//! relied upon. The documented ways (`java.lang.reflect.Field`) would load the
//! classes that the fields' types name, which a test might notice.

use jni_sys::jfieldID;

use crate::memory::peek;

/// The low bits: one for checked ids (`-Xcheck:jni`), one for instance fields.
const KIND_BITS: u32 = 2;
const INSTANCE: u64 = 2;
/// A static field's id points to {class, next, offset}.
const OFFSET_IN_STATIC_ID: u64 = 16;

pub(crate) fn offset(id: jfieldID, is_static: bool) -> Option<u32> {
    let raw = id as u64;
    let offset = if is_static {
        if raw == 0 || raw & 3 != 0 {
            return None;
        }
        peek(raw + OFFSET_IN_STATIC_ID)? & 0xffff_ffff
    } else {
        if raw & 3 != INSTANCE {
            return None;
        }
        raw >> KIND_BITS
    };
    u32::try_from(offset).ok().filter(|&offset| offset != 0)
}

//! Annotations of classes and fields, of which only the types matter.

use crate::bytes::{Reader, Truncated};
use crate::pool::Pool;

/// Deeper nesting is no work of a compiler.
const MAX_NESTING: usize = 32;

/// Annotations that cannot be read; nobody asks why.
pub(crate) struct Unreadable;

impl From<Truncated> for Unreadable {
    fn from(_: Truncated) -> Self {
        Self
    }
}

/// Appends the descriptors of the annotations in the content of a
/// `Runtime(In)VisibleAnnotations` attribute, as far as it can be read.
pub(crate) fn append_types<'a>(content: &'a [u8], pool: &Pool<'a>, types: &mut Vec<&'a [u8]>) {
    let mut reader = Reader::new(content);
    let Ok(count) = reader.u2() else { return };
    for _ in 0..count {
        let Ok(index) = reader.u2() else { return };
        if let Ok(name) = pool.utf8(index) {
            types.push(name);
        }
        if skip_elements(&mut reader, 0).is_err() {
            return;
        }
    }
}

/// Skips the elements of an annotation after its type.
pub(crate) fn skip_elements(reader: &mut Reader<'_>, depth: usize) -> Result<(), Unreadable> {
    for _ in 0..reader.u2()? {
        reader.skip(2)?;
        skip_value(reader, depth)?;
    }
    Ok(())
}

fn skip_value(reader: &mut Reader<'_>, depth: usize) -> Result<(), Unreadable> {
    if depth > MAX_NESTING {
        return Err(Unreadable);
    }
    match reader.u1()? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => reader.skip(2)?,
        b'e' => reader.skip(4)?,
        b'@' => {
            reader.skip(2)?;
            skip_elements(reader, depth + 1)?;
        }
        b'[' => {
            for _ in 0..reader.u2()? {
                skip_value(reader, depth + 1)?;
            }
        }
        _ => return Err(Unreadable),
    }
    Ok(())
}

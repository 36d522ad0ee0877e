//! Annotations of classes and members: their types, and whether the constants
//! they name exist.

use crate::bytes::{Reader, Truncated};
use crate::pool::{BadConstant, Pool};

/// Deeper nesting is no work of a compiler.
const MAX_NESTING: usize = 32;

/// Annotations that cannot be read; nobody asks why.
pub(crate) struct Unreadable;

impl From<Truncated> for Unreadable {
    fn from(_: Truncated) -> Self {
        Self
    }
}

/// Whether an attribute of that name lists annotations.
pub(crate) fn are_in(attribute: &[u8]) -> bool {
    matches!(attribute, b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations")
}

/// A constant that annotations name.
#[derive(Clone, Copy)]
enum Named {
    /// The type of one that stands by itself.
    Type(u16),
    /// The name of an element, a value, or the type of one within another.
    Part(u16),
}

/// Appends the descriptors of the annotations in the content of such an
/// attribute, as far as it can be read.
pub(crate) fn append_types<'a>(content: &'a [u8], pool: &Pool<'a>, types: &mut Vec<&'a [u8]>) {
    let mut note = |named| {
        if let Named::Type(index) = named {
            types.extend(pool.utf8(index));
        }
    };
    // What can be read counts.
    let _ = visit(content, &mut note);
}

/// Fails if such an attribute names a constant beyond the end of the pool: the
/// JVM takes such a class and passes over the annotation, but in a pool with
/// more constants it would be one.
pub(crate) fn check_constants(content: &[u8], pool: &Pool<'_>) -> Result<(), BadConstant> {
    let mut missing = None;
    let mut note = |named| {
        let (Named::Type(index) | Named::Part(index)) = named;
        if usize::from(index) >= pool.count() {
            missing.get_or_insert(index);
        }
    };
    // What cannot be read is read by nobody.
    let _ = visit(content, &mut note);
    missing.map_or(Ok(()), |index| Err(BadConstant { index, expected: "part of an annotation" }))
}

/// Skips the elements of an annotation after its type.
pub(crate) fn skip_elements(reader: &mut Reader<'_>) -> Result<(), Unreadable> {
    visit_elements(reader, 0, &mut |_| {})
}

fn visit(content: &[u8], note: &mut dyn FnMut(Named)) -> Result<(), Unreadable> {
    let mut reader = Reader::new(content);
    for _ in 0..reader.u2()? {
        note(Named::Type(reader.u2()?));
        visit_elements(&mut reader, 0, note)?;
    }
    Ok(())
}

fn visit_elements(
    reader: &mut Reader<'_>,
    depth: usize,
    note: &mut dyn FnMut(Named),
) -> Result<(), Unreadable> {
    for _ in 0..reader.u2()? {
        note(Named::Part(reader.u2()?));
        visit_value(reader, depth, note)?;
    }
    Ok(())
}

fn visit_value(
    reader: &mut Reader<'_>,
    depth: usize,
    note: &mut dyn FnMut(Named),
) -> Result<(), Unreadable> {
    if depth > MAX_NESTING {
        return Err(Unreadable);
    }
    match reader.u1()? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => {
            note(Named::Part(reader.u2()?));
        }
        b'e' => {
            note(Named::Part(reader.u2()?));
            note(Named::Part(reader.u2()?));
        }
        b'@' => {
            note(Named::Part(reader.u2()?));
            visit_elements(reader, depth + 1, note)?;
        }
        b'[' => {
            for _ in 0..reader.u2()? {
                visit_value(reader, depth + 1, note)?;
            }
        }
        _ => return Err(Unreadable),
    }
    Ok(())
}

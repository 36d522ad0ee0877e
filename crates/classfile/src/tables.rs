//! Lines, local variables and handlers at their new places.

use crate::bytes::{Reader, put_u16};
use crate::code::Code;
use crate::decline::MethodDecline;
use crate::layout::Relocation;

/// Writes the exception table with its length.
pub(crate) fn handlers(
    code: &Code<'_>,
    relocation: &Relocation<'_>,
    out: &mut Vec<u8>,
) -> Result<(), MethodDecline> {
    let handlers = code.handlers();
    // Their number came from 16 bit.
    put_u16(out, handlers.len() as u16);
    for handler in handlers {
        put_u16(out, relocation.target(usize::from(handler.start))?);
        put_u16(out, relocation.end(usize::from(handler.end))?);
        put_u16(out, relocation.target(usize::from(handler.target))?);
        put_u16(out, handler.catch_type);
    }
    Ok(())
}

/// Writes the content of a `LineNumberTable`.
pub(crate) fn line_numbers(
    content: &[u8],
    relocation: &Relocation<'_>,
    out: &mut Vec<u8>,
) -> Result<(), MethodDecline> {
    table(content, out, |reader, out| {
        let start = usize::from(reader.u2()?);
        put_u16(out, relocation.scope(start)?);
        put_u16(out, reader.u2()?);
        Ok(())
    })
}

/// Writes the content of a `LocalVariableTable` or `LocalVariableTypeTable`.
pub(crate) fn local_variables(
    content: &[u8],
    relocation: &Relocation<'_>,
    out: &mut Vec<u8>,
) -> Result<(), MethodDecline> {
    table(content, out, |reader, out| {
        range(reader, relocation, out)?;
        out.extend_from_slice(reader.take(6)?);
        Ok(())
    })
}

/// Writes a table that is the whole content of an attribute: how many entries,
/// then each as `entry` reads and writes it.
pub(crate) fn table<'a>(
    content: &'a [u8],
    out: &mut Vec<u8>,
    mut entry: impl FnMut(&mut Reader<'a>, &mut Vec<u8>) -> Result<(), MethodDecline>,
) -> Result<(), MethodDecline> {
    let mut reader = Reader::new(content);
    entries(&mut reader, out, &mut entry)?;
    if reader.is_at_end() { Ok(()) } else { Err(MethodDecline::TrailingBytes) }
}

/// The same for a table that something else follows.
pub(crate) fn entries<'a>(
    reader: &mut Reader<'a>,
    out: &mut Vec<u8>,
    mut entry: impl FnMut(&mut Reader<'a>, &mut Vec<u8>) -> Result<(), MethodDecline>,
) -> Result<(), MethodDecline> {
    let count = reader.u2()?;
    put_u16(out, count);
    (0..count).try_for_each(|_| entry(reader, out))
}

/// Reads a start and a length, and writes both.
pub(crate) fn range(
    reader: &mut Reader<'_>,
    relocation: &Relocation<'_>,
    out: &mut Vec<u8>,
) -> Result<(), MethodDecline> {
    let start = usize::from(reader.u2()?);
    let end = start + usize::from(reader.u2()?);
    let new_start = relocation.scope(start)?;
    put_u16(out, new_start);
    put_u16(out, relocation.scope(end)?.saturating_sub(new_start));
    Ok(())
}

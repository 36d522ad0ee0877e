//! Type annotations inside code, at their new places.

use crate::annotations::skip_elements;
use crate::bytes::{Reader, put_u16};
use crate::decline::MethodDecline;
use crate::layout::Relocation;
use crate::tables;

/// Writes the content of a `Runtime(In)VisibleTypeAnnotations` attribute of a
/// `Code` attribute.
pub(crate) fn relocate(
    content: &[u8],
    relocation: &Relocation<'_>,
    out: &mut Vec<u8>,
) -> Result<(), MethodDecline> {
    tables::table(content, out, |reader, out| {
        target(reader, relocation, out)?;
        let start = reader.position();
        let path_length = reader.u1()?;
        reader.skip(usize::from(path_length) * 2)?;
        reader.skip(2)?;
        skip_elements(reader).map_err(|_| MethodDecline::Truncated)?;
        out.extend_from_slice(&content[start..reader.position()]);
        Ok(())
    })
}

fn target(
    reader: &mut Reader<'_>,
    relocation: &Relocation<'_>,
    out: &mut Vec<u8>,
) -> Result<(), MethodDecline> {
    let target = reader.u1()?;
    out.push(target);
    match target {
        // A local variable or a resource: its ranges.
        0x40 | 0x41 => tables::entries(reader, out, |reader, out| {
            tables::range(reader, relocation, out)?;
            out.extend_from_slice(reader.take(2)?);
            Ok(())
        })?,
        // A handler, by its number.
        0x42 => out.extend_from_slice(reader.take(2)?),
        // instanceof, new and method references: their instruction.
        0x43..=0x46 => put_u16(out, relocation.instruction(usize::from(reader.u2()?))?),
        // Casts and type arguments: their instruction and a number.
        0x47..=0x4b => {
            put_u16(out, relocation.instruction(usize::from(reader.u2()?))?);
            out.push(reader.u1()?);
        }
        _ => return Err(MethodDecline::UnknownAnnotationTarget { target }),
    }
    Ok(())
}

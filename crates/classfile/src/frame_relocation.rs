//! Stack map frames at their new places.

use crate::bytes::put_u16;
use crate::decline::MethodDecline;
use crate::frames::{Change, Frames, Types, verification};
use crate::layout::Relocation;
use crate::tables::table;

/// Writes the content of a `StackMapTable`.
pub(crate) fn stack_map_table(
    content: &[u8],
    relocation: &Relocation<'_>,
    out: &mut Vec<u8>,
) -> Result<(), MethodDecline> {
    let mut frames = Frames::new(content)?;
    put_u16(out, frames.count);
    let mut next = 0;
    while let Some(frame) = frames.next()? {
        let at = relocation.target(frame.at)?;
        // Places grow with the original ones, so the delta is not negative.
        let delta = at.checked_sub(next).ok_or(MethodDecline::BadOffset { offset: frame.at })?;
        next = at.saturating_add(1);
        let short = u8::try_from(delta).ok().filter(|&delta| delta < 64);
        match frame.change {
            Change::Same => put_tag(out, short, 251, delta),
            Change::SameLocalsOneStackItem(stack) => {
                put_tag(out, short.map(|delta| 64 + delta), 247, delta);
                put_types(out, stack, relocation)?;
            }
            Change::Chop(count) => put_tag(out, None, 251 - count, delta),
            Change::Append(locals) => {
                put_tag(out, None, 251 + locals.count as u8, delta);
                put_types(out, locals, relocation)?;
            }
            Change::Full { locals, stack } => {
                put_tag(out, None, 255, delta);
                put_u16(out, locals.count);
                put_types(out, locals, relocation)?;
                put_u16(out, stack.count);
                put_types(out, stack, relocation)?;
            }
        }
    }
    Ok(())
}

fn put_tag(out: &mut Vec<u8>, short: Option<u8>, long: u8, delta: u16) {
    match short {
        Some(tag) => out.push(tag),
        None => {
            out.push(long);
            put_u16(out, delta);
        }
    }
}

/// An uninitialised object is known by its `new` instruction, not by what may
/// be inserted before that.
fn put_types(
    out: &mut Vec<u8>,
    types: Types<'_>,
    relocation: &Relocation<'_>,
) -> Result<(), MethodDecline> {
    for one in types.iter() {
        out.push(one.tag);
        match one.operand {
            Some(at) if one.tag == verification::UNINITIALIZED => {
                put_u16(out, relocation.instruction(usize::from(at))?);
            }
            Some(class) => put_u16(out, class),
            None => {}
        }
    }
    Ok(())
}

/// Writes the content of a `StackMap`, the form for small devices in classes
/// before version 50: full frames with absolute places.
pub(crate) fn stack_map(
    content: &[u8],
    relocation: &Relocation<'_>,
    out: &mut Vec<u8>,
) -> Result<(), MethodDecline> {
    table(content, out, |reader, out| {
        put_u16(out, relocation.target(usize::from(reader.u2()?))?);
        for _ in ["locals", "stack"] {
            let count = reader.u2()?;
            put_u16(out, count);
            put_types(out, Types::read(content, reader, count)?, relocation)?;
        }
        Ok(())
    })
}

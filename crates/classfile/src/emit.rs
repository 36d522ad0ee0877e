//! Writes a `Code` attribute with all edits carried out.

use crate::bytes::{i16_at, i32_at, put_u16, put_u32};
use crate::code::Code;
use crate::decline::MethodDecline;
use crate::edits::{BranchForm, Edit, EditKind};
use crate::frame_relocation;
use crate::layout::{Layout, Relocation};
use crate::opcode as op;
use crate::pool::Pool;
use crate::shape::{known_length, switch_body};
use crate::tables;
use crate::type_annotations;

/// The length of `if.. goto_w`, after which an inverted branch continues.
const AROUND_WIDE_LENGTH: u16 = 8;

/// Writes the content of the attribute.
///
/// Attributes of the code that are not known are left out: the JVM must ignore
/// them, and whether they hold places that are wrong now cannot be told.
pub(crate) fn code_attribute(
    code: &Code<'_>,
    max_stack: u16,
    relocation: &Relocation<'_>,
    pool: &Pool<'_>,
    out: &mut Vec<u8>,
) -> Result<(), MethodDecline> {
    put_u16(out, max_stack);
    put_u16(out, code.max_locals);
    put_u32(out, relocation.layout.code_length() as u32);
    instructions(code.instructions, relocation, out);
    tables::handlers(code, relocation, out)?;
    let count_at = out.len();
    put_u16(out, 0);
    let mut count: u16 = 0;
    for attribute in code.attributes.iter(pool) {
        let relocate = match attribute.name {
            b"LineNumberTable" => tables::line_numbers,
            b"LocalVariableTable" | b"LocalVariableTypeTable" => tables::local_variables,
            b"StackMapTable" => frame_relocation::stack_map_table,
            b"StackMap" => frame_relocation::stack_map,
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                type_annotations::relocate
            }
            _ => continue,
        };
        put_u16(out, attribute.name_index);
        let length_at = out.len();
        put_u32(out, 0);
        relocate(attribute.content, relocation, out)?;
        let length = (out.len() - length_at - 4) as u32;
        out[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
        count += 1;
    }
    out[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
    Ok(())
}

fn instructions(original: &[u8], relocation: &Relocation<'_>, out: &mut Vec<u8>) {
    let Relocation { layout, edits, .. } = relocation;
    out.extend_from_slice(&edits.inserted[..edits.entry_length]);
    let mut copied = 0;
    for edit in &edits.list {
        let at = edit.at;
        out.extend_from_slice(&original[copied..at]);
        copied = at;
        match edit.kind {
            EditKind::Insert { from, to } => {
                out.extend_from_slice(&edits.inserted[from..to]);
                continue;
            }
            EditKind::CallInstead { method } => {
                out.push(op::INVOKESTATIC);
                put_u16(out, method);
            }
            EditKind::ShortBranch { form } => short_branch(original, edit, form, layout, out),
            EditKind::LongBranch => {
                out.push(original[at]);
                put_offset(original, edit, at + 1, layout, out);
            }
            EditKind::Switch => switch(original, edit, layout, out),
        }
        copied = at + known_length(original, at);
    }
    out.extend_from_slice(&original[copied..]);
}

fn short_branch(
    original: &[u8],
    edit: &Edit,
    form: BranchForm,
    layout: &Layout,
    out: &mut Vec<u8>,
) {
    let opcode = original[edit.at];
    let target = edit.at.wrapping_add_signed(isize::from(i16_at(original, edit.at + 1)));
    let distance = layout.distance(edit.place, target);
    match form {
        BranchForm::AsIs => {
            out.push(opcode);
            put_u16(out, (distance as i16).cast_unsigned());
        }
        BranchForm::Wide => {
            out.push(if opcode == op::GOTO { op::GOTO_W } else { op::JSR_W });
            put_u32(out, distance.cast_unsigned());
        }
        BranchForm::AroundWide => {
            out.push(op::inverted(opcode));
            put_u16(out, AROUND_WIDE_LENGTH);
            out.push(op::GOTO_W);
            // It stands three bytes after where the branch begins.
            put_u32(out, (distance - 3).cast_unsigned());
        }
    }
}

fn switch(original: &[u8], edit: &Edit, layout: &Layout, out: &mut Vec<u8>) {
    let &Edit { at, place, .. } = edit;
    out.push(original[at]);
    let padding = switch_body(place) - place - 1;
    out.extend_from_slice(&[0; 3][..padding]);
    let body = switch_body(at);
    put_offset(original, edit, body, layout, out);
    let end = at + known_length(original, at);
    if original[at] == op::TABLESWITCH {
        out.extend_from_slice(&original[body + 4..body + 12]);
        for case in (body + 12..end).step_by(4) {
            put_offset(original, edit, case, layout, out);
        }
    } else {
        out.extend_from_slice(&original[body + 4..body + 8]);
        for pair in (body + 8..end).step_by(8) {
            out.extend_from_slice(&original[pair..pair + 4]);
            put_offset(original, edit, pair + 4, layout, out);
        }
    }
}

/// Writes the offset of 32 bit that the instruction holds at `operand`.
fn put_offset(original: &[u8], edit: &Edit, operand: usize, layout: &Layout, out: &mut Vec<u8>) {
    let target = edit.at.wrapping_add_signed(i32_at(original, operand) as isize);
    put_u32(out, layout.distance(edit.place, target).cast_unsigned());
}

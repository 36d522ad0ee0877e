//! The code of hook calls.

use crate::bytes::put_u16;
use crate::decline::MethodDecline;
use crate::descriptor::Kind;
use crate::extension::Extension;
use crate::hook::Hook;
use crate::opcode as op;
use crate::plan::EntryCall;

/// Slots that the code of each hook needs above the operands of the access.
pub(crate) fn needed_slots(hook: Hook) -> usize {
    match hook {
        Hook::StaticRead | Hook::StaticWrite | Hook::StaticWriteRef | Hook::Cloning => 1,
        Hook::Reached | Hook::Initializing | Hook::Initialized => 1,
        Hook::Read | Hook::Write | Hook::WriteRef => 2,
        Hook::ElementRead | Hook::ElementWrite | Hook::ElementWriteRef => 2,
        Hook::ClassInitialized => 0,
    }
}

/// Copies the operands that the hook takes to the top of the stack. For writes
/// `value_slots` is the size of the value that lies above them.
pub(crate) fn put_operands(out: &mut Vec<u8>, hook: Hook, value_slots: usize) {
    let shuffle: &[u8] = match (hook, value_slots) {
        (Hook::StaticRead | Hook::StaticWrite | Hook::StaticWriteRef, _) => &[],
        (Hook::ClassInitialized, _) => &[],
        (Hook::Reached | Hook::Initializing | Hook::Initialized, _) => &[],
        (Hook::Read | Hook::Cloning, _) => &[op::DUP],
        (Hook::ElementRead, _) => &[op::DUP2],
        (Hook::Write | Hook::WriteRef, 1) => &[op::DUP2, op::POP],
        (Hook::Write | Hook::WriteRef, _) => &[op::DUP2_X1, op::POP2, op::DUP_X2],
        (Hook::ElementWrite | Hook::ElementWriteRef, 1) => &[op::DUP_X2, op::POP, op::DUP2_X1],
        (Hook::ElementWrite | Hook::ElementWriteRef, _) => &[op::DUP2_X2, op::POP2, op::DUP2_X2],
    };
    out.extend_from_slice(shuffle);
}

/// Pushes the number of a field, a block or a class.
pub(crate) fn put_number(
    out: &mut Vec<u8>,
    number: u32,
    extension: &mut Extension<'_>,
) -> Result<(), MethodDecline> {
    match number {
        0..=5 => out.push(op::ICONST_0 + number as u8),
        6..=127 => out.extend_from_slice(&[op::BIPUSH, number as u8]),
        128..=32_767 => {
            out.push(op::SIPUSH);
            put_u16(out, number as u16);
        }
        _ => {
            let index = extension.number(number)?;
            match u8::try_from(index) {
                Ok(index) => out.extend_from_slice(&[op::LDC, index]),
                Err(_) => {
                    out.push(op::LDC_W);
                    put_u16(out, index);
                }
            }
        }
    }
    Ok(())
}

pub(crate) fn put_call(out: &mut Vec<u8>, method: u16) {
    out.push(op::INVOKESTATIC);
    put_u16(out, method);
}

/// Passes the first arguments of the method on, and tells how many slots that
/// takes.
pub(crate) fn put_entry(
    out: &mut Vec<u8>,
    entry: &EntryCall,
    extension: &mut Extension<'_>,
) -> Result<usize, MethodDecline> {
    let mut local = 0;
    for &kind in &entry.arguments {
        put_load(out, kind, local);
        local += kind.slots();
    }
    put_call(out, extension.named(&entry.target)?);
    Ok(local)
}

fn put_load(out: &mut Vec<u8>, kind: Kind, local: usize) {
    let type_number = match kind {
        Kind::Int => 0,
        Kind::Long => 1,
        Kind::Float => 2,
        Kind::Double => 3,
        Kind::Reference => 4,
    };
    match local {
        0..=3 => out.push(op::ILOAD_0 + type_number * 4 + local as u8),
        4..=255 => out.extend_from_slice(&[op::ILOAD + type_number, local as u8]),
        // A method has at most 255 slots of parameters.
        _ => {
            out.extend_from_slice(&[op::WIDE, op::ILOAD + type_number]);
            put_u16(out, local as u16);
        }
    }
}

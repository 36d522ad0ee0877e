//! What locations hold at the end of an epoch, as the hook tells it
//! (`ResidueHoldings`), made comparable between runs.

use std::sync::atomic::Ordering;

use residue_model::trace::{Value, digest};
use residue_wire::trace::{Content, Holds};

use crate::agent::Agent;
use crate::classes::Classes;
use crate::memory::Region;

const ENTRY_BYTES: usize = 24;
const FIXED: u32 = 1 << 8;

/// Takes what is at this address over into the recording.
pub(crate) fn take(agent: &Agent, address: usize, entries: usize) {
    let Some(buffer) = agent.shadow.tables.at(address) else { return };
    let knowledge = agent.knowledge();
    let contents = (0..entries)
        .map(|entry| content(buffer.part(entry * ENTRY_BYTES, ENTRY_BYTES), &knowledge.classes));
    agent.recording().contents.extend(contents);
}

fn content(entry: Region, classes: &Classes) -> (u32, Content) {
    let number = |at| entry.u32(at).load(Ordering::Relaxed);
    let (cell, kind, class) = (number(0), number(4), number(16));
    let bits = entry.u64(8).load(Ordering::Relaxed);
    let holds = holds(kind & !FIXED, bits, class, classes).unwrap_or(Holds::Unknown);
    (cell, Content { holds, is_fixed: kind & FIXED != 0 })
}

/// Kinds are those of `ResidueValues` and `ResidueDigest`.
fn holds(kind: u32, bits: u64, class: u32, classes: &Classes) -> Option<Holds> {
    let value = match kind {
        1 => Value::Null,
        2 => Value::Boolean(bits != 0),
        3 => Value::Character(bits as u16),
        4 => Value::Integer(bits as i64),
        5 => Value::float(f32::from_bits(bits as u32)),
        6 => Value::double(f64::from_bits(bits)),
        7 if bits != 0 => return Some(Holds::Value(digest::of_text(bits))),
        10 if bits as u32 != 0 => return Some(Holds::Object(bits as u32)),
        11 if bits != 0 => {
            let class = classes.known(class)?.digest()?;
            return Some(Holds::Value(digest::of_constant(class, bits)));
        }
        12 => return Some(Holds::Value(digest::mix(kind.into(), bits))),
        _ => return None,
    };
    value.digest().map(Holds::Value)
}

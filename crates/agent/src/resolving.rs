//! From the numbers of field references to slots and cells.

use residue_model::trace::GapKind;

use crate::agent::Agent;
use crate::classes::Weak;
use crate::field_references::IGNORED;
use crate::jvm::Jni;
use crate::options::Captures;
use crate::recording::{EarlyWrite, Write};

pub(crate) fn resolve_field(agent: &Agent, field: u32) -> Option<u32> {
    let knowledge = &mut *agent.knowledge();
    let reference = knowledge.rewriting.references.field(field)?;
    let registry = &mut knowledge.registry;
    let resolved = registry.resolve(reference, false);
    let Some((class, field)) = resolved else {
        let detail = format!("{} is unknown", registry.names.binary(reference.owner));
        agent.gap(GapKind::Undescribed, &detail);
        return None;
    };
    let (class, position, is_tracked) = (class.name, field.position, field.is_tracked);
    let slot = registry.slot(class, position);
    (is_tracked && slot < u32::from(u16::MAX) - 2).then_some(slot + 2)
}

/// 0 as long as the class is not there.
pub(crate) fn resolve_static(agent: &Agent, jni: Jni, field: u32) -> u32 {
    let cell = {
        let knowledge = &mut *agent.knowledge();
        let Some(reference) = knowledge.rewriting.references.static_field(field) else {
            return IGNORED;
        };
        let resolved = knowledge.registry.resolve(reference, true);
        let Some((class, field)) = resolved else { return 0 };
        if !field.is_tracked {
            return IGNORED;
        }
        let (class, position) = (class.name, field.position);
        agent.describing(jni, knowledge).static_cell(class, position).unwrap_or(0)
    };
    if cell != 0 {
        settle_early_writes(agent, jni);
    }
    cell
}

/// Writes to statics that came before their class become ordinary ones as soon
/// as the class is there.
pub(crate) fn settle_early_writes(agent: &Agent, jni: Jni) {
    let early = std::mem::take(&mut agent.recording().early_writes);
    for write in early {
        let EarlyWrite { field, now, stack } = write;
        let resolved = {
            let knowledge = &mut *agent.knowledge();
            let reference = knowledge.rewriting.references.static_field(field);
            let found = reference.and_then(|reference| knowledge.registry.resolve(reference, true));
            match found.map(|(class, field)| (class.name, field.position, field.is_tracked)) {
                Some((_, _, false)) => continue,
                Some((class, position, true)) => {
                    agent.describing(jni, knowledge).static_cell(class, position)
                }
                None => None,
            }
        };
        let Some(cell) = resolved else {
            agent.recording().early_writes.push(write);
            continue;
        };
        agent.shadow.mark_written(cell, now);
        let Some(owner) = agent.shadow.owner(cell) else { continue };
        let mirror = agent.knowledge().classes.mirror(jni, owner.class);
        let holder = mirror.and_then(|mirror| {
            let weak = jni.weak(mirror).map(Weak);
            jni.delete_local(mirror);
            weak
        });
        let (old, new, is_told) = (None, None, true);
        let write = Write { holder, id: owner.id, cell, now, stack, is_told, old, new };
        agent.recording().add_write(write);
        if agent.captures != Captures::Nothing {
            agent.polluting().early.push(cell);
        }
    }
}

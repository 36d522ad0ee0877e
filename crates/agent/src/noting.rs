//! Accesses that are the first of their epoch, with their stacks.

use residue_model::trace::GapKind;

use crate::agent::Agent;
use crate::classes::Weak;
use crate::initialising::{self, Progress};
use crate::jvm::Jni;
use crate::recording::Write;
use crate::shadow::Form;
use crate::stacks::{Numbered, RawStack};

/// Whether the read counts: what frameworks look at for themselves does not,
/// and must not hide that the test looks at it too.
pub(crate) fn read_with_stack(agent: &Agent, jni: Jni, id: u32, cell: u32, now: u32) -> bool {
    let owner = agent.shadow.owner_with_id(id, cell);
    let is_array = owner.is_some_and(|owner| matches!(owner.form, Form::Array { .. }));
    {
        let mut recording = agent.recording();
        if is_array {
            if let Some(stack) = recording.array_stack(id, now, false) {
                recording.add_read(cell, now, Some(stack));
                return true;
            }
        } else if let Some(owner) = owner
            && matches!(owner.form, Form::Object { .. })
            && !recording.wants_stack(owner.class, cell - owner.first_slot)
        {
            recording.add_read(cell, now, None);
            return true;
        }
    }
    let raw = RawStack::take(agent.jvmti);
    let recording = &mut *agent.recording();
    let stack = recording.stacks.number(&raw, agent.jvmti, jni, &mut recording.writer);
    if stack.machinery_only || is_of_internals(agent, stack, cell) {
        return false;
    }
    if is_array {
        recording.set_array_stack(id, now, false, stack.id);
    }
    recording.add_read(cell, now, Some(stack.id));
    true
}

pub(crate) fn wrote(agent: &Agent, jni: Jni, mut write: Write) {
    let owner = agent.shadow.owner_with_id(write.id, write.cell);
    if let Some(owner) = owner.filter(|owner| owner.form == Form::Statics) {
        match initialising::progress(agent, jni, owner.class) {
            Progress::Initialised => {}
            Progress::Initialising => {
                if let Some(Weak(holder)) = write.holder {
                    jni.delete_weak(holder);
                }
                return agent.recording().initialiser_writes.push((owner.id, write.cell));
            }
            // The initialiser comes first, and may write it too.
            Progress::Untouched => write.old = None,
        }
    }
    let is_array = owner.is_some_and(|owner| matches!(owner.form, Form::Array { .. }));
    if is_array {
        let mut recording = agent.recording();
        write.stack = recording.array_stack(write.id, write.now, true);
        if write.stack.is_some() {
            return recording.add_write(write);
        }
    }
    let raw = RawStack::take(agent.jvmti);
    let recording = &mut *agent.recording();
    let stack = recording.stacks.number(&raw, agent.jvmti, jni, &mut recording.writer);
    write.stack = Some(stack.id);
    let is_for_itself = stack.once || is_of_internals(agent, stack, write.cell);
    write.is_told = agent.tells_all || !is_for_itself;
    if is_array && write.is_told {
        recording.set_array_stack(write.id, write.now, true, stack.id);
    }
    recording.add_write(write);
}

/// What the JDK's internals keep for each thread is like their statics, buffers
/// and caches that nobody else sees.
fn is_of_internals(agent: &Agent, stack: Numbered, cell: u32) -> bool {
    stack.by_internals && agent.shadow.is_of_thread(cell)
}

/// Reflection uses method handles too since JDK 18, and has told of the access.
pub(crate) fn method_handle(agent: &Agent, jni: Jni) {
    let raw = RawStack::take(agent.jvmti);
    if !agent.recording().stacks.is_through_reflection(&raw, agent.jvmti, jni) {
        agent.gap(GapKind::MethodHandle, "");
    }
}

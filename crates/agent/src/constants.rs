//! Numbers that the hook asks for, see `ResidueLimits`.

use std::ffi::CStr;

use jni_sys::{jint, jlong};

use crate::agent::Agent;
use crate::field_references::{FIELD_LIMIT, STATIC_LIMIT};
use crate::hook;
use crate::jvm::Jni;
use crate::shadow::STACK_ENTRIES;

pub(crate) fn constant(agent: &Agent, jni: Jni, which: jint) -> jlong {
    let shadow = &agent.shadow;
    (match which {
        0 => usize::from(agent.marks_allowed),
        1 => shadow.cells_base(),
        2 => shadow.cell_limit(),
        3 => shadow.classes_base(),
        4 => shadow.control_base(),
        5 => shadow.logs_base(),
        6 => shadow.log_entries(),
        7 => shadow.stacks.base(),
        8 => STACK_ENTRIES,
        9 => return thread_native_part(agent, jni),
        10 => FIELD_LIMIT,
        11 => STATIC_LIMIT,
        12 => shadow.blocks_base(),
        13 => usize::from(agent.jvmti.jdk_version() < 12),
        14 => return probe_offset(agent, jni, c"java/lang/ResidueLimits", b"probe"),
        15 => return probe_offset(agent, jni, c"java/lang/ResidueMarkProbe", b"probe"),
        16 => agent.captures as usize,
        17 => agent.watching().flags_base(),
        _ => 0,
    }) as jlong
}

fn probe_offset(agent: &Agent, jni: Jni, class: &CStr, field: &[u8]) -> jlong {
    jni.find_class(class).map_or(0, |class| hook::offset_of(agent, class, field))
}

fn thread_native_part(agent: &Agent, jni: Jni) -> jlong {
    let Some(class) = jni.find_class(c"java/lang/Thread") else { return 0 };
    if let Some(field) = jni.instance_field(class, c"eetop", c"J") {
        agent.set_thread_native_part(field);
    }
    hook::offset_of(agent, class, b"eetop")
}

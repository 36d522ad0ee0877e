//! Where adoption starts: the statics of classes.

use jni_sys::{jclass, jint};

use crate::agent::Agent;
use crate::classes::Weak;
use crate::jvm::Jni;
use crate::prepared::{Prepared, prepared};
use crate::stacks::RawStack;

/// All classes whose statics matter become known, and are listed.
pub(crate) fn collect_classes(agent: &Agent, jni: Jni) -> jint {
    let mut listed = Vec::new();
    for class in agent.jvmti.loaded_classes() {
        let state = agent.jvmti.class_state(class);
        let may_matter = state.prepared && !state.has_no_fields;
        if may_matter
            && matches!(prepared(agent, jni, class), Prepared::Single | Prepared::Double(_))
        {
            listed.extend(jni.weak(class).map(Weak));
        }
        jni.delete_local(class);
    }
    let count = listed.len() as jint;
    agent.lists().classes = listed;
    count
}

/// The innermost class on the stack that is not the hook's.
pub(crate) fn initialized_class(agent: &Agent, jni: Jni) -> Option<jclass> {
    for frame in RawStack::take(agent.jvmti).frames() {
        let class = agent.jvmti.method_class(frame.method)?;
        let signature = agent.jvmti.class_signature(class)?;
        if !signature.starts_with(b"Ljava/lang/Residue") {
            return Some(class);
        }
        jni.delete_local(class);
    }
    None
}

//! Where adoption starts: the statics of classes.

use jni_sys::{jclass, jint};

use crate::agent::Agent;
use crate::classes::{Prepared, Weak};
use crate::jvm::Jni;
use crate::stacks::RawStack;

/// All classes whose statics matter become known, and are listed.
pub(crate) fn collect_classes(agent: &Agent, jni: Jni) -> jint {
    let mut listed = Vec::new();
    let mut knowledge = agent.knowledge();
    for class in agent.jvmti.loaded_classes() {
        let state = agent.jvmti.class_state(class);
        if state.prepared && !state.has_no_fields {
            let prepared = agent.describing(jni, &mut knowledge).prepared(class);
            let matters = matches!(prepared, Prepared::Single | Prepared::Double(_));
            if matters {
                listed.extend(jni.weak(class).map(Weak));
            }
        }
        jni.delete_local(class);
    }
    drop(knowledge);
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

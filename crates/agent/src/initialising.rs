//! Writes to statics of a class that is not initialised yet. Code of an
//! initialiser itself is not watched, but the methods it calls are.

use jni_sys::jclass;

use crate::agent::Agent;
use crate::jvm::{Frame, Jni};

/// Frames among which an initialiser is looked for.
const DEEPEST: usize = 10_000;

/// How far a class has come when one of its statics is about to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    Initialised,
    /// Its initialiser is what writes: that is nobody's doing.
    Initialising,
    /// It is this write that initialises the class, before anything is written.
    Untouched,
}

pub(crate) fn progress(agent: &Agent, jni: Jni, class: u32) -> Progress {
    let Some(mirror) = agent.knowledge().classes.mirror(jni, class) else {
        return Progress::Initialised;
    };
    let progress = if agent.jvmti.class_state(mirror).initialized {
        Progress::Initialised
    } else if is_in_initialiser(agent, jni, mirror) {
        Progress::Initialising
    } else {
        Progress::Untouched
    };
    jni.delete_local(mirror);
    progress
}

fn is_in_initialiser(agent: &Agent, jni: Jni, class: jclass) -> bool {
    let nothing = Frame { method: std::ptr::null_mut(), location: 0 };
    let mut frames = vec![nothing; DEEPEST];
    let count = agent.jvmti.stack(&mut frames);
    frames[..count].iter().any(|frame| {
        let Some(declaring) = agent.jvmti.method_class(frame.method) else { return false };
        let found = jni.is_same(declaring, class)
            && agent
                .jvmti
                .method_name(frame.method, declaring)
                .is_some_and(|name| name.method == "<clinit>");
        jni.delete_local(declaring);
        found
    })
}

/// The initialiser is through: whoever writes these statics next does so on the
/// test's account, also in the same epoch.
pub(crate) fn over(agent: &Agent, jni: Jni, class: jclass) {
    if agent.recording().initialiser_writes.is_empty() {
        return;
    }
    let statics = {
        let mut knowledge = agent.knowledge();
        agent.describing(jni, &mut knowledge).describe(class)
    };
    agent.recording().initialiser_writes.retain(|&(id, cell)| {
        let is_of_class = Some(id) == statics;
        if is_of_class {
            agent.shadow.forget_accesses(cell);
        }
        !is_of_class
    });
}

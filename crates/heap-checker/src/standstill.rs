//! While a boundary is passed no other thread may write: what one of the two
//! sees before it and the other behind it would look like a mistake.

use std::time::Duration;

use jni_sys::jobject;

use crate::heap::Jvm;

const HOOK: &str = "Ljava/lang/Residue";

/// Lets all threads but this one stand still. Those that are within the hook may
/// go on until they have left it, since they may hold its lock.
pub(crate) fn begin(jvm: Jvm, this_thread: jobject) {
    let mut moving = jvm.jvmti.threads();
    moving.retain(|thread| {
        let other = !jvm.jni.is_same(*thread, this_thread);
        if !other {
            jvm.jni.delete_local(*thread);
        }
        other
    });
    while !moving.is_empty() {
        jvm.jvmti.suspend(&moving);
        moving.retain(|thread| {
            let busy = is_in_hook(jvm, *thread);
            if !busy {
                jvm.jni.delete_local(*thread);
            }
            busy
        });
        if !moving.is_empty() {
            jvm.jvmti.resume(&moving);
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Lets all threads go on.
pub(crate) fn end(jvm: Jvm) {
    let threads = jvm.jvmti.threads();
    jvm.jvmti.resume(&threads);
    threads.into_iter().for_each(|thread| jvm.jni.delete_local(thread));
}

fn is_in_hook(jvm: Jvm, thread: jobject) -> bool {
    let mut found = false;
    for class in jvm.jvmti.innermost_classes(thread) {
        found |= jvm.jvmti.signature(class).starts_with(HOOK);
        jvm.jni.delete_local(class);
    }
    found
}

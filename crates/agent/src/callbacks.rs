//! What the JVM calls when something happens.

use std::ffi::{CStr, c_char, c_uchar};

use jni_sys::{JNIEnv, jclass, jint, jobject};
use residue_model::trace::GapKind;

use crate::agent::{Agent, guarded};
use crate::jvm::{Callbacks, Event, JvmtiEnv};
use crate::prepared::{Prepared, prepared};
use crate::{hook, jni_table, thread_stacks};

type Env = *mut JvmtiEnv;

pub(crate) fn enable(agent: &Agent) -> bool {
    let callbacks = Callbacks {
        vm_start: Some(vm_start),
        vm_death: Some(vm_death),
        thread_end: Some(thread_end),
        class_file_load_hook: Some(class_file_load_hook),
        class_prepare: Some(class_prepare),
        ..Callbacks::default()
    };
    let events = [Event::ClassFileLoadHook, Event::VmStart, Event::VmDeath, Event::ThreadEnd];
    agent.jvmti.set_callbacks(&callbacks)
        && events.into_iter().all(|event| agent.jvmti.enable(event))
}

unsafe extern "system" fn vm_start(_: Env, env: *mut JNIEnv) {
    // SAFETY: the JVM gives the environment of the current thread.
    unsafe {
        guarded(env, (), |agent, jni| {
            if let Err(why) = hook::install(agent, jni) {
                agent.stop(&why);
            }
        });
    }
}

unsafe extern "system" fn vm_death(_: Env, _env: *mut JNIEnv) {
    if let Some(agent) = Agent::get() {
        // A panic here has nobody to tell any more, but must not get out.
        let _ = std::panic::catch_unwind(|| agent.cut_short());
    }
}

unsafe extern "system" fn thread_end(_: Env, env: *mut JNIEnv, thread: jobject) {
    // SAFETY: the JVM gives the environment of the current thread.
    unsafe {
        guarded(env, (), |agent, jni| {
            if let Some(field) = agent.thread_native_part() {
                let native_part = jni.long_field(thread, field);
                thread_stacks::remove(agent.shadow.stacks, native_part as u64);
            }
        });
    }
}

unsafe extern "system" fn class_prepare(_: Env, env: *mut JNIEnv, _: jobject, class: jclass) {
    // SAFETY: the JVM gives the environment of the current thread.
    unsafe {
        guarded(env, (), |agent, jni| {
            match prepared(agent, jni, class) {
                Prepared::Boring => return,
                Prepared::Single => {}
                Prepared::Hidden(name) => return agent.gap(GapKind::HiddenClass, &name),
                Prepared::Double(name) => {
                    let detail =
                        format!("{name}: statics of two classes of that name are not told apart");
                    agent.gap(GapKind::LayoutUnknown, &detail);
                }
            }
            agent.class_loaded(jni, class);
            jni_table::class_prepared(env, class);
        });
    }
}

unsafe extern "system" fn class_file_load_hook(
    _: Env,
    env: *mut JNIEnv,
    _redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _protection_domain: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    let load = |agent: &'static Agent, jni| {
        // SAFETY: the JVM gives a name that ends with a zero byte, or none.
        let name = if name.is_null() { b"" } else { unsafe { CStr::from_ptr(name) }.to_bytes() };
        if name.starts_with(b"java/lang/Residue") {
            return;
        }
        if name == hook::LINKING_CLASS && !agent.is_linked() && !env.is_null() {
            hook::link(agent, jni);
        }
        // SAFETY: the JVM gives that many bytes, which stay until the event is over.
        let bytes =
            unsafe { std::slice::from_raw_parts(bytes, usize::try_from(length).unwrap_or(0)) };
        let Some(rewritten) = agent.rewrite(name, bytes, loader.is_null()) else { return };
        let (Ok(length), Some(memory)) =
            (jint::try_from(rewritten.len()), agent.jvmti.allocate(&rewritten))
        else {
            return;
        };
        // SAFETY: the JVM has given places for the answer.
        unsafe {
            *new_length = length;
            *new_bytes = memory;
        }
    };
    // SAFETY: the body does not use JNI where it may not be there yet.
    unsafe { guarded(env, (), load) };
}

//! The native methods of the hook (`ResidueNative`), each a thin step into the
//! parts that do the work.

use std::ffi::c_void;
use std::ptr::null_mut;

use jni_sys::{JNIEnv, jclass, jint, jlong, jobject};
use residue_model::trace::{Counts, EpochKind, GapKind};

use crate::agent::{Agent, Pending, guarded};
use crate::classes::Weak;
use crate::field_references::IGNORED;
use crate::jvm::{Jni, NativeMethod};
use crate::recording::{EarlyWrite, Write};
use crate::stacks::RawStack;
use crate::values::Parts;
use crate::{
    collecting, constants, holdings, hook, initialising, memory, noting, outside, resolving,
    thread_stacks,
};

pub(crate) type Env = *mut JNIEnv;

/// Characters of the key of a property that are told.
const LONGEST_KEY: usize = 200;

macro_rules! natives {
    ($($(#[$note:meta])* fn $java:ident$descriptor:literal
        ($agent:ident, $jni:ident $(, $name:ident: $type:ty)*) $(-> $answer:ty = ($harmless:expr))?
        $body:block)*) => {
        $(
            $(#[$note])*
            #[allow(non_snake_case, reason = "named as in Java")]
            unsafe extern "system" fn $java(env: Env, _: jclass $(, $name: $type)*) $(-> $answer)? {
                #[allow(unused_variables, reason = "not every method needs both")]
                let body = |$agent: &'static Agent, $jni: Jni| $body;
                // SAFETY: the JVM gives the environment of the current thread.
                unsafe { guarded(env, ($($harmless)?), body) }
            }
        )*

        /// All of them, to be linked before the hook runs.
        pub(crate) fn methods() -> Vec<NativeMethod> {
            vec![$(NativeMethod {
                name: const { as_c_str(concat!(stringify!($java), "\0")) },
                descriptor: const { as_c_str(concat!($descriptor, "\0")) },
                function: $java as *mut c_void,
            }),*]
        }
    };
}

pub(crate) use natives;

pub(crate) const fn as_c_str(text: &'static str) -> &'static std::ffi::CStr {
    match std::ffi::CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("names have no zero byte inside"),
    }
}

natives! {
    fn constant "(I)J" (agent, jni, which: jint) -> jlong = (0) {
        constants::constant(agent, jni, which)
    }

    fn failed "(Ljava/lang/Object;)V" (agent, jni, what: jobject) {
        let text = describe_failure(agent, jni, what);
        agent.stop(&text);
    }

    fn marksUnknown "()V" (agent, jni) {
        agent.gap(GapKind::LayoutUnknown, "slow mode: objects are looked up by their tags");
    }

    fn identityHash "(Ljava/lang/Object;)I" (agent, jni, object: jobject) -> jint = (0) {
        agent.jvmti.identity_hash(object).unwrap_or(0)
    }

    fn inflate "(Ljava/lang/Object;)V" (agent, jni, object: jobject) {
        // To lock from native code makes a monitor, which stays for a while.
        if jni.monitor_enter(object) {
            jni.monitor_exit(object);
        }
    }

    fn peek "(J)J" (agent, jni, address: jlong) -> jlong = (0) {
        memory::peek(address as u64).map_or(0, |value| value as jlong)
    }

    fn registerStack "(J)V" (agent, jni, thread: jlong) {
        thread_stacks::register(agent.shadow.stacks, thread as u64);
    }

    fn tag "(Ljava/lang/Object;)I" (agent, jni, object: jobject) -> jint = (0) {
        agent.jvmti.tag(object) as jint
    }

    fn setTag "(Ljava/lang/Object;I)V" (agent, jni, object: jobject, id: jint) {
        agent.jvmti.set_tag(object, jlong::from(id));
    }

    fn resolveField "(I)I" (agent, jni, field: jint) -> jint = (IGNORED as jint) {
        resolving::resolve_field(agent, field as u32).unwrap_or(IGNORED) as jint
    }

    fn resolveStatic "(I)I" (agent, jni, field: jint) -> jint = (IGNORED as jint) {
        resolving::resolve_static(agent, jni, field as u32) as jint
    }

    fn writeUnresolved "(II)V" (agent, jni, field: jint, now: jint) {
        let stack = RawStack::take(agent.jvmti);
        let mut recording = agent.recording();
        let recording = &mut *recording;
        let stack = recording.stacks.number(&stack, agent.jvmti, jni, &mut recording.writer);
        let early = EarlyWrite { field: field as u32, now: now as u32, stack: Some(stack.id) };
        recording.early_writes.push(early);
    }

    fn describe "(Ljava/lang/Class;)I" (agent, jni, class: jclass) -> jint = (0) {
        let mut knowledge = agent.knowledge();
        agent.describing(jni, &mut knowledge).describe(class).unwrap_or(0) as jint
    }

    fn staticsOf "(I)I" (agent, jni, cell: jint) -> jint = (0) {
        agent.shadow.owner(cell as u32).map_or(0, |owner| owner.id as jint)
    }

    fn mirror "(I)Ljava/lang/Class;" (agent, jni, id: jint) -> jobject = (null_mut()) {
        let class = agent.shadow.class_of(id as u32);
        agent.knowledge().classes.mirror(jni, class).unwrap_or(null_mut())
    }

    fn slotOf "(ILjava/lang/String;Z)I" (
        agent, jni, class: jint, field: jobject, is_static: u8
    ) -> jint = (-1) {
        let name = String::from_utf16_lossy(&jni.string_start(field, usize::from(u16::MAX)));
        let mut knowledge = agent.knowledge();
        let mut describing = agent.describing(jni, &mut knowledge);
        let slot = describing.slot_of(class as u32, name.as_bytes(), is_static != 0);
        slot.map_or(-1, |slot| slot as jint)
    }

    fn readWithStack "(III)Z" (agent, jni, id: jint, cell: jint, now: jint) -> u8 = (1) {
        u8::from(noting::read_with_stack(agent, jni, id as u32, cell as u32, now as u32))
    }

    fn wrote "(Ljava/lang/Object;IIIIJLjava/lang/Object;)V" (
        agent, jni, holder: jobject, id: jint, cell: jint, now: jint, kind: jint, bits: jlong,
        shown: jobject
    ) {
        let parts = Parts { kind, bits, shown };
        let write = Write {
            holder: if holder.is_null() { None } else { jni.weak(holder).map(Weak) },
            id: id as u32,
            cell: cell as u32,
            now: now as u32,
            stack: None,
            is_told: true,
            old: parts.value(jni, agent.jvmti, &agent.knowledge().classes),
            new: None,
        };
        noting::wrote(agent, jni, write);
    }

    fn criticalLinking "()V" (agent, jni) {
        outside::expect_critical_calls();
    }

    fn beginEpoch "(II)V" (agent, jni, kind: jint, position: jint) {
        outside::begin_epoch(kind, position as u32);
        let kind = match kind {
            0 => EpochKind::BeforeClass,
            2 => EpochKind::AfterClass,
            _ => EpochKind::Test,
        };
        agent.recording().begin_epoch(kind, position as u32);
        agent.polluting().epoch_begins();
        agent.watching().epoch_begins();
    }

    fn endEpoch "(I)I" (agent, jni, now: jint) -> jint = (0) {
        resolving::settle_early_writes(agent, jni);
        agent.watching().epoch_ends();
        agent.recording().end_epoch(now as u32) as jint
    }

    fn holder "(I)Ljava/lang/Object;" (agent, jni, write: jint) -> jobject = (null_mut()) {
        let weak = agent.recording().ended.get(write as usize).and_then(|write| write.holder);
        weak.and_then(|Weak(weak)| jni.local(weak)).unwrap_or(null_mut())
    }

    fn place "(I)J" (agent, jni, write: jint) -> jlong = (0) {
        let recording = agent.recording();
        let place = recording.ended.get(write as usize).map(|write| (write.id, write.cell));
        place.map_or(0, |(id, cell)| jlong::from(id) << 32 | jlong::from(cell))
    }

    fn isTold "(I)Z" (agent, jni, write: jint) -> u8 = (1) {
        let recording = agent.recording();
        u8::from(recording.ended.get(write as usize).is_none_or(|write| write.is_told))
    }

    fn newValue "(IIJLjava/lang/Object;)V" (
        agent, jni, write: jint, kind: jint, bits: jlong, shown: jobject
    ) {
        let parts = Parts { kind, bits, shown };
        let value = parts.value(jni, agent.jvmti, &agent.knowledge().classes);
        if let Some(write) = agent.recording().ended.get_mut(write as usize) {
            write.new = value;
        }
    }

    fn holdings "(JI)V" (agent, jni, address: jlong, entries: jint) {
        holdings::take(agent, address as usize, entries as usize);
    }

    fn classDigest "(I)J" (agent, jni, class: jint) -> jlong = (0) {
        let knowledge = agent.knowledge();
        let digest = knowledge.classes.known(class as u32).and_then(|class| class.digest());
        digest.unwrap_or(0) as jlong
    }

    fn flushEpoch "()V" (agent, jni) {
        let holders: Vec<Weak> =
            agent.recording().ended.iter_mut().filter_map(|write| write.holder.take()).collect();
        agent.flush();
        for Weak(weak) in holders {
            jni.delete_weak(weak);
        }
    }

    fn finish "()V" (agent, jni) {
        outside::end();
        agent.finish();
    }

    fn collectClasses "()I" (agent, jni) -> jint = (0) {
        match hook::look_around(agent, jni) {
            Ok(()) => collecting::collect_classes(agent, jni),
            Err(why) => {
                agent.stop(&why);
                0
            }
        }
    }

    fn collectedClass "(I)Ljava/lang/Class;" (agent, jni, index: jint) -> jobject = (null_mut()) {
        let weak = agent.lists().classes.get(index as usize).copied();
        weak.and_then(|Weak(weak)| jni.local(weak)).unwrap_or(null_mut())
    }

    fn collectThreads "()I" (agent, jni) -> jint = (0) {
        let mut lists = agent.lists();
        for Weak(old) in lists.threads.drain(..) {
            jni.delete_weak(old);
        }
        for thread in agent.jvmti.all_threads() {
            lists.threads.extend(jni.weak(thread).map(Weak));
            jni.delete_local(thread);
        }
        lists.threads.len() as jint
    }

    fn collectedThread "(I)Ljava/lang/Thread;" (agent, jni, index: jint) -> jobject = (null_mut()) {
        let weak = agent.lists().threads.get(index as usize).copied();
        weak.and_then(|Weak(weak)| jni.local(weak)).unwrap_or(null_mut())
    }

    fn propertyKey "(ILjava/lang/String;)V" (agent, jni, id: jint, key: jobject) {
        let key = String::from_utf16_lossy(&jni.string_start(key, LONGEST_KEY));
        agent.recording().properties.insert(id as u32, key);
    }

    fn threadAdopted "(II)V" (agent, jni, index: jint, id: jint) {
        let weak = agent.lists().threads.get(index as usize).copied();
        let Some(thread) = weak.and_then(|Weak(weak)| jni.local(weak)) else { return };
        if let Some(name) = agent.jvmti.thread_name(thread) {
            agent.recording().threads.insert(id as u32, name);
        }
        jni.delete_local(thread);
    }

    fn initializedClass "()Ljava/lang/Class;" (agent, jni) -> jobject = (null_mut()) {
        let class = collecting::initialized_class(agent, jni);
        if let Some(class) = class {
            initialising::over(agent, jni, class);
        }
        class.unwrap_or(null_mut())
    }

    fn pending "(Ljava/lang/Object;I)V" (agent, jni, object: jobject, id: jint) {
        agent.jvmti.set_tag(object, jlong::from(id));
        agent.gap(
            GapKind::ObjectNotMarked,
            "locked when it became old, so not seen from when it is unlocked to the end of that test",
        );
        if let Some(weak) = jni.weak(object) {
            agent.lists().pending.push(Pending { object: Weak(weak), is_marked: false });
        }
    }

    fn collectPending "()I" (agent, jni) -> jint = (0) {
        let mut lists = agent.lists();
        lists.pending.retain(|pending| {
            if pending.is_marked {
                jni.delete_weak(pending.object.0);
            }
            !pending.is_marked
        });
        lists.pending.len() as jint
    }

    fn pendingObject "(I)Ljava/lang/Object;" (agent, jni, index: jint) -> jobject = (null_mut()) {
        let weak = agent.lists().pending.get(index as usize).map(|pending| pending.object);
        weak.and_then(|Weak(weak)| jni.local(weak)).unwrap_or(null_mut())
    }

    fn pendingMarked "(I)V" (agent, jni, index: jint) {
        if let Some(pending) = agent.lists().pending.get_mut(index as usize) {
            pending.is_marked = true;
        }
    }

    fn allocate "(J)J" (agent, jni, bytes: jlong) -> jlong = (0) {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        agent.shadow.tables.allocate(bytes).map_or(0, |table| table.base() as jlong)
    }

    fn shadowFull "()V" (agent, jni) {
        agent.gap(GapKind::ShadowFull, "");
    }

    fn unresolvedLock "()V" (agent, jni) {
        agent.gap(GapKind::ObjectNotMarked, "the mark of a locked object could not be read");
    }

    fn initializing "(I)V" (agent, jni, class: jint) {
        agent.watching().initialising(class as u32);
    }

    fn initialized "(I)V" (agent, jni, class: jint) {
        agent.watching().initialised(class as u32);
    }

    fn counts "(I)V" (agent, jni, counts: jint) {
        agent.watching().counts(match counts {
            1 => Counts::ForClass,
            2 => Counts::ForAll,
            _ => Counts::ForEpoch,
        });
    }

    fn pointer "()V" (agent, jni) {
        agent.gap(GapKind::NativeAccess, "native code had a pointer to the elements of an old array");
    }

    fn methodHandle "()V" (agent, jni) {
        noting::method_handle(agent, jni);
    }
}

/// The lock is held while Java code runs, so it must be let go whatever happens
/// to tracking in between.
pub(crate) fn lock_methods() -> [NativeMethod; 2] {
    unsafe extern "system" fn lock(_: Env, _: jclass) {
        if let Some(agent) = Agent::get() {
            agent.jvmti.enter(agent.monitor);
        }
    }
    unsafe extern "system" fn unlock(_: Env, _: jclass) {
        if let Some(agent) = Agent::get() {
            agent.jvmti.exit(agent.monitor);
        }
    }
    [
        NativeMethod { name: c"lock", descriptor: c"()V", function: lock as *mut c_void },
        NativeMethod { name: c"unlock", descriptor: c"()V", function: unlock as *mut c_void },
    ]
}

fn describe_failure(agent: &Agent, jni: Jni, what: jobject) -> String {
    let signature = jni.object_class(what).and_then(|class| {
        let signature = agent.jvmti.class_signature(class);
        jni.delete_local(class);
        signature
    });
    match signature.as_deref() {
        Some(b"Ljava/lang/String;") => String::from_utf16_lossy(&jni.string_start(what, 1000)),
        Some(other) => format!("{} in the hook", residue_classfile::text(other)),
        None => "the hook failed".into(),
    }
}

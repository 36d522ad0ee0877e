//! The native methods of the hook that have to do with pollution.

use std::ffi::c_void;
use std::ptr::null_mut;

use jni_sys::{jclass, jint, jlong, jobject};
use residue_model::trace::TreeNode;

use crate::agent::{Agent, guarded};
use crate::classes::Weak;
use crate::collections::{Parts as CollectionParts, is_entry};
use crate::jvm::{Jni, NativeMethod};
use crate::natives::{Env, as_c_str, natives};
use crate::values::Parts;
use crate::{contents, polluting};

natives! {
    fn weak "(Ljava/lang/Object;)J" (agent, jni, object: jobject) -> jlong = (0) {
        jni.weak(object).map_or(0, |weak| weak as jlong)
    }

    fn strong "(J)Ljava/lang/Object;" (agent, jni, weak: jlong) -> jobject = (null_mut()) {
        jni.local(weak as jobject).unwrap_or(null_mut())
    }

    fn dropWeak "(J)V" (agent, jni, weak: jlong) {
        jni.delete_weak(weak as jobject);
    }

    fn notCompared "(Ljava/lang/String;)V" (agent, jni, what: jobject) {
        polluting::not_compared(agent, &text(jni, what));
    }

    fn keepRoot "(Ljava/lang/Object;I)V" (agent, jni, object: jobject, id: jint) {
        if let Some(weak) = jni.weak(object) {
            let before = agent.polluting().roots.insert(id as u32, Weak(weak));
            if let Some(Weak(before)) = before {
                jni.delete_weak(before);
            }
        }
    }

    fn root "(I)Ljava/lang/Object;" (agent, jni, id: jint) -> jobject = (null_mut()) {
        let root = agent.polluting().roots.get(&(id as u32)).copied();
        root.and_then(|Weak(weak)| jni.local(weak)).unwrap_or(null_mut())
    }

    fn rootCount "()I" (agent, jni) -> jint = (0) {
        agent.polluting().list_roots(jni) as jint
    }

    fn rootAt "(I)Ljava/lang/Object;" (agent, jni, index: jint) -> jobject = (null_mut()) {
        let weak = agent.polluting().listed_roots.get(index as usize).copied();
        weak.and_then(|Weak(weak)| jni.local(weak)).unwrap_or(null_mut())
    }

    fn classCount "()I" (agent, jni) -> jint = (0) {
        agent.knowledge().classes.count() as jint
    }

    fn contents "(Ljava/lang/Class;I)J" (
        agent, jni, class: jclass, number: jint
    ) -> jlong = (0) {
        contents::table(agent, jni, class, number as u32).map_or(0, |table| table as jlong)
    }

    fn fieldOffset "(Ljava/lang/Class;Ljava/lang/String;)J" (
        agent, jni, class: jclass, name: jobject
    ) -> jlong = (0) {
        let offset = contents::field_offset(agent, jni, class, text(jni, name).as_bytes());
        offset.map_or(0, jlong::from)
    }

    fn isMapEntry "(I)Z" (agent, jni, class: jint) -> u8 = (0) {
        let knowledge = agent.knowledge();
        u8::from(knowledge.classes.known(class as u32).is_some_and(|class| is_entry(&class.shown)))
    }

    fn unitOf "(I)I" (agent, jni, id: jint) -> jint = (id) {
        let knowledge = agent.knowledge();
        let names = &knowledge.registry.names;
        let parts = CollectionParts { shadow: &agent.shadow, classes: &knowledge.classes, names };
        parts.unit_of(id as u32, &mut agent.polluting().units) as jint
    }

    fn captureBegins "()V" (agent, jni) {
        agent.polluting().capture_begins(jni);
    }

    fn loadedInCapture "(Ljava/lang/Class;)V" (agent, jni, class: jclass) {
        agent.class_loaded(jni, class);
    }

    fn isLoadedInCapture "(Ljava/lang/Class;)Z" (agent, jni, class: jclass) -> u8 = (0) {
        u8::from(agent.polluting().is_loaded_in_capture(jni, class))
    }

    fn earlyCount "()I" (agent, jni) -> jint = (0) {
        agent.polluting().early.len() as jint
    }

    fn earlyCell "(I)I" (agent, jni, index: jint) -> jint = (0) {
        agent.polluting().early.get(index as usize).map_or(0, |cell| *cell as jint)
    }

    fn pollutionBegins "(I)V" (agent, jni, flags: jint) {
        agent.polluting().begin(flags);
    }

    fn pollutionStep "(IIJLjava/lang/Object;)V" (
        agent, jni, cell: jint, kind: jint, bits: jlong, shown: jobject
    ) {
        let key = polluting::value(agent, jni, Parts { kind, bits, shown });
        agent.polluting().step(cell as u32, key);
    }

    fn pollutionCell "(I)V" (agent, jni, cell: jint) {
        agent.polluting().cell(cell as u32);
    }

    fn pollutionChange "(IJLjava/lang/Object;IJLjava/lang/Object;IJLjava/lang/Object;)Z" (
        agent, jni, label: jint, label_bits: jlong, label_shown: jobject,
        old_kind: jint, old_bits: jlong, old_shown: jobject,
        new_kind: jint, new_bits: jlong, new_shown: jobject
    ) -> u8 = (0) {
        let value = |kind, bits, shown| polluting::value(agent, jni, Parts { kind, bits, shown });
        let key = if polluting::is_key(label) { value(label, label_bits, label_shown) } else { None };
        let (old, new) = (value(old_kind, old_bits, old_shown), value(new_kind, new_bits, new_shown));
        let mut polluting = agent.polluting();
        let label = polluting.label(label, label_bits, key);
        u8::from(polluting.change(label, old, new))
    }

    fn treeNode "(IIIJLjava/lang/Object;IJLjava/lang/Object;)V" (
        agent, jni, side: jint, depth: jint, label: jint, label_bits: jlong, label_shown: jobject,
        kind: jint, bits: jlong, shown: jobject
    ) {
        let value = |kind, bits, shown| polluting::value(agent, jni, Parts { kind, bits, shown });
        let key = if polluting::is_key(label) { value(label, label_bits, label_shown) } else { None };
        let value = value(kind, bits, shown);
        let mut polluting = agent.polluting();
        let label = polluting.label(label, label_bits, key);
        polluting.tree_node(side == 0, TreeNode { depth: depth as u32, label, value });
    }

    fn pollutionEnds "()V" (agent, jni) {
        polluting::end(agent);
    }
}

fn text(jni: Jni, string: jobject) -> String {
    String::from_utf16_lossy(&jni.string_start(string, 200))
}

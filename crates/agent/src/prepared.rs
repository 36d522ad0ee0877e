//! Classes that the JVM has just made ready to be used.

use std::ptr::null_mut;

use jni_sys::jclass;

use crate::agent::Agent;
use crate::classes::Weak;
use crate::jvm::Jni;
use crate::names::binary;

/// What a class is to us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Prepared {
    Boring,
    /// No load hook was called for it.
    Hidden(String),
    Single,
    /// Another class of this name is alive.
    Double(String),
}

/// Remembers a class whose statics matter.
///
/// It is called for whatever thread loads a class, and somebody may let that
/// thread stand still: then it stays within the function of the JVM that it
/// calls next. So none is called while others wait for what is locked.
pub(crate) fn prepared(agent: &Agent, jni: Jni, class: jclass) -> Prepared {
    let Some(signature) = agent.jvmti.class_signature(class) else { return Prepared::Boring };
    let [b'L', name @ .., b';'] = signature.as_slice() else { return Prepared::Boring };
    if is_unseen(name) {
        return Prepared::Hidden(binary(name));
    }
    let (name, alike) = {
        let knowledge = agent.knowledge();
        let registry = &knowledge.registry;
        let Some(known) = registry.names.find(name) else { return Prepared::Boring };
        if !registry.class(known).is_some_and(|class| class.has_statics_of_interest()) {
            return Prepared::Boring;
        }
        (known, knowledge.classes.mirrors(known).to_vec())
    };
    // They are not given back to the JVM: another thread may be looking at them.
    let is_outdated =
        |&Weak(weak): &Weak| jni.is_same(weak, null_mut()) || jni.is_same(weak, class);
    let outdated: Vec<Weak> = alike.into_iter().filter(is_outdated).collect();
    let Some(weak) = jni.weak(class) else { return Prepared::Single };
    let mut knowledge = agent.knowledge();
    if knowledge.classes.add_mirror(name, Weak(weak), &outdated) {
        Prepared::Double(knowledge.registry.names.binary(name))
    } else {
        Prepared::Single
    }
}

/// What the names of hidden classes have in them that the JDK makes for code of
/// the project: they pass values on, and use no field but their own.
const PASSING_ON: [&[u8]; 4] =
    [b"$$Lambda", b"$$StringConcat", b"$$InjectedInvoker", b"$$TypeSwitch"];

/// A hidden class, whose code was not rewritten, and which may use fields.
fn is_unseen(name: &[u8]) -> bool {
    let has = |part: &&[u8]| name.windows(part.len()).any(|window| window == *part);
    name.contains(&b'.')
        && !PASSING_ON.iter().any(has)
        && !name.starts_with(b"java/lang/invoke/")
        && !name.starts_with(b"jdk/internal/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_classes_that_may_use_fields_are_told() {
        assert!(is_unseen(b"org/acme/Made.0x0000000801000400"));
        assert!(!is_unseen(b"org/acme/Known"));
        assert!(!is_unseen(b"java/lang/String$$StringConcat.0x000000000714ac00"));
        assert!(!is_unseen(b"org/acme/Caller$$InjectedInvoker.0x0000000801000400"));
        assert!(!is_unseen(b"java/lang/invoke/LambdaForm$MH.0x0000000801000400"));
    }
}

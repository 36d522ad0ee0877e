//! Call stacks as numbers of the trace. Methods are named when they are first
//! seen, since their class may be gone later.

use jni_sys::jmethodID;
use residue_model::trace::{FrameId, StackId};
use residue_wire::trace::TraceWriter;
use rustc_hash::FxHashMap;

use crate::jvm::{Frame, Jni, Jvmti, MethodName};

/// Frames that are kept of a stack, from the innermost on.
const KEPT: usize = 24;
/// The deepest way from rewritten code through the hook to here.
const HOOK_FRAMES: usize = 12;

const HOOK_CLASSES: &str = "java.lang.Residue";

/// Code that runs between tests on its own account: the JDK, the frameworks and
/// our runner. What it does is a test's doing only where a test called it.
const MACHINERY: [&str; 13] = [
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "residue.runner.",
    "junit.framework.",
    "junit.runner.",
    "junit.textui.",
    "org.junit.",
    "org.opentest4j.",
    "org.testng.",
    "org.apache.maven.surefire.",
];

/// Where the JDK keeps buffers for the next use of a file, a thread at a time:
/// nobody can tell who has used them before.
const BUFFER_CACHES: [&str; 2] = ["sun.nio.fs.NativeBuffers", "sun.nio.ch.Util"];

const THREAD_LOCAL: &str = "java.lang.ThreadLocal";

/// Where reflection calls method handles.
const REFLECTION: &str = "jdk.internal.reflect.MethodHandle";
/// Its frames are among the innermost ones.
const FRAMES_OF_REFLECTION: usize = 16;

/// Code of the JDK that nobody else calls.
const INTERNALS: [&str; 2] = ["jdk.internal.", "sun."];

/// The frames of the current thread, hook and all.
#[derive(Debug)]
pub(crate) struct RawStack {
    frames: [Frame; KEPT + HOOK_FRAMES],
    count: usize,
}

impl RawStack {
    pub(crate) fn take(jvmti: Jvmti) -> Self {
        let nothing = Frame { method: std::ptr::null_mut(), location: 0 };
        let mut frames = [nothing; KEPT + HOOK_FRAMES];
        let count = jvmti.stack(&mut frames);
        Self { frames, count }
    }

    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames[..self.count]
    }

    fn is_whole(&self) -> bool {
        self.count < self.frames.len()
    }
}

/// A stack of the trace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbered {
    pub(crate) id: StackId,
    /// Whether no test is to blame for what happens there.
    pub(crate) machinery_only: bool,
    /// Whether the machinery does it once, whoever needs it first.
    pub(crate) once: bool,
    /// Whether the JDK's internals do it, if by way of a thread-local.
    pub(crate) by_internals: bool,
}

/// Why no test is to blame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Machinery {
    Once,
    OnItsOwn,
}

#[derive(Debug)]
enum Method {
    OfHook,
    Named(MethodName),
}

#[derive(Debug, Default)]
pub(crate) struct Stacks {
    methods: FxHashMap<usize, Method>,
    frames: FxHashMap<(usize, i64), Option<FrameId>>,
    stacks: FxHashMap<Box<[(usize, i64)]>, Numbered>,
}

impl Stacks {
    pub(crate) fn number(
        &mut self,
        raw: &RawStack,
        jvmti: Jvmti,
        jni: Jni,
        writer: &mut TraceWriter,
    ) -> Numbered {
        let key: Vec<(usize, i64)> =
            raw.frames().iter().map(|frame| (frame.method as usize, frame.location)).collect();
        if let Some(&known) = self.stacks.get(key.as_slice()) {
            return known;
        }
        let frames = raw.frames().iter();
        let shown: Vec<FrameId> =
            frames.filter_map(|frame| self.frame(*frame, jvmti, jni, writer)).take(KEPT).collect();
        let id = writer.stack(&shown);
        let machinery = self.machinery(raw);
        let numbered = Numbered {
            id,
            machinery_only: machinery.is_some(),
            once: machinery == Some(Machinery::Once),
            by_internals: self.is_by_internals(raw),
        };
        self.stacks.insert(key.into(), numbered);
        numbered
    }

    /// From the innermost frame on, whatever comes first decides: test code, or
    /// something that the machinery does once, whoever happens to be the first
    /// to need it. The end of the stack decides too, where we can see it.
    fn machinery(&self, raw: &RawStack) -> Option<Machinery> {
        for frame in raw.frames() {
            match self.methods.get(&(frame.method as usize)) {
                Some(Method::OfHook) => {}
                Some(Method::Named(name)) if !is_machinery(&name.class) => return None,
                Some(Method::Named(name)) if happens_once(name) => return Some(Machinery::Once),
                Some(Method::Named(name)) if is_buffer_cache(&name.class) => {
                    return Some(Machinery::OnItsOwn);
                }
                Some(Method::Named(_)) => {}
                None => return None,
            }
        }
        raw.is_whole().then_some(Machinery::OnItsOwn)
    }

    fn is_by_internals(&self, raw: &RawStack) -> bool {
        let methods = raw.frames().iter().map(|frame| self.methods.get(&(frame.method as usize)));
        let user = methods.flatten().find_map(|method| match method {
            Method::Named(name) if !name.class.starts_with(THREAD_LOCAL) => Some(&name.class),
            Method::Named(_) | Method::OfHook => None,
        });
        user.is_some_and(|class| INTERNALS.iter().any(|package| class.starts_with(package)))
    }

    /// Whether reflection uses the method handle that is at work.
    pub(crate) fn is_through_reflection(&mut self, raw: &RawStack, jvmti: Jvmti, jni: Jni) -> bool {
        raw.frames().iter().take(FRAMES_OF_REFLECTION).any(|frame| {
            match self.method(frame.method, jvmti, jni) {
                Method::Named(name) => name.class.starts_with(REFLECTION),
                Method::OfHook => false,
            }
        })
    }

    fn method(&mut self, method: jmethodID, jvmti: Jvmti, jni: Jni) -> &Method {
        self.methods.entry(method as usize).or_insert_with(|| named(method, jvmti, jni))
    }

    /// Nothing for a frame of the hook.
    fn frame(
        &mut self,
        frame: Frame,
        jvmti: Jvmti,
        jni: Jni,
        writer: &mut TraceWriter,
    ) -> Option<FrameId> {
        let key = (frame.method as usize, frame.location);
        if let Some(&known) = self.frames.get(&key) {
            return known;
        }
        let number = match self.method(frame.method, jvmti, jni) {
            Method::OfHook => None,
            Method::Named(name) => Some(writer.frame(
                &name.class,
                &name.method,
                name.file.as_deref(),
                line(&name.lines, frame.location),
            )),
        };
        self.frames.insert(key, number);
        number
    }
}

fn is_machinery(class: &str) -> bool {
    MACHINERY.iter().any(|package| class.starts_with(package))
}

fn is_buffer_cache(class: &str) -> bool {
    let outermost = class.split('$').next();
    outermost.is_some_and(|class| BUFFER_CACHES.contains(&class))
}

/// Loading a class, and initialising one of the machinery's own.
fn happens_once(method: &MethodName) -> bool {
    let loads = method.class.starts_with("java.lang.ClassLoader") && &*method.method == "loadClass";
    loads || &*method.method == "<clinit>"
}

fn named(method: jmethodID, jvmti: Jvmti, jni: Jni) -> Method {
    let named = jvmti.method_class(method).and_then(|class| {
        let name = jvmti.method_name(method, class);
        jni.delete_local(class);
        name
    });
    match named {
        Some(name) if name.class.starts_with(HOOK_CLASSES) => Method::OfHook,
        Some(name) => Method::Named(name),
        None => Method::Named(MethodName {
            class: "?".into(),
            method: "?".into(),
            file: None,
            lines: Vec::new(),
        }),
    }
}

/// The line of the last entry that starts at or before the place. A negative
/// place is native code.
fn line(lines: &[(i64, i32)], location: i64) -> Option<i32> {
    let before = lines.iter().filter(|(start, _)| *start <= location);
    before.max_by_key(|(start, _)| *start).map(|&(_, line)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_that_of_the_last_start_before() {
        let lines = [(0, 10), (7, 12), (3, 11)];
        assert_eq!(line(&lines, 0), Some(10));
        assert_eq!(line(&lines, 6), Some(11));
        assert_eq!(line(&lines, 99), Some(12));
        assert_eq!(line(&lines, -1), None);
        assert_eq!(line(&[], 4), None);
    }
}

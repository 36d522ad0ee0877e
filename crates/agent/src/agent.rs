//! The one agent of this JVM.

use std::ffi::CStr;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

use jni_sys::{_jobject, JNIEnv, jclass, jfieldID};
use residue_ignore::Rules;
use residue_model::trace::GapKind;

use crate::ahead::Ahead;
use crate::classes::{Classes, Describing, Weak};
use crate::gaps::Gaps;
use crate::hook;
use crate::jvm::{Jni, Jvmti, RawMonitor};
use crate::knowledge::{Knowledge, lock};
use crate::loading::{self, Foreseen, Loading};
use crate::options::{Captures, Options};
use crate::polluting::Polluting;
use crate::recording::{Describers, Recording};
use crate::registry::Registry;
use crate::rewriting::{HookClasses, Rewriting};
use crate::shadow::Shadow;
use crate::watching::Watching;

/// Lists that the hook goes through one by one.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) classes: Vec<Weak>,
    pub(crate) threads: Vec<Weak>,
    pub(crate) pending: Vec<Pending>,
}

/// An old object that is only tagged, because it was locked when it was to be
/// marked.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) object: Weak,
    pub(crate) is_marked: bool,
}

/// Locks are taken in the order of the fields, if more than one is.
#[derive(Debug)]
pub(crate) struct Agent {
    pub(crate) jvmti: Jvmti,
    pub(crate) monitor: RawMonitor,
    pub(crate) marks_allowed: bool,
    pub(crate) captures: Captures,
    /// Whether writes are told that the machinery of the JDK does for itself.
    pub(crate) tells_all: bool,
    pub(crate) shadow: Shadow,
    pub(crate) hook: HookClasses,
    /// Has a lock of its own, which is never held when another is taken.
    pub(crate) ahead: Ahead,
    watching: Mutex<Watching>,
    knowledge: Mutex<Knowledge>,
    recording: Mutex<Recording>,
    gaps: Mutex<Gaps>,
    lists: Mutex<Lists>,
    polluting: Mutex<Polluting>,
    thread_native_part: OnceLock<usize>,
    /// A local reference, valid until the hook is linked.
    natives_class: AtomicPtr<_jobject>,
    /// Whether the hook can call the agent.
    linked: AtomicBool,
    stopped: AtomicBool,
}

/// Why the agent cannot start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CannotStart {
    #[error(transparent)]
    Options(#[from] crate::options::BadOptions),
    #[error("the rules in {file} cannot be read: {source}")]
    RulesFile { file: String, source: std::io::Error },
    #[error("the rules in {file} cannot be used: {source}")]
    Rules { file: String, source: residue_ignore::BadRules },
    #[error(transparent)]
    Hook(#[from] crate::rewriting::BadHook),
    #[error("there is not enough address space for the shadow memory")]
    NoMemory,
    #[error("this JVM lacks a capability that tracing needs; it takes a HotSpot JDK from 11 on")]
    Jvm,
}

/// A system property, which whoever compares traces with the heap can set in a
/// JVM that somebody else starts.
const TELL: &CStr = c"residue.tell";

static AGENT: OnceLock<Agent> = OnceLock::new();

impl Agent {
    pub(crate) fn get() -> Option<&'static Self> {
        AGENT.get()
    }

    /// Everything but the events.
    pub(crate) fn start(jvmti: Jvmti, options: &Options, file: File) -> Result<(), CannotStart> {
        let rules = rules(options)?;
        let hook = HookClasses::read(&options.hook)?;
        let rewriting = Rewriting::new(&hook)?;
        let shadow = Shadow::new().ok_or(CannotStart::NoMemory)?;
        if !jvmti.add_capabilities() {
            return Err(CannotStart::Jvm);
        }
        let agent = Self {
            jvmti,
            monitor: jvmti.create_monitor().ok_or(CannotStart::Jvm)?,
            // Before 17 nobody has tried it.
            marks_allowed: options.marks && jvmti.jdk_version() >= 17,
            captures: options.captures,
            tells_all: jvmti.system_property(TELL).is_some_and(|value| value == b"all"),
            shadow,
            hook,
            ahead: Ahead::default(),
            watching: Mutex::new(Watching::new(&options.code).ok_or(CannotStart::NoMemory)?),
            knowledge: Mutex::new(Knowledge {
                registry: Registry::new(rules),
                classes: Classes::new(),
                rewriting,
            }),
            recording: Mutex::new(Recording::new(file)),
            gaps: Mutex::new(Gaps::default()),
            lists: Mutex::new(Lists::default()),
            polluting: Mutex::new(Polluting::default()),
            thread_native_part: OnceLock::new(),
            natives_class: AtomicPtr::new(null_mut()),
            linked: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
        };
        let _ = AGENT.set(agent);
        Ok(())
    }

    pub(crate) fn knowledge(&self) -> MutexGuard<'_, Knowledge> {
        lock(&self.knowledge)
    }

    pub(crate) fn recording(&self) -> MutexGuard<'_, Recording> {
        lock(&self.recording)
    }

    pub(crate) fn gaps(&self) -> MutexGuard<'_, Gaps> {
        lock(&self.gaps)
    }

    pub(crate) fn lists(&self) -> MutexGuard<'_, Lists> {
        lock(&self.lists)
    }

    pub(crate) fn polluting(&self) -> MutexGuard<'_, Polluting> {
        lock(&self.polluting)
    }

    pub(crate) fn watching(&self) -> MutexGuard<'_, Watching> {
        lock(&self.watching)
    }

    /// A class with statics that matter is there from now on. The state of the
    /// JVM is always there, whoever is the first to ask for it.
    pub(crate) fn class_loaded(&self, jni: Jni, class: jclass) {
        const JVM: [&[u8]; 4] = [b"Ljava/", b"Ljavax/", b"Lsun/", b"Ljdk/"];
        if self.captures == Captures::Nothing {
            return;
        }
        let signature = self.jvmti.class_signature(class).unwrap_or_default();
        if JVM.iter().any(|package| signature.starts_with(package)) {
            return;
        }
        // No function of the JVM is called with the lock held, see `prepared`.
        if let Some(weak) = jni.weak(class) {
            self.polluting().class_loaded(Weak(weak));
        }
    }

    pub(crate) fn gap(&self, kind: GapKind, detail: &str) {
        self.gaps().add(kind, detail, 1);
    }

    pub(crate) fn describing<'a>(
        &'a self,
        jni: Jni,
        knowledge: &'a mut Knowledge,
    ) -> Describing<'a> {
        Describing {
            jvmti: self.jvmti,
            jni,
            shadow: &self.shadow,
            registry: &mut knowledge.registry,
            classes: &mut knowledge.classes,
        }
    }

    /// The class with hooks, or nothing if it stays as it is.
    pub(crate) fn rewrite(&self, name: &[u8], bytes: &[u8], is_of_jdk: bool) -> Option<Vec<u8>> {
        if is_of_jdk && let Some(foreseen) = self.foreseen(name, bytes) {
            return foreseen.bytes;
        }
        let mut loaded = {
            let mut watching = (!is_of_jdk).then(|| self.watching());
            let loading = Loading { name, bytes, watching: watching.as_deref_mut() };
            loading.rewrite(&self.knowledge)
        };
        if !loaded.left_out.is_empty() {
            self.recording().left_out.append(&mut loaded.left_out);
        }
        self.add_gaps(loaded.gaps);
        loaded.bytes
    }

    /// What was made of this class ahead, if all that it was made from is as the
    /// JVM has it now.
    fn foreseen(&self, name: &[u8], bytes: &[u8]) -> Option<Foreseen> {
        let mut foreseen = self.ahead.take(name, bytes)?;
        let arrived = self.knowledge().registry.arrive(name, &foreseen.relied_on);
        arrived.then(|| {
            self.add_gaps(std::mem::take(&mut foreseen.gaps));
            foreseen
        })
    }

    /// Rewrites a class of the JDK that the JVM is going to load.
    pub(crate) fn rewrite_ahead(&self, name: &str, bytes: &[u8]) -> Option<Foreseen> {
        loading::rewrite_ahead(name, bytes, &self.knowledge)
    }

    fn add_gaps(&self, gaps: Gaps) {
        if !gaps.is_empty() {
            self.gaps().append(gaps);
        }
    }

    /// The field of a Thread that has the address of its native part.
    pub(crate) fn thread_native_part(&self) -> Option<jfieldID> {
        self.thread_native_part.get().map(|&field| field as jfieldID)
    }

    pub(crate) fn set_thread_native_part(&self, field: jfieldID) {
        let _ = self.thread_native_part.set(field as usize);
    }

    pub(crate) fn flush(&self) {
        let mut watching = self.watching();
        let knowledge = self.knowledge();
        let mut recording = self.recording();
        let mut gaps = self.gaps();
        recording.flush(self.describers(&knowledge), &mut gaps, &mut watching);
    }

    pub(crate) fn finish(&self) {
        self.recording().finish(&mut self.gaps());
    }

    pub(crate) fn cut_short(&self) {
        let mut watching = self.watching();
        let knowledge = self.knowledge();
        let mut recording = self.recording();
        let mut gaps = self.gaps();
        recording.cut_short(self.describers(&knowledge), &mut gaps, &mut watching);
    }

    fn describers<'a>(&'a self, knowledge: &'a Knowledge) -> Describers<'a> {
        Describers {
            shadow: &self.shadow,
            classes: &knowledge.classes,
            names: &knowledge.registry.names,
        }
    }

    /// Tracking ends for good, with a gap that says why.
    pub(crate) fn stop(&self, why: &str) {
        if self.stopped.swap(true, Ordering::SeqCst) {
            return;
        }
        crate::outside::end();
        self.gaps().add(GapKind::TrackingStopped, why, 1);
        // Whoever holds the lock just now writes the gap in its turn, at the latest when the JVM ends.
        if let Ok(mut recording) = self.recording.try_lock() {
            recording.append(&mut self.gaps());
        }
    }

    pub(crate) fn set_natives_class(&self, class: jclass) {
        self.natives_class.store(class, Ordering::Relaxed);
    }

    pub(crate) fn natives_class(&self) -> Option<jclass> {
        let class = self.natives_class.load(Ordering::Relaxed);
        (!class.is_null()).then_some(class)
    }

    pub(crate) fn set_linked(&self) {
        self.natives_class.store(null_mut(), Ordering::Relaxed);
        self.linked.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_linked(&self) -> bool {
        self.linked.load(Ordering::Relaxed)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

fn rules(options: &Options) -> Result<Rules, CannotStart> {
    let defaults = Rules::defaults();
    let Some(path) = &options.rules else { return Ok(defaults) };
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|source| CannotStart::RulesFile { file: file.clone(), source })?;
    defaults.with_user_text(&text).map_err(|source| CannotStart::Rules { file, source })
}

/// Runs what the JVM has called. A panic ends tracking, not the JVM, and once
/// tracking has ended there is only the answer that does no harm.
///
/// # Safety
/// `env` must be what the JVM has given to the caller, or null in an event that
/// may come before JNI is ready.
pub(crate) unsafe fn guarded<T>(
    env: *mut JNIEnv,
    harmless: T,
    body: impl FnOnce(&'static Agent, Jni) -> T,
) -> T {
    let Some(agent) = Agent::get().filter(|agent| !agent.is_stopped()) else { return harmless };
    // SAFETY: by contract `env` is that of the current thread. Where it may be null the body
    // does not use it.
    let jni = unsafe { Jni::new(env) };
    catch_unwind(AssertUnwindSafe(|| body(agent, jni))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        agent.stop(&format!("the agent failed: {text}"));
        if !env.is_null() {
            hook::switch_off(jni);
        }
        harmless
    })
}

//! When to look: the boundaries between tests, as the runner tells them to the
//! tracing agent's hook. A breakpoint at the start of the hook's methods tells
//! them to the walk too, so that nothing has to be built for it.

#![allow(unsafe_code)] // the JVM calls it by C conventions

use std::ffi::{c_char, c_void};
use std::fs::File;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use jni_sys::{JNI_ERR, JNI_OK, JNIEnv, JavaVM, jint, jlong, jmethodID, jobject};
use residue_ignore::Rules;
use residue_model::trace::EpochKind;

use crate::changes::{Left, Line};
use crate::heap::{Heap, Jvm};
use crate::isomorphism::{self, Unlike};
use crate::jvm::{Jni, Jvmti, MethodId};
use crate::snapshot::Snapshot;
use crate::standstill;

/// The methods of the hook that are boundaries.
#[derive(Debug, Clone, Copy)]
struct Boundaries {
    epoch: MethodId,
    finish: MethodId,
    class_initialised: MethodId,
    root: MethodId,
}

#[derive(Debug)]
struct Checker {
    heap: Heap,
    /// What was there when the current epoch began, and what kind it is, if
    /// whole states are to be compared.
    before: Option<(EpochKind, Snapshot)>,
    compares_states: bool,
    folder: PathBuf,
    file: Option<File>,
}

static JVMTI: OnceLock<Jvmti> = OnceLock::new();
static BOUNDARIES: OnceLock<Boundaries> = OnceLock::new();
static CHECKER: OnceLock<Mutex<Checker>> = OnceLock::new();

/// Behind the folder in the options.
const COMPARE_STATES: &str = ",left";

/// Entry point of the library. Its options are the folder for the file with the
/// changes, which is named after the process, and `,left` if what tests leave is
/// to be compared as a whole, too.
///
/// # Safety
/// To be called by a JVM only.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    if options.is_null() {
        return JNI_ERR;
    }
    // SAFETY: the JVM gives a string that ends with a zero byte.
    let folder = unsafe { std::ffi::CStr::from_ptr(options) }.to_string_lossy().into_owned();
    // SAFETY: by contract `vm` is what the JVM gives to an agent.
    let Some(jvmti) = (unsafe { Jvmti::new(vm) }) else { return JNI_ERR };
    let heap = Heap::new(Rules::defaults());
    let (folder, compares_states) = match folder.strip_suffix(COMPARE_STATES) {
        Some(folder) => (folder.to_owned(), true),
        None => (folder, false),
    };
    let (folder, file, before) = (folder.into(), None, None);
    let checker = Checker { heap, before, compares_states, folder, file };
    let is_first = JVMTI.set(jvmti).is_ok() && CHECKER.set(Mutex::new(checker)).is_ok();
    if is_first && jvmti.listen(started, at_breakpoint) { JNI_OK } else { JNI_ERR }
}

/// Runs what the JVM has called, with a panic as the end of the JVM: a check
/// that has failed must not look like one that has found nothing.
fn guarded(env: *mut JNIEnv, body: impl FnOnce(Jvm)) {
    let Some(&jvmti) = JVMTI.get() else { return };
    // SAFETY: every caller passes on what the JVM gave to its callback.
    let jvm = Jvm { jvmti, jni: unsafe { Jni::new(env) } };
    if catch_unwind(AssertUnwindSafe(|| body(jvm))).is_err() {
        std::process::abort();
    }
}

unsafe extern "system" fn started(_: *mut c_void, env: *mut JNIEnv, _: jobject) {
    guarded(env, |jvm| {
        // A JVM that is not traced has no hook, and nothing to be checked.
        if let Some(found) = Boundaries::find(jvm) {
            BOUNDARIES.get_or_init(|| found);
        }
    });
}

unsafe extern "system" fn at_breakpoint(
    _: *mut c_void,
    env: *mut JNIEnv,
    thread: jobject,
    method: jmethodID,
    location: jlong,
) {
    guarded(env, |jvm| passed(jvm, thread, MethodId(method), location));
}

fn passed(jvm: Jvm, thread: jobject, method: MethodId, location: jlong) {
    let (Some(boundaries), Some(checker)) = (BOUNDARIES.get(), CHECKER.get()) else { return };
    let ends_epoch = method == boundaries.epoch || method == boundaries.finish;
    if ends_epoch && location > 0 {
        return standstill::end(jvm);
    }
    if ends_epoch {
        // Until the tracing agent too has done with the epoch. Others may be in
        // here, so the lock comes later: they could never leave the hook.
        standstill::begin(jvm, thread);
    }
    let mut checker = checker.lock().unwrap_or_else(PoisonError::into_inner);
    checker.passed(jvm, boundaries, thread, method);
}

impl Boundaries {
    fn find(jvm: Jvm) -> Option<Self> {
        let hook = c"java/lang/ResidueHook";
        let found = Self {
            epoch: jvm.jni.jdk_method(hook, c"boundary", c"(II)V")?,
            finish: jvm.jni.jdk_method(hook, c"finish", c"()V")?,
            class_initialised: jvm.jni.jdk_method(hook, c"classInitialized", c"()V")?,
            root: jvm.jni.jdk_method(hook, c"root", c"(Ljava/lang/Object;)V")?,
        };
        let all = [found.epoch, found.finish, found.class_initialised, found.root];
        let entries = all.into_iter().all(|method| jvm.jvmti.break_at_entry(method));
        let ends = [found.epoch, found.finish];
        let returns = ends.into_iter().all(|method| jvm.jvmti.break_at_return(method));
        (entries && returns).then_some(found)
    }
}

impl Checker {
    fn passed(&mut self, jvm: Jvm, boundaries: &Boundaries, thread: jobject, method: MethodId) {
        if method == boundaries.epoch {
            let mut lines = self.heap.compare(jvm);
            lines.extend(self.left());
            let argument = |slot| jvm.jvmti.int_argument(thread, slot).unwrap_or(-1);
            let kind = match argument(0) {
                0 => EpochKind::BeforeClass,
                2 => EpochKind::AfterClass,
                _ => EpochKind::Test,
            };
            lines.push(Line::Epoch { kind, test: usize::try_from(argument(1)).unwrap_or(0) });
            self.write(&lines);
            if self.compares_states {
                self.before = Some((kind, self.heap.snapshot()));
            }
        } else if method == boundaries.finish {
            let mut lines = self.heap.compare(jvm);
            lines.extend(self.left());
            lines.push(Line::End);
            self.write(&lines);
        } else if method == boundaries.class_initialised {
            if let Some(class) = jvm.jvmti.calling_class(thread) {
                self.heap.class_initialised(jvm, class);
                if let Some((_, before)) = &mut self.before {
                    self.heap.add_state_of_jvm(jvm, class, before);
                }
                jvm.jni.delete_local(class);
            }
        } else if let Some(object) = jvm.jvmti.object_argument(thread) {
            self.heap.framework_keeps(jvm, object);
            jvm.jni.delete_local(object);
        }
    }

    /// What the epoch that ends just now leaves, if it is a test.
    fn left(&mut self) -> Vec<Line> {
        let Some((EpochKind::Test, before)) = self.before.take() else { return vec![] };
        let after = self.heap.snapshot();
        let unlike = isomorphism::unlike(&before, &after);
        let is_alike = !unlike.is_empty() && isomorphism::is_isomorphic(&before, &after);
        let left = unlike.into_iter().map(|Unlike { holder, label, parts }| {
            let path = holder.map_or_else(String::new, |holder| self.heap.path(holder));
            Line::Left(Left { holder, label, parts, path })
        });
        left.chain(is_alike.then_some(Line::Alike)).collect()
    }

    /// A file that cannot be written is one that lacks its end.
    fn write(&mut self, lines: &[Line]) {
        if self.file.is_none() {
            let name = format!("changes-{}", std::process::id());
            self.file = File::create(self.folder.join(name)).ok();
        }
        let Some(file) = &mut self.file else { return };
        let text: String = lines
            .iter()
            .filter_map(|line| serde_json::to_string(line).ok())
            .map(|line| line + "\n")
            .collect();
        if file.write_all(text.as_bytes()).is_err() {
            self.file = None;
        }
    }
}

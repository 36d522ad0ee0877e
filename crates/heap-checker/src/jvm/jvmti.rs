//! JVMTI calls, by their numbers in `jvmti.h`.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::transmute;
use std::ptr::null_mut;

use jni_sys::{JNI_OK, JNIEnv, JavaVM, jclass, jfieldID, jint, jlong, jmethodID, jobject};

use super::FieldId;

/// JVMTI 11, the oldest JDK that can be traced.
const VERSION: jint = 0x300B_0000;

const FUNCTIONS: usize = 156;
type Env = *mut *const [*const c_void; FUNCTIONS];

/// Bits of `jvmtiCapabilities`: tags, local variables, breakpoints, suspension.
const CAPABILITIES: [u32; 4] = [1 | 1 << 14 | 1 << 19 | 1 << 20, 0, 0, 0];

/// The first event has the first place in the table of callbacks.
const FIRST_EVENT: usize = 50;
const VM_INIT: usize = 50;
const BREAKPOINT: usize = 62;

/// Called when a thread has come to a breakpoint.
type AtBreakpoint = unsafe extern "system" fn(*mut c_void, *mut JNIEnv, jobject, jmethodID, jlong);
/// Called when the JVM is up.
type Started = unsafe extern "system" fn(*mut c_void, *mut JNIEnv, jobject);

/// The environment of this agent. Valid as long as the JVM lives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jvmti(Env);

// SAFETY: a JVMTI environment may be used from any thread.
unsafe impl Send for Jvmti {}
// SAFETY: as above.
unsafe impl Sync for Jvmti {}

/// A method, for as long as its class is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MethodId(pub(crate) jmethodID);

// SAFETY: ids of methods are the same in all threads.
unsafe impl Send for MethodId {}
// SAFETY: as above.
unsafe impl Sync for MethodId {}

/// A field as its class declares it.
#[derive(Debug)]
pub(crate) struct DeclaredField {
    pub(crate) id: FieldId,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) is_static: bool,
    pub(crate) is_final: bool,
    pub(crate) is_transient: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Frame {
    method: jmethodID,
    location: jlong,
}

#[repr(C)]
struct ThreadInfo {
    name: *mut c_char,
    priority: jint,
    is_daemon: u8,
    group: jobject,
    context_class_loader: jobject,
}

macro_rules! functions {
    ($($name:ident $in_header:literal $number:literal ($($argument:ident: $type:ty),*);)*) => {
        impl Jvmti {
            $(fn $name(self $(, $argument: $type)*) -> bool {
                // SAFETY: the environment is valid (see `Jvmti::new`), the function has this number
                // and type in the header, and the arguments are handles of the JVM or pointers to
                // locals.
                unsafe {
                    let function: unsafe extern "system" fn(Env $(, $type)*) -> c_int =
                        transmute((**self.0)[$number - 1]);
                    function(self.0 $(, $argument)*) == 0
                }
            })*
        }

        #[cfg(test)]
        const NUMBERS: &[(&str, usize)] = &[$(($in_header, $number)),*];
    };
}

functions! {
    set_event_mode "SetEventNotificationMode" 2 (mode: c_int, event: c_int, thread: jobject);
    get_all_threads "GetAllThreads" 4 (count: *mut jint, list: *mut *mut jobject);
    get_thread_info "GetThreadInfo" 9 (thread: jobject, info: *mut ThreadInfo);
    get_frame_location "GetFrameLocation" 19 (
        thread: jobject, depth: jint, method: *mut jmethodID, location: *mut jlong
    );
    get_local_object "GetLocalObject" 21 (
        thread: jobject, depth: jint, slot: jint, value: *mut jobject
    );
    get_local_int "GetLocalInt" 22 (thread: jobject, depth: jint, slot: jint, value: *mut jint);
    set_breakpoint_at "SetBreakpoint" 38 (method: jmethodID, location: jlong);
    deallocate "Deallocate" 47 (memory: *mut c_void);
    get_class_signature "GetClassSignature" 48 (
        class: jclass, signature: *mut *mut c_char, generic: *mut *mut c_char
    );
    get_class_status "GetClassStatus" 49 (class: jclass, status: *mut jint);
    get_class_methods "GetClassMethods" 52 (
        class: jclass, count: *mut jint, list: *mut *mut jmethodID
    );
    get_class_fields "GetClassFields" 53 (
        class: jclass, count: *mut jint, list: *mut *mut jfieldID
    );
    get_field_name "GetFieldName" 60 (
        class: jclass, field: jfieldID, name: *mut *mut c_char, descriptor: *mut *mut c_char,
        generic: *mut *mut c_char
    );
    get_field_modifiers "GetFieldModifiers" 62 (
        class: jclass, field: jfieldID, modifiers: *mut jint
    );
    get_method_name "GetMethodName" 64 (
        method: jmethodID, name: *mut *mut c_char, descriptor: *mut *mut c_char,
        generic: *mut *mut c_char
    );
    get_method_class "GetMethodDeclaringClass" 65 (method: jmethodID, class: *mut jclass);
    get_method_location "GetMethodLocation" 71 (
        method: jmethodID, start: *mut jlong, end: *mut jlong
    );
    get_loaded_classes "GetLoadedClasses" 78 (count: *mut jint, list: *mut *mut jclass);
    suspend_all "SuspendThreadList" 92 (
        count: jint, threads: *const jobject, results: *mut c_int
    );
    resume_all "ResumeThreadList" 93 (
        count: jint, threads: *const jobject, results: *mut c_int
    );
    get_stack_trace "GetStackTrace" 104 (
        thread: jobject, depth: jint, most: jint, frames: *mut Frame, count: *mut jint
    );
    get_tag "GetTag" 106 (object: jobject, tag: *mut jlong);
    put_tag "SetTag" 107 (object: jobject, tag: jlong);
    set_callbacks "SetEventCallbacks" 122 (table: *const *const c_void, size: jint);
    add_capabilities "AddCapabilities" 142 (wanted: *const [u32; 4]);
}

impl Jvmti {
    /// # Safety
    /// `vm` must be what `Agent_OnLoad` was given.
    pub(crate) unsafe fn new(vm: *mut JavaVM) -> Option<Self> {
        let mut env = null_mut();
        // SAFETY: by contract `vm` is valid, and `env` outlives the call.
        let code = unsafe { ((**vm).v1_2.GetEnv)(vm, &mut env, VERSION) };
        (code == JNI_OK && !env.is_null()).then_some(Self(env.cast()))
    }

    /// Asks to be told when the JVM is up and when a breakpoint is met.
    pub(crate) fn listen(self, started: Started, breakpoint: AtBreakpoint) -> bool {
        let mut table = [std::ptr::null::<c_void>(); BREAKPOINT - FIRST_EVENT + 1];
        table[VM_INIT - FIRST_EVENT] = started as *const c_void;
        table[BREAKPOINT - FIRST_EVENT] = breakpoint as *const c_void;
        self.add_capabilities(&CAPABILITIES)
            && self.set_callbacks(table.as_ptr(), size_of_val(&table) as jint)
            && [VM_INIT, BREAKPOINT]
                .into_iter()
                .all(|event| self.set_event_mode(1, event as c_int, null_mut()))
    }

    /// Stops whoever enters the method.
    pub(crate) fn break_at_entry(self, method: MethodId) -> bool {
        self.set_breakpoint_at(method.0, 0)
    }

    /// Stops whoever leaves the method, whose only return is its last byte code.
    pub(crate) fn break_at_return(self, method: MethodId) -> bool {
        let (mut start, mut end) = (0, 0);
        self.get_method_location(method.0, &mut start, &mut end)
            && end > 0
            && self.set_breakpoint_at(method.0, end)
    }

    fn text(self, text: *mut c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: JVMTI has given a string that ends with a zero byte.
        let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        self.deallocate(text.cast());
        copy
    }

    fn list<T: Copy>(self, found: bool, count: jint, list: *mut T) -> Vec<T> {
        if !found || list.is_null() {
            return Vec::new();
        }
        // SAFETY: JVMTI has given a list of this many items.
        let items =
            unsafe { std::slice::from_raw_parts(list, usize::try_from(count).unwrap_or(0)) };
        let items = items.to_vec();
        self.deallocate(list.cast());
        items
    }

    /// Such as `Ljava/lang/String;` or `[I`.
    pub(crate) fn signature(self, class: jclass) -> String {
        let mut signature = null_mut();
        self.get_class_signature(class, &mut signature, null_mut());
        self.text(signature)
    }

    pub(crate) fn is_initialized(self, class: jclass) -> bool {
        self.has_status(class, 4)
    }

    pub(crate) fn is_prepared(self, class: jclass) -> bool {
        self.has_status(class, 2)
    }

    fn has_status(self, class: jclass, wanted: jint) -> bool {
        let mut status = 0;
        self.get_class_status(class, &mut status) && status & wanted != 0
    }

    pub(crate) fn has_initialiser(self, class: jclass) -> bool {
        let (mut count, mut list) = (0, null_mut());
        let found = self.get_class_methods(class, &mut count, &mut list);
        self.list(found, count, list).into_iter().any(|method| {
            let mut name = null_mut();
            self.get_method_name(method, &mut name, null_mut(), null_mut())
                && self.text(name) == "<clinit>"
        })
    }

    pub(crate) fn declared_fields(self, class: jclass) -> Vec<DeclaredField> {
        let (mut count, mut list) = (0, null_mut());
        let found = self.get_class_fields(class, &mut count, &mut list);
        let ids = self.list(found, count, list).into_iter();
        ids.map(|id| {
            let (mut name, mut descriptor, mut access) = (null_mut(), null_mut(), 0);
            self.get_field_name(class, id, &mut name, &mut descriptor, null_mut());
            self.get_field_modifiers(class, id, &mut access);
            DeclaredField {
                id: FieldId(id),
                name: self.text(name),
                descriptor: self.text(descriptor),
                is_static: access & 0x0008 != 0,
                is_final: access & 0x0010 != 0,
                is_transient: access & 0x0080 != 0,
            }
        })
        .collect()
    }

    pub(crate) fn loaded_classes(self) -> Vec<jclass> {
        let (mut count, mut list) = (0, null_mut());
        let found = self.get_loaded_classes(&mut count, &mut list);
        self.list(found, count, list)
    }

    pub(crate) fn threads(self) -> Vec<jobject> {
        let (mut count, mut list) = (0, null_mut());
        let found = self.get_all_threads(&mut count, &mut list);
        self.list(found, count, list)
    }

    pub(crate) fn thread_name(self, thread: jobject) -> String {
        let mut info = ThreadInfo {
            name: null_mut(),
            priority: 0,
            is_daemon: 0,
            group: null_mut(),
            context_class_loader: null_mut(),
        };
        self.get_thread_info(thread, &mut info);
        self.text(info.name)
    }

    /// Lets these threads do nothing until they are resumed.
    pub(crate) fn suspend(self, threads: &[jobject]) {
        let mut results = vec![0; threads.len()];
        self.suspend_all(threads.len() as jint, threads.as_ptr(), results.as_mut_ptr());
    }

    pub(crate) fn resume(self, threads: &[jobject]) {
        let mut results = vec![0; threads.len()];
        self.resume_all(threads.len() as jint, threads.as_ptr(), results.as_mut_ptr());
    }

    /// The classes of the innermost methods a thread is in. The caller gives them
    /// back.
    pub(crate) fn innermost_classes(self, thread: jobject) -> Vec<jclass> {
        let mut frames = [Frame { method: null_mut(), location: 0 }; 32];
        let (most, mut count) = (frames.len() as jint, 0);
        if !self.get_stack_trace(thread, 0, most, frames.as_mut_ptr(), &mut count) {
            return Vec::new();
        }
        let frames = &frames[..usize::try_from(count).unwrap_or(0)];
        let classes = frames.iter().filter_map(|frame| {
            let mut class = null_mut();
            self.get_method_class(frame.method, &mut class).then_some(class)
        });
        classes.collect()
    }

    /// An `int` among the arguments of the method a thread is in.
    pub(crate) fn int_argument(self, thread: jobject, slot: jint) -> Option<jint> {
        let mut value = 0;
        self.get_local_int(thread, 0, slot, &mut value).then_some(value)
    }

    /// The first argument of the method a thread is in.
    pub(crate) fn object_argument(self, thread: jobject) -> Option<jobject> {
        let mut value = null_mut();
        let found = self.get_local_object(thread, 0, 0, &mut value);
        (found && !value.is_null()).then_some(value)
    }

    /// The class of the method that has called the one a thread is in.
    pub(crate) fn calling_class(self, thread: jobject) -> Option<jclass> {
        let (mut method, mut location, mut class) = (null_mut(), 0, null_mut());
        let found = self.get_frame_location(thread, 1, &mut method, &mut location)
            && self.get_method_class(method, &mut class);
        found.then_some(class)
    }

    /// 0 if the object has none.
    pub(crate) fn tag(self, object: jobject) -> jlong {
        let mut tag = 0;
        if self.get_tag(object, &mut tag) { tag } else { 0 }
    }

    pub(crate) fn set_tag(self, object: jobject, tag: jlong) {
        self.put_tag(object, tag);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `JAVA_HOME`, or where the `javac` of the search path is from.
    fn header() -> Option<String> {
        let home = std::env::var_os("JAVA_HOME").map(std::path::PathBuf::from).or_else(|| {
            let path = std::env::var_os("PATH")?;
            let javac = std::env::split_paths(&path)
                .find_map(|folder| folder.join("javac").canonicalize().ok())?;
            Some(javac.ancestors().nth(2)?.to_path_buf())
        })?;
        std::fs::read_to_string(home.join("include/jvmti.h")).ok()
    }

    #[test]
    #[allow(clippy::print_stderr)] // to say why it is skipped
    fn numbers_are_those_of_the_header() {
        let Some(header) = header() else {
            return eprintln!("skipped: no JDK with include/jvmti.h found, set JAVA_HOME");
        };
        for (name, number) in NUMBERS {
            let declaration = format!("(JNICALL *{name})");
            let before = header.split(&declaration).next().expect("there is a first part");
            assert!(before.len() < header.len(), "{name} is not there");
            let comment = before.rsplit("/*").next().expect("there is a last part");
            assert!(comment.trim().starts_with(&format!("{number} :")), "{name}: {comment}");
        }
    }
}

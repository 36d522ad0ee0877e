//! JVMTI calls, with what they allocate copied and given back.

use std::ffi::{CStr, c_char, c_uchar};
use std::ptr::null_mut;

use jni_sys::{JNI_OK, JavaVM, jclass, jfieldID, jint, jmethodID, jobject};

use crate::names;

use super::jvmti_table::{
    Callbacks, Capabilities, FrameInfo, JvmtiEnv, LineNumber, RawMonitorId, ThreadInfo,
};

/// JVMTI 9, the first with early class hooks.
const VERSION: jint = 0x3009_0000;

/// Events by their numbers in `jvmti.h`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    VmDeath = 51,
    ThreadEnd = 53,
    ClassFileLoadHook = 54,
    ClassPrepare = 56,
    VmStart = 57,
}

/// How far a class has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClassState {
    pub(crate) prepared: bool,
    pub(crate) initialized: bool,
    /// An array or a primitive type.
    pub(crate) has_no_fields: bool,
}

/// A frame of a stack.
pub(crate) type Frame = FrameInfo;

/// A field of a class.
#[derive(Debug, Clone)]
pub(crate) struct FieldHandle {
    pub(crate) id: jfieldID,
    pub(crate) name: Vec<u8>,
    pub(crate) descriptor: Vec<u8>,
    pub(crate) access: u16,
}

/// Where a method is from.
#[derive(Debug, Clone)]
pub(crate) struct MethodName {
    /// With dots.
    pub(crate) class: String,
    pub(crate) method: String,
    pub(crate) file: Option<String>,
    /// First byte code and line, in the order of the table.
    pub(crate) lines: Vec<(i64, i32)>,
}

/// A lock that a thread may hold while it runs Java code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawMonitor(RawMonitorId);

// SAFETY: a raw monitor is a handle that JVMTI allows to be used from any thread.
unsafe impl Send for RawMonitor {}
// SAFETY: as above.
unsafe impl Sync for RawMonitor {}

/// The environment of this agent. Valid as long as the JVM lives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jvmti(*mut JvmtiEnv);

// SAFETY: a JVMTI environment may be used from any thread.
unsafe impl Send for Jvmti {}
// SAFETY: as above.
unsafe impl Sync for Jvmti {}

macro_rules! call {
    ($self:ident.$function:ident($($argument:expr),*)) => {
        // SAFETY: the environment is valid (see `Jvmti::new`), the function is where the header has
        // it, and the arguments are handles of the JVM or pointers to locals of the right type.
        unsafe { ((**$self.0).$function)($self.0 $(, $argument)*) == 0 }
    };
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

    pub(crate) fn add_capabilities(self) -> bool {
        let wanted = Capabilities::default()
            .with(Capabilities::TAG_OBJECTS)
            .with(Capabilities::SOURCE_FILE_NAME)
            .with(Capabilities::LINE_NUMBERS)
            .with(Capabilities::ALL_CLASS_HOOKS)
            .with(Capabilities::EARLY_VMSTART)
            .with(Capabilities::EARLY_CLASS_HOOKS);
        call!(self.add_capabilities(&wanted))
    }

    pub(crate) fn set_callbacks(self, callbacks: &Callbacks) -> bool {
        call!(self.set_event_callbacks(callbacks, size_of::<Callbacks>() as jint))
    }

    pub(crate) fn enable(self, event: Event) -> bool {
        call!(self.set_event_notification_mode(1, event as jint, null_mut()))
    }

    /// The major version of the JDK.
    pub(crate) fn jdk_version(self) -> u32 {
        let mut version = 0;
        let known = call!(self.get_version_number(&mut version));
        if known { (version as u32 >> 16) & 0x0fff } else { 0 }
    }

    pub(crate) fn system_property(self, key: &CStr) -> Option<Vec<u8>> {
        let mut value = null_mut();
        call!(self.get_system_property(key.as_ptr(), &mut value)).then(|| self.take_bytes(value))?
    }

    /// Memory that the JVM takes over, with these bytes.
    pub(crate) fn allocate(self, bytes: &[u8]) -> Option<*mut c_uchar> {
        let mut memory = null_mut();
        let length = i64::try_from(bytes.len()).ok()?;
        if !call!(self.allocate(length, &mut memory)) || memory.is_null() {
            return None;
        }
        // SAFETY: JVMTI has just given this many bytes, which nobody else knows of.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Some(memory)
    }

    fn free<T>(self, memory: *mut T) {
        if !memory.is_null() {
            let _ = call!(self.deallocate(memory.cast()));
        }
    }

    fn take_bytes(self, text: *mut c_char) -> Option<Vec<u8>> {
        if text.is_null() {
            return None;
        }
        // SAFETY: JVMTI has given a string that ends with a zero byte.
        let bytes = unsafe { CStr::from_ptr(text) }.to_bytes().to_vec();
        self.free(text);
        Some(bytes)
    }

    fn take_text(self, text: *mut c_char) -> Option<String> {
        Some(residue_classfile::text(&self.take_bytes(text)?).into_owned())
    }

    fn take_list<T: Copy>(self, count: jint, list: *mut T) -> Vec<T> {
        if list.is_null() {
            return Vec::new();
        }
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: JVMTI has given a list of this many items.
        let items = unsafe { std::slice::from_raw_parts(list, count) }.to_vec();
        self.free(list);
        items
    }

    /// Such as `Ljava/lang/String;` or `[I`.
    pub(crate) fn class_signature(self, class: jclass) -> Option<Vec<u8>> {
        let mut signature = null_mut();
        call!(self.get_class_signature(class, &mut signature, null_mut()))
            .then(|| self.take_bytes(signature))?
    }

    pub(crate) fn class_state(self, class: jclass) -> ClassState {
        let mut status = 0;
        if !call!(self.get_class_status(class, &mut status)) {
            status = 0;
        }
        ClassState {
            prepared: status & 2 != 0,
            initialized: status & 4 != 0,
            has_no_fields: status & (16 | 32) != 0,
        }
    }

    /// The fields that a class declares. None if it is not prepared yet.
    pub(crate) fn class_fields(self, class: jclass) -> Option<Vec<FieldHandle>> {
        let (mut count, mut list) = (0, null_mut());
        if !call!(self.get_class_fields(class, &mut count, &mut list)) {
            return None;
        }
        self.take_list(count, list).into_iter().map(|id| self.field(class, id)).collect()
    }

    fn field(self, class: jclass, id: jfieldID) -> Option<FieldHandle> {
        let (mut name, mut descriptor, mut access) = (null_mut(), null_mut(), 0);
        if !call!(self.get_field_name(class, id, &mut name, &mut descriptor, null_mut())) {
            return None;
        }
        let (name, descriptor) = (self.take_bytes(name)?, self.take_bytes(descriptor)?);
        if !call!(self.get_field_modifiers(class, id, &mut access)) {
            return None;
        }
        Some(FieldHandle { id, name, descriptor, access: access as u16 })
    }

    pub(crate) fn loaded_classes(self) -> Vec<jclass> {
        let (mut count, mut list) = (0, null_mut());
        if !call!(self.get_loaded_classes(&mut count, &mut list)) {
            return Vec::new();
        }
        self.take_list(count, list)
    }

    pub(crate) fn all_threads(self) -> Vec<jobject> {
        let (mut count, mut list) = (0, null_mut());
        if !call!(self.get_all_threads(&mut count, &mut list)) {
            return Vec::new();
        }
        self.take_list(count, list)
    }

    pub(crate) fn thread_name(self, thread: jobject) -> Option<String> {
        let mut info = ThreadInfo {
            name: null_mut(),
            priority: 0,
            is_daemon: 0,
            group: null_mut(),
            context_class_loader: null_mut(),
        };
        call!(self.get_thread_info(thread, &mut info)).then(|| self.take_text(info.name))?
    }

    pub(crate) fn identity_hash(self, object: jobject) -> Option<jint> {
        let mut hash = 0;
        call!(self.get_object_hash_code(object, &mut hash)).then_some(hash)
    }

    pub(crate) fn tag(self, object: jobject) -> i64 {
        let mut tag = 0;
        if call!(self.get_tag(object, &mut tag)) { tag } else { 0 }
    }

    pub(crate) fn set_tag(self, object: jobject, tag: i64) {
        let _ = call!(self.set_tag(object, tag));
    }

    /// The innermost frames of the current thread.
    pub(crate) fn stack(self, frames: &mut [Frame]) -> usize {
        let mut count = 0;
        let most = frames.len() as jint;
        let found =
            call!(self.get_stack_trace(null_mut(), 0, most, frames.as_mut_ptr(), &mut count));
        if found { usize::try_from(count).unwrap_or(0) } else { 0 }
    }

    /// The class is a local reference that the caller has to give back.
    pub(crate) fn method_class(self, method: jmethodID) -> Option<jclass> {
        let mut class = null_mut();
        call!(self.get_method_declaring_class(method, &mut class)).then_some(class)
    }

    pub(crate) fn method_name(self, method: jmethodID, class: jclass) -> Option<MethodName> {
        let mut name = null_mut();
        if !call!(self.get_method_name(method, &mut name, null_mut(), null_mut())) {
            return None;
        }
        let method_text = self.take_text(name)?;
        let signature = self.class_signature(class)?;
        let mut file = null_mut();
        let has_file = call!(self.get_source_file_name(class, &mut file));
        Some(MethodName {
            class: binary_name(&signature),
            method: method_text,
            file: if has_file { self.take_text(file) } else { None },
            lines: self.line_numbers(method),
        })
    }

    fn line_numbers(self, method: jmethodID) -> Vec<(i64, i32)> {
        let (mut count, mut list) = (0, null_mut());
        if !call!(self.get_line_number_table(method, &mut count, &mut list)) {
            return Vec::new();
        }
        let lines: Vec<LineNumber> = self.take_list(count, list);
        lines.into_iter().map(|LineNumber { start, line }| (start, line)).collect()
    }

    pub(crate) fn create_monitor(self) -> Option<RawMonitor> {
        let mut monitor = null_mut();
        call!(self.create_raw_monitor(c"residue".as_ptr(), &mut monitor))
            .then_some(RawMonitor(monitor))
    }

    pub(crate) fn enter(self, monitor: RawMonitor) {
        let _ = call!(self.raw_monitor_enter(monitor.0));
    }

    pub(crate) fn exit(self, monitor: RawMonitor) {
        let _ = call!(self.raw_monitor_exit(monitor.0));
    }

    /// A copy of JNI's function table that is this agent's own.
    pub(crate) fn jni_functions(self) -> Option<*mut jni_sys::JNINativeInterface_> {
        let mut table = null_mut();
        call!(self.get_jni_function_table(&mut table)).then_some(table.cast())
    }

    pub(crate) fn set_jni_functions(self, table: *const jni_sys::JNINativeInterface_) -> bool {
        call!(self.set_jni_function_table(table.cast()))
    }
}

/// `java.util.Map$Entry` from `Ljava/util/Map$Entry;`.
fn binary_name(signature: &[u8]) -> String {
    let name = signature.strip_prefix(b"L").unwrap_or(signature);
    names::binary(name.strip_suffix(b";").unwrap_or(name))
}

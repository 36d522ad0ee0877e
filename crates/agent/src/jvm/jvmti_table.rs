//! The part of JVMTI's function table and structures that the agent uses. The
//! places are those of `jvmti.h`, which a test compares.

use std::ffi::{c_char, c_int, c_uchar, c_void};

use jni_sys::{JNIEnv, jclass, jfieldID, jint, jlong, jmethodID, jobject};

/// A JVMTI environment: a pointer to its function table.
pub(crate) type JvmtiEnv = *const Functions;
type Env = *mut JvmtiEnv;
/// `jvmtiError`; 0 is success.
pub(crate) type Code = c_int;
/// `jrawMonitorID`.
pub(crate) type RawMonitorId = *mut c_void;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameInfo {
    pub(crate) method: jmethodID,
    pub(crate) location: jlong,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineNumber {
    pub(crate) start: jlong,
    pub(crate) line: jint,
}

#[repr(C)]
pub(crate) struct ThreadInfo {
    pub(crate) name: *mut c_char,
    pub(crate) priority: jint,
    pub(crate) is_daemon: c_uchar,
    pub(crate) group: jobject,
    pub(crate) context_class_loader: jobject,
}

/// Bits of `jvmtiCapabilities`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Capabilities(pub(crate) [u32; 4]);

impl Capabilities {
    pub(crate) const TAG_OBJECTS: u32 = 0;
    pub(crate) const SOURCE_FILE_NAME: u32 = 11;
    pub(crate) const LINE_NUMBERS: u32 = 12;
    pub(crate) const ALL_CLASS_HOOKS: u32 = 26;
    pub(crate) const EARLY_VMSTART: u32 = 41;
    pub(crate) const EARLY_CLASS_HOOKS: u32 = 42;

    pub(crate) fn with(mut self, bit: u32) -> Self {
        self.0[(bit / 32) as usize] |= 1 << (bit % 32);
        self
    }
}

/// `jvmtiEventCallbacks` up to the last event the agent uses.
#[repr(C)]
#[derive(Default)]
pub(crate) struct Callbacks {
    pub(crate) vm_init: Option<unsafe extern "system" fn(Env, *mut JNIEnv, jobject)>,
    pub(crate) vm_death: Option<unsafe extern "system" fn(Env, *mut JNIEnv)>,
    pub(crate) thread_start: Option<unsafe extern "system" fn(Env, *mut JNIEnv, jobject)>,
    pub(crate) thread_end: Option<unsafe extern "system" fn(Env, *mut JNIEnv, jobject)>,
    pub(crate) class_file_load_hook: Option<
        unsafe extern "system" fn(
            Env,
            *mut JNIEnv,
            jclass,
            jobject,
            *const c_char,
            jobject,
            jint,
            *const c_uchar,
            *mut jint,
            *mut *mut c_uchar,
        ),
    >,
    pub(crate) class_load: Option<unsafe extern "system" fn(Env, *mut JNIEnv, jobject, jclass)>,
    pub(crate) class_prepare: Option<unsafe extern "system" fn(Env, *mut JNIEnv, jobject, jclass)>,
    pub(crate) vm_start: Option<unsafe extern "system" fn(Env, *mut JNIEnv)>,
}

macro_rules! functions {
    (@ [$($done:tt)*] skip $name:ident $count:literal; $($rest:tt)*) => {
        functions!{@ [$($done)* $name: [*const c_void; $count],] $($rest)*}
    };
    (@ [$($done:tt)*] $name:ident($($argument:ty),*); $($rest:tt)*) => {
        functions!{@
            [$($done)* pub(crate) $name: unsafe extern "system" fn(Env $(, $argument)*) -> Code,]
            $($rest)*
        }
    };
    (@ [$($done:tt)*]) => {
        #[repr(C)]
        pub(crate) struct Functions { $($done)* }
    };
    ($($item:tt)*) => { functions!{@ [] $($item)*} };
}

functions! {
    skip from_1 1;
    set_event_notification_mode(c_int, c_int, jobject);
    skip from_3 1;
    get_all_threads(*mut jint, *mut *mut jobject);
    skip from_5 4;
    get_thread_info(jobject, *mut ThreadInfo);
    skip from_10 21;
    create_raw_monitor(*const c_char, *mut RawMonitorId);
    skip from_32 1;
    raw_monitor_enter(RawMonitorId);
    raw_monitor_exit(RawMonitorId);
    skip from_35 11;
    allocate(jlong, *mut *mut c_uchar);
    deallocate(*mut c_uchar);
    get_class_signature(jclass, *mut *mut c_char, *mut *mut c_char);
    get_class_status(jclass, *mut jint);
    get_source_file_name(jclass, *mut *mut c_char);
    skip from_51 2;
    get_class_fields(jclass, *mut jint, *mut *mut jfieldID);
    skip from_54 4;
    get_object_hash_code(jobject, *mut jint);
    skip from_59 1;
    get_field_name(jclass, jfieldID, *mut *mut c_char, *mut *mut c_char, *mut *mut c_char);
    skip from_61 1;
    get_field_modifiers(jclass, jfieldID, *mut jint);
    skip from_63 1;
    get_method_name(jmethodID, *mut *mut c_char, *mut *mut c_char, *mut *mut c_char);
    get_method_declaring_class(jmethodID, *mut jclass);
    skip from_66 4;
    get_line_number_table(jmethodID, *mut jint, *mut *mut LineNumber);
    skip from_71 7;
    get_loaded_classes(*mut jint, *mut *mut jclass);
    skip from_79 9;
    get_version_number(*mut jint);
    skip from_89 15;
    get_stack_trace(jobject, jint, jint, *mut FrameInfo, *mut jint);
    skip from_105 1;
    get_tag(jobject, *mut jlong);
    set_tag(jobject, jlong);
    skip from_108 12;
    set_jni_function_table(*const c_void);
    get_jni_function_table(*mut *mut c_void);
    set_event_callbacks(*const Callbacks, jint);
    skip from_123 8;
    get_system_property(*const c_char, *mut *mut c_char);
    skip from_132 10;
    add_capabilities(*const Capabilities);
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;
    use crate::jvm::jdk_home;

    /// `jvmti.h` numbers its functions from 1.
    fn place_in_header(header: &str, declaration: &str) -> usize {
        let at = header.find(&format!("(JNICALL *{declaration})")).expect("the header has it");
        let number = header[..at].rfind(" : ").expect("a comment stands before it");
        let start = header[..number].rfind("/*").expect("the comment has a start") + 2;
        header[start..number].trim().parse().expect("the comment starts with a number")
    }

    #[test]
    #[allow(clippy::print_stderr)] // to say why it is skipped
    fn functions_are_where_the_header_of_the_jdk_has_them() {
        let header =
            jdk_home().and_then(|home| std::fs::read_to_string(home.join("include/jvmti.h")).ok());
        let Some(header) = header else {
            return eprintln!("skipped: no JDK with include/jvmti.h found, set JAVA_HOME");
        };
        macro_rules! check {
            ($($field:ident $name:literal),* $(,)?) => {
                $(assert_eq!(
                    offset_of!(Functions, $field) / size_of::<usize>() + 1,
                    place_in_header(&header, $name),
                    $name
                );)*
            };
        }
        check! {
            set_event_notification_mode "SetEventNotificationMode",
            get_all_threads "GetAllThreads",
            get_thread_info "GetThreadInfo",
            create_raw_monitor "CreateRawMonitor",
            raw_monitor_enter "RawMonitorEnter",
            raw_monitor_exit "RawMonitorExit",
            allocate "Allocate",
            deallocate "Deallocate",
            get_class_signature "GetClassSignature",
            get_class_status "GetClassStatus",
            get_source_file_name "GetSourceFileName",
            get_class_fields "GetClassFields",
            get_object_hash_code "GetObjectHashCode",
            get_field_name "GetFieldName",
            get_field_modifiers "GetFieldModifiers",
            get_method_name "GetMethodName",
            get_method_declaring_class "GetMethodDeclaringClass",
            get_line_number_table "GetLineNumberTable",
            get_loaded_classes "GetLoadedClasses",
            get_version_number "GetVersionNumber",
            get_stack_trace "GetStackTrace",
            get_tag "GetTag",
            set_tag "SetTag",
            set_jni_function_table "SetJNIFunctionTable",
            get_jni_function_table "GetJNIFunctionTable",
            set_event_callbacks "SetEventCallbacks",
            get_system_property "GetSystemProperty",
            add_capabilities "AddCapabilities",
        }
    }
}

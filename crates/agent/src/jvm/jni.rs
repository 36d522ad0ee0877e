//! JNI calls of the current thread. Exceptions that they raise are cleared: the
//! agent must not change what a test sees.

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

use jni_sys::{JNIEnv, JNINativeMethod, jboolean, jclass, jint, jobject, jweak};

/// JNI in the current thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jni(*mut JNIEnv);

/// A method of a Java class that is implemented here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NativeMethod {
    pub(crate) name: &'static CStr,
    pub(crate) descriptor: &'static CStr,
    pub(crate) function: *mut c_void,
}

macro_rules! call {
    ($self:ident.$function:ident($($argument:expr),*)) => {
        // SAFETY: the environment is that of the current thread (see `Jni::new`), and the arguments
        // are handles of the JVM or pointers to live memory of the right type.
        unsafe { ((**$self.0).v1_6.$function)($self.0 $(, $argument)*) }
    };
}

impl Jni {
    /// # Safety
    /// `env` must be what the JVM has given to a callback or native method of
    /// the current thread that has not returned yet.
    pub(crate) unsafe fn new(env: *mut JNIEnv) -> Self {
        Self(env)
    }

    /// Whether an exception waits to be thrown. Nearly nothing may be asked then.
    pub(crate) fn is_throwing(self) -> bool {
        call!(self.ExceptionCheck())
    }

    fn clear(self) -> bool {
        let raised = self.is_throwing();
        if raised {
            call!(self.ExceptionClear());
        }
        raised
    }

    fn checked(self, object: jobject) -> Option<jobject> {
        let raised = self.clear();
        (!raised && !object.is_null()).then_some(object)
    }

    /// Defines a class of the boot loader.
    pub(crate) fn define_class(self, name: &CStr, bytes: &[u8]) -> Option<jclass> {
        let length = jint::try_from(bytes.len()).ok()?;
        let class =
            call!(self.DefineClass(name.as_ptr(), null_mut(), bytes.as_ptr().cast(), length));
        self.checked(class)
    }

    pub(crate) fn find_class(self, name: &CStr) -> Option<jclass> {
        let class = call!(self.FindClass(name.as_ptr()));
        self.checked(class)
    }

    pub(crate) fn register(self, class: jclass, methods: &[NativeMethod]) -> bool {
        let table: Vec<JNINativeMethod> = methods
            .iter()
            .map(|method| JNINativeMethod {
                name: method.name.as_ptr().cast_mut(),
                signature: method.descriptor.as_ptr().cast_mut(),
                fnPtr: method.function,
            })
            .collect();
        let code = call!(self.RegisterNatives(class, table.as_ptr(), table.len() as jint));
        let raised = self.clear();
        code == 0 && !raised
    }

    /// Initialises the class too.
    pub(crate) fn static_method(
        self,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<jni_sys::jmethodID> {
        let method = call!(self.GetStaticMethodID(class, name.as_ptr(), descriptor.as_ptr()));
        let raised = self.clear();
        (!raised && !method.is_null()).then_some(method)
    }

    /// Calls a static method without parameters. None if there is none or it threw.
    pub(crate) fn call_static(self, class: jclass, name: &CStr, descriptor: &CStr) -> Option<()> {
        let method = self.static_method(class, name, descriptor)?;
        call!(self.CallStaticVoidMethodA(class, method, std::ptr::null()));
        (!self.clear()).then_some(())
    }

    /// Initialises the class by asking for a static field of it.
    pub(crate) fn static_field(
        self,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<jni_sys::jfieldID> {
        let field = call!(self.GetStaticFieldID(class, name.as_ptr(), descriptor.as_ptr()));
        let raised = self.clear();
        (!raised && !field.is_null()).then_some(field)
    }

    pub(crate) fn instance_field(
        self,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<jni_sys::jfieldID> {
        let field = call!(self.GetFieldID(class, name.as_ptr(), descriptor.as_ptr()));
        let raised = self.clear();
        (!raised && !field.is_null()).then_some(field)
    }

    pub(crate) fn static_int(self, class: jclass, name: &CStr) -> Option<jint> {
        let field = self.static_field(class, name, c"I")?;
        Some(call!(self.GetStaticIntField(class, field)))
    }

    pub(crate) fn static_long(self, class: jclass, name: &CStr) -> Option<i64> {
        let field = self.static_field(class, name, c"J")?;
        Some(call!(self.GetStaticLongField(class, field)))
    }

    pub(crate) fn set_static_int(self, class: jclass, name: &CStr, value: jint) -> bool {
        let Some(field) = self.static_field(class, name, c"I") else { return false };
        call!(self.SetStaticIntField(class, field, value));
        true
    }

    pub(crate) fn set_static_boolean(self, class: jclass, name: &CStr, value: bool) -> bool {
        let Some(field) = self.static_field(class, name, c"Z") else { return false };
        call!(self.SetStaticBooleanField(class, field, jboolean::from(value)));
        true
    }

    pub(crate) fn long_field(self, object: jobject, field: jni_sys::jfieldID) -> i64 {
        call!(self.GetLongField(object, field))
    }

    pub(crate) fn superclass(self, class: jclass) -> Option<jclass> {
        self.checked(call!(self.GetSuperclass(class)))
    }

    pub(crate) fn is_same(self, left: jobject, right: jobject) -> bool {
        call!(self.IsSameObject(left, right))
    }

    pub(crate) fn object_class(self, object: jobject) -> Option<jclass> {
        self.checked(call!(self.GetObjectClass(object)))
    }

    pub(crate) fn global(self, object: jobject) -> Option<jobject> {
        self.checked(call!(self.NewGlobalRef(object)))
    }

    pub(crate) fn weak(self, object: jobject) -> Option<jweak> {
        self.checked(call!(self.NewWeakGlobalRef(object)))
    }

    pub(crate) fn delete_weak(self, weak: jweak) {
        call!(self.DeleteWeakGlobalRef(weak));
    }

    /// A local reference; none if the object is gone.
    pub(crate) fn local(self, object: jobject) -> Option<jobject> {
        self.checked(call!(self.NewLocalRef(object)))
    }

    pub(crate) fn delete_local(self, object: jobject) {
        call!(self.DeleteLocalRef(object));
    }

    pub(crate) fn monitor_enter(self, object: jobject) -> bool {
        let code = call!(self.MonitorEnter(object));
        let raised = self.clear();
        code == 0 && !raised
    }

    pub(crate) fn monitor_exit(self, object: jobject) {
        call!(self.MonitorExit(object));
        self.clear();
    }

    /// At most `most` UTF-16 units from the start of a string.
    pub(crate) fn string_start(self, string: jobject, most: usize) -> Vec<u16> {
        let length = usize::try_from(call!(self.GetStringLength(string))).unwrap_or(0).min(most);
        let mut units = vec![0u16; length];
        call!(self.GetStringRegion(string, 0, length as jint, units.as_mut_ptr()));
        if self.clear() { Vec::new() } else { units }
    }
}

//! JNI calls of the current thread that only look at things.

use std::ffi::CStr;

use jni_sys::{JNIEnv, jarray, jclass, jfieldID, jint, jobject, jweak};

use super::MethodId;

/// JNI in the current thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jni(*mut JNIEnv);

/// A field, for as long as its class is there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldId(pub(crate) jfieldID);

// SAFETY: ids of fields are the same in all threads.
unsafe impl Send for FieldId {}

/// An object that may be gone.
#[derive(Debug)]
pub(crate) struct Weak(jweak);

// SAFETY: JNI allows global references, weak ones too, to be used from any thread.
unsafe impl Send for Weak {}

macro_rules! call {
    ($self:ident.$function:ident($($argument:expr),*)) => {
        // SAFETY: the environment is that of the current thread (see `Jni::new`), and the arguments
        // are handles of the JVM, of the kind the function wants, or pointers to live memory.
        unsafe { ((**$self.0).v1_6.$function)($self.0 $(, $argument)*) }
    };
}

impl Jni {
    /// # Safety
    /// `env` must be what the JVM has given to a callback of the current thread
    /// that has not returned yet.
    pub(crate) unsafe fn new(env: *mut JNIEnv) -> Self {
        Self(env)
    }

    /// A static method without an answer of a class of the JDK.
    pub(crate) fn jdk_method(
        self,
        class: &CStr,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<MethodId> {
        let class = call!(self.FindClass(class.as_ptr()));
        let method = if class.is_null() {
            std::ptr::null_mut()
        } else {
            call!(self.GetStaticMethodID(class, name.as_ptr(), descriptor.as_ptr()))
        };
        if call!(self.ExceptionCheck()) {
            call!(self.ExceptionClear());
        }
        (!method.is_null()).then_some(MethodId(method))
    }

    pub(crate) fn is_same(self, one: jobject, other: jobject) -> bool {
        call!(self.IsSameObject(one, other))
    }

    pub(crate) fn class_of(self, object: jobject) -> jclass {
        call!(self.GetObjectClass(object))
    }

    pub(crate) fn superclass(self, class: jclass) -> Option<jclass> {
        let class = call!(self.GetSuperclass(class));
        (!class.is_null()).then_some(class)
    }

    /// A field of an object, or of a class if it is static, that is no
    /// reference. `kind` is its descriptor; the answer has the bits of a
    /// decimal, and the value of anything else.
    pub(crate) fn primitive(
        self,
        holder: jobject,
        field: FieldId,
        kind: u8,
        is_static: bool,
    ) -> i64 {
        let FieldId(id) = field;
        macro_rules! get {
            ($of_object:ident, $of_class:ident) => {
                if is_static {
                    call!(self.$of_class(holder, id))
                } else {
                    call!(self.$of_object(holder, id))
                }
            };
        }
        match kind {
            b'Z' => get!(GetBooleanField, GetStaticBooleanField).into(),
            b'B' => get!(GetByteField, GetStaticByteField).into(),
            b'C' => get!(GetCharField, GetStaticCharField).into(),
            b'S' => get!(GetShortField, GetStaticShortField).into(),
            b'I' => get!(GetIntField, GetStaticIntField).into(),
            b'J' => get!(GetLongField, GetStaticLongField),
            b'F' => get!(GetFloatField, GetStaticFloatField).to_bits().into(),
            _ => get!(GetDoubleField, GetStaticDoubleField).to_bits() as i64,
        }
    }

    /// A field that is a reference, maybe null. The caller gives it back.
    pub(crate) fn reference(self, holder: jobject, field: FieldId, is_static: bool) -> jobject {
        if is_static {
            call!(self.GetStaticObjectField(holder, field.0))
        } else {
            call!(self.GetObjectField(holder, field.0))
        }
    }

    pub(crate) fn array_length(self, array: jarray) -> usize {
        usize::try_from(call!(self.GetArrayLength(array))).unwrap_or(0)
    }

    pub(crate) fn element(self, array: jarray, index: usize) -> jobject {
        call!(self.GetObjectArrayElement(array, index as jint))
    }

    /// All elements of an array of a primitive type, as they lie in memory.
    pub(crate) fn elements(self, array: jarray, kind: u8) -> Vec<u8> {
        let length = self.array_length(array);
        let mut bytes = vec![0_u8; length * width(kind)];
        let (count, to) = (length as jint, bytes.as_mut_ptr());
        match kind {
            b'Z' => call!(self.GetBooleanArrayRegion(array, 0, count, to.cast())),
            b'B' => call!(self.GetByteArrayRegion(array, 0, count, to.cast())),
            b'C' => call!(self.GetCharArrayRegion(array, 0, count, to.cast())),
            b'S' => call!(self.GetShortArrayRegion(array, 0, count, to.cast())),
            b'I' => call!(self.GetIntArrayRegion(array, 0, count, to.cast())),
            b'J' => call!(self.GetLongArrayRegion(array, 0, count, to.cast())),
            b'F' => call!(self.GetFloatArrayRegion(array, 0, count, to.cast())),
            _ => call!(self.GetDoubleArrayRegion(array, 0, count, to.cast())),
        }
        bytes
    }

    pub(crate) fn text(self, string: jobject) -> String {
        let length = call!(self.GetStringLength(string));
        let mut units = vec![0_u16; usize::try_from(length).unwrap_or(0)];
        call!(self.GetStringRegion(string, 0, length, units.as_mut_ptr()));
        String::from_utf16_lossy(&units)
    }

    pub(crate) fn weak(self, object: jobject) -> Weak {
        Weak(call!(self.NewWeakGlobalRef(object)))
    }

    /// Gives a weak reference back.
    pub(crate) fn forget(self, weak: Weak) {
        call!(self.DeleteWeakGlobalRef(weak.0));
    }

    /// None if the object is gone. The caller gives the answer back.
    pub(crate) fn local(self, weak: &Weak) -> Option<jobject> {
        let local = call!(self.NewLocalRef(weak.0));
        (!local.is_null()).then_some(local)
    }

    pub(crate) fn delete_local(self, object: jobject) {
        call!(self.DeleteLocalRef(object));
    }
}

/// Bytes of a primitive type.
pub(crate) fn width(kind: u8) -> usize {
    match kind {
        b'Z' | b'B' => 1,
        b'C' | b'S' => 2,
        b'I' | b'F' => 4,
        _ => 8,
    }
}

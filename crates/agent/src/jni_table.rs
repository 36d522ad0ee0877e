//! Writes by native code: JNI's functions that change fields and arrays tell the
//! hook first. `System.setOut` is one that does it like that.
//!
//! What native code does with the elements it has got a pointer to cannot be
//! seen; if the array is old, that is a gap. While it holds such a pointer the
//! thread is left in peace (`critical`).

use std::ffi::c_void;
use std::sync::OnceLock;

use jni_sys::{
    JNI_ABORT, JNIEnv, JNINativeInterface_, jarray, jboolean, jbyte, jchar, jclass, jdouble,
    jfieldID, jfloat, jint, jlong, jmethodID, jobject, jobjectArray, jshort, jsize, jstring,
    jvalue,
};

use crate::agent::Agent;
use crate::critical;
use crate::field_offsets;
use crate::jvm::Jni;

type Env = *mut JNIEnv;

/// Where the calls go.
struct Interception {
    original: &'static JNINativeInterface_,
    hook: jclass,
    field_written: jmethodID,
    elements_written: jmethodID,
    elements_exposed: jmethodID,
    class_prepared: jmethodID,
}

// SAFETY: the table is read only, the class a global reference, and methods are valid in every
// thread.
unsafe impl Send for Interception {}
// SAFETY: as above.
unsafe impl Sync for Interception {}

static INTERCEPTION: OnceLock<Interception> = OnceLock::new();

/// Puts itself between native code and JNI.
pub(crate) fn intercept(agent: &Agent, jni: Jni) -> Option<()> {
    let hook = jni.find_class(c"java/lang/ResidueHook")?;
    // SAFETY: JVMTI gives copies of the table that are ours and stay; one of them is changed.
    let (original, table) =
        unsafe { (&*agent.jvmti.jni_functions()?, &mut *agent.jvmti.jni_functions()?) };
    let interception = Interception {
        original,
        hook: jni.global(hook)?,
        field_written: jni.static_method(hook, c"nativeFieldWrite", c"(Ljava/lang/Object;J)V")?,
        elements_written: jni.static_method(hook, c"nativeWrite", c"(Ljava/lang/Object;II)V")?,
        elements_exposed: jni.static_method(hook, c"nativePointer", c"(Ljava/lang/Object;)V")?,
        class_prepared: jni.static_method(hook, c"classPrepared", c"(Ljava/lang/Class;)V")?,
    };
    INTERCEPTION.set(interception).ok()?;
    replace(table);
    agent.jvmti.set_jni_functions(table).then_some(())
}

/// Lets the hook know a class by its mirror.
///
/// # Safety
/// `env` must be that of the current thread, and `class` a class.
pub(crate) unsafe fn class_prepared(env: Env, class: jclass) {
    if let Some(interception) = INTERCEPTION.get() {
        interception.tell(env, interception.class_prepared, &[jvalue { l: class }]);
    }
}

impl Interception {
    /// Calls the hook, unless an exception is pending: then no Java code may run.
    fn tell(&self, env: Env, method: jmethodID, arguments: &[jvalue]) {
        // SAFETY: `env` is that of the calling thread, and the arguments fit the method.
        unsafe {
            if !(self.original.v1_6.ExceptionCheck)(env) {
                let call = self.original.v1_6.CallStaticVoidMethodA;
                call(env, self.hook, method, arguments.as_ptr());
                (self.original.v1_6.ExceptionClear)(env);
            }
        }
    }

    fn field_written(&self, env: Env, holder: jobject, field: jfieldID, is_static: bool) {
        if let Some(offset) = field_offsets::offset(field, is_static) {
            let arguments = [jvalue { l: holder }, jvalue { j: i64::from(offset) }];
            self.tell(env, self.field_written, &arguments);
        }
    }

    fn elements_written(&self, env: Env, array: jarray, from: jint, count: jint) {
        let arguments = [jvalue { l: array }, jvalue { i: from }, jvalue { i: count }];
        self.tell(env, self.elements_written, &arguments);
    }

    fn elements_exposed(&self, env: Env, array: jarray, mode: jint) {
        if mode != JNI_ABORT {
            self.tell(env, self.elements_exposed, &[jvalue { l: array }]);
        }
    }
}

macro_rules! replacements {
    ($table:ident; $($name:ident($($argument:ident: $type:ty),*)
        before $before:expr, after $after:expr;)*) => {
        $({
            unsafe extern "system" fn replaced(env: Env $(, $argument: $type)*) {
                let Some(interception) = INTERCEPTION.get() else { return };
                let before: fn(&Interception, Env $(, $type)*) = $before;
                let after: fn(&Interception, Env $(, $type)*) = $after;
                before(interception, env $(, $argument)*);
                // SAFETY: what native code has passed is passed on as it is.
                unsafe { (interception.original.v1_6.$name)(env $(, $argument)*) };
                after(interception, env $(, $argument)*);
            }
            $table.v1_6.$name = replaced;
        })*
    };
}

macro_rules! for_type {
    ($table:ident, $type:ty, $set:ident, $set_static:ident) => {
        replacements! { $table;
            $set(object: jobject, field: jfieldID, value: $type)
                before |to, env, object, field, _| to.field_written(env, object, field, false),
                after |_, _, _, _, _| {};
            $set_static(class: jclass, field: jfieldID, value: $type)
                before |to, env, class, field, _| to.field_written(env, class, field, true),
                after |_, _, _, _, _| {};
        }
    };
    ($table:ident, $type:ty, $set:ident, $set_static:ident, $region:ident, $release:ident) => {
        for_type!($table, $type, $set, $set_static);
        replacements! { $table;
            $region(array: jarray, start: jsize, count: jsize, values: *const $type)
                before |to, env, array, start, count, _| {
                    to.elements_written(env, array, start, count);
                },
                after |_, _, _, _, _, _| {};
            $release(array: jarray, elements: *mut $type, mode: jint)
                before |_, _, _, _, _| {},
                after |to, env, array, _, mode| to.elements_exposed(env, array, mode);
        }
    };
}

fn replace(table: &mut JNINativeInterface_) {
    for_type!(table, jobject, SetObjectField, SetStaticObjectField);
    for_type!(
        table,
        jboolean,
        SetBooleanField,
        SetStaticBooleanField,
        SetBooleanArrayRegion,
        ReleaseBooleanArrayElements
    );
    for_type!(
        table,
        jbyte,
        SetByteField,
        SetStaticByteField,
        SetByteArrayRegion,
        ReleaseByteArrayElements
    );
    for_type!(
        table,
        jchar,
        SetCharField,
        SetStaticCharField,
        SetCharArrayRegion,
        ReleaseCharArrayElements
    );
    for_type!(
        table,
        jshort,
        SetShortField,
        SetStaticShortField,
        SetShortArrayRegion,
        ReleaseShortArrayElements
    );
    for_type!(
        table,
        jint,
        SetIntField,
        SetStaticIntField,
        SetIntArrayRegion,
        ReleaseIntArrayElements
    );
    for_type!(
        table,
        jlong,
        SetLongField,
        SetStaticLongField,
        SetLongArrayRegion,
        ReleaseLongArrayElements
    );
    for_type!(
        table,
        jfloat,
        SetFloatField,
        SetStaticFloatField,
        SetFloatArrayRegion,
        ReleaseFloatArrayElements
    );
    for_type!(
        table,
        jdouble,
        SetDoubleField,
        SetStaticDoubleField,
        SetDoubleArrayRegion,
        ReleaseDoubleArrayElements
    );
    replacements! { table;
        SetObjectArrayElement(array: jobjectArray, index: jsize, value: jobject)
            before |to, env, array, index, _| to.elements_written(env, array, index, 1),
            after |_, _, _, _, _| {};
        ReleasePrimitiveArrayCritical(array: jarray, elements: *mut c_void, mode: jint)
            before |_, _, _, _, _| critical::let_go(),
            after |to, env, array, _, mode| to.elements_exposed(env, array, mode);
        ReleaseStringCritical(string: jstring, characters: *const jchar)
            before |_, _, _, _| critical::let_go(),
            after |_, _, _, _| {};
    }
    table.v1_6.GetPrimitiveArrayCritical = get_primitive_array_critical;
    table.v1_6.GetStringCritical = get_string_critical;
}

unsafe extern "system" fn get_primitive_array_critical(
    env: Env,
    array: jarray,
    is_copy: *mut jboolean,
) -> *mut c_void {
    let Some(interception) = INTERCEPTION.get() else { return std::ptr::null_mut() };
    // SAFETY: what native code has passed is passed on as it is.
    let elements =
        unsafe { (interception.original.v1_6.GetPrimitiveArrayCritical)(env, array, is_copy) };
    if !elements.is_null() {
        critical::took_pointer();
    }
    elements
}

unsafe extern "system" fn get_string_critical(
    env: Env,
    string: jstring,
    is_copy: *mut jboolean,
) -> *const jchar {
    let Some(interception) = INTERCEPTION.get() else { return std::ptr::null() };
    // SAFETY: as above.
    let characters =
        unsafe { (interception.original.v1_6.GetStringCritical)(env, string, is_copy) };
    if !characters.is_null() {
        critical::took_pointer();
    }
    characters
}

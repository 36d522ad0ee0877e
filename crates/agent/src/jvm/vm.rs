//! The virtual machine itself, which knows its threads.

use std::ptr::null_mut;

use jni_sys::{JNI_OK, JNI_VERSION_1_8, JNIEnv, JavaVM};

/// A handle that every thread may use.
#[derive(Debug)]
pub(crate) struct Vm(*mut JavaVM);

// SAFETY: JNI allows every thread to use it.
unsafe impl Send for Vm {}
// SAFETY: as above.
unsafe impl Sync for Vm {}

impl Vm {
    /// # Safety
    /// `vm` must be what `Agent_OnLoad` was given.
    pub(crate) unsafe fn new(vm: *mut JavaVM) -> Self {
        Self(vm)
    }

    /// Nothing for a thread that the JVM does not know.
    pub(crate) fn env_of_this_thread(&self) -> Option<*mut JNIEnv> {
        let mut env = null_mut();
        // SAFETY: the machine is there as long as the process, and `env` outlives the call.
        let code = unsafe { ((**self.0).v1_2.GetEnv)(self.0, &mut env, JNI_VERSION_1_8) };
        (code == JNI_OK && !env.is_null()).then_some(env.cast())
    }
}

//! Environment variables of the JVM itself. Those of other processes are gone
//! with them.

use std::ffi::{CStr, c_char, c_int};

use residue_outside::EventKind;

use crate::errno::quietly;
use crate::log;
use crate::notes::{self, Again};

interpose! {
    fn getenv(name: *const c_char) -> *mut c_char = |real| {
        unsafe { noted(EventKind::ReadVariable, name) };
        unsafe { real(name) }
    };
    fn secure_getenv(name: *const c_char) -> *mut c_char = |real| {
        unsafe { noted(EventKind::ReadVariable, name) };
        unsafe { real(name) }
    };
    fn setenv(name: *const c_char, value: *const c_char, overwrite: c_int) -> c_int = |real| {
        // One that is there may be left as it is: then it was only looked at.
        if overwrite != 0 || name.is_null() || unsafe { libc::getenv(name) }.is_null() {
            unsafe { noted(EventKind::WriteVariable, name) };
        }
        unsafe { real(name, value, overwrite) }
    };
    fn unsetenv(name: *const c_char) -> c_int = |real| {
        unsafe { noted(EventKind::WriteVariable, name) };
        unsafe { real(name) }
    };
    fn putenv(assignment: *mut c_char) -> c_int = |real| {
        unsafe { noted(EventKind::WriteVariable, assignment) };
        unsafe { real(assignment) }
    };
    fn clearenv() -> c_int = |real| {
        unsafe { noted(EventKind::WriteVariable, c"".as_ptr()) };
        unsafe { real() }
    };
}

/// # Safety
/// The name must be null or end with a zero byte; what follows an equals sign
/// is no part of it.
unsafe fn noted(kind: EventKind, name: *const c_char) {
    quietly((), || {
        if name.is_null() || !log::is_jvm() || log::epoch() == 0 {
            return;
        }
        // SAFETY: by contract.
        let name = unsafe { CStr::from_ptr(name) }.to_bytes();
        let name = name.split(|byte| *byte == b'=').next().unwrap_or_default();
        notes::record(kind, 0, (0, 0), name, b"", Again::Boring);
    });
}

//! The error number of the current thread, which is the caller's to see.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::log;

pub(crate) fn get() -> c_int {
    // SAFETY: every thread has its own, always.
    unsafe { *libc::__errno_location() }
}

pub(crate) fn set(number: c_int) {
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = number };
}

/// Does something of our own without the caller noticing.
pub(crate) fn quietly<T>(harmless: T, work: impl FnOnce() -> T) -> T {
    if !log::is_on() {
        return harmless;
    }
    let before = get();
    let done = catch_unwind(AssertUnwindSafe(work));
    set(before);
    done.unwrap_or_else(|_| {
        log::give_up();
        harmless
    })
}

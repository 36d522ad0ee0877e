//! The calls we stand in front of.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::{errno, lookups};

/// A function of the next library that has one by this name, looked up when
/// first called.
pub(crate) struct Real {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Real {
    pub(crate) const fn new(name: &'static CStr) -> Self {
        Self { name, address: AtomicPtr::new(null_mut()) }
    }

    pub(crate) fn address(&self) -> Option<*mut c_void> {
        let known = self.address.load(Ordering::Relaxed);
        if !known.is_null() {
            return Some(known);
        }
        let lookup = lookups::real()?;
        // SAFETY: the name ends with a zero byte.
        let found = unsafe { lookup(libc::RTLD_NEXT, self.name.as_ptr()) };
        self.address.store(found, Ordering::Relaxed);
        (!found.is_null()).then_some(found)
    }
}

/// What a call returns that did not work.
pub(crate) trait Failed {
    const FAILED: Self;
}

impl Failed for c_int {
    const FAILED: Self = -1;
}

impl Failed for isize {
    const FAILED: Self = -1;
}

impl<T> Failed for *mut T {
    const FAILED: Self = null_mut();
}

/// For a C library that has no such call.
pub(crate) fn unknown_call<T: Failed>() -> T {
    errno::set(libc::ENOSYS);
    T::FAILED
}

/// Stands in front of calls: the body gets the real one and the arguments.
macro_rules! interpose {
    ($(fn $name:ident($($arg:ident: $type:ty),*) -> $answer:ty = |$real:ident| $body:expr;)*) => {$(
        #[cfg_attr(not(test), unsafe(no_mangle))]
        #[allow(missing_docs, unreachable_pub, reason = "as the C library documents it")]
        #[allow(clippy::too_many_arguments, reason = "as many as the C library wants")]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> $answer {
            type Function = unsafe extern "C" fn($($type),*) -> $answer;
            static REAL: $crate::real::Real = $crate::real::Real::new(
                match std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => panic!("a name has no zero byte inside"),
                },
            );
            let Some(address) = REAL.address() else { return $crate::real::unknown_call() };
            // SAFETY: the C library's call of this name has this type.
            let $real: Function = unsafe { std::mem::transmute(address) };
            $body
        }
    )*};
}

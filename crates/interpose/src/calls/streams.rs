//! The C library's own streams. What happens inside them is not seen, so a
//! stream counts as used in all the ways its mode allows.

use std::ffi::{CStr, c_char, c_int};

use libc::{AT_FDCWD, FILE};

use crate::calls::opening::opened;
use crate::errno::{self, quietly};
use crate::{descriptors, kernel, saving};

interpose! {
    fn fopen(path: *const c_char, mode: *const c_char) -> *mut FILE = |real| {
        unsafe { opening(path, mode, || real(path, mode)) }
    };
    fn fopen64(path: *const c_char, mode: *const c_char) -> *mut FILE = |real| {
        unsafe { opening(path, mode, || real(path, mode)) }
    };
    fn freopen(path: *const c_char, mode: *const c_char, stream: *mut FILE) -> *mut FILE = |real| {
        unsafe { opening(path, mode, || real(path, mode, stream)) }
    };
    fn freopen64(path: *const c_char, mode: *const c_char, stream: *mut FILE)
        -> *mut FILE = |real| {
        unsafe { opening(path, mode, || real(path, mode, stream)) }
    };
    fn fclose(stream: *mut FILE) -> c_int = |real| {
        let descriptor = descriptor(stream);
        let done = unsafe { real(stream) };
        descriptors::forget(descriptor);
        done
    };
}

/// # Safety
/// As for the real call.
unsafe fn opening(
    path: *const c_char,
    mode: *const c_char,
    real: impl FnOnce() -> *mut FILE,
) -> *mut FILE {
    if path.is_null() || mode.is_null() {
        return real();
    }
    // SAFETY: by contract.
    let flags = flags(unsafe { CStr::from_ptr(mode) }.to_bytes());
    let before = quietly(None, || {
        if flags & libc::O_ACCMODE != libc::O_RDONLY {
            saving::before_change((AT_FDCWD, path), true);
        }
        (flags & libc::O_CREAT != 0).then(|| kernel::of_name(AT_FDCWD, path, true))
    });
    let stream = real();
    let errno = errno::get();
    quietly((), || {
        let descriptor = if stream.is_null() { -1 } else { descriptor(stream) };
        // SAFETY: by contract.
        unsafe { opened((AT_FDCWD, path), flags, before, descriptor, errno) };
        if flags & libc::O_ACCMODE != libc::O_WRONLY {
            descriptors::read(descriptor);
        }
        if flags & libc::O_ACCMODE != libc::O_RDONLY {
            descriptors::written(descriptor);
        }
    });
    stream
}

fn descriptor(stream: *mut FILE) -> c_int {
    if stream.is_null() {
        return -1;
    }
    // SAFETY: the stream is one that the C library has given.
    unsafe { libc::fileno(stream) }
}

fn flags(mode: &[u8]) -> c_int {
    let both = mode.contains(&b'+');
    let access = |one: c_int| if both { libc::O_RDWR } else { one };
    let exclusive = if mode.contains(&b'x') { libc::O_EXCL } else { 0 };
    match mode.first() {
        Some(b'w') => access(libc::O_WRONLY) | libc::O_CREAT | libc::O_TRUNC | exclusive,
        Some(b'a') => access(libc::O_WRONLY) | libc::O_CREAT | libc::O_APPEND,
        _ => access(libc::O_RDONLY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_say_what_may_happen() {
        assert_eq!(flags(b"r"), libc::O_RDONLY);
        assert_eq!(flags(b"rb+"), libc::O_RDWR);
        assert_eq!(flags(b"we"), libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC);
        assert_eq!(flags(b"a+"), libc::O_RDWR | libc::O_CREAT | libc::O_APPEND);
    }
}

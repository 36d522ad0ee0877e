//! Looking at names and metadata.

use std::ffi::{c_char, c_int, c_uint};

use libc::{AT_FDCWD, size_t, ssize_t};

use crate::descriptors;
use crate::errno::{self, quietly};
use crate::kernel::{self, File};
use crate::notes::{self, is_missing};

type Place = (c_int, *const c_char);
type Stat = *mut libc::stat;

interpose! {
    fn stat(path: *const c_char, stat: Stat) -> c_int = |real| {
        unsafe { looking((AT_FDCWD, path), 0, stat, real(path, stat)) }
    };
    fn stat64(path: *const c_char, stat: Stat) -> c_int = |real| {
        unsafe { looking((AT_FDCWD, path), 0, stat, real(path, stat)) }
    };
    fn lstat(path: *const c_char, stat: Stat) -> c_int = |real| {
        unsafe { looking((AT_FDCWD, path), NO_FOLLOW, stat, real(path, stat)) }
    };
    fn lstat64(path: *const c_char, stat: Stat) -> c_int = |real| {
        unsafe { looking((AT_FDCWD, path), NO_FOLLOW, stat, real(path, stat)) }
    };
    fn fstatat(folder: c_int, path: *const c_char, stat: Stat, flags: c_int) -> c_int = |real| {
        unsafe { looking((folder, path), flags, stat, real(folder, path, stat, flags)) }
    };
    fn fstatat64(folder: c_int, path: *const c_char, stat: Stat, flags: c_int) -> c_int = |real| {
        unsafe { looking((folder, path), flags, stat, real(folder, path, stat, flags)) }
    };
    fn __xstat(version: c_int, path: *const c_char, stat: Stat) -> c_int = |real| {
        unsafe { looking((AT_FDCWD, path), 0, stat, real(version, path, stat)) }
    };
    fn __xstat64(version: c_int, path: *const c_char, stat: Stat) -> c_int = |real| {
        unsafe { looking((AT_FDCWD, path), 0, stat, real(version, path, stat)) }
    };
    fn __lxstat(version: c_int, path: *const c_char, stat: Stat) -> c_int = |real| {
        unsafe { looking((AT_FDCWD, path), NO_FOLLOW, stat, real(version, path, stat)) }
    };
    fn __lxstat64(version: c_int, path: *const c_char, stat: Stat) -> c_int = |real| {
        unsafe { looking((AT_FDCWD, path), NO_FOLLOW, stat, real(version, path, stat)) }
    };
    fn __fxstatat(version: c_int, folder: c_int, path: *const c_char, stat: Stat, flags: c_int)
        -> c_int = |real| {
        unsafe { looking((folder, path), flags, stat, real(version, folder, path, stat, flags)) }
    };
    fn __fxstatat64(version: c_int, folder: c_int, path: *const c_char, stat: Stat, flags: c_int)
        -> c_int = |real| {
        unsafe { looking((folder, path), flags, stat, real(version, folder, path, stat, flags)) }
    };
    fn fstat(descriptor: c_int, stat: Stat) -> c_int = |real| {
        descriptors::looked_at(descriptor);
        unsafe { real(descriptor, stat) }
    };
    fn fstat64(descriptor: c_int, stat: Stat) -> c_int = |real| {
        descriptors::looked_at(descriptor);
        unsafe { real(descriptor, stat) }
    };
    fn __fxstat(version: c_int, descriptor: c_int, stat: Stat) -> c_int = |real| {
        descriptors::looked_at(descriptor);
        unsafe { real(version, descriptor, stat) }
    };
    fn __fxstat64(version: c_int, descriptor: c_int, stat: Stat) -> c_int = |real| {
        descriptors::looked_at(descriptor);
        unsafe { real(version, descriptor, stat) }
    };
    fn statx(folder: c_int, path: *const c_char, flags: c_int, mask: c_uint, stat: *mut libc::statx)
        -> c_int = |real| {
        let done = unsafe { real(folder, path, flags, mask, stat) };
        let found = (done == 0).then(|| File::of_statx(unsafe { &*stat }));
        unsafe { looked((folder, path), flags, found) };
        done
    };
    fn access(path: *const c_char, mode: c_int) -> c_int = |real| {
        unsafe { asking((AT_FDCWD, path), 0, real(path, mode)) }
    };
    fn euidaccess(path: *const c_char, mode: c_int) -> c_int = |real| {
        unsafe { asking((AT_FDCWD, path), 0, real(path, mode)) }
    };
    fn eaccess(path: *const c_char, mode: c_int) -> c_int = |real| {
        unsafe { asking((AT_FDCWD, path), 0, real(path, mode)) }
    };
    fn faccessat(folder: c_int, path: *const c_char, mode: c_int, flags: c_int) -> c_int = |real| {
        unsafe { asking((folder, path), flags, real(folder, path, mode, flags)) }
    };
    fn readlink(path: *const c_char, into: *mut c_char, size: size_t) -> ssize_t = |real| {
        unsafe { asking((AT_FDCWD, path), NO_FOLLOW, real(path, into, size)) }
    };
    fn readlinkat(folder: c_int, path: *const c_char, into: *mut c_char, size: size_t)
        -> ssize_t = |real| {
        unsafe { asking((folder, path), NO_FOLLOW, real(folder, path, into, size)) }
    };
    fn __readlink_chk(path: *const c_char, into: *mut c_char, size: size_t, room: size_t)
        -> ssize_t = |real| {
        unsafe { asking((AT_FDCWD, path), NO_FOLLOW, real(path, into, size, room)) }
    };
    fn realpath(path: *const c_char, into: *mut c_char) -> *mut c_char = |real| {
        unsafe { resolving(path, real(path, into)) }
    };
    fn __realpath_chk(path: *const c_char, into: *mut c_char, room: size_t) -> *mut c_char = |real| {
        unsafe { resolving(path, real(path, into, room)) }
    };
    fn canonicalize_file_name(path: *const c_char) -> *mut c_char = |real| {
        unsafe { resolving(path, real(path)) }
    };
}

const NO_FOLLOW: c_int = libc::AT_SYMLINK_NOFOLLOW;

/// # Safety
/// As for the real call, which has been made and has answered `done`.
unsafe fn looking(place: Place, flags: c_int, stat: Stat, done: c_int) -> c_int {
    // SAFETY: a call that went well has filled in the structure.
    let found = (done == 0).then(|| File::of(unsafe { &*stat }));
    // SAFETY: by contract.
    unsafe { looked(place, flags, found) };
    done
}

/// # Safety
/// As for the real call, which has been made.
unsafe fn looked(place: Place, flags: c_int, found: Option<File>) {
    let errno = errno::get();
    quietly((), || {
        // SAFETY: the name is one that the real call was given.
        let of_descriptor =
            flags & libc::AT_EMPTY_PATH != 0 && (place.1.is_null() || unsafe { *place.1 } == 0);
        if of_descriptor {
            descriptors::looked_at(place.0);
        } else if found.is_some() || is_missing(errno) {
            // SAFETY: by contract.
            unsafe { notes::looked(place, found, flags & NO_FOLLOW == 0) };
        }
    });
}

/// A call that tells no more than that the name is there.
///
/// # Safety
/// As for the real call, which has been made and has answered `done`.
unsafe fn asking<T: Copy + PartialOrd + From<i8>>(place: Place, flags: c_int, done: T) -> T {
    let errno = errno::get();
    quietly((), || {
        let follow = flags & NO_FOLLOW == 0;
        let found = kernel::of_name(place.0, place.1, follow);
        if found.is_some() || is_missing(errno) {
            // SAFETY: by contract.
            unsafe { notes::looked(place, found, follow) };
        }
    });
    done
}

/// # Safety
/// As for the real call, which has been made and has answered `done`.
unsafe fn resolving(path: *const c_char, done: *mut c_char) -> *mut c_char {
    // SAFETY: by contract.
    unsafe { asking((AT_FDCWD, path), 0, 0_i32) };
    done
}

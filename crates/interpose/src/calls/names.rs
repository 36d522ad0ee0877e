//! Giving names to files and taking them away.

use std::ffi::{CStr, c_char, c_int, c_uint};

use libc::{AT_FDCWD, dev_t, mode_t};
use residue_outside::EventKind;
use residue_outside::flags::{EXCHANGED, LAST_NAME, OF_LINK, REPLACED};

use crate::errno::{self, quietly};
use crate::kernel::{self, File};
use crate::notes::{self, Again, is_missing};
use crate::paths::FullPath;
use crate::saving;

type Place = (c_int, *const c_char);

interpose! {
    fn unlink(path: *const c_char) -> c_int = |real| {
        unsafe { removing((AT_FDCWD, path), || real(path)) }
    };
    fn unlinkat(folder: c_int, path: *const c_char, flags: c_int) -> c_int = |real| {
        unsafe { removing((folder, path), || real(folder, path, flags)) }
    };
    fn rmdir(path: *const c_char) -> c_int = |real| {
        unsafe { removing((AT_FDCWD, path), || real(path)) }
    };
    fn remove(path: *const c_char) -> c_int = |real| {
        unsafe { removing((AT_FDCWD, path), || real(path)) }
    };
    fn rename(from: *const c_char, to: *const c_char) -> c_int = |real| {
        unsafe { renaming((AT_FDCWD, from), (AT_FDCWD, to), 0, || real(from, to)) }
    };
    fn renameat(a: c_int, from: *const c_char, b: c_int, to: *const c_char) -> c_int = |real| {
        unsafe { renaming((a, from), (b, to), 0, || real(a, from, b, to)) }
    };
    fn renameat2(a: c_int, from: *const c_char, b: c_int, to: *const c_char, flags: c_uint)
        -> c_int = |real| {
        unsafe { renaming((a, from), (b, to), flags, || real(a, from, b, to, flags)) }
    };
    fn link(from: *const c_char, to: *const c_char) -> c_int = |real| {
        unsafe { linking((AT_FDCWD, from), (AT_FDCWD, to), || real(from, to)) }
    };
    fn linkat(a: c_int, from: *const c_char, b: c_int, to: *const c_char, flags: c_int)
        -> c_int = |real| {
        unsafe { linking((a, from), (b, to), || real(a, from, b, to, flags)) }
    };
    fn symlink(target: *const c_char, path: *const c_char) -> c_int = |real| {
        unsafe { making((AT_FDCWD, path), target, || real(target, path)) }
    };
    fn symlinkat(target: *const c_char, folder: c_int, path: *const c_char) -> c_int = |real| {
        unsafe { making((folder, path), target, || real(target, folder, path)) }
    };
    fn mkdir(path: *const c_char, mode: mode_t) -> c_int = |real| {
        unsafe { making((AT_FDCWD, path), std::ptr::null(), || real(path, mode)) }
    };
    fn mkdirat(folder: c_int, path: *const c_char, mode: mode_t) -> c_int = |real| {
        unsafe { making((folder, path), std::ptr::null(), || real(folder, path, mode)) }
    };
    fn mknod(path: *const c_char, mode: mode_t, device: dev_t) -> c_int = |real| {
        unsafe { making((AT_FDCWD, path), std::ptr::null(), || real(path, mode, device)) }
    };
    fn mknodat(folder: c_int, path: *const c_char, mode: mode_t, device: dev_t) -> c_int = |real| {
        unsafe { making((folder, path), std::ptr::null(), || real(folder, path, mode, device)) }
    };
    fn mkfifo(path: *const c_char, mode: mode_t) -> c_int = |real| {
        unsafe { making((AT_FDCWD, path), std::ptr::null(), || real(path, mode)) }
    };
    fn mkfifoat(folder: c_int, path: *const c_char, mode: mode_t) -> c_int = |real| {
        unsafe { making((folder, path), std::ptr::null(), || real(folder, path, mode)) }
    };
    fn mkdtemp(template: *mut c_char) -> *mut c_char = |real| {
        let made = unsafe { real(template) };
        if !made.is_null() {
            quietly((), || unsafe { made_now((AT_FDCWD, made), std::ptr::null()) });
        }
        made
    };
}

fn named(place: Place) -> Option<File> {
    kernel::of_name(place.0, place.1, false)
}

/// # Safety
/// As for the real call.
unsafe fn removing(place: Place, real: impl FnOnce() -> c_int) -> c_int {
    let before = quietly(None, || {
        saving::before_change(place, false);
        named(place)
    });
    let done = real();
    let errno = errno::get();
    // SAFETY: by contract.
    quietly((), || unsafe {
        if done == 0 {
            let last = before.is_some_and(File::has_one_name);
            let flags = OF_LINK | if last { LAST_NAME } else { 0 };
            notes::of_name(EventKind::Remove, flags, before, place, Again::Matters);
        } else if is_missing(errno) {
            notes::looked(place, None, false);
        } else if before.is_some() {
            // A folder that is not empty, most of the time.
            notes::looked(place, before, false);
        }
    });
    done
}

/// # Safety
/// As for the real call.
unsafe fn renaming(from: Place, to: Place, flags: c_uint, real: impl FnOnce() -> c_int) -> c_int {
    let before = quietly(None, || {
        saving::before_change(to, false);
        Some((named(from), named(to)))
    });
    let done = real();
    let errno = errno::get();
    // SAFETY: by contract.
    quietly((), || unsafe {
        let Some((moved, replaced)) = before else { return };
        if done == 0 {
            let exchanged = flags & libc::RENAME_EXCHANGE != 0;
            let detail = if exchanged {
                EXCHANGED
            } else if replaced.is_some() {
                REPLACED
            } else {
                0
            };
            two_names(EventKind::Rename, detail, moved, from, to);
        } else if moved.is_none() && is_missing(errno) {
            notes::looked(from, None, false);
        } else if errno == libc::EEXIST || errno == libc::ENOTEMPTY {
            notes::looked(to, replaced, false);
        }
    });
    done
}

/// # Safety
/// As for the real call.
unsafe fn linking(from: Place, to: Place, real: impl FnOnce() -> c_int) -> c_int {
    let done = real();
    let errno = errno::get();
    // SAFETY: by contract.
    quietly((), || unsafe {
        if done == 0 {
            two_names(EventKind::Link, 0, named(to), from, to);
        } else if errno == libc::EEXIST {
            notes::looked(to, named(to), false);
        } else if is_missing(errno) {
            notes::looked(from, None, false);
        }
    });
    done
}

/// # Safety
/// As for the real call.
unsafe fn two_names(kind: EventKind, flags: u16, file: Option<File>, one: Place, other: Place) {
    // SAFETY: by contract.
    let paths = unsafe { (FullPath::of(one.0, one.1), FullPath::of(other.0, other.1)) };
    if let (Some(one), Some(other)) = paths {
        notes::of_path(kind, flags, file, one.bytes(), other.bytes(), Again::Matters);
    }
}

/// # Safety
/// As for the real call.
unsafe fn making(place: Place, target: *const c_char, real: impl FnOnce() -> c_int) -> c_int {
    let done = real();
    let errno = errno::get();
    // SAFETY: by contract.
    quietly((), || unsafe {
        if done == 0 {
            made_now(place, target);
        } else if errno == libc::EEXIST {
            notes::looked(place, named(place), false);
        } else if is_missing(errno) {
            notes::looked(place, None, false);
        }
    });
    done
}

/// # Safety
/// As for the real call.
unsafe fn made_now(place: Place, target: *const c_char) {
    // SAFETY: by contract.
    let (path, target) = unsafe {
        let target = if target.is_null() { b"" } else { CStr::from_ptr(target).to_bytes() };
        (FullPath::of(place.0, place.1), target)
    };
    if let Some(path) = path {
        notes::of_path(EventKind::Make, 0, named(place), path.bytes(), target, Again::Matters);
    }
}

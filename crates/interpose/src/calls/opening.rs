//! Opening files.

use std::ffi::{c_char, c_int};

use libc::{AT_FDCWD, mode_t};
use residue_outside::EventKind;
use residue_outside::flags::{EMPTIED, MADE, NAME_MATTERS};

use crate::errno::{self, quietly};
use crate::notes::{self, Again, is_missing};
use crate::{descriptors, kernel, saving};

interpose! {
    fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int = |real| {
        // SAFETY: the caller's arguments, as the caller gave them; so throughout these files.
        unsafe { opening((AT_FDCWD, path), flags, || real(path, flags, mode)) }
    };
    fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int = |real| {
        unsafe { opening((AT_FDCWD, path), flags, || real(path, flags, mode)) }
    };
    fn openat(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int = |real| {
        unsafe { opening((folder, path), flags, || real(folder, path, flags, mode)) }
    };
    fn openat64(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int = |real| {
        unsafe { opening((folder, path), flags, || real(folder, path, flags, mode)) }
    };
    fn __open_2(path: *const c_char, flags: c_int) -> c_int = |real| {
        unsafe { opening((AT_FDCWD, path), flags, || real(path, flags)) }
    };
    fn __open64_2(path: *const c_char, flags: c_int) -> c_int = |real| {
        unsafe { opening((AT_FDCWD, path), flags, || real(path, flags)) }
    };
    fn __openat_2(folder: c_int, path: *const c_char, flags: c_int) -> c_int = |real| {
        unsafe { opening((folder, path), flags, || real(folder, path, flags)) }
    };
    fn __openat64_2(folder: c_int, path: *const c_char, flags: c_int) -> c_int = |real| {
        unsafe { opening((folder, path), flags, || real(folder, path, flags)) }
    };
    fn creat(path: *const c_char, mode: mode_t) -> c_int = |real| {
        unsafe { opening((AT_FDCWD, path), CREAT, || real(path, mode)) }
    };
    fn creat64(path: *const c_char, mode: mode_t) -> c_int = |real| {
        unsafe { opening((AT_FDCWD, path), CREAT, || real(path, mode)) }
    };
    fn mkstemp(template: *mut c_char) -> c_int = |real| {
        unsafe { new_file(real(template), template) }
    };
    fn mkstemp64(template: *mut c_char) -> c_int = |real| {
        unsafe { new_file(real(template), template) }
    };
    fn mkostemp(template: *mut c_char, flags: c_int) -> c_int = |real| {
        unsafe { new_file(real(template, flags), template) }
    };
    fn mkostemp64(template: *mut c_char, flags: c_int) -> c_int = |real| {
        unsafe { new_file(real(template, flags), template) }
    };
    fn mkstemps(template: *mut c_char, suffix: c_int) -> c_int = |real| {
        unsafe { new_file(real(template, suffix), template) }
    };
}

const CREAT: c_int = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;

/// # Safety
/// The name must be one that the real call may be given.
unsafe fn opening(
    place: (c_int, *const c_char),
    flags: c_int,
    real: impl FnOnce() -> c_int,
) -> c_int {
    let before = quietly(None, || {
        if may_write(flags) {
            saving::before_change(place, true);
        }
        may_make(flags).then(|| kernel::of_name(place.0, place.1, true))
    });
    let descriptor = real();
    let errno = errno::get();
    // SAFETY: by contract.
    quietly((), || unsafe { opened(place, flags, before, descriptor, errno) });
    descriptor
}

fn may_write(flags: c_int) -> bool {
    flags & libc::O_ACCMODE != libc::O_RDONLY || flags & libc::O_TRUNC != 0
}

fn may_make(flags: c_int) -> bool {
    flags & libc::O_CREAT != 0
}

/// `before` is what the name stood for, if the call may make a file.
///
/// # Safety
/// The name must be one that the real call may be given.
pub(super) unsafe fn opened(
    place: (c_int, *const c_char),
    flags: c_int,
    before: Option<Option<kernel::File>>,
    descriptor: c_int,
    errno: c_int,
) {
    let exclusive = may_make(flags) && flags & libc::O_EXCL != 0;
    if descriptor < 0 {
        let there = if is_missing(errno) {
            None
        } else if exclusive && errno == libc::EEXIST {
            before.flatten()
        } else {
            return;
        };
        // SAFETY: by contract.
        return unsafe { notes::looked(place, there, true) };
    }
    descriptors::forget(descriptor);
    let unnamed = flags & libc::O_TMPFILE == libc::O_TMPFILE;
    let Some(file) = kernel::of_descriptor(descriptor).filter(|_| !unnamed) else { return };
    if !file.is_regular() && !file.is_folder() {
        return;
    }
    let made = before == Some(None);
    let mut detail = 0;
    if made {
        detail |= MADE;
    } else if flags & libc::O_TRUNC != 0 && flags & libc::O_ACCMODE != libc::O_RDONLY {
        detail |= EMPTIED;
    }
    if !may_make(flags) || exclusive {
        detail |= NAME_MATTERS;
    }
    let again = if made { Again::Matters } else { Again::Boring };
    // SAFETY: by contract.
    let watched = unsafe { notes::of_name(EventKind::Open, detail, Some(file), place, again) };
    if file.is_regular() && watched {
        descriptors::is_file(descriptor);
    }
}

/// # Safety
/// The name must end with a zero byte.
unsafe fn new_file(descriptor: c_int, name: *const c_char) -> c_int {
    let flags = CREAT | libc::O_EXCL;
    // SAFETY: by contract.
    quietly((), || unsafe { opened((AT_FDCWD, name), flags, Some(None), descriptor, 0) });
    descriptor
}

//! Reading the names in folders, and changing the working directory.

use std::ffi::{c_char, c_int, c_void};

use libc::AT_FDCWD;
use residue_outside::EventKind;

use crate::errno::{self, quietly};
use crate::kernel;
use crate::notes::{self, Again, is_missing};
use crate::paths::FullPath;

type Place = (c_int, *const c_char);

interpose! {
    fn opendir(path: *const c_char) -> *mut c_void = |real| {
        let folder = unsafe { real(path) };
        unsafe { listed((AT_FDCWD, path), !folder.is_null()) };
        folder
    };
    fn fdopendir(fd: c_int) -> *mut c_void = |real| {
        let folder = unsafe { real(fd) };
        quietly((), || {
            if let (false, Some(path)) = (folder.is_null(), FullPath::of_descriptor(fd)) {
                let file = kernel::of_descriptor(fd);
                notes::of_path(EventKind::List, 0, file, path.bytes(), b"", Again::Boring);
            }
        });
        folder
    };
    fn scandir(path: *const c_char, names: *mut c_void, select: *mut c_void, order: *mut c_void)
        -> c_int = |real| {
        let count = unsafe { real(path, names, select, order) };
        unsafe { listed((AT_FDCWD, path), count >= 0) };
        count
    };
    fn scandir64(path: *const c_char, names: *mut c_void, select: *mut c_void, order: *mut c_void)
        -> c_int = |real| {
        let count = unsafe { real(path, names, select, order) };
        unsafe { listed((AT_FDCWD, path), count >= 0) };
        count
    };
    fn chdir(path: *const c_char) -> c_int = |real| {
        let done = unsafe { real(path) };
        quietly((), || {
            if done == 0 {
                notes::record(EventKind::ChangeFolder, 0, (0, 0), b"", b"", Again::Matters);
            }
        });
        done
    };
    fn fchdir(fd: c_int) -> c_int = |real| {
        let done = unsafe { real(fd) };
        quietly((), || {
            if done == 0 {
                notes::record(EventKind::ChangeFolder, 0, (0, 0), b"", b"", Again::Matters);
            }
        });
        done
    };
}

/// # Safety
/// As for the real call, which has been made.
unsafe fn listed(place: Place, done: bool) {
    let errno = errno::get();
    quietly((), || {
        let file = kernel::of_name(place.0, place.1, true);
        // SAFETY: by contract.
        unsafe {
            if done {
                notes::of_name(EventKind::List, 0, file, place, Again::Boring);
            } else if is_missing(errno) {
                notes::looked(place, file, true);
            }
        }
    });
}

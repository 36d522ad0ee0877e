//! Changing permissions, owners, times and attributes.

use std::ffi::{c_char, c_int, c_void};

use libc::{AT_FDCWD, gid_t, mode_t, size_t, timespec, timeval, uid_t, utimbuf};
use residue_outside::EventKind;
use residue_outside::flags::OF_LINK;

use crate::errno::{self, quietly};
use crate::notes::{self, Again, is_missing};
use crate::{kernel, saving};

type Place = (c_int, *const c_char);

interpose! {
    fn chmod(path: *const c_char, mode: mode_t) -> c_int = |real| {
        unsafe { of_name((AT_FDCWD, path), 0, || real(path, mode)) }
    };
    fn fchmod(fd: c_int, mode: mode_t) -> c_int = |real| {
        of_descriptor(fd, || unsafe { real(fd, mode) })
    };
    fn fchmodat(folder: c_int, path: *const c_char, mode: mode_t, flags: c_int) -> c_int = |real| {
        unsafe { of_name((folder, path), flags, || real(folder, path, mode, flags)) }
    };
    fn chown(path: *const c_char, user: uid_t, group: gid_t) -> c_int = |real| {
        unsafe { of_name((AT_FDCWD, path), 0, || real(path, user, group)) }
    };
    fn lchown(path: *const c_char, user: uid_t, group: gid_t) -> c_int = |real| {
        unsafe { of_name((AT_FDCWD, path), NO_FOLLOW, || real(path, user, group)) }
    };
    fn fchown(fd: c_int, user: uid_t, group: gid_t) -> c_int = |real| {
        of_descriptor(fd, || unsafe { real(fd, user, group) })
    };
    fn fchownat(folder: c_int, path: *const c_char, user: uid_t, group: gid_t, flags: c_int)
        -> c_int = |real| {
        unsafe { of_name((folder, path), flags, || real(folder, path, user, group, flags)) }
    };
    fn utime(path: *const c_char, times: *const utimbuf) -> c_int = |real| {
        unsafe { of_name((AT_FDCWD, path), 0, || real(path, times)) }
    };
    fn utimes(path: *const c_char, times: *const timeval) -> c_int = |real| {
        unsafe { of_name((AT_FDCWD, path), 0, || real(path, times)) }
    };
    fn lutimes(path: *const c_char, times: *const timeval) -> c_int = |real| {
        unsafe { of_name((AT_FDCWD, path), NO_FOLLOW, || real(path, times)) }
    };
    fn futimes(fd: c_int, times: *const timeval) -> c_int = |real| {
        of_descriptor(fd, || unsafe { real(fd, times) })
    };
    fn futimens(fd: c_int, times: *const timespec) -> c_int = |real| {
        of_descriptor(fd, || unsafe { real(fd, times) })
    };
    fn utimensat(folder: c_int, path: *const c_char, times: *const timespec, flags: c_int)
        -> c_int = |real| {
        if path.is_null() {
            of_descriptor(folder, || unsafe { real(folder, path, times, flags) })
        } else {
            unsafe { of_name((folder, path), flags, || real(folder, path, times, flags)) }
        }
    };
    fn futimesat(folder: c_int, path: *const c_char, times: *const timeval) -> c_int = |real| {
        unsafe { of_name((folder, path), 0, || real(folder, path, times)) }
    };
    fn setxattr(path: *const c_char, name: *const c_char, value: *const c_void, size: size_t,
        flags: c_int) -> c_int = |real| {
        unsafe { of_name((AT_FDCWD, path), 0, || real(path, name, value, size, flags)) }
    };
    fn lsetxattr(path: *const c_char, name: *const c_char, value: *const c_void, size: size_t,
        flags: c_int) -> c_int = |real| {
        unsafe { of_name((AT_FDCWD, path), NO_FOLLOW, || real(path, name, value, size, flags)) }
    };
    fn fsetxattr(fd: c_int, name: *const c_char, value: *const c_void, size: size_t, flags: c_int)
        -> c_int = |real| {
        of_descriptor(fd, || unsafe { real(fd, name, value, size, flags) })
    };
    fn removexattr(path: *const c_char, name: *const c_char) -> c_int = |real| {
        unsafe { of_name((AT_FDCWD, path), 0, || real(path, name)) }
    };
}

const NO_FOLLOW: c_int = libc::AT_SYMLINK_NOFOLLOW;

/// # Safety
/// As for the real call.
unsafe fn of_name(place: Place, flags: c_int, real: impl FnOnce() -> c_int) -> c_int {
    quietly((), || saving::before_metadata(place, flags & NO_FOLLOW == 0));
    let done = real();
    let errno = errno::get();
    quietly((), || {
        let follow = flags & NO_FOLLOW == 0;
        let file = kernel::of_name(place.0, place.1, follow);
        // SAFETY: by contract.
        unsafe {
            if done == 0 {
                let detail = if follow { 0 } else { OF_LINK };
                notes::of_name(EventKind::WriteMetadata, detail, file, place, Again::Boring);
            } else if is_missing(errno) {
                notes::looked(place, None, follow);
            }
        }
    });
    done
}

fn of_descriptor(descriptor: c_int, real: impl FnOnce() -> c_int) -> c_int {
    quietly((), || saving::before_metadata_of(descriptor));
    let done = real();
    quietly((), || {
        if let (0, Some(file)) = (done, kernel::of_descriptor(descriptor)) {
            notes::of_file(EventKind::WriteMetadata, 0, file);
        }
    });
    done
}

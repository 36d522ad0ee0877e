//! Reading and writing what is in files.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};

use libc::{AT_FDCWD, iovec, off_t, size_t, ssize_t};
use residue_outside::EventKind;
use residue_outside::flags::EMPTIED;

use crate::errno::quietly;
use crate::notes::{self, Again};
use crate::{descriptors, kernel, saving};

type Vectors = *const iovec;

interpose! {
    fn read(fd: c_int, into: *mut c_void, size: size_t) -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, size) })
    };
    fn __read_chk(fd: c_int, into: *mut c_void, size: size_t, room: size_t) -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, size, room) })
    };
    fn pread(fd: c_int, into: *mut c_void, size: size_t, at: off_t) -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, size, at) })
    };
    fn pread64(fd: c_int, into: *mut c_void, size: size_t, at: off_t) -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, size, at) })
    };
    fn __pread_chk(fd: c_int, into: *mut c_void, size: size_t, at: off_t, room: size_t)
        -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, size, at, room) })
    };
    fn __pread64_chk(fd: c_int, into: *mut c_void, size: size_t, at: off_t, room: size_t)
        -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, size, at, room) })
    };
    fn readv(fd: c_int, into: Vectors, count: c_int) -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, count) })
    };
    fn preadv(fd: c_int, into: Vectors, count: c_int, at: off_t) -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, count, at) })
    };
    fn preadv64(fd: c_int, into: Vectors, count: c_int, at: off_t) -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, count, at) })
    };
    fn preadv2(fd: c_int, into: Vectors, count: c_int, at: off_t, flags: c_int) -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, count, at, flags) })
    };
    fn preadv64v2(fd: c_int, into: Vectors, count: c_int, at: off_t, flags: c_int)
        -> ssize_t = |real| {
        reading(fd, unsafe { real(fd, into, count, at, flags) })
    };
    fn write(fd: c_int, from: *const c_void, size: size_t) -> ssize_t = |real| {
        writing(fd, unsafe { real(fd, from, size) })
    };
    fn pwrite(fd: c_int, from: *const c_void, size: size_t, at: off_t) -> ssize_t = |real| {
        writing(fd, unsafe { real(fd, from, size, at) })
    };
    fn pwrite64(fd: c_int, from: *const c_void, size: size_t, at: off_t) -> ssize_t = |real| {
        writing(fd, unsafe { real(fd, from, size, at) })
    };
    fn writev(fd: c_int, from: Vectors, count: c_int) -> ssize_t = |real| {
        writing(fd, unsafe { real(fd, from, count) })
    };
    fn pwritev(fd: c_int, from: Vectors, count: c_int, at: off_t) -> ssize_t = |real| {
        writing(fd, unsafe { real(fd, from, count, at) })
    };
    fn pwritev64(fd: c_int, from: Vectors, count: c_int, at: off_t) -> ssize_t = |real| {
        writing(fd, unsafe { real(fd, from, count, at) })
    };
    fn pwritev2(fd: c_int, from: Vectors, count: c_int, at: off_t, flags: c_int)
        -> ssize_t = |real| {
        writing(fd, unsafe { real(fd, from, count, at, flags) })
    };
    fn pwritev64v2(fd: c_int, from: Vectors, count: c_int, at: off_t, flags: c_int)
        -> ssize_t = |real| {
        writing(fd, unsafe { real(fd, from, count, at, flags) })
    };
    fn sendfile(to: c_int, from: c_int, at: *mut off_t, size: size_t) -> ssize_t = |real| {
        writing(to, reading(from, unsafe { real(to, from, at, size) }))
    };
    fn sendfile64(to: c_int, from: c_int, at: *mut off_t, size: size_t) -> ssize_t = |real| {
        writing(to, reading(from, unsafe { real(to, from, at, size) }))
    };
    fn copy_file_range(from: c_int, at: *mut off_t, to: c_int, to_at: *mut off_t, size: size_t,
        flags: c_uint) -> ssize_t = |real| {
        writing(to, reading(from, unsafe { real(from, at, to, to_at, size, flags) }))
    };
    fn splice(from: c_int, at: *mut off_t, to: c_int, to_at: *mut off_t, size: size_t,
        flags: c_uint) -> ssize_t = |real| {
        writing(to, reading(from, unsafe { real(from, at, to, to_at, size, flags) }))
    };
    fn ioctl(fd: c_int, request: std::ffi::c_ulong, argument: c_long) -> c_int = |real| {
        let done = unsafe { real(fd, request, argument) };
        if request == kernel::CLONE_FILE && done == 0 {
            descriptors::read(argument as c_int);
            descriptors::written(fd);
        }
        done
    };
    fn ftruncate(fd: c_int, size: off_t) -> c_int = |real| {
        changing(fd, unsafe { real(fd, size) })
    };
    fn ftruncate64(fd: c_int, size: off_t) -> c_int = |real| {
        changing(fd, unsafe { real(fd, size) })
    };
    fn fallocate(fd: c_int, mode: c_int, at: off_t, size: off_t) -> c_int = |real| {
        changing(fd, unsafe { real(fd, mode, at, size) })
    };
    fn fallocate64(fd: c_int, mode: c_int, at: off_t, size: off_t) -> c_int = |real| {
        changing(fd, unsafe { real(fd, mode, at, size) })
    };
    fn posix_fallocate(fd: c_int, at: off_t, size: off_t) -> c_int = |real| {
        changing(fd, unsafe { real(fd, at, size) })
    };
    fn posix_fallocate64(fd: c_int, at: off_t, size: off_t) -> c_int = |real| {
        changing(fd, unsafe { real(fd, at, size) })
    };
    fn truncate(path: *const c_char, size: off_t) -> c_int = |real| {
        unsafe { cutting(path, || real(path, size)) }
    };
    fn truncate64(path: *const c_char, size: off_t) -> c_int = |real| {
        unsafe { cutting(path, || real(path, size)) }
    };
    fn mmap(at: *mut c_void, size: size_t, protection: c_int, flags: c_int, fd: c_int, from: off_t)
        -> *mut c_void = |real| {
        mapping(fd, protection, flags, unsafe { real(at, size, protection, flags, fd, from) })
    };
    fn mmap64(at: *mut c_void, size: size_t, protection: c_int, flags: c_int, fd: c_int,
        from: off_t) -> *mut c_void = |real| {
        mapping(fd, protection, flags, unsafe { real(at, size, protection, flags, fd, from) })
    };
}

fn reading(descriptor: c_int, done: ssize_t) -> ssize_t {
    // To find the end of the file is to read too.
    if done >= 0 {
        descriptors::read(descriptor);
    }
    done
}

fn writing(descriptor: c_int, done: ssize_t) -> ssize_t {
    if done > 0 {
        descriptors::written(descriptor);
    }
    done
}

fn changing(descriptor: c_int, done: c_int) -> c_int {
    if done == 0 {
        descriptors::written(descriptor);
    }
    done
}

/// # Safety
/// As for the real call.
unsafe fn cutting(path: *const c_char, real: impl FnOnce() -> c_int) -> c_int {
    quietly((), || saving::before_change((AT_FDCWD, path), true));
    let done = real();
    quietly((), || {
        let place = (AT_FDCWD, path);
        let file = kernel::of_name(AT_FDCWD, path, true);
        // SAFETY: by contract.
        unsafe {
            if done == 0 {
                notes::of_name(EventKind::Open, EMPTIED, file, place, Again::Boring);
            } else if file.is_none() {
                notes::looked(place, None, true);
            }
        }
    });
    done
}

/// What happens to mapped memory nobody sees, so it counts as it may be used.
fn mapping(descriptor: c_int, protection: c_int, flags: c_int, done: *mut c_void) -> *mut c_void {
    if descriptor >= 0 && done != libc::MAP_FAILED {
        if protection & libc::PROT_READ != 0 {
            descriptors::read(descriptor);
        }
        if protection & libc::PROT_WRITE != 0 && flags & libc::MAP_TYPE != libc::MAP_PRIVATE {
            descriptors::written(descriptor);
        }
    }
    done
}

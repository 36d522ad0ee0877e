//! What descriptors stand for.

use std::ffi::{c_int, c_long};

use crate::calls::sockets;
use crate::descriptors;

interpose! {
    fn close(fd: c_int) -> c_int = |real| {
        let address = sockets::address_to_give_back(fd);
        let done = unsafe { real(fd) };
        descriptors::forget(fd);
        sockets::gave_back(address);
        done
    };
    fn dup(fd: c_int) -> c_int = |real| {
        copied(fd, unsafe { real(fd) })
    };
    fn dup2(fd: c_int, to: c_int) -> c_int = |real| {
        replacing(fd, to, || unsafe { real(fd, to) })
    };
    fn dup3(fd: c_int, to: c_int, flags: c_int) -> c_int = |real| {
        replacing(fd, to, || unsafe { real(fd, to, flags) })
    };
    fn fcntl(fd: c_int, command: c_int, argument: c_long) -> c_int = |real| {
        let done = unsafe { real(fd, command, argument) };
        if is_copying(command) { copied(fd, done) } else { done }
    };
    fn fcntl64(fd: c_int, command: c_int, argument: c_long) -> c_int = |real| {
        let done = unsafe { real(fd, command, argument) };
        if is_copying(command) { copied(fd, done) } else { done }
    };
}

fn is_copying(command: c_int) -> bool {
    matches!(command, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC)
}

fn copied(from: c_int, to: c_int) -> c_int {
    if to >= 0 {
        descriptors::copy(from, to);
    }
    to
}

/// The JDK closes a socket by putting another descriptor in its place.
fn replacing(from: c_int, to: c_int, real: impl FnOnce() -> c_int) -> c_int {
    let address = if from == to { None } else { sockets::address_to_give_back(to) };
    let done = real();
    if done >= 0 && from != to {
        descriptors::copy(from, to);
        sockets::gave_back(address);
    }
    done
}

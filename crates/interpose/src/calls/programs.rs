//! Starting programs: they get us too, although the environment that the
//! process sees does not say so.
//!
//! Where a program cannot load us it is started as it was asked for, and the
//! log says that it was not watched.

mod executable;
mod inheritance;
mod listed;

use std::ffi::{c_char, c_int, c_void};

use libc::FILE;
use residue_outside::EventKind;

use crate::errno::quietly;
use crate::notes::{self, Again};
use crate::{log, start};

use executable::{Found, Unwatchable};
use inheritance::Enriched;

type Texts = *const *const c_char;

interpose! {
    fn execve(path: *const c_char, arguments: Texts, environment: Texts) -> c_int = |real| {
        unsafe {
            starting(Found::At(path), environment, |environment| real(path, arguments, environment))
        }
    };
    fn execveat(folder: c_int, path: *const c_char, arguments: Texts, environment: Texts,
        flags: c_int) -> c_int = |real| {
        unsafe {
            starting(Found::Somewhere, environment, |environment| {
                real(folder, path, arguments, environment, flags)
            })
        }
    };
    fn fexecve(fd: c_int, arguments: Texts, environment: Texts) -> c_int = |real| {
        unsafe {
            starting(Found::Somewhere, environment, |environment| real(fd, arguments, environment))
        }
    };
    fn execvpe(file: *const c_char, arguments: Texts, environment: Texts) -> c_int = |real| {
        unsafe {
            starting(Found::InPath(file), environment, |environment| {
                real(file, arguments, environment)
            })
        }
    };
    fn execv(path: *const c_char, arguments: Texts) -> c_int = |_real| {
        unsafe { execve(path, arguments, start::environment()) }
    };
    fn execvp(file: *const c_char, arguments: Texts) -> c_int = |_real| {
        unsafe { execvpe(file, arguments, start::environment()) }
    };
    fn posix_spawn(process: *mut c_int, path: *const c_char, actions: *const c_void,
        attributes: *const c_void, arguments: Texts, environment: Texts) -> c_int = |real| {
        unsafe {
            starting(Found::At(path), environment, |environment| {
                real(process, path, actions, attributes, arguments, environment)
            })
        }
    };
    fn posix_spawnp(process: *mut c_int, file: *const c_char, actions: *const c_void,
        attributes: *const c_void, arguments: Texts, environment: Texts) -> c_int = |real| {
        unsafe {
            starting(Found::InPath(file), environment, |environment| {
                real(process, file, actions, attributes, arguments, environment)
            })
        }
    };
    fn system(command: *const c_char) -> c_int = |real| {
        unsafe { with_environment(|| real(command)) }
    };
    fn popen(command: *const c_char, mode: *const c_char) -> *mut FILE = |real| {
        unsafe { with_environment(|| real(command, mode)) }
    };
}

/// # Safety
/// The environment must be null, or a list of texts that ends with a null.
unsafe fn starting(program: Found, environment: Texts, real: impl FnOnce(Texts) -> c_int) -> c_int {
    // SAFETY: by contract.
    let enriched = quietly(None, || unsafe {
        match program.can_be_watched() {
            Ok(()) => Enriched::of(environment, log::epoch()),
            Err(unwatchable) => {
                unwatched(program, unwatchable);
                None
            }
        }
    });
    match enriched {
        Some(enriched) => real(enriched.texts()),
        None => real(environment),
    }
}

/// # Safety
/// The program's name must end with a zero byte.
unsafe fn unwatched(program: Found, unwatchable: Unwatchable) {
    // SAFETY: by contract.
    let name = unsafe { program.name() };
    let why = unwatchable.reason().as_bytes();
    notes::record(EventKind::UnseenProgram, 0, (0, 0), name, why, Again::Boring);
}

/// For calls that start programs inside the C library, with the environment
/// of the process.
///
/// # Safety
/// The environment must not be changed meanwhile.
unsafe fn with_environment<T>(real: impl FnOnce() -> T) -> T {
    let before = start::environment();
    // SAFETY: by contract.
    let enriched = quietly(None, || unsafe { Enriched::of(before, log::epoch()) });
    let Some(enriched) = enriched else { return real() };
    // SAFETY: the list stays until the environment is set back.
    unsafe { start::set_environment(enriched.texts()) };
    let done = real();
    // SAFETY: it was the environment before.
    unsafe { start::set_environment(before) };
    done
}

//! Which programs can load us: those that a dynamic loader of this machine
//! starts, with the rights of their caller.

use std::ffi::{CStr, c_char};

use libc::AT_FDCWD;

use crate::kernel;

/// The header of an executable and its program headers fit in here.
const LOOKED_AT: usize = 4096;
const LONGEST_PATH: usize = libc::PATH_MAX as usize;

/// Where a program is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    At(*const c_char),
    /// In one of the folders of the search path, unless it has a slash.
    InPath(*const c_char),
    /// An open file, or relative to an open folder.
    Somewhere,
}

/// Why a program cannot be watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unwatchable {
    Static,
    OtherUser,
    OtherMachine,
}

impl Unwatchable {
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Static => "it is linked statically",
            Self::OtherUser => "it runs with the rights of its owner",
            Self::OtherMachine => "its loader is not that of this machine's C library",
        }
    }
}

impl Found {
    /// # Safety
    /// The name must end with a zero byte.
    pub(super) unsafe fn name<'a>(self) -> &'a [u8] {
        match self {
            // SAFETY: by contract.
            Self::At(name) | Self::InPath(name) => unsafe { CStr::from_ptr(name) }.to_bytes(),
            Self::Somewhere => b"",
        }
    }

    /// A program that is not there can be: the real call will tell.
    ///
    /// # Safety
    /// The name must end with a zero byte.
    pub(super) unsafe fn can_be_watched(self) -> Result<(), Unwatchable> {
        match self {
            Self::At(path) => check(path, true),
            Self::Somewhere => Ok(()),
            Self::InPath(file) => {
                // SAFETY: by contract.
                let name = unsafe { CStr::from_ptr(file) }.to_bytes();
                if name.contains(&b'/') {
                    return check(file, true);
                }
                in_search_path(name, |path| check(path, true)).unwrap_or(Ok(()))
            }
        }
    }
}

fn in_search_path<T>(name: &[u8], visit: impl Fn(*const c_char) -> T) -> Option<T> {
    let places = variable(b"PATH").unwrap_or(b"/bin:/usr/bin");
    let mut path = [0; LONGEST_PATH];
    for folder in places.split(|byte| *byte == b':') {
        let folder = if folder.is_empty() { b"." } else { folder };
        let length = folder.len() + 1 + name.len();
        if length >= path.len() {
            continue;
        }
        path[..folder.len()].copy_from_slice(folder);
        path[folder.len()] = b'/';
        path[folder.len() + 1..length].copy_from_slice(name);
        path[length] = 0;
        let candidate = path.as_ptr().cast();
        if kernel::of_name(AT_FDCWD, candidate, true).is_some_and(kernel::File::is_regular) {
            return Some(visit(candidate));
        }
    }
    None
}

/// Not by `getenv`, which is a call that we stand in front of.
fn variable(name: &[u8]) -> Option<&'static [u8]> {
    let mut entry = crate::start::environment();
    // SAFETY: the list ends with a null, and its texts with a zero byte.
    unsafe {
        while !entry.is_null() && !(*entry).is_null() {
            let text = CStr::from_ptr(*entry).to_bytes();
            if let Some(value) = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(b"=")) {
                return Some(value);
            }
            entry = entry.add(1);
        }
    }
    None
}

fn check(path: *const c_char, may_be_script: bool) -> Result<(), Unwatchable> {
    if kernel::of_name(AT_FDCWD, path, true).is_some_and(kernel::File::changes_user) {
        return Err(Unwatchable::OtherUser);
    }
    let mut bytes = [0; LOOKED_AT];
    let Some(count) = kernel::first_bytes(path, &mut bytes) else { return Ok(()) };
    match interpreter(&bytes[..count]) {
        Some(script) if may_be_script => check(script.as_ptr(), false),
        _ => kind_of_executable(&bytes[..count]),
    }
}

/// The program that runs a script.
fn interpreter(bytes: &[u8]) -> Option<Script> {
    let line = bytes.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = line.trim_ascii_start();
    let name = line.split(u8::is_ascii_whitespace).next()?;
    let mut script = Script { path: [0; 256] };
    script.path.get_mut(..name.len()).filter(|_| name.len() < 256)?.copy_from_slice(name);
    Some(script)
}

struct Script {
    path: [u8; 256],
}

impl Script {
    fn as_ptr(&self) -> *const c_char {
        self.path.as_ptr().cast()
    }
}

const THIS_MACHINE: u16 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
/// The program header that names the loader.
const LOADER: u32 = 3;

fn kind_of_executable(bytes: &[u8]) -> Result<(), Unwatchable> {
    let short = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let long = |at: usize| {
        usize::try_from(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?)).ok()
    };
    if !bytes.starts_with(b"\x7fELF") {
        // The kernel will know what to do, or not.
        return Ok(());
    }
    if bytes.get(4) != Some(&2) || short(18) != Some(THIS_MACHINE) {
        return Err(Unwatchable::OtherMachine);
    }
    let loader = || {
        let (first, size, count) = (long(32)?, usize::from(short(54)?), usize::from(short(56)?));
        let headers = (0..count).map(|index| first + index * size);
        let loader = headers.take(64).find(|at| word(*at) == Some(LOADER))?;
        let (at, length) = (long(loader + 8)?, long(loader + 32)?);
        bytes.get(at..at.checked_add(length)?)
    };
    match loader() {
        None => Err(Unwatchable::Static),
        Some(name) if name.windows(8).any(|part| part == b"ld-linux") => Ok(()),
        Some(_) => Err(Unwatchable::OtherMachine),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_the_system_can_be_watched() {
        // SAFETY: the names end with zero bytes.
        unsafe {
            assert_eq!(Found::At(c"/bin/sh".as_ptr()).can_be_watched(), Ok(()));
            assert_eq!(Found::InPath(c"ls".as_ptr()).can_be_watched(), Ok(()));
            assert_eq!(Found::At(c"/no/such/thing".as_ptr()).can_be_watched(), Ok(()));
        }
    }

    #[test]
    fn a_program_without_a_loader_is_static() {
        let mut header = vec![0; 128];
        header[..6].copy_from_slice(b"\x7fELF\x02\x01");
        header[18..20].copy_from_slice(&THIS_MACHINE.to_le_bytes());
        assert_eq!(kind_of_executable(&header), Err(Unwatchable::Static));
        header[18] ^= 1;
        assert_eq!(kind_of_executable(&header), Err(Unwatchable::OtherMachine));
        assert_eq!(kind_of_executable(b"echo hello"), Ok(()));
    }

    #[test]
    fn a_script_is_run_by_its_interpreter() {
        let name = |text: &[u8]| {
            let script = interpreter(text)?;
            Some(CStr::from_bytes_until_nul(&script.path).ok()?.to_str().ok()?.to_owned())
        };
        assert_eq!(name(b"#! /usr/bin/env bash\necho").as_deref(), Some("/usr/bin/env"));
        assert_eq!(name(b"#!/bin/sh -e").as_deref(), Some("/bin/sh"));
        assert_eq!(name(b"echo"), None);
    }
}

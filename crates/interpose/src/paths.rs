//! Paths as the whole machine understands them.

use std::ffi::{CStr, c_char, c_int};
use std::io::Write;

use crate::kernel;

const LONGEST: usize = libc::PATH_MAX as usize;

/// A path from the root. Not made simpler: what `..` and links mean is for the
/// reader of the log to find out.
pub(crate) struct FullPath {
    bytes: [u8; 2 * LONGEST],
    length: usize,
}

impl FullPath {
    /// Of a name that a call was given, relative to an open folder or, with
    /// `AT_FDCWD`, to the working directory.
    ///
    /// # Safety
    /// The name must be null or end with a zero byte.
    pub(crate) unsafe fn of(folder: c_int, name: *const c_char) -> Option<Self> {
        if name.is_null() {
            return None;
        }
        // SAFETY: by contract.
        let name = unsafe { CStr::from_ptr(name) }.to_bytes();
        let mut path = Self { bytes: [0; 2 * LONGEST], length: 0 };
        if name.first() != Some(&b'/') {
            path.length = if folder == libc::AT_FDCWD {
                kernel::working_folder(&mut path.bytes[..LONGEST])?
            } else {
                descriptor_path(folder, &mut path.bytes[..LONGEST])?
            };
            if !name.is_empty() {
                path.push(b"/");
            }
        }
        path.push(name);
        Some(path)
    }

    pub(crate) fn of_descriptor(descriptor: c_int) -> Option<Self> {
        let mut path = Self { bytes: [0; 2 * LONGEST], length: 0 };
        path.length = descriptor_path(descriptor, &mut path.bytes[..LONGEST])?;
        Some(path)
    }

    fn push(&mut self, bytes: &[u8]) {
        let room = self.bytes.len() - self.length;
        let bytes = &bytes[..bytes.len().min(room)];
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// The path of what a descriptor stands for, as the kernel tells it.
fn descriptor_path(descriptor: c_int, into: &mut [u8]) -> Option<usize> {
    let mut name = [0; 32];
    write!(&mut name[..31], "/proc/self/fd/{descriptor}").ok()?;
    let name = CStr::from_bytes_until_nul(&name).ok()?;
    let length = kernel::read_link(name, into)?;
    // Pipes and sockets have none.
    (into.first() == Some(&b'/')).then_some(length)
}

//! Events, as far as they are worth a record.

use std::ffi::{c_char, c_int};

use residue_outside::EventKind;
use residue_outside::flags::{FOLDER, OF_LINK, RELATIVE};
use residue_outside::layout::Fixed;

use crate::kernel::File;
use crate::paths::FullPath;
use crate::seen::Key;
use crate::{log, saving, stacks};

/// Whether an event that happens again in the same epoch says something new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// It changes who has which name.
    Matters,
    Boring,
}

/// Something about a file, whatever its name.
pub(crate) fn of_file(kind: EventKind, flags: u16, file: File) {
    record(kind, flags, file.id(), b"", b"", Again::Boring);
}

/// Something about a name. Whether anybody wants to know about it.
///
/// # Safety
/// The name must be null or end with a zero byte.
pub(crate) unsafe fn of_name(
    kind: EventKind,
    flags: u16,
    file: Option<File>,
    (folder, name): (c_int, *const c_char),
    again: Again,
) -> bool {
    // SAFETY: by contract.
    let Some(path) = (unsafe { FullPath::of(folder, name) }) else { return false };
    // SAFETY: there is a path, so there is a name.
    let relative = folder == libc::AT_FDCWD && unsafe { *name } != b'/' as c_char;
    let flags = if relative { flags | RELATIVE } else { flags };
    of_path(kind, flags, file, path.bytes(), b"", again)
}

/// Something about a path, and perhaps another one.
pub(crate) fn of_path(
    kind: EventKind,
    flags: u16,
    file: Option<File>,
    path: &[u8],
    second: &[u8],
    again: Again,
) -> bool {
    if file.is_some_and(File::is_device) || log::is_unwatched(path) {
        return false;
    }
    let is_folder = file.is_some_and(File::is_folder);
    let flags = if is_folder { flags | FOLDER } else { flags };
    if kind == EventKind::Open && again == Again::Matters {
        saving::made(path);
    }
    record(kind, flags, file.map_or((0, 0), File::id), path, second, again);
    true
}

/// Somebody looked for a name: it was there, or it was not.
///
/// # Safety
/// The name must be null or end with a zero byte.
pub(crate) unsafe fn looked(
    (folder, name): (c_int, *const c_char),
    found: Option<File>,
    follow: bool,
) {
    let kind = if found.is_some() { EventKind::Look } else { EventKind::Missing };
    let flags = if follow { 0 } else { OF_LINK };
    // SAFETY: by contract.
    unsafe { of_name(kind, flags, found, (folder, name), Again::Boring) };
}

pub(crate) fn record(
    kind: EventKind,
    flags: u16,
    file: (u64, u64),
    first: &[u8],
    second: &[u8],
    again: Again,
) {
    let epoch = log::epoch();
    if again == Again::Boring {
        let key =
            Key::new().number(u64::from(epoch)).number((kind as u64) << 16 | u64::from(flags));
        if !key.number(file.0).number(file.1).text(first).is_new() {
            return;
        }
    }
    let stack = stacks::current();
    let (process, (device, inode)) = (log::process(), file);
    let fixed = Fixed { kind, flags, epoch, process, stack, device, inode };
    log::append(&fixed, first, second);
}

/// Whether a failed look-up says that the name is not there.
pub(crate) fn is_missing(errno: c_int) -> bool {
    matches!(errno, libc::ENOENT | libc::ENOTDIR)
}

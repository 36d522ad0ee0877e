//! Keeps a copy of what is about to be changed for the first time, so that the
//! host can put it back after the run.

use std::ffi::{CStr, c_char, c_int};
use std::io::Write;

use residue_outside::EventKind;

use crate::kernel::{self, Copied};
use crate::log;
use crate::notes::{self, Again};
use crate::paths::FullPath;
use crate::seen::Key;

const LONGEST: usize = libc::PATH_MAX as usize;
/// Keys of names that the run itself has made.
const MADE: u64 = 1 << 40;
/// Keys of names whose files are saved.
const SAVED: u64 = 2 << 40;
/// Keys of names whose permissions and times are saved.
const METADATA: u64 = 3 << 40;

/// What a name stands for, or points to if `follow` is set, will be written,
/// removed or replaced.
pub(crate) fn before_change(place: (c_int, *const c_char), follow: bool) {
    if log::saving_folder().is_none() {
        return;
    }
    let Some(file) = kernel::of_name(place.0, place.1, follow) else { return };
    if file.is_regular() {
        save_file(place, follow);
    } else if file.is_link() && !follow {
        save_link(place);
    } else if file.is_folder() {
        before_metadata(place, follow);
    }
}

/// Permissions or times of what a name stands for will be changed.
pub(crate) fn before_metadata(place: (c_int, *const c_char), follow: bool) {
    if log::saving_folder().is_none() {
        return;
    }
    // A link has none that matter.
    let Some(file) = kernel::of_name(place.0, place.1, follow).filter(|file| !file.is_link())
    else {
        return;
    };
    let path = match kernel::Descriptor::open_as_place(place) {
        Some(at) => FullPath::of_descriptor(at.number()),
        None => None,
    };
    if let Some(path) = path {
        save_metadata(path.bytes(), file);
    }
}

/// The same for what a descriptor stands for.
pub(crate) fn before_metadata_of(descriptor: c_int) {
    if log::saving_folder().is_some()
        && let (Some(path), Some(file)) =
            (FullPath::of_descriptor(descriptor), kernel::of_descriptor(descriptor))
    {
        save_metadata(path.bytes(), file);
    }
}

fn save_metadata(path: &[u8], file: kernel::File) {
    if is_worth_saving(path, METADATA) {
        let mut text = [0; 64];
        let mut rest = &mut text[..];
        if write!(rest, "{}", file.metadata()).is_ok() {
            let length = 64 - rest.len();
            let text = &text[..length];
            notes::record(EventKind::SavedMetadata, 0, (0, 0), path, text, Again::Matters);
        }
    }
}

/// A file that is new need not be saved when it is changed.
pub(crate) fn made(path: &[u8]) {
    if log::saving_folder().is_some() {
        Key::new().number(MADE).text(path).is_new();
    }
}

fn save_file(place: (c_int, *const c_char), follow: bool) {
    let Some(source) = kernel::Descriptor::open_to_read(place, follow) else { return };
    let Some(path) = FullPath::of_descriptor(source.number()) else { return };
    if !is_worth_saving(path.bytes(), SAVED) {
        return;
    }
    let name = Key::new().text(path.bytes()).value();
    let mut copy = [0; LONGEST];
    let Some(copy) = in_saving_folder(name, &mut copy) else { return };
    if kernel::copy(&source, copy) == Copied::Whole {
        let name = &copy.to_bytes()[copy.to_bytes().len() - 16..];
        notes::record(EventKind::Saved, 0, (0, 0), path.bytes(), name, Again::Matters);
    }
}

fn save_link(place: (c_int, *const c_char)) {
    // SAFETY: the name is one that the interposed call was given.
    let Some(path) = (unsafe { FullPath::of(place.0, place.1) }) else { return };
    let mut target = [0; LONGEST];
    if is_worth_saving(path.bytes(), SAVED)
        && let Some(length) = kernel::read_link_at(place, &mut target)
    {
        let target = &target[..length];
        notes::record(EventKind::SavedLink, 0, (0, 0), path.bytes(), target, Again::Matters);
    }
}

/// The first time, of what was there before the run.
fn is_worth_saving(path: &[u8], what: u64) -> bool {
    log::is_saved_place(path)
        && !log::is_unwatched(path)
        && !Key::new().number(MADE).text(path).is_known()
        && Key::new().number(what).text(path).is_new()
}

fn in_saving_folder(name: u64, into: &mut [u8; LONGEST]) -> Option<&CStr> {
    let folder = log::saving_folder()?;
    let room = LONGEST - 1;
    let mut rest = &mut into[..room];
    rest.write_all(folder).ok()?;
    write!(rest, "/{name:016x}").ok()?;
    CStr::from_bytes_until_nul(&into[..]).ok()
}

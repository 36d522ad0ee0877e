//! Puts files back to what they were before a run.
//!
//! The log of the run is gone through from its end: what was made is removed,
//! what was renamed gets its old name, what was changed or removed comes back
//! from the copy that was made before, then permissions and times. Nothing
//! outside the given folders is touched, but for files that the run moved out
//! of them or into them, and nothing that the log does not name.

use std::collections::HashSet;
use std::fs::{self, FileTimes, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use residue_model::FileChange;
use residue_outside::{Event, EventKind, Log, Metadata, flags};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::changed_files::Change;

/// Undoes what a run did to the files in some folders.
pub(super) struct Restoring<'a> {
    /// Without links on the way.
    pub(super) folders: &'a [PathBuf],
    /// Folders in them to which it does not apply.
    pub(super) except: &'a [PathBuf],
    pub(super) copies: &'a Path,
}

/// What had to be done.
#[derive(Debug, Default)]
pub(super) struct Undone {
    /// What the run left otherwise than it had found it.
    pub(super) changes: Vec<Change>,
    /// What could not be undone.
    pub(super) failures: Vec<(PathBuf, io::Error)>,
}

impl Restoring<'_> {
    pub(super) fn undo(&self, log: &Log<'_>) -> Undone {
        let events: Vec<Event<'_>> = log.events().collect();
        let mut undone = Undone { changes: self.changes(&events), ..Undone::default() };
        for event in events.iter().rev() {
            if let Err((path, error)) = self.undo_one(event)
                && error.kind() != io::ErrorKind::NotFound
            {
                undone.failures.push((path, error));
            }
        }
        undone
    }

    /// As seen before anything is undone: what happened to a path first tells
    /// what was there before the run.
    fn changes(&self, events: &[Event<'_>]) -> Vec<Change> {
        let mut seen = HashSet::new();
        let mut changes = Vec::new();
        for event in events {
            let (text, was_there) = match event.kind {
                EventKind::Open if event.has(flags::MADE) => (&event.text, false),
                EventKind::Make if !event.has(flags::FOLDER) => (&event.text, false),
                EventKind::Link => (&event.second, false),
                EventKind::Rename if !event.has(flags::REPLACED) => (&event.second, false),
                EventKind::Saved | EventKind::SavedLink => (&event.text, true),
                _ => continue,
            };
            let Some(path) = self.inside(text) else { continue };
            if !seen.insert(path.clone()) {
                continue;
            }
            let file = path.symlink_metadata().ok();
            let change = match (was_there, &file) {
                (false, Some(_)) => FileChange::Created,
                (true, Some(_)) => FileChange::Modified,
                (true, None) => FileChange::Deleted,
                (false, None) => continue,
            };
            let at = file.and_then(|file| file.modified().ok());
            changes.push(Change { path: path.to_string_lossy().into_owned(), change, at });
        }
        changes
    }

    fn undo_one(&self, event: &Event<'_>) -> Result<(), (PathBuf, io::Error)> {
        if event.kind == EventKind::Rename {
            return self.undo_rename(event);
        }
        let text = if event.kind == EventKind::Link { &event.second } else { &event.text };
        let Some(path) = self.inside(text) else { return Ok(()) };
        let done = match event.kind {
            EventKind::Open if event.has(flags::MADE) => {
                insisting(&path, || fs::remove_file(&path))
            }
            EventKind::Make if event.has(flags::FOLDER) => {
                insisting(&path, || fs::remove_dir(&path))
            }
            EventKind::Make | EventKind::Link => insisting(&path, || fs::remove_file(&path)),
            EventKind::Remove if event.has(flags::FOLDER) => {
                insisting(&path, || fs::create_dir(&path))
            }
            EventKind::Saved => insisting(&path, || self.put_back(&path, &event.second)),
            EventKind::SavedLink => insisting(&path, || symlink(path_of(&event.second), &path)),
            EventKind::SavedMetadata => set_metadata(&path, &event.second),
            _ => Ok(()),
        };
        done.map_err(|error| (path, error))
    }

    fn undo_rename(&self, event: &Event<'_>) -> Result<(), (PathBuf, io::Error)> {
        let (from, to) = (self.inside(&event.text), self.inside(&event.second));
        if from.is_none() && to.is_none() {
            return Ok(());
        }
        let from = from.unwrap_or_else(|| path_of(&event.text));
        let to = to.unwrap_or_else(|| path_of(&event.second));
        let done = insisting(&from, || {
            if event.has(flags::EXCHANGED) {
                Ok(renameat_with(CWD, &to, CWD, &from, RenameFlags::EXCHANGE)?)
            } else {
                fs::rename(&to, &from)
            }
        });
        done.map_err(|error| (from, error))
    }

    fn put_back(&self, path: &Path, copy: &[u8]) -> io::Result<()> {
        let copy = self.copies.join(path_of(copy));
        if let Err(error) = fs::OpenOptions::new().write(true).open(path)
            && error.kind() == io::ErrorKind::PermissionDenied
        {
            // The copy brings the permissions along.
            fs::set_permissions(path, Permissions::from_mode(0o600))?;
        }
        // Into the file that is there, which other names may stand for too.
        fs::copy(&copy, path)?;
        set_modified(path, fs::metadata(&copy)?.modified()?)
    }

    /// The path, if it is one that may be touched.
    fn inside(&self, path: &[u8]) -> Option<PathBuf> {
        let path = path_of(path);
        let (folder, name) = (path.parent()?, path.file_name()?);
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        let path = real.join(name);
        let is_in = |folders: &[PathBuf]| folders.iter().any(|folder| path.starts_with(folder));
        (is_in(self.folders) && !is_in(self.except)).then_some(path)
    }
}

/// A run may have made a folder read-only that it had put something into. If
/// the folder is not one that it made, it gets its permissions back later.
fn insisting(path: &Path, act: impl Fn() -> io::Result<()>) -> io::Result<()> {
    match (act(), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::PermissionDenied => {
            fs::set_permissions(folder, Permissions::from_mode(0o700))?;
            act()
        }
        (done, _) => done,
    }
}

fn set_metadata(path: &Path, text: &[u8]) -> io::Result<()> {
    let Some(Metadata { mode, modified }) = Metadata::of(text) else { return Ok(()) };
    let (Ok(seconds), Ok(nanos)) = (u64::try_from(modified.0), u32::try_from(modified.1)) else {
        return fs::set_permissions(path, Permissions::from_mode(mode));
    };
    // Times can be set only of what may be opened.
    fs::set_permissions(path, Permissions::from_mode(mode | 0o600))?;
    set_modified(path, SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos))?;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

fn set_modified(path: &Path, modified: SystemTime) -> io::Result<()> {
    fs::File::open(path)?.set_times(FileTimes::new().set_modified(modified))
}

fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

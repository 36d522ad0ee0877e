//! Puts the files of the project back to what they were before a run.
//!
//! The log of the run is gone through from its end: what was made is removed,
//! what was renamed gets its old name, what was changed or removed comes back
//! from the copy that was made before. Nothing outside the given folder is
//! touched, and nothing that the log does not name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use residue_outside::{Event, EventKind, Log, flags};

/// Undoes what a run did to the files in a folder.
pub(super) struct Restoring<'a> {
    /// Without links on the way.
    pub(super) folder: &'a Path,
    pub(super) copies: &'a Path,
}

impl Restoring<'_> {
    /// Returns what could not be undone.
    pub(super) fn undo(&self, log: &Log<'_>) -> Vec<(PathBuf, io::Error)> {
        let events: Vec<Event<'_>> = log.events().collect();
        let mut failures = Vec::new();
        for event in events.iter().rev() {
            let Some(path) = self.inside(&event.text) else { continue };
            if let Err(error) = self.undo_one(event, &path)
                && error.kind() != io::ErrorKind::NotFound
            {
                failures.push((path, error));
            }
        }
        failures
    }

    fn undo_one(&self, event: &Event<'_>, path: &Path) -> io::Result<()> {
        match event.kind {
            EventKind::Open if event.has(flags::MADE) => fs::remove_file(path),
            EventKind::Make if event.has(flags::FOLDER) => fs::remove_dir(path),
            EventKind::Make => fs::remove_file(path),
            EventKind::Link => match self.inside(&event.second) {
                Some(second) => fs::remove_file(second),
                None => Ok(()),
            },
            EventKind::Rename => match self.inside(&event.second) {
                Some(second) if !event.has(flags::EXCHANGED) => fs::rename(second, path),
                _ => Ok(()),
            },
            EventKind::Remove if event.has(flags::FOLDER) => fs::create_dir(path),
            EventKind::Saved => self.put_back(path, &event.second),
            EventKind::SavedLink => std::os::unix::fs::symlink(path_of(&event.second), path),
            _ => Ok(()),
        }
    }

    fn put_back(&self, path: &Path, copy: &[u8]) -> io::Result<()> {
        let copy = self.copies.join(path_of(copy));
        // Into the file that is there, which other names may stand for too.
        fs::copy(&copy, path)?;
        let metadata = fs::metadata(&copy)?;
        let file = fs::File::options().write(true).open(path)?;
        file.set_times(fs::FileTimes::new().set_modified(metadata.modified()?))
    }

    /// The path, if it is one that may be touched.
    fn inside(&self, path: &[u8]) -> Option<PathBuf> {
        let path = path_of(path);
        let (folder, name) = (path.parent()?, path.file_name()?);
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        real.starts_with(self.folder).then(|| real.join(name))
    }
}

fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

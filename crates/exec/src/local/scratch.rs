//! The folder for everything that must not outlive an executor.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

use crate::ExecError;

const PREFIX: &str = "residue-";
const LOCK: &str = "lock";
/// A folder without a lock may be one that is just being made.
const SURELY_ABANDONED: Duration = Duration::from_secs(60);

/// A private folder, removed when dropped. The lock in it is held as long as
/// this process lives, so that a later one can tell what a killed one left.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    pub(super) fn new(parent: &Path) -> Result<Self, ExecError> {
        remove_abandoned(parent);
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| ExecError::Scratch { path, source }
        };
        let folder =
            tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent).map_err(failed(parent))?;
        let path = folder.path().join(LOCK);
        let lock = File::create(&path).map_err(failed(&path))?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)
            .map_err(|errno| failed(&path)(errno.into()))?;
        Ok(Self { folder, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A new folder for one JVM.
    pub(super) fn jvm_folder(&self) -> Result<TempDir, ExecError> {
        tempfile::Builder::new()
            .prefix("jvm-")
            .tempdir_in(self.path())
            .map_err(|source| ExecError::Scratch { path: self.path().into(), source })
    }
}

fn remove_abandoned(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) && is_abandoned(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(folder: &Path) -> bool {
    let old = fs::symlink_metadata(folder)
        .and_then(|metadata| metadata.modified())
        .is_ok_and(|at| at.elapsed().is_ok_and(|age| age > SURELY_ABANDONED));
    old && File::open(folder.join(LOCK))
        .is_ok_and(|lock| flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok())
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_is_in_use_stays() {
        let parent = tempfile::tempdir().unwrap();
        let in_use = Scratch::new(parent.path()).unwrap();
        let abandoned = parent.path().join("residue-abandoned");
        let young = parent.path().join("residue-young");
        for folder in [&abandoned, &young] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join(LOCK), "").unwrap();
        }
        let long_ago = SystemTime::now() - SURELY_ABANDONED * 2;
        for folder in [in_use.path(), &abandoned] {
            File::open(folder).unwrap().set_modified(long_ago).unwrap();
        }
        let _later = Scratch::new(parent.path()).unwrap();
        assert!(in_use.path().is_dir() && young.is_dir());
        assert!(!abandoned.exists());
    }
}

//! What can go wrong with a store, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ffi;

use crate::{FindingId, RunId};

/// Why the store could not do what was asked. Nothing that was stored before
/// is lost by any of these.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A newer residue wrote the file.
    #[error(
        "{} has store version {found}, and this residue knows versions up to {supported}: \
         update residue, or move the file away to start a new store",
        path.display()
    )]
    NewerVersion {
        /// The store.
        path: PathBuf,
        /// Version of the file.
        found: i64,
        /// Newest version this program knows.
        supported: i64,
    },

    /// Another program's file, or a damaged one.
    #[error(
        "{} is not a residue store ({reason}): move the file away to start a new store",
        path.display()
    )]
    NotAStore {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// A stored value makes no sense, although the file itself is sound.
    #[error(
        "{} holds something residue did not write ({what}): \
         undo the change, or move the file away to start a new store",
        path.display()
    )]
    Damaged {
        /// The store.
        path: PathBuf,
        /// Where, and what was found.
        what: String,
    },

    /// Another process kept the store busy for too long.
    #[error(
        "{} is in use by another process and stayed locked: \
         wait for the other residue (or sqlite3) to finish, then try again",
        path.display()
    )]
    Locked {
        /// The store.
        path: PathBuf,
    },

    /// No room left.
    #[error(
        "no room to write {} ({reason}): free some space on its disk, then start again; \
         what was stored before is still there",
        path.display()
    )]
    DiskFull {
        /// The file that could not grow.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },

    /// Not allowed to write.
    #[error(
        "{} cannot be written ({reason}): make the file and its folder writable",
        path.display()
    )]
    ReadOnly {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },

    /// The system refused to read or write a file.
    #[error("cannot use {}: {source}; check the path and the disk, then try again", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// SQLite reported something that no other variant covers.
    #[error("SQLite failed on {}: {source}; please report this as a bug", path.display())]
    Sqlite {
        /// The store.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },

    /// There is no run with this number.
    #[error("{} has no run {run}; the newest is {}", path.display(), newest(latest))]
    NoSuchRun {
        /// The store.
        path: PathBuf,
        /// What was asked for.
        run: RunId,
        /// The newest run there is.
        latest: Option<RunId>,
    },

    /// The run was not traced.
    #[error("{} has no trace of run {run}: `residue trace` makes one", path.display())]
    NoSuchTrace {
        /// The store.
        path: PathBuf,
        /// What was asked for.
        run: RunId,
    },

    /// There is no finding with this number.
    #[error("{} has no finding {finding}; `residue detect` shows the findings there are", path.display())]
    NoSuchFinding {
        /// The store.
        path: PathBuf,
        /// What was asked for.
        finding: FindingId,
    },

    /// A record breaks the promise that its results follow its order.
    #[error("a run record was not stored: {what}; please report this as a bug")]
    Inconsistent {
        /// Which promise, and where.
        what: String,
    },
}

fn newest(latest: &Option<RunId>) -> String {
    latest.map_or_else(|| "none at all".into(), |run| run.to_string())
}

impl StoreError {
    /// Gives an error of SQLite its meaning.
    pub(crate) fn from_sqlite(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_path_buf();
        let reason = source.to_string();
        let Some(code) = source.sqlite_error().map(|error| error.extended_code) else {
            // Rows that rusqlite could not convert: the column is not ours.
            return match source {
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::QueryReturnedNoRows => Self::Damaged { path, what: reason },
                source => Self::Sqlite { path, source },
            };
        };
        match code {
            ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_SHMSIZE => Self::DiskFull { path, reason },
            _ => match code & 0xff {
                ffi::SQLITE_FULL => Self::DiskFull { path, reason },
                ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => Self::Locked { path },
                ffi::SQLITE_READONLY | ffi::SQLITE_PERM => Self::ReadOnly { path, reason },
                ffi::SQLITE_NOTADB | ffi::SQLITE_CORRUPT => Self::NotAStore { path, reason },
                ffi::SQLITE_CANTOPEN | ffi::SQLITE_IOERR => {
                    Self::Io { path, source: io::Error::other(source) }
                }
                _ => Self::Sqlite { path, source },
            },
        }
    }

    /// Gives an error of the file system its meaning.
    pub(crate) fn from_io(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::DiskFull { path, reason: source.to_string() }
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Self::ReadOnly { path, reason: source.to_string() }
            }
            _ => Self::Io { path, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(extended_code: i32) -> StoreError {
        let source = rusqlite::Error::SqliteFailure(ffi::Error::new(extended_code), None);
        StoreError::from_sqlite(Path::new("p/.residue/residue.db"), source)
    }

    #[test]
    fn codes_of_sqlite_get_their_meaning() {
        assert!(matches!(meaning(ffi::SQLITE_FULL), StoreError::DiskFull { .. }));
        assert!(matches!(meaning(ffi::SQLITE_IOERR_WRITE), StoreError::DiskFull { .. }));
        assert!(matches!(meaning(ffi::SQLITE_BUSY_SNAPSHOT), StoreError::Locked { .. }));
        assert!(matches!(meaning(ffi::SQLITE_READONLY_DIRECTORY), StoreError::ReadOnly { .. }));
        assert!(matches!(meaning(ffi::SQLITE_NOTADB), StoreError::NotAStore { .. }));
        assert!(matches!(meaning(ffi::SQLITE_CORRUPT_VTAB), StoreError::NotAStore { .. }));
        assert!(matches!(meaning(ffi::SQLITE_IOERR_READ), StoreError::Io { .. }));
        assert!(matches!(meaning(ffi::SQLITE_MISUSE), StoreError::Sqlite { .. }));
    }

    #[test]
    fn a_full_disk_names_the_file_and_what_to_do() {
        let full = StoreError::from_io(
            Path::new("p/.residue/.gitignore"),
            io::ErrorKind::StorageFull.into(),
        );
        let text = full.to_string();
        assert!(text.starts_with("no room to write p/.residue/.gitignore"), "{text}");
        assert!(text.contains("free some space"), "{text}");
    }
}

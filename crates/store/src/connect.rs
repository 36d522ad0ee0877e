//! From a folder to a connection that is safe to write to.
//!
//! The journal is a write-ahead log (WAL) with `synchronous=NORMAL`: a commit
//! is one append without waiting for the disk. What a process has committed
//! lives in the system's page cache, so killing the process loses nothing; a
//! power cut may take the last commits, but never leaves half of one, because
//! each carries a checksum. Readers and a writer do not block each other.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::StoreError;
use crate::schema::{self, Header};

const DATABASE: &str = "residue.db";

/// How long to wait for another process. Transactions take milliseconds, so
/// who waits this long waits for somebody stuck.
const PATIENCE: Duration = Duration::from_secs(10);

/// More than the number of different statements in this crate.
const PREPARED_STATEMENTS: usize = 64;

/// Opens the store of a `.residue` folder, making both where missing.
pub(crate) fn open(folder: &Path) -> Result<(Connection, PathBuf), StoreError> {
    fs::create_dir_all(folder).map_err(|error| StoreError::from_io(folder, error))?;
    ignore_in_git(folder)?;
    let path = folder.join(DATABASE);
    let mut db = connect(&path)?;
    refuse_strangers(&mut db, &path)?;
    use_write_ahead_log(&db).map_err(|error| StoreError::from_sqlite(&path, error))?;
    schema::migrate(&mut db, &path, schema::STEPS)?;
    Ok((db, path))
}

/// A store that is gone with its connection.
pub(crate) fn open_in_memory() -> Result<(Connection, PathBuf), StoreError> {
    let path = PathBuf::from(":memory:");
    let sqlite = |error| StoreError::from_sqlite(&path, error);
    let mut db = Connection::open_in_memory().map_err(sqlite)?;
    configure(&db).map_err(sqlite)?;
    schema::migrate(&mut db, &path, schema::STEPS)?;
    Ok((db, path))
}

/// Nobody wants run records in a commit, and nobody should have to edit the
/// project's own ignore file for that.
fn ignore_in_git(folder: &Path) -> Result<(), StoreError> {
    let path = folder.join(".gitignore");
    if path.exists() {
        return Ok(());
    }
    fs::write(&path, "*\n").map_err(|error| StoreError::from_io(&path, error))
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    // SQLite says only "unable to open"; the system says why. An empty file is
    // an empty database to SQLite.
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(path)
        .and_then(|mut file| file.flush())
        .map_err(|error| StoreError::from_io(path, error))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let sqlite = |error| StoreError::from_sqlite(path, error);
    let db = Connection::open_with_flags(path, flags).map_err(sqlite)?;
    configure(&db).map_err(sqlite)?;
    Ok(db)
}

fn configure(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(PATIENCE)?;
    db.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
    db.pragma_update(None, "foreign_keys", true)
}

/// Before anything is written: is this a file of ours that we understand?
fn refuse_strangers(db: &mut Connection, path: &Path) -> Result<(), StoreError> {
    // One transaction, so that the three values are of one moment.
    let header = db.transaction().and_then(|transaction| Header::read(&transaction));
    header.map_err(|error| StoreError::from_sqlite(path, error))?.check(path, schema::STEPS)
}

/// The switch needs the file for itself for a moment, and SQLite does not wait
/// for that by itself.
fn use_write_ahead_log(db: &Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let switched =
            db.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
        match switched {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && Instant::now() < deadline =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(error),
            // Some network file systems cannot share memory: SQLite then stays
            // with its rollback journal, which is safe only when it waits.
            Ok(mode) => {
                let wait = if mode == "wal" { "NORMAL" } else { "FULL" };
                return db.pragma_update(None, "synchronous", wait);
            }
        }
    }
}

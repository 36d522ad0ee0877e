//! The open store: one connection, one way to read and one way to write.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use residue_model::TestId;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::schema::{self, STEPS};
use crate::{Fingerprint, StoreError, connect};

/// All runs of one project.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    path: PathBuf,
    known_tests: KnownTests,
}

/// A suite in one state of the project, as this store numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SuiteKey(pub(crate) i64);

/// Numbers of tests that are known to be in the file for good.
type KnownTests = HashMap<TestId, i64>;

/// A write transaction in progress.
pub(crate) struct Writer<'a> {
    pub(crate) db: Transaction<'a>,
    known_tests: &'a mut KnownTests,
}

impl Store {
    /// Opens the store in a project's `.residue` folder. Makes the folder, a
    /// `.gitignore` in it, and the store where they are missing, and brings a
    /// store of an older version up to date.
    pub fn open(residue_folder: &Path) -> Result<Self, StoreError> {
        let (db, path) = connect::open(residue_folder)?;
        Ok(Self { db, path, known_tests: KnownTests::new() })
    }

    /// A store that is forgotten when dropped.
    pub fn in_memory() -> Result<Self, StoreError> {
        let (db, path) = connect::open_in_memory()?;
        Ok(Self { db, path, known_tests: KnownTests::new() })
    }

    /// The file behind this store.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The suite with this name in this state, if it is registered.
    pub fn known_suite(
        &self,
        name: &str,
        fingerprint: &Fingerprint,
    ) -> Result<Option<SuiteKey>, StoreError> {
        self.read(|db| find_suite(db, name, fingerprint))
    }

    /// The suite with this name in this state, registered if it is new.
    pub fn suite(&mut self, name: &str, fingerprint: &Fingerprint) -> Result<SuiteKey, StoreError> {
        // Looking costs no lock, and most of the time the suite is there.
        if let Some(known) = self.known_suite(name, fingerprint)? {
            return Ok(known);
        }
        self.write(|writer| {
            writer.db.execute(
                "INSERT OR IGNORE INTO suites (name, fingerprint, first_seen) VALUES (?, ?, ?)",
                params![name, fingerprint.to_string(), now()],
            )?;
            let registered = find_suite(&writer.db, name, fingerprint)?;
            registered.ok_or(rusqlite::Error::QueryReturnedNoRows)
        })
    }

    /// Reads one moment of the store, whatever others write meanwhile.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.db
            .unchecked_transaction()
            .and_then(|snapshot| work(&snapshot))
            .map_err(|error| self.error(error))
    }

    /// Writes all that `work` does, or nothing.
    pub(crate) fn write<T>(
        &mut self,
        work: impl FnOnce(&mut Writer<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let path = &self.path;
        let sqlite = |error| StoreError::from_sqlite(path, error);
        let db =
            self.db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
        // A newer residue may have migrated the file under our feet.
        let (found, supported) = (schema::version(&db).map_err(sqlite)?, STEPS.len() as i64);
        if found != supported {
            return Err(StoreError::NewerVersion { path: path.clone(), found, supported });
        }
        let mut writer = Writer { db, known_tests: &mut self.known_tests };
        let done = work(&mut writer);
        let Writer { db, known_tests } = writer;
        let written = done.and_then(|value| db.commit().map(|()| value));
        if written.is_err() {
            // Numbers given in this transaction went with it.
            known_tests.clear();
        }
        written.map_err(sqlite)
    }

    pub(crate) fn error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::from_sqlite(&self.path, error)
    }
}

impl Writer<'_> {
    /// The number of a test, given now if it is new.
    pub(crate) fn test_id(&mut self, test: &TestId) -> rusqlite::Result<i64> {
        if let Some(&id) = self.known_tests.get(test) {
            return Ok(id);
        }
        let found = self
            .db
            .prepare_cached("SELECT test_id FROM tests WHERE name = ?")?
            .query_row([test.as_str()], |row| row.get(0))
            .optional()?;
        let id = match found {
            Some(id) => id,
            None => self
                .db
                .prepare_cached("INSERT INTO tests (name) VALUES (?)")?
                .insert([test.as_str()])?,
        };
        self.known_tests.insert(test.clone(), id);
        Ok(id)
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX)
}

fn find_suite(
    db: &Connection,
    name: &str,
    fingerprint: &Fingerprint,
) -> rusqlite::Result<Option<SuiteKey>> {
    db.prepare_cached("SELECT suite_id FROM suites WHERE name = ? AND fingerprint = ?")?
        .query_row(params![name, fingerprint.to_string()], |row| row.get(0).map(SuiteKey))
        .optional()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use residue_model::RunLimits;

    use super::*;
    use crate::testing::passed;

    fn open() -> (tempfile::TempDir, Store, SuiteKey) {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let fingerprint = Fingerprint::from_hex(&"a".repeat(64)).unwrap();
        let suite = store.suite("core", &fingerprint).unwrap();
        (folder, store, suite)
    }

    #[test]
    fn a_store_that_may_not_grow_says_so_and_goes_on_once_it_may() {
        let (_folder, mut store, suite) = open();
        let limits = RunLimits::default();
        let first = store.record(suite, &limits, &passed(50)).unwrap();
        let limit = |store: &Store, pages: i64| {
            let set = format!("PRAGMA max_page_count = {pages}");
            store.db.query_row(&set, [], |row| row.get::<_, i64>(0)).unwrap();
        };
        limit(&store, 60);
        let full = store.record(suite, &limits, &passed(20_000)).unwrap_err();
        assert!(matches!(full, StoreError::DiskFull { .. }), "{full}");
        assert_eq!(store.load(first).unwrap(), passed(50));
        limit(&store, 1_000_000);
        // Tests that were numbered in the failed attempt are numbered anew.
        let second = store.record(suite, &limits, &passed(20_000)).unwrap();
        assert_eq!(store.load(second).unwrap(), passed(20_000));
    }

    #[test]
    fn a_store_that_stays_locked_says_so_and_can_still_be_read() {
        let (_folder, mut store, suite) = open();
        let limits = RunLimits::default();
        let first = store.record(suite, &limits, &passed(5)).unwrap();
        let other = Connection::open(store.path()).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        store.db.busy_timeout(Duration::from_millis(20)).unwrap();
        let locked = store.record(suite, &limits, &passed(6)).unwrap_err();
        assert!(matches!(locked, StoreError::Locked { .. }), "{locked}");
        assert_eq!(store.load(first).unwrap(), passed(5));
        other.execute_batch("ROLLBACK").unwrap();
        store.record(suite, &limits, &passed(6)).unwrap();
    }

    #[test]
    fn commits_go_to_a_write_ahead_log() {
        let (_folder, store, _) = open();
        let pragma = |name: &str| -> rusqlite::types::Value {
            store.db.pragma_query_value(None, name, |row| row.get(0)).unwrap()
        };
        assert_eq!(pragma("journal_mode"), rusqlite::types::Value::Text("wal".into()));
        assert_eq!(pragma("synchronous"), rusqlite::types::Value::Integer(1));
    }
}

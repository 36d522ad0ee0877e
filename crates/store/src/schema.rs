//! The version of a store file, and the steps from older versions to today's.
//!
//! `application_id` is the magic, `user_version` the version. Both live in the
//! file header and change with the transaction of the step that sets them.

use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::StoreError;

/// `Resd` in ASCII; `file(1)` and sqlite3 show it.
pub(crate) const APPLICATION_ID: i64 = 0x5265_7364;

/// SQL that lifts a store by one version: the first entry makes version 1 of
/// an empty file, the next turns 1 into 2. Published entries never change.
pub(crate) const STEPS: &[&str] = &[
    include_str!("schema/v1.sql"),
    include_str!("schema/v2.sql"),
    include_str!("schema/v3.sql"),
    include_str!("schema/v4.sql"),
    include_str!("schema/v5.sql"),
    include_str!("schema/v6.sql"),
];

/// What a file says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    application_id: i64,
    /// Version of the schema; 0 for an empty file.
    pub(crate) version: i64,
    is_empty: bool,
}

impl Header {
    pub(crate) fn read(db: &Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            application_id: db.pragma_query_value(None, "application_id", |row| row.get(0))?,
            version: version(db)?,
            is_empty: db.query_row(
                "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)",
                [],
                |row| row.get(0),
            )?,
        })
    }

    /// Refuses what `steps` cannot bring up to date.
    pub(crate) fn check(self, path: &Path, steps: &[&str]) -> Result<(), StoreError> {
        let supported = steps.len() as i64;
        let path = path.to_path_buf();
        let fresh = self.is_empty && self.application_id == 0 && self.version == 0;
        if fresh {
            Ok(())
        } else if self.application_id != APPLICATION_ID {
            let reason = "it is a database of another program".into();
            Err(StoreError::NotAStore { path, reason })
        } else if self.version > supported {
            Err(StoreError::NewerVersion { path, found: self.version, supported })
        } else if self.version < 1 {
            Err(StoreError::NotAStore { path, reason: format!("its version is {}", self.version) })
        } else {
            Ok(())
        }
    }
}

pub(crate) fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Brings a file up to date in one transaction: all missing steps or none.
pub(crate) fn migrate(db: &mut Connection, path: &Path, steps: &[&str]) -> Result<(), StoreError> {
    let sqlite = |error| StoreError::from_sqlite(path, error);
    // Looked at again inside the transaction: another process may be ahead.
    let transaction =
        db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
    let header = Header::read(&transaction).map_err(sqlite)?;
    header.check(path, steps)?;
    apply(&transaction, header.version, steps).map_err(sqlite)?;
    transaction.commit().map_err(sqlite)
}

fn apply(transaction: &Transaction<'_>, from: i64, steps: &[&str]) -> rusqlite::Result<()> {
    let missing = steps.iter().skip(usize::try_from(from).unwrap_or(0));
    for step in missing {
        transaction.execute_batch(step)?;
    }
    if from < steps.len() as i64 {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", steps.len() as i64)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "CREATE TABLE fruit (name TEXT); INSERT INTO fruit VALUES ('fig');";
    const SECOND: &str = "ALTER TABLE fruit ADD COLUMN colour TEXT DEFAULT 'green';";
    const BROKEN: &str = "INSERT INTO fruit VALUES ('kiwi', 'brown'); SELECT no_such_column;";

    fn path() -> &'static Path {
        Path::new("made-up.db")
    }

    fn fruit(db: &Connection, column: &str) -> Vec<String> {
        let mut rows = db.prepare(&format!("SELECT {column} FROM fruit")).unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn an_older_file_gets_only_the_steps_it_lacks_and_keeps_its_rows() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db, path(), &[FIRST]).unwrap();
        assert_eq!(version(&db).unwrap(), 1);
        migrate(&mut db, path(), &[FIRST, SECOND]).unwrap();
        assert_eq!(version(&db).unwrap(), 2);
        assert_eq!(fruit(&db, "name || colour"), ["figgreen"]);
        migrate(&mut db, path(), &[FIRST, SECOND]).unwrap();
        assert_eq!(fruit(&db, "name"), ["fig"]);
    }

    #[test]
    fn a_step_that_fails_leaves_the_old_version_whole() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db, path(), &[FIRST]).unwrap();
        assert!(migrate(&mut db, path(), &[FIRST, SECOND, BROKEN]).is_err());
        assert_eq!(version(&db).unwrap(), 1);
        assert_eq!(fruit(&db, "name"), ["fig"]);
        assert!(db.prepare("SELECT colour FROM fruit").is_err());
    }

    #[test]
    fn a_newer_file_is_refused() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db, path(), &[FIRST, SECOND]).unwrap();
        let refused = migrate(&mut db, path(), &[FIRST]).unwrap_err();
        assert!(
            matches!(refused, StoreError::NewerVersion { found: 2, supported: 1, .. }),
            "{refused}"
        );
    }

    #[test]
    fn a_database_of_another_program_is_refused() {
        let mut db = Connection::open_in_memory().unwrap();
        db.execute_batch(FIRST).unwrap();
        let refused = migrate(&mut db, path(), &[FIRST]).unwrap_err();
        assert!(matches!(refused, StoreError::NotAStore { .. }), "{refused}");
    }
}

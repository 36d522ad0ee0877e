//! Which tests a suite has, in default order.

use residue_model::{Suite, TestCase, Unlistable};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::explanation::{load_failure, save_failure};
use crate::store::{Writer, now};
use crate::values::{from_word, position, test, word};
use crate::{Store, StoreError, SuiteKey};

impl Store {
    /// The tests of a suite, if they were listed in this state of the project.
    pub fn listing(&self, suite: SuiteKey) -> Result<Option<Suite>, StoreError> {
        self.read(|db| {
            let listed: Option<i64> = db
                .query_row("SELECT listed_at FROM suites WHERE suite_id = ?", [suite.0], |row| {
                    row.get(0)
                })
                .optional()?
                .flatten();
            match listed {
                None => Ok(None),
                Some(_) => Ok(Some(Suite {
                    tests: load_tests(db, suite)?,
                    unlistable: load_unlistable(db, suite)?,
                })),
            }
        })
    }

    /// Keeps the tests of a suite in place of an earlier listing.
    pub fn save_listing(&mut self, suite: SuiteKey, listing: &Suite) -> Result<(), StoreError> {
        self.write(|writer| {
            writer.db.execute("DELETE FROM listed_tests WHERE suite_id = ?", [suite.0])?;
            writer.db.execute("DELETE FROM unlistable_classes WHERE suite_id = ?", [suite.0])?;
            save_tests(writer, suite, &listing.tests)?;
            save_unlistable(writer, suite, &listing.unlistable)?;
            writer
                .db
                .execute(
                    "UPDATE suites SET listed_at = ? WHERE suite_id = ?",
                    params![now(), suite.0],
                )
                .map(drop)
        })
    }
}

fn save_tests(
    writer: &mut Writer<'_>,
    suite: SuiteKey,
    tests: &[TestCase],
) -> rusqlite::Result<()> {
    for (index, case) in tests.iter().enumerate() {
        let test_id = writer.test_id(&case.id)?;
        writer
            .db
            .prepare_cached(
                "INSERT INTO listed_tests (suite_id, position, test_id, framework, locator)
                 VALUES (?, ?, ?, ?, ?)",
            )?
            .execute(params![
                suite.0,
                position(index),
                test_id,
                word(case.framework)?,
                case.locator
            ])?;
    }
    Ok(())
}

fn save_unlistable(
    writer: &Writer<'_>,
    suite: SuiteKey,
    classes: &[Unlistable],
) -> rusqlite::Result<()> {
    for (index, unlistable) in classes.iter().enumerate() {
        let explanation = save_failure(&writer.db, &unlistable.failure)?;
        writer
            .db
            .prepare_cached(
                "INSERT INTO unlistable_classes (suite_id, position, class, explanation_id)
                 VALUES (?, ?, ?, ?)",
            )?
            .execute(params![suite.0, position(index), unlistable.class, explanation])?;
    }
    Ok(())
}

fn load_tests(db: &Connection, suite: SuiteKey) -> rusqlite::Result<Vec<TestCase>> {
    db.prepare_cached(
        "SELECT name, framework, locator FROM listed_tests JOIN tests USING (test_id)
          WHERE suite_id = ? ORDER BY position",
    )?
    .query_map([suite.0], |row| {
        Ok(TestCase { id: test(row, 0)?, framework: from_word(row, 1)?, locator: row.get(2)? })
    })?
    .collect()
}

fn load_unlistable(db: &Connection, suite: SuiteKey) -> rusqlite::Result<Vec<Unlistable>> {
    db.prepare_cached(
        "SELECT class, explanation_id FROM unlistable_classes
          WHERE suite_id = ? ORDER BY position",
    )?
    .query_map([suite.0], |row| {
        Ok(Unlistable { class: row.get(0)?, failure: load_failure(db, row.get(1)?)? })
    })?
    .collect()
}

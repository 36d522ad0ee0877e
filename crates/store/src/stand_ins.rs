//! Runs in which values stood in for tests, and what is known of such values.

use residue_model::{RunLimits, RunRecord, StandIns, TestId};
use rusqlite::params;

use crate::record::{Manner, check, insert_record};
use crate::values::{position, test};
use crate::{RunId, Store, StoreError, SuiteKey};

/// A value of one test that must not stand in for it before another.
#[derive(Debug, Clone, Copy)]
pub struct Refutation<'a> {
    /// The test that needs the other.
    pub reader: &'a TestId,
    /// The test that leaves the value.
    pub writer: &'a TestId,
    /// Where that was seen.
    pub run: RunId,
    /// What was seen.
    pub reason: &'a str,
}

impl Store {
    /// Keeps a run with values that were put into static fields on the way.
    pub fn record_with_stand_ins(
        &mut self,
        suite: SuiteKey,
        limits: &RunLimits,
        record: &RunRecord,
        stand_ins: &StandIns,
    ) -> Result<RunId, StoreError> {
        check(record)?;
        self.write(|writer| {
            let run = insert_record(writer, suite, limits, record, Manner::StoodIn)?;
            let mut insert = writer
                .db
                .prepare_cached("INSERT INTO stand_ins VALUES (?, ?, ?, ?, ?, ?)")?;
            for (number, stand_in) in stand_ins.put.iter().enumerate() {
                insert.execute(params![
                    run.0,
                    position(number),
                    position(stand_in.before),
                    stand_in.field.class,
                    stand_in.field.name,
                    stand_in.value.to_string(),
                ])?;
            }
            drop(insert);
            Ok(run)
        })
    }

    /// Remembers that a dependency must not be broken again.
    pub fn save_refuted(
        &mut self,
        suite: SuiteKey,
        refutation: &Refutation<'_>,
    ) -> Result<(), StoreError> {
        self.write(|writer| {
            let reader = writer.test_id(refutation.reader)?;
            let written = writer.test_id(refutation.writer)?;
            writer
                .db
                .prepare_cached("INSERT OR REPLACE INTO refuted_stand_ins VALUES (?, ?, ?, ?, ?)")?
                .execute(params![
                    suite.0,
                    reader,
                    written,
                    refutation.run.0,
                    refutation.reason
                ])?;
            Ok(())
        })
    }

    /// Pairs of reader and writer that must not be broken in this state of the
    /// suite, by name.
    pub fn refuted(&self, suite: SuiteKey) -> Result<Vec<(TestId, TestId)>, StoreError> {
        self.read(|db| {
            db.prepare_cached(
                "SELECT readers.name, writers.name FROM refuted_stand_ins
                   JOIN tests AS readers ON readers.test_id = reader_id
                   JOIN tests AS writers ON writers.test_id = writer_id
                  WHERE suite_id = ? ORDER BY readers.name, writers.name",
            )?
            .query_map([suite.0], |row| Ok((test(row, 0)?, test(row, 1)?)))?
            .collect()
        })
    }
}

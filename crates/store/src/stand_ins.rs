//! Runs in which values stood in for tests, and what is known of such values.

use residue_model::{RunLimits, RunRecord, StandInAccount, StandIns, TestId};
use rusqlite::params;

use crate::put_back::insert_put_back;
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
    /// Keeps a run with what was done to shared state on the way, and what
    /// came of that.
    pub fn record_with_stand_ins(
        &mut self,
        suite: SuiteKey,
        limits: &RunLimits,
        record: &RunRecord,
        (stand_ins, account): (&StandIns, &StandInAccount),
    ) -> Result<RunId, StoreError> {
        check(record)?;
        self.write(|writer| {
            let run = insert_record(writer, suite, limits, record, Manner::StoodIn)?;
            let mut insert =
                writer.db.prepare_cached("INSERT INTO stand_ins VALUES (?, ?, ?, ?, ?, ?)")?;
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
            insert_put_back(writer, run, &stand_ins.put_back, account)?;
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
                .execute(params![suite.0, reader, written, refutation.run.0, refutation.reason])?;
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

#[cfg(test)]
mod tests {
    use residue_model::{FieldValue, RunRequest, StandIn, StaticField};

    use super::*;
    use crate::Fingerprint;
    use crate::testing::passed;

    fn test_id(name: &str) -> TestId {
        TestId::parse(name).unwrap()
    }

    #[test]
    fn a_run_with_stand_ins_never_answers_for_its_order() {
        let mut store = Store::in_memory().unwrap();
        let state = Fingerprint::from_hex(&"0".repeat(64)).unwrap();
        let suite = store.suite("core", &state).unwrap();
        let (limits, record) = (RunLimits::default(), passed(1));
        let field = StaticField { class: "a.State".into(), name: "mode".into() };
        let put = vec![StandIn { before: 0, field, value: FieldValue::Text("on".into()) }];
        let stand_ins = StandIns { put, ..StandIns::default() };
        let done = (&stand_ins, &StandInAccount::default());
        let run = store.record_with_stand_ins(suite, &limits, &record, done).unwrap();
        let request = RunRequest { order: record.order.clone(), limits };
        assert_eq!(store.answers(suite, &request).unwrap(), []);
        assert!(store.run_info(run).unwrap().summary.stood_in);
        let plain = store.record(suite, &limits, &record).unwrap();
        assert_eq!(store.answers(suite, &request).unwrap(), [plain]);
        assert!(!store.run_info(plain).unwrap().summary.stood_in);
        let value: String = store
            .read(|db| db.query_row("SELECT value FROM stand_ins", [], |row| row.get(0)))
            .unwrap();
        assert_eq!(value, "\"on\"");
    }

    #[test]
    fn what_was_refuted_is_remembered_for_its_state_of_the_suite_only() {
        let mut store = Store::in_memory().unwrap();
        let state = |digit: &str| Fingerprint::from_hex(&digit.repeat(64)).unwrap();
        let suite = store.suite("core", &state("0")).unwrap();
        let other = store.suite("core", &state("1")).unwrap();
        let run = store.record(suite, &RunLimits::default(), &passed(0)).unwrap();
        let (reader, writer) = (test_id("a.T#x"), test_id("a.T#y"));
        let reason = "State.mode was set to 1";
        let refutation = Refutation { reader: &reader, writer: &writer, run, reason };
        store.save_refuted(suite, &refutation).unwrap();
        store.save_refuted(suite, &refutation).unwrap();
        assert_eq!(store.refuted(suite).unwrap(), [(reader, writer)]);
        assert!(store.refuted(other).unwrap().is_empty());
    }
}

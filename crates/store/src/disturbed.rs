//! Tests that other JVMs disturb.

use residue_model::TestId;
use rusqlite::params;

use crate::{RunId, Store, StoreError, SuiteKey, values};

impl Store {
    /// Remembers that a test ended otherwise only beside other JVMs.
    pub fn save_disturbed(
        &mut self,
        suite: SuiteKey,
        test: &TestId,
        run: RunId,
    ) -> Result<(), StoreError> {
        self.write(|writer| {
            let test_id = writer.test_id(test)?;
            writer
                .db
                .prepare_cached("INSERT OR REPLACE INTO disturbed_tests VALUES (?, ?, ?)")?
                .execute(params![suite.0, test_id, run.0])?;
            Ok(())
        })
    }

    /// The tests of a suite that other JVMs disturb, by name.
    pub fn disturbed(&self, suite: SuiteKey) -> Result<Vec<TestId>, StoreError> {
        self.read(|db| {
            db.prepare_cached(
                "SELECT name FROM disturbed_tests JOIN tests USING (test_id)
                  WHERE suite_id = ? ORDER BY name",
            )?
            .query_map([suite.0], |row| values::test(row, 0))?
            .collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use residue_model::RunLimits;

    use super::*;
    use crate::Fingerprint;
    use crate::testing::passed;

    #[test]
    fn a_disturbed_test_is_remembered_for_its_state_of_the_suite_only() {
        let mut store = Store::in_memory().unwrap();
        let state = |digit: &str| Fingerprint::from_hex(&digit.repeat(64)).unwrap();
        let suite = store.suite("core", &state("0")).unwrap();
        let other = store.suite("core", &state("1")).unwrap();
        let run = store.record(suite, &RunLimits::default(), &passed(0)).unwrap();
        let test = TestId::parse("a.T#x").unwrap();
        store.save_disturbed(suite, &test, run).unwrap();
        store.save_disturbed(suite, &test, run).unwrap();
        assert_eq!(store.disturbed(suite).unwrap(), [test]);
        assert!(store.disturbed(other).unwrap().is_empty());
    }
}

//! Dependent tests with their proofs.

use residue_model::TestId;
use rusqlite::{OptionalExtension as _, params};

use crate::store::now;
use crate::{FindingId, Store, StoreError, SuiteKey};

/// A finding as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFinding {
    /// The suite, and its state when the finding was made.
    pub suite: SuiteKey,
    /// The suite's name.
    pub suite_name: String,
    /// The finding as JSON, in the format of whoever stored it.
    pub document: String,
}

impl Store {
    /// Keeps a finding about a test of a suite in place of an earlier one,
    /// whose number it takes over.
    pub fn save_finding(
        &mut self,
        suite: SuiteKey,
        test: &TestId,
        role: &str,
        document: &str,
    ) -> Result<FindingId, StoreError> {
        self.write(|writer| {
            let test_id = writer.test_id(test)?;
            // Not an upsert: that would use up a number with every update.
            let known = writer
                .db
                .prepare_cached(
                    "UPDATE findings SET role = ?3, document = ?4
                      WHERE suite_id = ?1 AND test_id = ?2 RETURNING finding_id",
                )?
                .query_row(params![suite.0, test_id, role, document], |row| row.get(0))
                .optional()?;
            if let Some(number) = known {
                return Ok(FindingId(number));
            }
            writer
                .db
                .prepare_cached(
                    "INSERT INTO findings (suite_id, test_id, role, document, found_at)
                     VALUES (?, ?, ?, ?, ?) RETURNING finding_id",
                )?
                .query_row(params![suite.0, test_id, role, document, now()], |row| row.get(0))
                .map(FindingId)
        })
    }

    /// The newest finding about a test.
    pub fn finding_about(&self, test: &TestId) -> Result<Option<FindingId>, StoreError> {
        self.read(|db| {
            db.prepare_cached(
                "SELECT finding_id FROM findings JOIN tests USING (test_id)
                  WHERE tests.name = ? ORDER BY finding_id DESC LIMIT 1",
            )?
            .query_row([test.as_str()], |row| row.get(0).map(FindingId))
            .optional()
        })
    }

    /// The findings about a suite in this state, by number.
    pub fn findings_of(&self, suite: SuiteKey) -> Result<Vec<FindingId>, StoreError> {
        self.read(|db| {
            db.prepare_cached("SELECT finding_id FROM findings WHERE suite_id = ? ORDER BY 1")?
                .query_map([suite.0], |row| row.get(0).map(FindingId))?
                .collect()
        })
    }

    /// The finding with this number.
    pub fn finding(&self, finding: FindingId) -> Result<StoredFinding, StoreError> {
        let found = self.read(|db| {
            db.prepare_cached(
                "SELECT suite_id, suites.name, document
                   FROM findings JOIN suites USING (suite_id) WHERE finding_id = ?",
            )?
            .query_row([finding.0], |row| {
                Ok(StoredFinding {
                    suite: SuiteKey(row.get(0)?),
                    suite_name: row.get(1)?,
                    document: row.get(2)?,
                })
            })
            .optional()
        })?;
        found.ok_or_else(|| StoreError::NoSuchFinding { path: self.path().into(), finding })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fingerprint;

    #[test]
    fn a_finding_keeps_its_number_when_it_is_brought_up_to_date() {
        let mut store = Store::in_memory().unwrap();
        let state = Fingerprint::from_hex(&"0".repeat(64)).unwrap();
        let suite = store.suite("core", &state).unwrap();
        let save = |store: &mut Store, test: &str, document: &str| {
            store.save_finding(suite, &test.parse().unwrap(), "victim", document).unwrap()
        };
        let first = save(&mut store, "a.T#x", "{}");
        let other = save(&mut store, "a.T#y", "{}");
        assert_ne!(first, other);
        assert_eq!(save(&mut store, "a.T#x", "[1]"), first);
        assert_eq!(save(&mut store, "a.T#z", "{}").to_string(), "f3", "no number is skipped");
        assert_eq!(store.findings_of(suite).unwrap()[..2], [first, other]);
        let found = store.finding(first).unwrap();
        assert_eq!((found.suite_name.as_str(), found.document.as_str()), ("core", "[1]"));
        assert_eq!(store.finding_about(&"a.T#y".parse().unwrap()).unwrap(), Some(other));
        assert_eq!(store.finding_about(&"a.T#q".parse().unwrap()).unwrap(), None);
        let missing = store.finding("f99".parse().unwrap()).unwrap_err();
        assert!(matches!(missing, StoreError::NoSuchFinding { .. }));
    }
}

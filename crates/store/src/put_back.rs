//! Runs in which state was put back that tests had changed.

use residue_model::{PutBack, RunRequest, StandInAccount};
use rusqlite::params;

use crate::query::run_id;
use crate::question::{limit_columns, order_digest};
use crate::store::Writer;
use crate::values::position;
use crate::{RunId, Store, StoreError, SuiteKey};

impl Store {
    /// Runs of an order, oldest first, in which just this was put back, or was
    /// to be.
    pub fn put_back_answers(
        &self,
        suite: SuiteKey,
        request: &RunRequest,
        put_back: &[PutBack],
    ) -> Result<Vec<RunId>, StoreError> {
        let (per_test, per_run) = limit_columns(&request.limits);
        let digest = order_digest(request.order.tests().iter());
        let wanted: Vec<(i64, String)> =
            put_back.iter().map(|one| (position(one.before), one.path.to_string())).collect();
        self.read(|db| {
            let runs: Vec<RunId> = db
                .prepare_cached(
                    "SELECT run_id FROM runs
                      WHERE suite_id = ? AND order_digest = ?
                        AND per_test_limit_us = ? AND per_run_limit_us = ? AND stood_in
                      ORDER BY run_id",
                )?
                .query_map(params![suite.0, digest, per_test, per_run], run_id)?
                .collect::<Result<_, _>>()?;
            let mut select = db.prepare_cached(
                "SELECT position, path FROM put_back WHERE run_id = ? ORDER BY number",
            )?;
            let mut answers = Vec::new();
            for run in runs {
                let found: Vec<(i64, String)> = select
                    .query_map([run.0], |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect::<Result<_, _>>()?;
                if found == wanted {
                    answers.push(run);
                }
            }
            Ok(answers)
        })
    }

    /// What became of all that a run was to put back, as far as that was
    /// refused.
    pub fn not_put_back(&self, run: RunId) -> Result<StandInAccount, StoreError> {
        let not_put_back = self.read(|db| {
            db.prepare_cached(
                "SELECT number, refused FROM put_back
                  WHERE run_id = ? AND refused IS NOT NULL ORDER BY number",
            )?
            .query_map([run.0], |row| Ok((row.get::<_, i64>(0)? as usize, row.get(1)?)))?
            .collect()
        })?;
        Ok(StandInAccount { not_put_back, ..StandInAccount::default() })
    }
}

pub(crate) fn insert_put_back(
    writer: &Writer<'_>,
    run: RunId,
    put_back: &[PutBack],
    account: &StandInAccount,
) -> rusqlite::Result<()> {
    let mut insert = writer.db.prepare_cached("INSERT INTO put_back VALUES (?, ?, ?, ?, ?)")?;
    for (number, PutBack { before, path }) in put_back.iter().enumerate() {
        let refused = account.not_put_back.iter().find(|(at, _)| *at == number);
        let reason = refused.map(|(_, reason)| reason);
        let (number, before) = (position(number), position(*before));
        insert.execute(params![run.0, number, before, path.to_string(), reason])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use residue_model::trace::{AccessPath, PathRoot};
    use residue_model::{RunLimits, StandIns, StatePath};

    use super::*;
    use crate::Fingerprint;
    use crate::testing::passed;

    fn put_back(before: usize, key: &str) -> PutBack {
        let root = PathRoot::SystemProperty(Some(key.into()));
        let path = StatePath::at(AccessPath { root, steps: Vec::new() }).unwrap();
        PutBack { before, path }
    }

    #[test]
    fn a_run_answers_for_what_it_put_back_only_and_tells_what_was_refused() {
        let mut store = Store::in_memory().unwrap();
        let state = Fingerprint::from_hex(&"0".repeat(64)).unwrap();
        let suite = store.suite("core", &state).unwrap();
        let (limits, record) = (RunLimits::default(), passed(1));
        let both = [put_back(1, "mode"), put_back(1, "home")];
        let stand_ins = StandIns { put_back: both.to_vec(), ..StandIns::default() };
        let account =
            StandInAccount { not_put_back: vec![(1, "no".into())], ..StandInAccount::default() };
        let done = (&stand_ins, &account);
        let run = store.record_with_stand_ins(suite, &limits, &record, done).unwrap();
        let request = RunRequest { order: record.order.clone(), limits };
        let answers =
            |put_back: &[PutBack]| store.put_back_answers(suite, &request, put_back).unwrap();
        assert_eq!(answers(&both), [run]);
        assert_eq!(answers(&both[..1]), []);
        assert_eq!(answers(&[put_back(0, "mode"), put_back(0, "home")]), []);
        assert_eq!(answers(&[]), []);
        assert_eq!(store.not_put_back(run).unwrap(), account);
    }
}

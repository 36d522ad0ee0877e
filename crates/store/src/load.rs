//! Reading a run record back.

use residue_model::{
    CapturedOutput, FixtureFailure, LeftBehind, RunRecord, TestId, TestOrder, TestResult,
    Unrequested,
};
use rusqlite::{Connection, OptionalExtension as _, Row};

use crate::explanation::{load_failure, load_outcome};
use crate::values::{duration, foreign, from_json, from_word, outcome_kind, test, unsigned};
use crate::{RunId, Store, StoreError};

impl Store {
    /// The whole record of a run.
    pub fn load(&self, run: RunId) -> Result<RunRecord, StoreError> {
        self.read(|db| load_record(db, run))?.ok_or_else(|| self.no_such_run(run))
    }
}

fn load_record(db: &Connection, run: RunId) -> rusqlite::Result<Option<RunRecord>> {
    let Some(results) = promised_results(db, run)? else {
        return Ok(None);
    };
    let tests = results.iter().map(|result| result.test.clone()).collect();
    let record = db
        .prepare_cached("SELECT started_at, duration_us, deviated FROM runs WHERE run_id = ?")?
        .query_row([run.0], |row| {
            Ok(RunRecord {
                order: TestOrder::new(tests).map_err(|error| foreign(0, error))?,
                results,
                deviated: load_deviated(row, 2)?,
                unrequested: load_unrequested(db, run)?,
                fixture_failures: load_fixture_failures(db, run)?,
                left_behind: load_left_behind(db, run)?,
                started_at: unsigned(row, 0)?,
                duration: duration(row, 1)?,
            })
        })?;
    Ok(Some(record))
}

/// The results, if the run exists; as many as it says it has.
fn promised_results(db: &Connection, run: RunId) -> rusqlite::Result<Option<Vec<TestResult>>> {
    let promised = db
        .prepare_cached("SELECT tests FROM runs WHERE run_id = ?")?
        .query_row([run.0], |row| unsigned(row, 0))
        .optional()?;
    let Some(promised) = promised else {
        return Ok(None);
    };
    let results = load_results(db, run)?;
    if results.len() as u64 == promised {
        Ok(Some(results))
    } else {
        let what = format!("{run} has {} results instead of {promised}", results.len());
        Err(foreign(0, what))
    }
}

/// The order that a run was asked for.
pub(crate) fn load_order(db: &Connection, run: RunId) -> rusqlite::Result<TestOrder> {
    let tests = db
        .prepare_cached(
            "SELECT name FROM results JOIN tests USING (test_id)
              WHERE run_id = ? ORDER BY position",
        )?
        .query_map([run.0], |row| test(row, 0))?
        .collect::<rusqlite::Result<Vec<TestId>>>()?;
    TestOrder::new(tests).map_err(|error| foreign(0, error))
}

fn load_results(db: &Connection, run: RunId) -> rusqlite::Result<Vec<TestResult>> {
    db.prepare_cached(
        "SELECT name, outcome, duration_us, explanation_id, stdout, stderr, dropped
           FROM results JOIN tests USING (test_id) LEFT JOIN outputs USING (run_id, position)
          WHERE run_id = ? ORDER BY position",
    )?
    .query_map([run.0], |row| {
        Ok(TestResult {
            test: test(row, 0)?,
            outcome: load_outcome(db, outcome_kind(row, 1)?, row.get(3)?)?,
            duration: duration(row, 2)?,
            output: load_output(row)?,
        })
    })?
    .collect()
}

fn load_output(row: &Row<'_>) -> rusqlite::Result<CapturedOutput> {
    let silent = row.get::<_, Option<i64>>(6)?.is_none();
    if silent {
        return Ok(CapturedOutput::default());
    }
    Ok(CapturedOutput { stdout: row.get(4)?, stderr: row.get(5)?, dropped: unsigned(row, 6)? })
}

fn load_deviated(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Vec<usize>>> {
    let kept = row.get_ref(column)?.as_str_or_null()?.is_none();
    if kept { Ok(None) } else { from_json(row, column).map(Some) }
}

fn load_unrequested(db: &Connection, run: RunId) -> rusqlite::Result<Vec<Unrequested>> {
    db.prepare_cached(
        "SELECT name, outcome, explanation_id FROM unrequested JOIN tests USING (test_id)
          WHERE run_id = ? ORDER BY position",
    )?
    .query_map([run.0], |row| {
        let outcome = load_outcome(db, outcome_kind(row, 1)?, row.get(2)?)?;
        Ok(Unrequested { test: test(row, 0)?, outcome })
    })?
    .collect()
}

fn load_fixture_failures(db: &Connection, run: RunId) -> rusqlite::Result<Vec<FixtureFailure>> {
    db.prepare_cached(
        "SELECT class, phase, explanation_id FROM fixture_failures
          WHERE run_id = ? ORDER BY position",
    )?
    .query_map([run.0], |row| {
        Ok(FixtureFailure {
            class: row.get(0)?,
            phase: from_word(row, 1)?,
            failure: load_failure(db, row.get(2)?)?,
        })
    })?
    .collect()
}

fn load_left_behind(db: &Connection, run: RunId) -> rusqlite::Result<Vec<LeftBehind>> {
    db.prepare_cached(
        "SELECT kind, tests.name, left_behind.name, change
           FROM left_behind LEFT JOIN tests USING (test_id)
          WHERE run_id = ? ORDER BY position",
    )?
    .query_map([run.0], |row| {
        let kind: String = row.get(0)?;
        match kind.as_str() {
            "thread" => Ok(LeftBehind::Thread { test: test(row, 1)?, name: row.get(2)? }),
            "file" => {
                let named = row.get_ref(1)?.as_str_or_null()?.is_some();
                let test = if named { Some(test(row, 1)?) } else { None };
                Ok(LeftBehind::File { test, path: row.get(2)?, change: from_word(row, 3)? })
            }
            "hung-at-exit" => Ok(LeftBehind::HungAtExit),
            other => Err(foreign(0, format!("`{other}` is nothing a test leaves behind"))),
        }
    })?
    .collect()
}

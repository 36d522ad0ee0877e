//! Writing a run record, in one transaction.

use residue_model::{
    FixtureFailure, LeftBehind, OutcomeKind, RunLimits, RunRecord, TestResult, Unrequested,
};
use rusqlite::params;

use crate::explanation::{save_failure, save_outcome};
use crate::question::{limit_columns, order_digest};
use crate::store::Writer;
use crate::values::{json, micros, position, signed, word};
use crate::{RunId, Store, StoreError, SuiteKey};

impl Store {
    /// Keeps what happened when an order ran within these limits. When this
    /// returns a number, the record is in the file and outlives the process.
    pub fn record(
        &mut self,
        suite: SuiteKey,
        limits: &RunLimits,
        record: &RunRecord,
    ) -> Result<RunId, StoreError> {
        check(record)?;
        self.write(|writer| insert_record(writer, suite, limits, record, Manner::Plain))
    }
}

/// How an order was run. Only a plain run answers the question of a plain one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Plain,
    /// The agent watched it.
    Traced,
    /// Values stood in for tests.
    StoodIn,
}

/// Writes a record.
pub(crate) fn insert_record(
    writer: &mut Writer<'_>,
    suite: SuiteKey,
    limits: &RunLimits,
    record: &RunRecord,
    manner: Manner,
) -> rusqlite::Result<RunId> {
    let run = insert_run(writer, suite, limits, record, manner)?;
    insert_results(writer, run, &record.results)?;
    insert_unrequested(writer, run, &record.unrequested)?;
    insert_fixture_failures(writer, run, &record.fixture_failures)?;
    insert_left_behind(writer, run, &record.left_behind)?;
    Ok(RunId(run))
}

/// Results stand for the order in the file, so they must follow it.
pub(crate) fn check(record: &RunRecord) -> Result<(), StoreError> {
    let asked = record.order.tests();
    let got = &record.results;
    if asked.len() != got.len() {
        let what = format!("it has {} results for {} tests", got.len(), asked.len());
        return Err(StoreError::Inconsistent { what });
    }
    match asked.iter().zip(got).position(|(asked, got)| *asked != got.test) {
        None => Ok(()),
        Some(at) => Err(StoreError::Inconsistent {
            what: format!(
                "its result {} is of `{}`, but its order has `{}` there",
                at + 1,
                got[at].test,
                asked[at]
            ),
        }),
    }
}

fn insert_run(
    writer: &Writer<'_>,
    suite: SuiteKey,
    limits: &RunLimits,
    record: &RunRecord,
    manner: Manner,
) -> rusqlite::Result<i64> {
    let (per_test, per_run) = limit_columns(limits);
    let count = |kind: OutcomeKind| {
        position(record.results.iter().filter(|result| result.outcome.kind() == kind).count())
    };
    writer
        .db
        .prepare_cached(
            "INSERT INTO runs (suite_id, order_digest, per_test_limit_us, per_run_limit_us,
                               started_at, duration_us, deviated, tests,
                               passed, failed, errored, skipped, timed_out, crashed, not_reached,
                               traced, stood_in)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .insert(params![
            suite.0,
            order_digest(record.order.tests().iter()),
            per_test,
            per_run,
            signed(record.started_at),
            micros(record.duration),
            record.deviated.as_ref().map(json).transpose()?,
            position(record.results.len()),
            count(OutcomeKind::Passed),
            count(OutcomeKind::Failed),
            count(OutcomeKind::Errored),
            count(OutcomeKind::Skipped),
            count(OutcomeKind::TimedOut),
            count(OutcomeKind::Crashed),
            count(OutcomeKind::NotReached),
            manner == Manner::Traced,
            manner == Manner::StoodIn,
        ])
}

fn insert_results(
    writer: &mut Writer<'_>,
    run: i64,
    results: &[TestResult],
) -> rusqlite::Result<()> {
    let test_ids = results
        .iter()
        .map(|result| writer.test_id(&result.test))
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut insert = writer.db.prepare_cached(
        "INSERT INTO results (run_id, position, test_id, outcome, duration_us, explanation_id)
         VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    for (index, (result, test_id)) in results.iter().zip(test_ids).enumerate() {
        insert.execute(params![
            run,
            position(index),
            test_id,
            result.outcome.kind().as_str(),
            micros(result.duration),
            save_outcome(&writer.db, &result.outcome)?,
        ])?;
        if !result.output.is_empty() {
            insert_output(writer, run, index, result)?;
        }
    }
    Ok(())
}

fn insert_output(
    writer: &Writer<'_>,
    run: i64,
    index: usize,
    result: &TestResult,
) -> rusqlite::Result<()> {
    let output = &result.output;
    writer
        .db
        .prepare_cached(
            "INSERT INTO outputs (run_id, position, stdout, stderr, dropped)
             VALUES (?, ?, ?, ?, ?)",
        )?
        .execute(params![
            run,
            position(index),
            output.stdout,
            output.stderr,
            signed(output.dropped)
        ])
        .map(drop)
}

fn insert_unrequested(
    writer: &mut Writer<'_>,
    run: i64,
    unrequested: &[Unrequested],
) -> rusqlite::Result<()> {
    for (index, extra) in unrequested.iter().enumerate() {
        let test_id = writer.test_id(&extra.test)?;
        let explanation = save_outcome(&writer.db, &extra.outcome)?;
        writer
            .db
            .prepare_cached(
                "INSERT INTO unrequested (run_id, position, test_id, outcome, explanation_id)
                 VALUES (?, ?, ?, ?, ?)",
            )?
            .execute(params![
                run,
                position(index),
                test_id,
                extra.outcome.kind().as_str(),
                explanation
            ])?;
    }
    Ok(())
}

fn insert_fixture_failures(
    writer: &Writer<'_>,
    run: i64,
    fixtures: &[FixtureFailure],
) -> rusqlite::Result<()> {
    for (index, fixture) in fixtures.iter().enumerate() {
        let explanation = save_failure(&writer.db, &fixture.failure)?;
        writer
            .db
            .prepare_cached(
                "INSERT INTO fixture_failures (run_id, position, class, phase, explanation_id)
                 VALUES (?, ?, ?, ?, ?)",
            )?
            .execute(params![
                run,
                position(index),
                fixture.class,
                word(fixture.phase)?,
                explanation
            ])?;
    }
    Ok(())
}

fn insert_left_behind(
    writer: &mut Writer<'_>,
    run: i64,
    left_behind: &[LeftBehind],
) -> rusqlite::Result<()> {
    for (index, left) in left_behind.iter().enumerate() {
        let (kind, test, name, change) = match left {
            LeftBehind::Thread { test, name } => ("thread", Some(test), Some(name), None),
            LeftBehind::File { test, path, change } => {
                ("file", test.as_ref(), Some(path), Some(word(change)?))
            }
            LeftBehind::HungAtExit => ("hung-at-exit", None, None, None),
        };
        let test_id = test.map(|test| writer.test_id(test)).transpose()?;
        writer
            .db
            .prepare_cached(
                "INSERT INTO left_behind (run_id, position, kind, test_id, name, change)
                 VALUES (?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![run, position(index), kind, test_id, name, change])?;
    }
    Ok(())
}

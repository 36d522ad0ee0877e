//! Finding runs: which answer a question, and what there is.

use std::time::Duration;

use residue_model::{OutcomeKind, RunLimits, RunRequest, TestId};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::load::load_order;
use crate::question::{limit_columns, order_digest};
use crate::values::{duration, foreign, unsigned};
use crate::{Fingerprint, RunId, Store, StoreError, SuiteKey};

/// How many tests of a run ended in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutcomeCounts([u64; OutcomeKind::ALL.len()]);

impl OutcomeCounts {
    /// Tests that ended so.
    pub fn get(&self, kind: OutcomeKind) -> u64 {
        self.iter().find(|(candidate, _)| *candidate == kind).map_or(0, |(_, count)| count)
    }

    /// Each kind with its count, best kind first.
    pub fn iter(&self) -> impl Iterator<Item = (OutcomeKind, u64)> {
        OutcomeKind::ALL.into_iter().zip(self.0)
    }

    /// All tests of the run.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// A run in one line of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSummary {
    /// Its number.
    pub id: RunId,
    /// The suite and its state.
    pub suite: SuiteKey,
    /// The suite's name.
    pub suite_name: String,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// How long it took.
    pub duration: Duration,
    /// Within which limits.
    pub limits: RunLimits,
    /// How its tests ended.
    pub counts: OutcomeCounts,
    /// Whether a framework did not keep to the order asked for.
    pub deviated: bool,
    /// Whether the agent watched it.
    pub traced: bool,
    /// Whether values stood in for tests.
    pub stood_in: bool,
}

/// What was asked, and of which state of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunInfo {
    /// The run in short.
    pub summary: RunSummary,
    /// State of the suite.
    pub fingerprint: Fingerprint,
    /// The question, ready to be asked again.
    pub request: RunRequest,
}

/// A suite in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteInfo {
    /// How this store calls it.
    pub key: SuiteKey,
    /// Its name.
    pub name: String,
    /// Its state.
    pub fingerprint: Fingerprint,
    /// Milliseconds since 1970.
    pub first_seen: u64,
}

/// Which runs to show. The default is all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Only runs of this suite in this state.
    pub suite: Option<SuiteKey>,
    /// Only runs of suites with this name, in whatever state.
    pub suite_name: Option<String>,
    /// Only so many, the newest.
    pub newest: Option<u32>,
}

impl Store {
    /// Runs that answer a request, oldest first: same state of the suite, same
    /// order, same limits, without the agent or stand-ins. A run that deviated is among
    /// them: that it happens is the answer, and the record says so.
    pub fn answers(&self, suite: SuiteKey, request: &RunRequest) -> Result<Vec<RunId>, StoreError> {
        let (per_test, per_run) = limit_columns(&request.limits);
        let digest = order_digest(request.order.tests().iter());
        self.read(|db| {
            db.prepare_cached(
                "SELECT run_id FROM runs
                  WHERE suite_id = ? AND order_digest = ?
                    AND per_test_limit_us = ? AND per_run_limit_us = ?
                    AND NOT traced AND NOT stood_in
                  ORDER BY run_id",
            )?
            .query_map(params![suite.0, digest, per_test, per_run], run_id)?
            .collect()
        })
    }

    /// Runs of the suite's default order within whatever limits and without the
    /// agent, oldest first; none if the suite is not listed.
    pub fn reference(&self, suite: SuiteKey) -> Result<Vec<RunId>, StoreError> {
        let Some(listing) = self.listing(suite)? else {
            return Ok(Vec::new());
        };
        let default_order: Vec<&TestId> = listing.tests.iter().map(|case| &case.id).collect();
        let digest = order_digest(default_order.into_iter());
        self.read(|db| {
            db.prepare_cached(
                "SELECT run_id FROM runs
                  WHERE suite_id = ? AND order_digest = ? AND NOT traced AND NOT stood_in
                  ORDER BY run_id",
            )?
            .query_map(params![suite.0, digest], run_id)?
            .collect()
        })
    }

    /// Runs in short, oldest first.
    pub fn runs(&self, filter: &RunFilter) -> Result<Vec<RunSummary>, StoreError> {
        let newest = filter.newest.map_or(i64::MAX, i64::from);
        self.read(|db| {
            let mut found = db
                .prepare_cached(&format!(
                    "{SELECT_SUMMARY}
                      WHERE (?1 IS NULL OR suite_id = ?1) AND (?2 IS NULL OR suites.name = ?2)
                      ORDER BY run_id DESC LIMIT ?3"
                ))?
                .query_map(
                    params![filter.suite.map(|suite| suite.0), filter.suite_name, newest],
                    summary,
                )?
                .collect::<rusqlite::Result<Vec<_>>>()?;
            found.reverse();
            Ok(found)
        })
    }

    /// What a run was asked, and of which suite.
    pub fn run_info(&self, run: RunId) -> Result<RunInfo, StoreError> {
        self.read(|db| load_info(db, run))?.ok_or_else(|| self.no_such_run(run))
    }

    /// Every suite in every state, in the order first seen.
    pub fn suites(&self) -> Result<Vec<SuiteInfo>, StoreError> {
        self.read(|db| {
            db.prepare_cached(
                "SELECT suite_id, name, fingerprint, first_seen FROM suites ORDER BY suite_id",
            )?
            .query_map([], |row| {
                Ok(SuiteInfo {
                    key: SuiteKey(row.get(0)?),
                    name: row.get(1)?,
                    fingerprint: fingerprint(row, 2)?,
                    first_seen: unsigned(row, 3)?,
                })
            })?
            .collect()
        })
    }

    pub(crate) fn no_such_run(&self, run: RunId) -> StoreError {
        let latest = self.read(|db| {
            db.query_row("SELECT max(run_id) FROM runs", [], |row| row.get::<_, Option<i64>>(0))
        });
        match latest {
            Ok(latest) => StoreError::NoSuchRun {
                path: self.path().to_path_buf(),
                run,
                latest: latest.map(RunId),
            },
            Err(error) => error,
        }
    }
}

const SELECT_SUMMARY: &str = "
    SELECT run_id, suite_id, suites.name, started_at, duration_us,
           per_test_limit_us, per_run_limit_us, deviated IS NOT NULL,
           passed, failed, errored, skipped, timed_out, crashed, not_reached,
           fingerprint, traced, stood_in
      FROM runs JOIN suites USING (suite_id)";

fn summary(row: &Row<'_>) -> rusqlite::Result<RunSummary> {
    let mut counts = OutcomeCounts::default();
    for (index, count) in counts.0.iter_mut().enumerate() {
        *count = unsigned(row, 8 + index)?;
    }
    Ok(RunSummary {
        id: run_id(row)?,
        suite: SuiteKey(row.get(1)?),
        suite_name: row.get(2)?,
        started_at: unsigned(row, 3)?,
        duration: duration(row, 4)?,
        limits: RunLimits { per_test: duration(row, 5)?, per_run: duration(row, 6)? },
        deviated: row.get(7)?,
        traced: row.get(16)?,
        stood_in: row.get(17)?,
        counts,
    })
}

fn load_info(db: &Connection, run: RunId) -> rusqlite::Result<Option<RunInfo>> {
    db.prepare_cached(&format!("{SELECT_SUMMARY} WHERE run_id = ?"))?
        .query_row([run.0], |row| {
            let summary = summary(row)?;
            let request = RunRequest { order: load_order(db, run)?, limits: summary.limits };
            Ok(RunInfo { summary, fingerprint: fingerprint(row, 15)?, request })
        })
        .optional()
}

pub(crate) fn run_id(row: &Row<'_>) -> rusqlite::Result<RunId> {
    row.get(0).map(RunId)
}

fn fingerprint(row: &Row<'_>, column: usize) -> rusqlite::Result<Fingerprint> {
    let hex = row.get_ref(column)?.as_str()?;
    Fingerprint::from_hex(hex)
        .ok_or_else(|| foreign(column, format!("`{hex}` is not a fingerprint")))
}

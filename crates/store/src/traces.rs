//! Traced runs: the record and the trace file, in one transaction; for those
//! that people ask about also the dependencies, for reading with SQL.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use residue_graph::DependencyGraph;
use residue_model::{RunLimits, RunRecord, RunRequest, TestId};
use rusqlite::{OptionalExtension as _, params};

use crate::query::run_id;
use crate::question::{limit_columns, order_digest};
use crate::record::{Manner, check, insert_record};
use crate::trace_rows::insert_rows;
use crate::values::foreign;
use crate::{RunId, Store, StoreError, SuiteKey};

/// What a traced run saw, to be kept.
#[derive(Debug, Clone, Copy)]
pub struct NewTrace<'a> {
    /// What decides what is tracked: with other settings it is another
    /// question.
    pub settings: &'a str,
    /// The trace file as the agent wrote it.
    pub file: &'a [u8],
    /// The tests that it speaks of.
    pub order: &'a [TestId],
}

/// What a traced run saw, as it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTrace {
    /// What decided what is tracked.
    pub settings: String,
    /// The trace file as the agent wrote it; the order of the run tells which
    /// tests it speaks of.
    pub file: Vec<u8>,
}

impl Store {
    /// Keeps a traced run with its trace. When this returns a number, both are
    /// in the file and outlive the process.
    pub fn save_trace(
        &mut self,
        suite: SuiteKey,
        limits: &RunLimits,
        record: &RunRecord,
        trace: &NewTrace<'_>,
    ) -> Result<RunId, StoreError> {
        check(record)?;
        if trace.order != record.order.tests() {
            let what = "its trace is of another order".into();
            return Err(StoreError::Inconsistent { what });
        }
        let packed = pack(trace.file);
        self.write(|writer| {
            let run = insert_record(writer, suite, limits, record, Manner::Traced)?;
            writer
                .db
                .prepare_cached("INSERT INTO traces (run_id, settings, file) VALUES (?, ?, ?)")?
                .execute(params![run.0, trace.settings, packed])?;
            Ok(run)
        })
    }

    /// Puts the dependencies of a trace into tables, unless they are there.
    /// That takes much more room than the trace, so not all traces have them.
    pub fn describe_trace(
        &mut self,
        run: RunId,
        graph: &DependencyGraph<'_>,
    ) -> Result<(), StoreError> {
        self.write(|writer| {
            let is_described: bool = writer
                .db
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM dependencies WHERE run_id = ?)")?
                .query_row([run.0], |row| row.get(0))?;
            if is_described { Ok(()) } else { insert_rows(writer, run, graph) }
        })
    }

    /// The trace of a run.
    pub fn load_trace(&self, run: RunId) -> Result<StoredTrace, StoreError> {
        let found = self.read(|db| {
            db.prepare_cached("SELECT settings, file FROM traces WHERE run_id = ?")?
                .query_row([run.0], |row| {
                    let packed = row.get_ref(1)?.as_blob()?;
                    let file = unpack(packed).map_err(|error| foreign(1, error))?;
                    Ok(StoredTrace { settings: row.get(0)?, file })
                })
                .optional()
        })?;
        found.ok_or_else(|| StoreError::NoSuchTrace { path: self.path().into(), run })
    }

    /// Traced runs that answer a request, oldest first: same state of the
    /// suite, same order, same limits, same settings.
    pub fn traced_answers(
        &self,
        suite: SuiteKey,
        request: &RunRequest,
        settings: &str,
    ) -> Result<Vec<RunId>, StoreError> {
        let (per_test, per_run) = limit_columns(&request.limits);
        let digest = order_digest(request.order.tests().iter());
        self.read(|db| {
            db.prepare_cached(
                "SELECT run_id FROM runs JOIN traces USING (run_id)
                  WHERE suite_id = ? AND order_digest = ?
                    AND per_test_limit_us = ? AND per_run_limit_us = ? AND settings = ?
                  ORDER BY run_id",
            )?
            .query_map(params![suite.0, digest, per_test, per_run, settings], run_id)?
            .collect()
        })
    }

    /// Traced runs of suites of this name, in whatever state, that were made
    /// with these settings; the newest first.
    pub fn traced_runs(
        &self,
        suite_name: &str,
        settings: &str,
    ) -> Result<Vec<(RunId, SuiteKey)>, StoreError> {
        self.read(|db| {
            db.prepare_cached(
                "SELECT run_id, suite_id FROM runs JOIN traces USING (run_id)
                   JOIN suites USING (suite_id)
                  WHERE suites.name = ? AND settings = ? ORDER BY run_id DESC",
            )?
            .query_map(params![suite_name, settings], |row| {
                Ok((run_id(row)?, SuiteKey(row.get(1)?)))
            })?
            .collect()
        })
    }

    /// The newest traced run of a suite in this state, whatever its order.
    pub fn latest_trace(&self, suite: SuiteKey) -> Result<Option<RunId>, StoreError> {
        self.read(|db| {
            db.prepare_cached(
                "SELECT run_id FROM runs WHERE suite_id = ? AND traced
                  ORDER BY run_id DESC LIMIT 1",
            )?
            .query_row([suite.0], run_id)
            .optional()
        })
    }
}

pub(crate) fn pack(file: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    // Writing to a Vec cannot fail.
    let _ = encoder.write_all(file);
    encoder.finish().unwrap_or_default()
}

pub(crate) fn unpack(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut file = Vec::new();
    ZlibDecoder::new(packed).read_to_end(&mut file)?;
    Ok(file)
}

//! Parallel runs as JSON, described in `docs/formats.md`.

use residue_model::{Outcome, TestId};
use serde::Serialize;

use crate::json::of_suites;
use crate::parallel_report::{Differing, ParallelReport};
use crate::speculation_report::{FailedSpeculation, SpeculationOutcome};

const VERSION: u32 = 1;

#[derive(Serialize)]
struct SuiteEntry<'a> {
    suite: &'a str,
    workers: usize,
    runs: &'a [String],
    reference: &'a [String],
    duration_us: u128,
    serial_us: u128,
    duplicates: usize,
    differing_duplicates: usize,
    results: Vec<ResultEntry<'a>>,
    differing: Vec<DifferingEntry<'a>>,
    learned: Vec<&'a str>,
    disturbed: &'a [TestId],
    #[serde(skip_serializing_if = "Option::is_none")]
    speculation: Option<SpeculationEntry<'a>>,
}

#[derive(Serialize)]
struct SpeculationEntry<'a> {
    met_by_values: usize,
    failed: Vec<FailedEntry<'a>>,
    again: &'a [&'a TestId],
}

#[derive(Serialize)]
struct FailedEntry<'a> {
    test: &'a TestId,
    stood_in_for: &'a TestId,
    reason: String,
}

#[derive(Serialize)]
struct ResultEntry<'a> {
    test: &'a TestId,
    outcome: &'static str,
    duration_us: u128,
}

#[derive(Serialize)]
struct DifferingEntry<'a> {
    test: &'a TestId,
    expected: &'a Outcome,
    actual: &'a Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<&'a Outcome>,
}

/// The parallel runs of a project.
pub fn parallel_json<'a>(reports: &'a [ParallelReport<'a>]) -> String {
    of_suites("residue-test", VERSION, reports.iter().map(suite_entry))
}

fn suite_entry<'a>(report: &'a ParallelReport<'a>) -> SuiteEntry<'a> {
    let results = report.results.iter().map(|result| {
        let ended = report.final_result(result);
        ResultEntry {
            test: &ended.test,
            outcome: ended.outcome.kind().as_str(),
            duration_us: ended.duration.as_micros(),
        }
    });
    let differing = |differing: &Differing<'a>| DifferingEntry {
        test: differing.test,
        expected: differing.expected,
        actual: differing.actual,
        again: differing.again.map(|again| &again.outcome),
    };
    SuiteEntry {
        suite: report.suite,
        workers: report.workers,
        runs: report.runs,
        reference: report.reference,
        duration_us: report.took.as_micros(),
        serial_us: report.serial.as_micros(),
        duplicates: report.duplicates,
        differing_duplicates: report.differing_duplicates,
        results: results.collect(),
        differing: report.differing.iter().map(differing).collect(),
        learned: report.learned.iter().map(|(id, _)| id.as_str()).collect(),
        disturbed: report.disturbed,
        speculation: report.speculation.as_ref().map(speculation_entry),
    }
}

fn speculation_entry<'a>(outcome: &'a SpeculationOutcome<'a>) -> SpeculationEntry<'a> {
    let failed = |failed: &FailedSpeculation<'a>| FailedEntry {
        test: failed.reader,
        stood_in_for: failed.writer,
        reason: failed.doubt.told(),
    };
    SpeculationEntry {
        met_by_values: outcome.met,
        failed: outcome.failed.iter().map(failed).collect(),
        again: &outcome.again,
    }
}

//! The JSON documents, described field by field in `docs/formats.md`. Each
//! names its format and version; a change that could break a reader raises the
//! version.

use residue_detect::Difference;
use residue_model::{
    CapturedOutput, FixtureFailure, LeftBehind, Outcome, SuiteSpec, TestCase, TestId, TestResult,
    Unlistable, Unrequested,
};
use serde::Serialize;

use crate::{ListedSuite, RunReport};

const VERSION: u32 = 1;

#[derive(Serialize)]
struct SuitesDocument<S> {
    format: &'static str,
    version: u32,
    suites: Vec<S>,
}

/// A document with an entry for each suite.
pub(crate) fn of_suites<S: Serialize>(
    format: &'static str,
    version: u32,
    suites: impl Iterator<Item = S>,
) -> String {
    pretty(&SuitesDocument { format, version, suites: suites.collect() })
}

#[derive(Serialize)]
struct SuiteEntry<'a> {
    name: &'a str,
    tests: &'a [TestCase],
    unlistable: &'a [Unlistable],
    launch: &'a SuiteSpec,
}

/// The tests of a project.
pub fn list_json(suites: &[ListedSuite<'_>]) -> String {
    of_suites("residue-list", VERSION, suites.iter().map(suite_entry))
}

fn suite_entry<'a>(listed: &ListedSuite<'a>) -> SuiteEntry<'a> {
    SuiteEntry {
        name: &listed.spec.name,
        tests: &listed.suite.tests,
        unlistable: &listed.suite.unlistable,
        launch: listed.spec,
    }
}

#[derive(Serialize)]
struct RunDocument<'a> {
    format: &'static str,
    version: u32,
    runs: Vec<RunEntry<'a>>,
}

#[derive(Serialize)]
struct RunEntry<'a> {
    id: &'a str,
    suite: &'a str,
    order: &'a str,
    started_at: u64,
    duration_us: u128,
    from_store: bool,
    deviated: bool,
    results: Vec<ResultEntry<'a>>,
    reference: &'a [String],
    differences: Vec<DifferenceEntry<'a>>,
    unrequested: &'a [Unrequested],
    fixture_failures: &'a [FixtureFailure],
    left_behind: &'a [LeftBehind],
}

#[derive(Serialize)]
struct ResultEntry<'a> {
    test: &'a TestId,
    outcome: &'static str,
    duration_us: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a Outcome>,
    #[serde(skip_serializing_if = "CapturedOutput::is_empty")]
    output: &'a CapturedOutput,
}

#[derive(Serialize)]
pub(crate) struct DifferenceEntry<'a> {
    test: &'a TestId,
    expected: &'a Outcome,
    actual: &'a Outcome,
}

/// One or more runs.
pub fn run_json(reports: &[RunReport<'_>]) -> String {
    let runs = reports.iter().map(run_entry).collect();
    pretty(&RunDocument { format: "residue-run", version: VERSION, runs })
}

fn run_entry<'a>(report: &'a RunReport<'_>) -> RunEntry<'a> {
    let record = report.record;
    RunEntry {
        id: report.id,
        suite: report.suite,
        order: report.order,
        started_at: record.started_at,
        duration_us: record.duration.as_micros(),
        from_store: report.from_store,
        deviated: record.deviated.is_some(),
        results: record.results.iter().map(result_entry).collect(),
        reference: report.reference,
        differences: report.differences.iter().map(difference_entry).collect(),
        unrequested: &record.unrequested,
        fixture_failures: &record.fixture_failures,
        left_behind: &record.left_behind,
    }
}

fn result_entry(result: &TestResult) -> ResultEntry<'_> {
    let has_detail = !matches!(result.outcome, Outcome::Passed | Outcome::NotReached);
    ResultEntry {
        test: &result.test,
        outcome: result.outcome.kind().as_str(),
        duration_us: result.duration.as_micros(),
        detail: has_detail.then_some(&result.outcome),
        output: &result.output,
    }
}

pub(crate) fn difference_entry<'a>(difference: &Difference<'a>) -> DifferenceEntry<'a> {
    let Difference { test, expected, actual } = *difference;
    DifferenceEntry { test, expected, actual }
}

pub(crate) fn pretty(document: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(document);
    text.expect("a document of texts, numbers and lists is always JSON") + "\n"
}

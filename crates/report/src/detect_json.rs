//! The JSON document of a detection, described in `docs/formats.md`.

use residue_detect::{Coverage, Finding, Origin, RefinedEdge, Unreproduced, Varying};
use residue_model::TestId;
use serde::Serialize;

use crate::DetectReport;
use crate::json::pretty;

const VERSION: u32 = 1;

#[derive(Serialize)]
struct DetectDocument<'a> {
    format: &'static str,
    version: u32,
    suites: Vec<SuiteEntry<'a>>,
}

#[derive(Serialize)]
struct SuiteEntry<'a> {
    name: &'a str,
    tests: usize,
    findings: Vec<FindingEntry<'a>>,
    unreproduced: &'a [Unreproduced],
    unexplained: Vec<UnexplainedEntry<'a>>,
    non_deterministic: &'a [Varying],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    differs_when_traced: &'a [TestId],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    refined: &'a [RefinedEdge],
    coverage: &'a Coverage,
    duration_us: u128,
    ended: &'a str,
}

#[derive(Serialize)]
struct FindingEntry<'a> {
    id: &'a str,
    fixture_artefact: bool,
    #[serde(flatten)]
    finding: &'a Finding,
}

#[derive(Serialize)]
struct UnexplainedEntry<'a> {
    test: &'a TestId,
    found_by: &'a Origin,
}

/// What detections found.
pub fn detect_json(reports: &[DetectReport<'_>]) -> String {
    let suites = reports.iter().map(suite_entry).collect();
    pretty(&DetectDocument { format: "residue-detect", version: VERSION, suites })
}

fn suite_entry<'a>(report: &'a DetectReport<'_>) -> SuiteEntry<'a> {
    let finding = |(id, finding): &'a (String, Finding)| FindingEntry {
        id,
        fixture_artefact: finding.is_fixture_artefact(),
        finding,
    };
    SuiteEntry {
        name: report.suite,
        tests: report.tests.tests.len(),
        findings: report.findings.iter().map(finding).collect(),
        unreproduced: &report.unreproduced,
        unexplained: report
            .unexplained
            .iter()
            .map(|(test, found_by)| UnexplainedEntry { test, found_by })
            .collect(),
        non_deterministic: &report.varying,
        differs_when_traced: &report.perturbed,
        refined: &report.refined,
        coverage: &report.coverage,
        duration_us: report.took.as_micros(),
        ended: report.ended,
    }
}

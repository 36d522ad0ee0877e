//! The JSON document of a detection, described in `docs/formats.md`.

use residue_change::Reason;
use residue_detect::{Coverage, Finding, Origin, RefinedEdge, Unreproduced, Varying};
use residue_model::TestId;
use serde::Serialize;

use crate::json::of_suites;
use crate::{DetectReport, SinceReport};

const VERSION: u32 = 1;

#[derive(Serialize)]
struct SuiteEntry<'a> {
    name: &'a str,
    tests: usize,
    findings: Vec<FindingEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<SinceEntry<'a>>,
    unreproduced: &'a [Unreproduced],
    unexplained: Vec<UnexplainedEntry<'a>>,
    non_deterministic: &'a [Varying],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    differs_when_traced: &'a [TestId],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    refined: &'a [RefinedEdge],
    coverage: &'a Coverage,
    files_restored: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shared_with_other_runs: Vec<&'a str>,
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
struct SinceEntry<'a> {
    revision: &'a str,
    changed_files: usize,
    everything: &'a [String],
    touched: Vec<TouchedEntry<'a>>,
    decided_before: Vec<FindingEntry<'a>>,
    not_found_again: Vec<FindingEntry<'a>>,
}

#[derive(Serialize)]
struct TouchedEntry<'a> {
    test: &'a TestId,
    why: String,
}

#[derive(Serialize)]
struct UnexplainedEntry<'a> {
    test: &'a TestId,
    found_by: &'a Origin,
}

/// What detections found.
pub fn detect_json(reports: &[DetectReport<'_>]) -> String {
    of_suites("residue-detect", VERSION, reports.iter().map(suite_entry))
}

fn suite_entry<'a>(report: &'a DetectReport<'_>) -> SuiteEntry<'a> {
    SuiteEntry {
        name: report.suite,
        tests: report.tests.tests.len(),
        findings: finding_entries(&report.findings),
        since: report.since.as_ref().map(since_entry),
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
        files_restored: report.restored,
        shared_with_other_runs: report
            .shared
            .left
            .iter()
            .chain(&report.shared.used)
            .map(String::as_str)
            .collect(),
        duration_us: report.took.as_micros(),
        ended: report.ended,
    }
}

fn finding_entries(findings: &[(String, Finding)]) -> Vec<FindingEntry<'_>> {
    let entry = |(id, finding)| FindingEntry {
        id,
        fixture_artefact: Finding::is_fixture_artefact(finding),
        finding,
    };
    findings.iter().map(|(id, finding)| entry((id.as_str(), finding))).collect()
}

fn since_entry<'a>(since: &'a SinceReport<'_>) -> SinceEntry<'a> {
    let touched = |(test, reason): (&usize, &Reason)| TouchedEntry {
        test: &since.tests[*test],
        why: reason.to_string(),
    };
    SinceEntry {
        revision: since.revision,
        changed_files: since.changed,
        everything: &since.touched.everything,
        touched: since.touched.reasons.iter().map(touched).collect(),
        decided_before: finding_entries(since.known),
        not_found_again: finding_entries(since.gone),
    }
}

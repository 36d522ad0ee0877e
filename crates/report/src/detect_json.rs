//! The JSON document of a detection, described in `docs/formats.md`.

use std::collections::HashMap;

use residue_change::Reason;
use residue_detect::{
    Coverage, Finding, Location, ReferenceOrder, RefinedEdge, Unexplained, Unreproduced, Varying,
};
use residue_model::TestId;
use residue_model::trace::AccessPath;
use serde::Serialize;

use crate::detect_locations::{LocationEntry, told};
use crate::json::of_suites;
use crate::{CauseTally, DetectReport, Numbered, ProvedCause, SinceReport};

const VERSION: u32 = 2;

#[derive(Serialize)]
struct SuiteEntry<'a> {
    name: &'a str,
    tests: usize,
    failing_in_default_order: usize,
    findings: Vec<FindingEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<SinceEntry<'a>>,
    unreproduced: &'a [Unreproduced],
    unexplained: &'a [Unexplained],
    non_deterministic: &'a [Varying],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    differs_when_traced: &'a [TestId],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refined: Vec<RefinedEntry<'a>>,
    coverage: &'a Coverage,
    #[serde(skip_serializing_if = "Option::is_none")]
    causes: Option<&'a CauseTally>,
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    through: Vec<LocationEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'a ProvedCause>,
}

#[derive(Serialize)]
struct RefinedEntry<'a> {
    reader: &'a TestId,
    writer: &'a TestId,
    location_count: usize,
    locations: Vec<LocationEntry>,
    reference: ReferenceOrder,
    fate: &'static str,
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

/// What detections found.
pub fn detect_json(reports: &[DetectReport<'_>]) -> String {
    of_suites("residue-detect", VERSION, reports.iter().map(suite_entry))
}

fn suite_entry<'a>(report: &'a DetectReport<'_>) -> SuiteEntry<'a> {
    SuiteEntry {
        name: report.suite,
        tests: report.tests.tests.len(),
        failing_in_default_order: report.failing,
        findings: finding_entries(&report.findings, report),
        since: report.since.as_ref().map(|since| since_entry(since, report)),
        unreproduced: &report.unreproduced,
        unexplained: &report.unexplained,
        non_deterministic: &report.varying,
        differs_when_traced: &report.perturbed,
        refined: report.refined.iter().map(|edge| refined_entry(edge, report.paths)).collect(),
        coverage: &report.coverage,
        causes: report.cause_tally,
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

fn finding_entries<'a>(
    findings: &'a [Numbered],
    report: &'a DetectReport<'_>,
) -> Vec<FindingEntry<'a>> {
    let entry = |(id, finding): &'a Numbered| FindingEntry {
        id,
        fixture_artefact: finding.is_fixture_artefact(),
        finding,
        through: told(&finding.through, report.paths).1,
        cause: report.causes.get(id),
    };
    findings.iter().map(entry).collect()
}

fn refined_entry<'a>(
    edge: &'a RefinedEdge,
    paths: &HashMap<Location, AccessPath>,
) -> RefinedEntry<'a> {
    let (location_count, locations) = told(&edge.locations, paths);
    RefinedEntry {
        reader: &edge.reader,
        writer: &edge.writer,
        location_count,
        locations,
        reference: edge.reference,
        fate: edge.fate.as_str(),
    }
}

fn since_entry<'a>(since: &'a SinceReport<'_>, report: &'a DetectReport<'_>) -> SinceEntry<'a> {
    let touched = |(test, reason): (&usize, &Reason)| TouchedEntry {
        test: &since.tests[*test],
        why: reason.to_string(),
    };
    SinceEntry {
        revision: since.revision,
        changed_files: since.changed,
        everything: &since.touched.everything,
        touched: since.touched.reasons.iter().map(touched).collect(),
        decided_before: finding_entries(since.known, report),
        not_found_again: finding_entries(since.gone, report),
    }
}

//! The JSON document of a finding with its cause, described in `docs/formats.md`.

use residue_detect::{CleanerSet, Finding};
use serde::Serialize;

use crate::json::pretty;
use crate::told_flow::ToldFlow;
use crate::{Cause, ExplainReport, ProvedCause, Suspect, Traced};

const VERSION: u32 = 1;

#[derive(Serialize)]
struct ExplainDocument<'a> {
    format: &'static str,
    version: u32,
    id: &'a str,
    finding: &'a Finding,
    traced_run: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<ProvedCause>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<TriedEntry>,
    also_read: Vec<ToldFlow>,
    cleaners: Vec<CleanerEntry<'a>>,
}

/// What was done where no cause is proved.
#[derive(Serialize)]
struct TriedEntry {
    put_back: usize,
    refused: usize,
}

#[derive(Serialize)]
struct CleanerEntry<'a> {
    #[serde(flatten)]
    cleaners: &'a CleanerSet,
    traced_run: &'a str,
    resets: Vec<ToldFlow>,
}

/// All that was found out about a finding, whether or not all is to be told to
/// people.
pub fn explain_json(report: &ExplainReport<'_>) -> String {
    let finding = report.finding;
    let told = |suspects: &[Suspect<'_>], traced: &Traced<'_>| {
        let told = |one| ToldFlow::of_suspect(one, traced.graph.trace(), &finding.test);
        suspects.iter().map(told).collect()
    };
    let cleaners = report.cleaned.iter().map(|(cleaners, traced)| CleanerEntry {
        cleaners,
        traced_run: traced.run,
        resets: told(&report.reset_by(traced, &cleaners.tests), traced),
    });
    pretty(&ExplainDocument {
        format: "residue-explain",
        version: VERSION,
        id: report.id,
        finding,
        traced_run: report.flipped.run,
        cause: ProvedCause::of(report),
        tried: match *report.cause {
            Cause::Open { put_back, refused } => Some(TriedEntry { put_back, refused }),
            _ => None,
        },
        also_read: told(&report.suspects().1, &report.flipped),
        cleaners: cleaners.collect(),
    })
}

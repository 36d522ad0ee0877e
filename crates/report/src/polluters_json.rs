//! The JSON document of polluters, described in `docs/formats.md`.

use residue_model::trace::{Change, Pollution, Value};
use residue_model::{Frame, TestId};
use residue_pollution::{Fate, Harmless, Left, Polluted, Rank};
use serde::Serialize;

use crate::PollutersReport;
use crate::json::of_suites;

const VERSION: u32 = 1;

#[derive(Serialize)]
struct SuiteEntry<'a> {
    run: &'a str,
    suite: &'a str,
    order: &'a str,
    per: &'static str,
    from_store: bool,
    duration_us: u128,
    plain_duration_us: u128,
    differences: Vec<&'a TestId>,
    tests: usize,
    of_new_roots: usize,
    polluted: Vec<PollutedEntry<'a>>,
    gaps: Vec<GapEntry<'a>>,
}

#[derive(Serialize)]
struct PollutedEntry<'a> {
    rank: Rank,
    #[serde(skip_serializing_if = "Option::is_none")]
    harmless: Option<Harmless>,
    polluter: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<bool>,
    tests: Vec<&'a TestId>,
    parameter_sets: usize,
    places: Vec<PlaceEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fate: Option<Fate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<usize>,
    stack: Vec<&'a Frame>,
    readers: Vec<&'a TestId>,
    earlier_readers: Vec<&'a TestId>,
    victims: &'a [TestId],
    #[serde(skip_serializing_if = "Option::is_none")]
    reset: Option<&'a Frame>,
}

#[derive(Serialize)]
struct PlaceEntry {
    place: String,
    changes: Vec<ChangeEntry>,
    unlisted_changes: u64,
}

#[derive(Serialize)]
struct ChangeEntry {
    part: String,
    old: Option<String>,
    new: Option<String>,
}

#[derive(Serialize)]
struct GapEntry<'a> {
    kind: &'static str,
    detail: &'a str,
    count: u64,
}

/// Everything that was left changed.
pub fn polluters_json(reports: &[PollutersReport<'_>]) -> String {
    of_suites("residue-polluters", VERSION, reports.iter().map(suite))
}

fn suite<'a>(report: &'a PollutersReport<'a>) -> SuiteEntry<'a> {
    SuiteEntry {
        run: report.run,
        suite: report.suite,
        order: report.order,
        per: if report.per_class { "class" } else { "test" },
        from_store: report.from_store,
        duration_us: report.duration.as_micros(),
        plain_duration_us: report.plain_duration.as_micros(),
        differences: report.differences.iter().map(|difference| difference.test).collect(),
        tests: report.trace.order.len(),
        of_new_roots: report.ranking.of_new_roots,
        polluted: report.ranking.polluted.iter().map(|one| entry(report, one)).collect(),
        gaps: report
            .trace
            .gaps
            .iter()
            .map(|gap| GapEntry { kind: gap.kind.as_str(), detail: &gap.detail, count: gap.count })
            .collect(),
    }
}

fn entry<'a>(report: &'a PollutersReport<'a>, polluted: &'a Polluted<'a>) -> PollutedEntry<'a> {
    let names = |tests: &[usize]| tests.iter().map(|test| &report.trace.order[*test]).collect();
    let places = match &polluted.left {
        Left::State(places) => places.as_slice(),
        Left::Thread | Left::Outside { .. } => &[],
    };
    let (fate, inside) = match polluted.left {
        Left::Outside { fate, inside } => (Some(fate), Some(inside)),
        Left::State(_) | Left::Thread => (None, None),
    };
    PollutedEntry {
        rank: polluted.rank,
        harmless: polluted.harmless,
        polluter: &polluted.polluter,
        name: &polluted.name,
        new: report.baseline.map(|_| report.is_new(polluted)),
        tests: names(&polluted.tests),
        parameter_sets: polluted.parameter_sets,
        places: places.iter().map(|pollution| place(pollution)).collect(),
        fate,
        inside,
        stack: polluted.stack.into_iter().flat_map(|s| report.trace.frames_of(s)).collect(),
        readers: names(&polluted.readers),
        earlier_readers: names(&polluted.earlier_readers),
        victims: &polluted.victims,
        reset: polluted.reset,
    }
}

fn place(pollution: &Pollution) -> PlaceEntry {
    PlaceEntry {
        place: pollution.place.to_string(),
        changes: pollution.changes.iter().map(change).collect(),
        unlisted_changes: pollution.unlisted_changes,
    }
}

fn change(change: &Change) -> ChangeEntry {
    let text = |value: &Option<Value>| value.as_ref().map(ToString::to_string);
    ChangeEntry {
        part: change.label.to_string().trim_start().to_owned(),
        old: text(&change.old),
        new: text(&change.new),
    }
}

//! Schedules as JSON, described in `docs/formats.md`.

use std::collections::BTreeMap;

use residue_model::TestId;
use residue_schedule::{Lane, Slot};
use serde::Serialize;

use crate::json::of_suites;
use crate::schedule_report::{ScheduleReport, ScheduleRow, named_lanes};
use crate::speculation_report::SpeculationPlan;

const VERSION: u32 = 1;

#[derive(Serialize)]
struct SuiteEntry<'a> {
    suite: &'a str,
    tests: usize,
    granularity: &'a str,
    respected: &'a str,
    findings: usize,
    durations_of: &'a str,
    dependencies_of: &'a str,
    writers: usize,
    readers: usize,
    longest_chain: usize,
    locations: usize,
    serial_us: u128,
    makespan_us: u128,
    lower_bound_us: u128,
    duplicates: usize,
    unsettled: usize,
    overhead_us: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    speculation: Option<SpeculationEntry>,
    by_workers: Vec<RowEntry>,
    lanes: Vec<LaneEntry<'a>>,
}

#[derive(Serialize)]
struct RowEntry {
    workers: usize,
    naive_us: u128,
    greedy_us: u128,
    ours_us: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    speculative_us: Option<u128>,
    lower_bound_us: u128,
    unsound_us: u128,
}

#[derive(Serialize)]
struct SpeculationEntry {
    simple: usize,
    not_simple: BTreeMap<&'static str, usize>,
    met_by_values: usize,
    without_us: u128,
}

#[derive(Serialize)]
struct LaneEntry<'a> {
    name: String,
    tests: Vec<SlotEntry<'a>>,
}

#[derive(Serialize)]
struct SlotEntry<'a> {
    test: &'a TestId,
    duplicate: bool,
    start_us: u128,
    end_us: u128,
}

/// The schedules of a project.
pub fn schedule_json(reports: &[ScheduleReport<'_>]) -> String {
    of_suites("residue-schedule", VERSION, reports.iter().map(suite_entry))
}

fn suite_entry<'a>(report: &'a ScheduleReport<'_>) -> SuiteEntry<'a> {
    let lanes = named_lanes(report.schedule);
    SuiteEntry {
        suite: report.suite,
        tests: report.tests.len(),
        granularity: report.granularity,
        respected: report.respected.as_str(),
        findings: report.respected.findings(),
        durations_of: report.timed,
        dependencies_of: report.traced,
        writers: report.columns.writers,
        readers: report.columns.readers,
        longest_chain: report.columns.longest_chain,
        locations: report.columns.locations,
        serial_us: report.bounds.serial.as_micros(),
        makespan_us: report.schedule.makespan().as_micros(),
        lower_bound_us: report.bounds.lower.as_micros(),
        duplicates: report.schedule.duplicates(),
        unsettled: report.unsettled,
        overhead_us: report.overhead.as_micros(),
        speculation: report.speculation.as_ref().map(speculation_entry),
        by_workers: report.rows.iter().map(row_entry).collect(),
        lanes: lanes.map(|(name, lane)| lane_entry(name, lane, report.tests)).collect(),
    }
}

fn speculation_entry(plan: &SpeculationPlan) -> SpeculationEntry {
    SpeculationEntry {
        simple: plan.simple,
        not_simple: plan.obstacles.iter().map(|(why, count)| (why.as_str(), *count)).collect(),
        met_by_values: plan.met,
        without_us: plan.without.as_micros(),
    }
}

fn row_entry(row: &ScheduleRow) -> RowEntry {
    RowEntry {
        workers: row.workers,
        naive_us: row.naive.as_micros(),
        greedy_us: row.greedy.as_micros(),
        ours_us: row.ours.as_micros(),
        speculative_us: row.speculative.map(|time| time.as_micros()),
        lower_bound_us: row.bounds.lower.as_micros(),
        unsound_us: row.bounds.unsound.as_micros(),
    }
}

fn lane_entry<'a>(name: String, lane: &Lane, tests: &'a [TestId]) -> LaneEntry<'a> {
    let entry = |slot: &Slot| SlotEntry {
        test: &tests[slot.test],
        duplicate: slot.duplicate,
        start_us: slot.start.as_micros(),
        end_us: slot.end.as_micros(),
    };
    LaneEntry { name, tests: lane.slots.iter().map(entry).collect() }
}

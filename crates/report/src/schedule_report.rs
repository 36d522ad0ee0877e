//! What the schedules of one suite came to.

use std::time::Duration;

use residue_graph::Columns;
use residue_model::TestId;
use residue_schedule::{Bounds, Lane, Schedule};

use crate::CalledWith;
use crate::speculation_report::SpeculationPlan;

/// A schedule with what is needed to judge it.
#[derive(Debug)]
pub struct ScheduleReport<'a> {
    /// Name of the suite.
    pub suite: &'a str,
    /// The tests, in reference order.
    pub tests: &'a [TestId],
    /// What is never torn apart: `method` or `class`.
    pub granularity: &'static str,
    /// Which dependencies are kept.
    pub respected: Respected,
    /// The run that the durations are of.
    pub timed: &'a str,
    /// The traced run that the dependencies are of.
    pub traced: &'a str,
    /// How many tests write, read and hang together in that run.
    pub columns: Columns,
    /// What each number of workers comes to.
    pub rows: Vec<ScheduleRow>,
    /// The schedule for the number of workers that was asked for.
    pub schedule: &'a Schedule,
    /// What it is measured by.
    pub bounds: Bounds,
    /// The tests that one worker must run, however many there are.
    pub longest_way: &'a [usize],
    /// Tests that see another state than in the reference order.
    pub unsettled: usize,
    /// How long a JVM takes besides its tests.
    pub overhead: Duration,
    /// How far values stand in for tests, if that is asked for.
    pub speculation: Option<SpeculationPlan>,
    /// How to call the program again.
    pub called_with: &'a CalledWith,
}

/// Which dependencies a schedule keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Respected {
    /// All that the trace shows, and those of findings.
    All {
        /// Findings that bind tests.
        findings: usize,
    },
    /// Only those of findings.
    Manifest {
        /// Findings that bind tests.
        findings: usize,
    },
    /// None.
    Nothing,
}

/// Schedules for one number of workers.
#[derive(Debug, Clone, Copy)]
pub struct ScheduleRow {
    /// How many workers.
    pub workers: usize,
    /// Chains that stay together.
    pub naive: Duration,
    /// Cheap tests run again.
    pub greedy: Duration,
    /// Ours.
    pub ours: Duration,
    /// Ours with values in place of tests, if that is asked for.
    pub speculative: Option<Duration>,
    /// What they are measured by.
    pub bounds: Bounds,
}

impl Respected {
    /// The word on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::All { .. } => "all",
            Self::Manifest { .. } => "manifest",
            Self::Nothing => "nothing",
        }
    }

    /// Findings that bind tests.
    pub fn findings(self) -> usize {
        match self {
            Self::All { findings } | Self::Manifest { findings } => findings,
            Self::Nothing => 0,
        }
    }
}

/// How many times as fast as one test after the other.
pub(crate) fn speed_up(serial: Duration, parallel: Duration) -> f64 {
    if parallel.is_zero() { 1.0 } else { serial.as_secs_f64() / parallel.as_secs_f64() }
}

/// How many executions of a lane are duplicates.
pub(crate) fn duplicates_of(lane: &Lane) -> usize {
    lane.slots.iter().filter(|slot| slot.duplicate).count()
}

/// The lanes that have something to run, with their names.
pub(crate) fn named_lanes(schedule: &Schedule) -> impl Iterator<Item = (String, &Lane)> {
    let workers = schedule.workers.iter().enumerate();
    let workers = workers.map(|(number, lane)| (format!("worker {}", number + 1), lane));
    let all = workers.chain([("afterwards".to_owned(), &schedule.afterwards)]);
    all.filter(|(_, lane)| !lane.slots.is_empty())
}

//! Lists of tests for CI jobs, each of which runs its list with the build.

use residue_model::{BuildTool, TestId};
use residue_schedule::{Lane, Schedule};
use serde::Serialize;

use crate::build_lists::{Selected, gradle, selected_of, surefire};
use crate::json::pretty;

const VERSION: u32 = 1;

/// A suite split into shards: one worker of the schedule each.
#[derive(Debug)]
pub struct ShardedSuite<'a> {
    /// Name of the suite.
    pub suite: &'a str,
    /// The tests, in reference order.
    pub tests: &'a [TestId],
    /// Who runs what.
    pub schedule: &'a Schedule,
}

/// One line a shard: the value of Surefire's `-Dtest`.
pub fn shards_surefire(suites: &[ShardedSuite<'_>]) -> String {
    lines(suites, surefire)
}

/// One line a shard: arguments for `gradle test`.
pub fn shards_gradle(suites: &[ShardedSuite<'_>]) -> String {
    lines(suites, gradle)
}

#[derive(Serialize)]
struct Matrix {
    include: Vec<MatrixEntry>,
}

#[derive(Serialize)]
struct MatrixEntry {
    shard: usize,
    shards: usize,
    tests: String,
}

/// The matrix of a GitHub Actions job, on one line. `tests` is what the build
/// tool takes.
pub fn shards_github(suites: &[ShardedSuite<'_>], build_tool: BuildTool) -> String {
    let write = if build_tool == BuildTool::Gradle { gradle } else { surefire };
    let shards = count(suites);
    let entry =
        |shard| MatrixEntry { shard: shard + 1, shards, tests: write(&selected(suites, shard)) };
    let matrix = Matrix { include: (0..shards).map(entry).collect() };
    let text = serde_json::to_string(&matrix);
    text.expect("a document of texts, numbers and lists is always JSON") + "\n"
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u32,
    shards: Vec<ShardEntry<'a>>,
}

#[derive(Serialize)]
struct ShardEntry<'a> {
    shard: usize,
    suites: Vec<ShardSuiteEntry<'a>>,
}

#[derive(Serialize)]
struct ShardSuiteEntry<'a> {
    suite: &'a str,
    duration_us: u128,
    tests: Vec<&'a TestId>,
    duplicates: Vec<&'a TestId>,
}

/// The shards with the ids of their tests; what runs in several shards is a
/// duplicate in all but one.
pub fn shards_json(suites: &[ShardedSuite<'_>]) -> String {
    let of_shard = |shard: usize| {
        let lanes =
            suites.iter().filter_map(|suite| Some((suite, suite.schedule.workers.get(shard)?)));
        let suites = lanes.map(|(suite, lane)| ShardSuiteEntry {
            suite: suite.suite,
            duration_us: lane.end().as_micros(),
            tests: ids(suite, lane, false),
            duplicates: ids(suite, lane, true),
        });
        ShardEntry { shard: shard + 1, suites: suites.collect() }
    };
    let shards = (0..count(suites)).map(of_shard).collect();
    pretty(&Document { format: "residue-shards", version: VERSION, shards })
}

fn ids<'a>(suite: &ShardedSuite<'a>, lane: &Lane, duplicate: bool) -> Vec<&'a TestId> {
    let slots = lane.slots.iter().filter(|slot| slot.duplicate == duplicate);
    slots.map(|slot| &suite.tests[slot.test]).collect()
}

fn count(suites: &[ShardedSuite<'_>]) -> usize {
    suites.iter().map(|suite| suite.schedule.workers.len()).max().unwrap_or(0)
}

fn lines(suites: &[ShardedSuite<'_>], write: fn(&[Selected<'_>]) -> String) -> String {
    (0..count(suites)).map(|shard| write(&selected(suites, shard)) + "\n").collect()
}

fn selected<'a>(suites: &[ShardedSuite<'a>], shard: usize) -> Vec<Selected<'a>> {
    let mut selected = Vec::new();
    for suite in suites {
        if let Some(lane) = suite.schedule.workers.get(shard) {
            let here = lane.slots.iter().map(|slot| &suite.tests[slot.test]);
            selected.extend(selected_of(suite.tests, here));
        }
    }
    selected
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use residue_schedule::{Algorithm, Planner, Workload};

    use super::*;

    fn on_two_shards(write: impl Fn(&[ShardedSuite<'_>]) -> String) -> String {
        let ids = ["a.A#x", "a.A#y[1]", "a.A#y[2]", "a.B#z"];
        let tests = ids.map(|id| TestId::parse(id).unwrap());
        let mut workload = Workload::new([3, 1, 1, 2].map(Duration::from_secs).to_vec());
        workload.keep_together(|test| (tests[test].class(), tests[test].method()));
        let schedule = Planner::new(&workload).schedule(Algorithm::Critical, 2);
        write(&[ShardedSuite { suite: ".", tests: &tests, schedule: &schedule }])
    }

    #[test]
    fn surefire_gets_methods_and_whole_classes() {
        assert_eq!(on_two_shards(shards_surefire), "a.A#x\na.A#y,a.B\n");
    }

    #[test]
    fn gradle_gets_arguments() {
        let expected = "--tests 'a.A.x'\n--tests 'a.A.y' --tests 'a.B'\n";
        assert_eq!(on_two_shards(shards_gradle), expected);
    }

    #[test]
    fn github_gets_a_matrix_on_one_line() {
        let matrix = on_two_shards(|suites| shards_github(suites, BuildTool::Maven));
        let expected = r#"{"include":[{"shard":1,"shards":2,"tests":"a.A#x"},{"shard":2,"shards":2,"tests":"a.A#y,a.B"}]}"#;
        assert_eq!(matrix.trim_end(), expected);
    }

    #[test]
    fn json_has_every_invocation() {
        let document: serde_json::Value =
            serde_json::from_str(&on_two_shards(shards_json)).unwrap();
        let suite = &document["shards"][1]["suites"][0];
        assert_eq!(suite["tests"], serde_json::json!(["a.A#y[1]", "a.A#y[2]", "a.B#z"]));
        assert_eq!(suite["duration_us"], 4_000_000);
    }
}

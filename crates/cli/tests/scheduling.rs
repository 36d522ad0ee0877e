//! `residue schedule` and `residue test` on suites whose tests need each other,
//! or get in each other's way. See `fixtures/parallel`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail
#![allow(unreachable_pub)] // nobody else uses the modules of a test

mod common;

use std::collections::BTreeSet;
use std::fs;

use common::{Said, Subject};
use residue_test_support::{Fixture, JUNIT5};

const BRITTLE: &str = "shop.OrderTest#ordersForTheUser";

#[track_caller]
fn says(said: &Said, code: i32, all_of: &[&str]) {
    assert_eq!(said.code, code, "{said:#?}");
    for part in all_of {
        assert!(said.stdout.contains(part), "{part:?} is missing in {said:#?}");
    }
}

#[test]
fn a_schedule_keeps_together_what_belongs_together() {
    let subject = Subject::junit4("parallel/needs");
    let said = subject.run("schedule", &["--workers", "2"]);
    says(&said, 0, &["4 tests", "worker 2", "what limits it", BRITTLE]);
    let said = subject.run("schedule", &["--workers", "2", "--json", "-"]);
    let document: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let lanes = document["suites"][0]["lanes"].as_array().unwrap();
    let tests = |lane: &serde_json::Value| -> Vec<String> {
        let tests = lane["tests"].as_array().unwrap().iter();
        tests.map(|slot| slot["test"].as_str().unwrap().to_owned()).collect()
    };
    let with_brittle = lanes.iter().map(tests).find(|lane| lane.contains(&BRITTLE.into())).unwrap();
    assert_eq!(with_brittle[0], "shop.AccountTest#logsIn");
    let all: BTreeSet<String> = lanes.iter().flat_map(tests).collect();
    assert_eq!(all.len(), 4);
    assert_eq!(document["suites"][0]["unsettled"], 0);
}

#[test]
fn a_schedule_can_be_drawn() {
    let subject = Subject::junit4("parallel/needs");
    let said = subject.run("schedule", &["--workers", "2", "--svg", "-"]);
    assert!(said.stdout.starts_with("<svg xmlns="), "{said:#?}");
    assert!(said.stdout.trim_end().ends_with("</svg>"));
    assert!(said.stdout.contains(BRITTLE), "{said:#?}");
}

#[test]
fn shards_are_lists_that_a_build_takes() {
    let subject = Subject::junit4("parallel/needs");
    let said = subject.run("schedule", &["--shards", "2"]);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{said:#?}");
    let with_brittle = lines.iter().find(|line| line.contains("shop.OrderTest")).unwrap();
    assert!(with_brittle.contains("shop.AccountTest"), "{said:#?}");
    assert!(said.stdout.contains("shop.PriceTest"), "{said:#?}");
}

#[test]
fn a_parallel_run_ends_as_the_default_order_does() {
    let subject = Subject::junit4("parallel/needs");
    let xml = subject.folder.path().join("reports");
    let said = subject.run("test", &["--workers", "2", "--xml", xml.to_str().unwrap()]);
    says(&said, 0, &["4 passed", "every outcome is as in the default order"]);
    let report = fs::read_to_string(xml.join("TEST-shop.PriceTest.xml")).unwrap();
    assert!(report.contains("tests=\"2\""), "{report}");
    assert!(report.contains("<testcase name=\"multiplies\" classname=\"shop.PriceTest\""));
    assert_eq!(fs::read_dir(&xml).unwrap().count(), 3);
}

#[test]
fn a_dependency_that_was_not_kept_is_learned() {
    let subject = Subject::junit4("parallel/needs");
    let args = ["--workers", "2", "--respect", "manifest"];
    let first = subject.run("test", &args);
    says(
        &first,
        1,
        &["1 test differs", BRITTLE, "learned", "f1 brittle", "in a JVM alone: passed"],
    );
    let second = subject.run("test", &args);
    says(&second, 0, &["every outcome is as in the default order"]);
}

#[test]
fn a_test_that_other_jvms_disturb_runs_after_them_the_next_time() {
    let subject = Subject::junit4("parallel/disturbed");
    // By the trace both would be in one worker, because they use the same file.
    let args = ["--workers", "2", "--respect", "manifest"];
    let first = subject.run("test", &args);
    says(&first, 1, &["differs only while other JVMs run", "passed -> errored"]);
    let second = subject.run("test", &args);
    says(&second, 0, &["every outcome is as in the default order"]);
    let schedule = subject.run("schedule", &args);
    says(&schedule, 0, &["afterwards"]);
}

#[test]
fn tests_that_use_one_file_stay_in_one_worker() {
    let subject = Subject::junit4("parallel/disturbed");
    let said = subject.run("test", &["--workers", "2"]);
    says(&said, 0, &["2 passed", "every outcome is as in the default order"]);
}

#[test]
fn tests_that_fail_anyway_have_an_exit_code_of_their_own() {
    let subject = Subject::junit4("parallel/failing");
    let said = subject.run("test", &["--workers", "2"]);
    says(&said, 6, &["1 failed", "every outcome is as in the default order"]);
}

#[test]
fn jupiter_gets_annotations() {
    let fixture = Fixture::compile("dependences/jupiter", JUNIT5);
    let subject = Subject { fixture, folder: tempfile::tempdir().unwrap() };
    let said = subject.run("schedule", &["--advice"]);
    says(&said, 0, &["@ResourceLock(", "@Execution(ExecutionMode.SAME_THREAD)"]);
}

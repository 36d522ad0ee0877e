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
    // Three tests take long, so each gets a worker whatever the machine is doing.
    let args = ["--workers", "3", "--respect", "manifest"];
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
fn values_break_chains_but_not_those_of_objects() {
    let subject = Subject::junit4("parallel/values");
    let args = ["--workers", "4", "--speculate"];
    let said = subject.run("schedule", &[&args[..], &["--json", "-"]].concat());
    let document: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let suite = &document["suites"][0];
    let plan = &suite["speculation"];
    // Three steps of the chain, the values of every type, and null.
    assert_eq!(plan["simple"], 5, "{said:#?}");
    assert_eq!(plan["not_simple"], serde_json::json!({ "object": 1 }), "{said:#?}");
    assert!(plan["met_by_values"].as_u64().unwrap() > 0, "{said:#?}");
    assert!(suite["makespan_us"].as_u64() < plan["without_us"].as_u64(), "{said:#?}");
    assert_eq!(suite["unsettled"], 0);
    let lanes = suite["lanes"].as_array().unwrap();
    let with_reader = lanes.iter().map(ToString::to_string);
    let with_reader = with_reader.filter(|lane| lane.contains("values.ObjectTest#reads"));
    assert!(with_reader.into_iter().all(|lane| lane.contains("values.ObjectTest#opens")));
    let said = subject.run("schedule", &args);
    says(&said, 0, &["met by values", "5 of 6 dependencies can be met by values", "values"]);
    let said = subject.run("test", &args);
    says(&said, 0, &["10 passed", "met by values, which all held"]);
}

#[test]
fn every_dependency_stays_without_the_option() {
    let subject = Subject::junit4("parallel/values");
    let said = subject.run("test", &["--workers", "4"]);
    says(&said, 0, &["10 passed", "every outcome is as in the default order"]);
    assert!(!said.stdout.contains("value"), "{said:#?}");
}

#[test]
fn a_value_that_is_left_otherwise_is_found_out_and_not_used_again() {
    let subject = Subject::junit4("parallel/moods");
    let args = ["--workers", "3", "--speculate"];
    says(&subject.run("schedule", &args), 0, &["2 of 2 dependencies can be met by values"]);
    fs::write(subject.folder.path().join("loud"), "").unwrap();
    let first = subject.run("test", &args);
    let told = [
        "3 passed",
        "2 dependencies met by values, 1 did not hold: 2 tests ran again in default order",
        "moods.MoodTest#second without moods.MoodTest#first",
        "MoodTest.volume was set to 1, but the test leaves 2",
        "every outcome is as in the default order",
    ];
    says(&first, 0, &told);
    // What the second leaves is known only when it has run with the right value.
    let second = subject.run("test", &args);
    let told = "MoodTest.echo was set to 10, but the test leaves 20";
    says(&second, 0, &["3 passed", "1 dependency met by values, 1 did not hold: 1 test ran", told]);
    let third = subject.run("test", &args);
    says(&third, 0, &["3 passed", "no value stood in for a test"]);
    let schedule = subject.run("schedule", &args);
    says(&schedule, 0, &["2  whose values did not hold before"]);
}

#[test]
fn values_that_cannot_be_set_or_change_an_outcome_do_not_count() {
    let subject = Subject::junit4("parallel/doubts");
    let args = ["--workers", "4", "--speculate"];
    let told = [
        "4 passed",
        "2 dependencies met by values, 2 did not hold: 2 tests ran again in default order",
        "doubts.IdentityTest#reads ended otherwise with its values",
        "InitialiserTest$Engine.gear could not be set: java.lang.ExceptionInInitializerError",
        "every outcome is as in the default order",
    ];
    says(&subject.run("test", &args), 0, &told);
    says(&subject.run("test", &args), 0, &["4 passed", "no value stood in for a test"]);
}

#[test]
fn a_run_with_values_is_said_to_be_one_when_its_order_runs_again() {
    let subject = Subject::junit4("parallel/values");
    says(&subject.run("test", &["--workers", "2", "--speculate"]), 0, &["which all held"]);
    // After the default order, plain and traced, come the two workers.
    let warns = |run: &&str| {
        let said = subject.run("replay", &[*run]);
        said.stderr.contains("values stood in for tests")
    };
    assert_eq!(["r1", "r3", "r4"].iter().filter(|run| warns(run)).count(), 2);
}

#[test]
fn jupiter_gets_annotations() {
    let fixture = Fixture::compile("dependences/jupiter", JUNIT5);
    let subject = Subject { fixture, folder: tempfile::tempdir().unwrap() };
    let said = subject.run("schedule", &["--advice"]);
    says(&said, 0, &["@ResourceLock(", "@Execution(ExecutionMode.SAME_THREAD)"]);
}

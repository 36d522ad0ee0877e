//! `residue prioritize` on suites that say in comments how many statements
//! each test runs. See `fixtures/priorities`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail
#![allow(unreachable_pub)] // nobody else uses the modules of a test

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use common::{Said, Subject, jdk_homes, said};
use residue_test_support::{Fixture, JUNIT5};
use serde_json::Value;

const BRITTLE: &str = "ledger.BillTest#bills";

fn document(said: &Said) -> Value {
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:#?}"))
}

/// The orders of the only suite, each as its tests.
fn orders(document: &Value) -> Vec<Vec<String>> {
    let orders = document["suites"][0]["orders"].as_array().unwrap().iter();
    orders
        .map(|order| {
            let tests = order["tests"].as_array().unwrap().iter();
            tests.map(|test| test.as_str().unwrap().to_owned()).collect()
        })
        .collect()
}

/// What the comments of a fixture say: by class and method, how many
/// statements.
fn expected(fixture: &str) -> BTreeMap<String, u64> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(fixture);
    let mut expected = BTreeMap::new();
    for package in fs::read_dir(root.join("src")).unwrap() {
        let package = package.unwrap();
        for file in fs::read_dir(package.path()).unwrap() {
            let path = file.unwrap().path();
            let class = format!(
                "{}.{}",
                package.file_name().to_string_lossy(),
                path.file_stem().unwrap().to_string_lossy()
            );
            let mut said = None;
            for line in fs::read_to_string(&path).unwrap().lines().map(str::trim) {
                if let Some(number) = line.strip_prefix("// statements(") {
                    said = Some(number.trim_end_matches(')').parse().unwrap());
                } else if line.contains("void ")
                    && let Some(number) = said.take()
                {
                    let name = line.split("void ").nth(1).unwrap().split('(').next().unwrap();
                    expected.insert(format!("{class}#{name}"), number);
                }
            }
        }
    }
    assert!(!expected.is_empty(), "{fixture} expects nothing");
    expected
}

fn check_statements(subject: &Subject, fixture: &str) {
    let expected = expected(fixture);
    for home in jdk_homes() {
        let home = home.to_str().unwrap();
        let args = ["--technique", "T3", "--dry-run", "--java-home", home, "--json", "-"];
        let document = document(&subject.run("prioritize", &args));
        let order = &document["suites"][0]["orders"][0];
        let tests = order["tests"].as_array().unwrap().iter();
        let covered = order["covered"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap());
        for (test, covered) in tests.zip(covered) {
            let test = test.as_str().unwrap();
            let method = test.split(['[', '(']).next().unwrap();
            assert_eq!(covered, expected[method], "{test} with {home}");
        }
    }
}

#[test]
fn statements_are_those_that_the_sources_say() {
    check_statements(&Subject::junit4("priorities/ledger"), "priorities/ledger");
}

#[test]
fn what_makes_parameters_counts_for_all_tests_of_the_class() {
    let fixture = Fixture::compile("priorities/factories", JUNIT5);
    let subject = Subject { fixture, folder: tempfile::tempdir().unwrap() };
    check_statements(&subject, "priorities/factories");
}

#[test]
fn an_order_by_coverage_breaks_a_test_and_the_safe_one_does_not() {
    let subject = Subject::junit4("priorities/ledger");
    let args = ["--technique", "statements"];
    let said = subject.run("prioritize", &args);
    assert_eq!(said.code, 0, "{said:#?}");
    for part in [
        "4 tests by statements they run (T3)",
        "as published\n  1 test reads something else than in the default order\n  1 outcome changes",
        "ledger.BillTest#bills  passed -> errored",
        "keeping all dependencies",
        "\n  no outcome changes",
    ] {
        assert!(said.stdout.contains(part), "{part:?} is missing in {said:#?}");
    }
    let with_json = ["--technique", "T3", "--json", "-"];
    let document = document(&subject.run("prioritize", &with_json));
    let [plain, safe] = &orders(&document)[..] else { panic!("{document:#}") };
    assert_eq!(plain[0], BRITTLE);
    assert_eq!(
        safe,
        &["ledger.SumTest#adds", "ledger.AccountTest#opens", BRITTLE, "ledger.SumTest#multiplies"]
    );
    let runs = document["suites"][0]["orders"].as_array().unwrap().iter();
    assert!(runs.clone().all(|order| order["run"]["from_store"] == true), "nothing runs twice");
    assert_eq!(document["suites"][0]["orders"][1]["unsettled"], 0);
}

#[test]
fn findings_alone_are_enough_where_only_they_are_kept() {
    let subject = Subject::junit4("priorities/ledger");
    let args = ["--technique", "T3", "--respect", "manifest"];
    let before = subject.run("prioritize", &args);
    assert_eq!(before.code, 1, "nobody knows of the dependency yet: {before:#?}");
    let detected = subject.run("detect", &["--algorithm", "isolate"]);
    assert_eq!(detected.code, 1, "{detected:#?}");
    let after = subject.run("prioritize", &args);
    assert_eq!(after.code, 0, "{after:#?}");
    assert!(after.stdout.contains("keeping dependencies of 1 finding"), "{after:#?}");
}

#[test]
fn an_order_file_is_what_run_takes() {
    let subject = Subject::junit4("priorities/ledger");
    let made = subject.run("prioritize", &["--dry-run", "--order-file", "-"]);
    assert_eq!(made.stdout.lines().count(), 4, "{made:#?}");
    assert!(made.stderr.contains("not run"), "{made:#?}");
    let mut run = subject.command("run", &["--order", "-"]);
    let mut child =
        run.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(made.stdout.as_bytes()).unwrap();
    let said = said(child.wait_with_output().unwrap());
    assert_eq!(said.code, 0, "{said:#?}");
    assert!(said.stdout.contains("no outcome differs"), "{said:#?}");
}

#[test]
fn a_random_order_needs_no_coverage_and_is_the_same_for_the_same_seed() {
    let subject = Subject::junit4("priorities/ledger");
    let of_seed = |seed: &str| {
        let args = ["--technique", "random", "--seed", seed, "--dry-run", "--json", "-"];
        orders(&document(&subject.run("prioritize", &args)))[0].clone()
    };
    assert_eq!(of_seed("7"), of_seed("7"));
    let different = ["1", "2", "3", "4"].map(of_seed);
    assert!(different.iter().any(|order| *order != different[0]));
}

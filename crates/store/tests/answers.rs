//! Which stored runs answer which question.

#![allow(clippy::unwrap_used)] // helpers of tests may panic too

mod support;

use std::time::Duration;

use residue_model::{Framework, OutcomeKind, RunLimits, RunRequest, Suite, TestCase, Unrequested};
use residue_store::{RunFilter, Store, StoreError};
use support::{fingerprint, id, numbered, order, passing, request};

#[test]
fn a_question_is_answered_by_runs_of_the_same_suite_order_and_limits_only() {
    let mut store = Store::in_memory().unwrap();
    let suite = store.suite("core", &fingerprint('a')).unwrap();
    let asked = request(&["A#x", "A#y"]);
    let record = passing(asked.order.clone());
    let first = store.record(suite, &asked.limits, &record).unwrap();
    let second = store.record(suite, &asked.limits, &record).unwrap();
    assert_eq!(store.answers(suite, &asked).unwrap(), [first, second]);

    let reversed = RunRequest { order: asked.order.reversed(), ..asked.clone() };
    assert_eq!(store.answers(suite, &reversed).unwrap(), []);
    let hasty = RunLimits { per_test: Duration::from_secs(1), ..asked.limits };
    assert_eq!(store.answers(suite, &RunRequest { limits: hasty, ..asked.clone() }).unwrap(), []);
    let edited = store.suite("core", &fingerprint('b')).unwrap();
    let other = store.suite("web", &fingerprint('a')).unwrap();
    assert_eq!(store.answers(edited, &asked).unwrap(), []);
    assert_eq!(store.answers(other, &asked).unwrap(), []);
}

#[test]
fn the_same_suite_keeps_its_key_and_answers_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let residue = folder.path().join("project/.residue");
    let asked = request(&["A#x"]);
    let mut store = Store::open(&residue).unwrap();
    let suite = store.suite("core", &fingerprint('a')).unwrap();
    let run = store.record(suite, &asked.limits, &passing(asked.order.clone())).unwrap();
    drop(store);

    let mut store = Store::open(&residue).unwrap();
    assert_eq!(store.suite("core", &fingerprint('a')).unwrap(), suite);
    assert_eq!(store.answers(suite, &asked).unwrap(), [run]);
    assert_eq!(store.suites().unwrap().len(), 1);
    assert_eq!(std::fs::read_to_string(residue.join(".gitignore")).unwrap(), "*\n");
}

#[test]
fn the_reference_is_every_run_of_the_default_order() {
    let mut store = Store::in_memory().unwrap();
    let suite = support::suite(&mut store);
    let default = order(&["A#x", "B#y"]);
    let limits = RunLimits::default();
    let hasty = RunLimits { per_run: Duration::from_secs(9), ..limits };
    let run = store.record(suite, &limits, &passing(default.clone())).unwrap();
    store.record(suite, &limits, &passing(default.reversed())).unwrap();
    let within_other_limits = store.record(suite, &hasty, &passing(default.clone())).unwrap();
    assert_eq!(store.reference(suite).unwrap(), [], "not listed yet");

    let case = |test: &residue_model::TestId| TestCase {
        id: test.clone(),
        framework: Framework::JUnit4,
        locator: String::new(),
    };
    let tests = default.tests().iter().map(case).collect();
    store.save_listing(suite, &Suite { tests, unlistable: vec![] }).unwrap();
    assert_eq!(store.reference(suite).unwrap(), [run, within_other_limits]);
}

#[test]
fn a_test_is_kept_once_however_often_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let suite = support::suite(&mut store);
    let limits = RunLimits::default();
    let forth = order(&["A#x", "B#y"]);
    store.record(suite, &limits, &passing(forth.clone())).unwrap();
    let mut back = passing(forth.reversed());
    let outcome = residue_model::Outcome::Passed;
    back.unrequested = vec![Unrequested { test: id("A#x"), outcome }];
    // A second store starts without knowing any test.
    let mut other = Store::open(folder.path()).unwrap();
    let run = other.record(suite, &limits, &back).unwrap();
    assert_eq!(store.load(run).unwrap(), back);

    let db = rusqlite::Connection::open(store.path()).unwrap();
    let tests: i64 = db.query_row("SELECT count(*) FROM tests", [], |row| row.get(0)).unwrap();
    assert_eq!(tests, 2);
}

#[test]
fn runs_are_listed_oldest_first_with_counts() {
    let mut store = Store::in_memory().unwrap();
    let core = store.suite("core", &fingerprint('a')).unwrap();
    let web = store.suite("web", &fingerprint('a')).unwrap();
    let edited_core = store.suite("core", &fingerprint('b')).unwrap();
    let limits = RunLimits::default();
    let runs: Vec<_> = [core, web, core, edited_core]
        .into_iter()
        .enumerate()
        .map(|(number, suite)| store.record(suite, &limits, &numbered(number as u64, 30)).unwrap())
        .collect();

    let listed = |filter: RunFilter| -> Vec<_> {
        store.runs(&filter).unwrap().iter().map(|summary| summary.id).collect()
    };
    assert_eq!(listed(RunFilter::default()), runs);
    let of_suite = RunFilter { suite: Some(core), ..RunFilter::default() };
    assert_eq!(listed(of_suite), [runs[0], runs[2]]);
    let of_name = RunFilter { suite_name: Some("core".into()), ..RunFilter::default() };
    assert_eq!(listed(of_name), [runs[0], runs[2], runs[3]]);
    let newest = RunFilter { newest: Some(2), ..RunFilter::default() };
    assert_eq!(listed(newest), [runs[2], runs[3]]);

    let first = &store.runs(&RunFilter::default()).unwrap()[0];
    assert_eq!(first.suite_name, "core");
    assert_eq!(first.counts.total(), 30);
    assert_eq!(first.counts.get(OutcomeKind::Failed), 5);
    assert_eq!(first.counts.get(OutcomeKind::Passed), 25);
}

#[test]
fn an_unknown_run_is_named_with_the_newest_there_is() {
    let mut store = Store::in_memory().unwrap();
    let missing = "r7".parse().unwrap();
    let text = store.load(missing).unwrap_err().to_string();
    assert_eq!(text, ":memory: has no run r7; the newest is none at all");
    let suite = support::suite(&mut store);
    store.record(suite, &RunLimits::default(), &passing(order(&["A#x"]))).unwrap();
    let text = store.run_info(missing).unwrap_err().to_string();
    assert_eq!(text, ":memory: has no run r7; the newest is r1");
}

#[test]
fn a_record_whose_results_do_not_follow_its_order_is_not_stored() {
    let mut store = Store::in_memory().unwrap();
    let suite = support::suite(&mut store);
    let mut swapped = passing(order(&["A#x", "A#y"]));
    swapped.results.swap(0, 1);
    let mut short = passing(order(&["A#x", "A#y"]));
    short.results.pop();
    for record in [swapped, short] {
        let refused = store.record(suite, &RunLimits::default(), &record).unwrap_err();
        assert!(matches!(refused, StoreError::Inconsistent { .. }), "{refused}");
    }
    assert_eq!(store.runs(&RunFilter::default()).unwrap(), []);
}

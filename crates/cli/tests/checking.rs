//! The agent against an independent implementation: what tests have written
//! according to a trace must be what a walk over the whole heap finds changed,
//! and what they have left changed must be what differs between full snapshots.
//! See `crates/heap-checker`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;
#[path = "../examples/check_agent/walked_run.rs"]
mod walked_run;

use common::Subject;
use residue_heap_checker::comparison::{Comparison, Difference, LeftComparison};
use residue_test_support::{Fixture, JUNIT4};
use walked_run::{Walk, WalkedRun, walk};

/// On all JDKs of this machine.
fn on_each_jdk(fixture: Fixture, command: &str, looks_for: Walk, check: impl Fn(&WalkedRun, &str)) {
    let subject = Subject { fixture, folder: tempfile::tempdir().unwrap() };
    for home in common::jdk_homes() {
        let command = subject.command(command, &["--java-home", home.to_str().unwrap()]);
        let runs = walk(command, subject.folder.path(), looks_for).unwrap();
        let [run] = runs.as_slice() else { panic!("one suite, not {}", runs.len()) };
        check(run, &format!("{} on {}", run.suite, home.display()));
    }
}

#[track_caller]
fn must_be_none(differences: &[Difference], what: &str) {
    let shown: Vec<String> = differences.iter().map(ToString::to_string).collect();
    assert!(shown.is_empty(), "{what}:\n{}", shown.join("\n"));
}

fn check_writes(fixture: Fixture, at_least: usize) {
    on_each_jdk(fixture, "trace", Walk::Changes, |run, what| {
        let comparison = Comparison::of(&run.trace, &run.changes);
        must_be_none(&comparison.differences, what);
        assert!(comparison.agreed >= at_least, "{what}: {comparison:?}");
    });
}

#[test]
fn the_heap_has_changed_as_the_trace_says() {
    check_writes(Fixture::compile("traces/classic", JUNIT4), 50);
}

#[test]
fn so_it_has_with_what_newer_javas_offer() {
    check_writes(Fixture::compile_for_release(17, "traces/modern", JUNIT4), 5);
}

fn check_pollution(fixture: Fixture, at_least: usize) {
    on_each_jdk(fixture, "polluters", Walk::Left, |run, what| {
        let comparison = LeftComparison::of(&run.trace, &run.changes);
        must_be_none(&comparison.differences, what);
        assert!(comparison.agreed >= at_least, "{what}: {comparison:?}");
    });
}

#[test]
fn snapshots_differ_where_the_trace_says_that_state_is_polluted() {
    check_pollution(Fixture::compile("pollution", JUNIT4), 20);
}

#[test]
fn so_they_do_in_the_suites_for_tracing() {
    check_pollution(Fixture::compile("traces/classic", JUNIT4), 25);
}

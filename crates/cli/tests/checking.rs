//! The agent against an independent implementation: what tests have written
//! according to a trace must be what a walk over the whole heap finds changed.
//! See `crates/heap-checker`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

#[path = "../examples/check_writes/checked_run.rs"]
mod checked_run;
mod common;

use checked_run::CheckedRun;
use common::Subject;
use residue_test_support::{Fixture, JUNIT4};

/// On all JDKs of this machine.
fn check(fixture: Fixture, at_least: usize) {
    let subject = Subject { fixture, folder: tempfile::tempdir().unwrap() };
    for home in common::jdk_homes() {
        let command = subject.command("trace", &["--java-home", home.to_str().unwrap()]);
        let runs = checked_run::check(command, subject.folder.path()).unwrap();
        let [CheckedRun { suite, tests, comparison }] = runs.as_slice() else {
            panic!("one suite, not {}", runs.len())
        };
        let what = format!("{tests} tests of {suite} on {}", home.display());
        let shown: Vec<String> = comparison.differences.iter().map(ToString::to_string).collect();
        assert!(comparison.is_agreement(), "{what}:\n{}", shown.join("\n"));
        assert!(comparison.agreed >= at_least, "{what}: {comparison:?}");
    }
}

#[test]
fn the_heap_has_changed_as_the_trace_says() {
    check(Fixture::compile("traces/classic", JUNIT4), 50);
}

#[test]
fn so_it_has_with_what_newer_javas_offer() {
    check(Fixture::compile_for_release(17, "traces/modern", JUNIT4), 5);
}

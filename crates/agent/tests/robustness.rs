//! What the agent survives, and what it leaves behind when it or the JVM cannot
//! go on.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;

use std::fs;

use common::{Jvm, jvms, run};
use residue_model::trace::{GapKind, Trace, Value};

fn writes(trace: &Trace, epoch: usize) -> Vec<String> {
    let epoch = &trace.epochs[epoch];
    epoch.writes.iter().map(|write| trace.path(write.location).to_string()).collect()
}

#[test]
fn bad_options_are_told_in_the_trace_and_the_program_runs() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let bad_rules = folder.path().join("rules");
    fs::write(&bad_rules, "not a rule\n").unwrap();
    for (options, told) in [
        (",frobnicate=1".to_owned(), "frobnicate"),
        (format!(",rules={}", missing.display()), "cannot be read"),
        (format!(",rules={}", bad_rules.display()), "is not a rule"),
        (format!(",hook={}", missing.display()), "ResidueLimits.class cannot be read"),
    ] {
        let run = run(&jvms()[0], &options, &["Untraced"]);
        assert!(run.output.status.success(), "{options}");
        assert_eq!(run.output.stdout, b"ran\n", "{options}");
        assert!(run.output.stderr.is_empty(), "{options}");
        let trace = run.read();
        let gap = trace.gaps.iter().find(|gap| gap.kind == GapKind::TrackingStopped);
        assert!(gap.is_some_and(|gap| gap.detail.contains(told)), "{options}: {:?}", trace.gaps);
    }
}

#[test]
fn a_jvm_that_exits_within_a_test_leaves_what_it_did_so_far() {
    for jvm in jvms() {
        let run = run(&jvm, "", &["Dying", "exit"]);
        assert_eq!(run.output.status.code(), Some(3));
        let trace = run.read();
        assert_eq!(trace.epochs.len(), 2);
        assert_eq!(writes(&trace, 0), ["Dying.counter"]);
        assert_eq!(writes(&trace, 1), ["Dying.counter"]);
        assert_eq!(trace.epochs[1].writes[0].old, Some(Value::Integer(1)));
        assert!(trace.gaps.iter().any(|gap| gap.kind == GapKind::CutShort), "{:?}", trace.gaps);
    }
}

#[test]
fn a_jvm_that_is_halted_leaves_the_tests_before() {
    for jvm in jvms() {
        let run = run(&jvm, "", &["Dying", "halt"]);
        assert_eq!(run.output.status.code(), Some(3));
        let trace = run.read();
        assert_eq!(writes(&trace, 0), ["Dying.counter"]);
        assert!(trace.gaps.iter().any(|gap| gap.kind == GapKind::CutShort), "{:?}", trace.gaps);
    }
}

#[test]
fn the_users_rules_come_after_the_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("rules");
    fs::write(&rules, "[command line]\n- Aliasing#alias\n- Aliasing$Source#version\n").unwrap();
    let options = format!(",rules={}", rules.display());
    let trace = run(&jvms()[0], &options, &["Scenario", "Aliasing"]).quiet("Aliasing");
    assert_eq!(writes(&trace, 0), ["Aliasing.data -> Aliasing$Source.cloneString"]);
    assert_eq!(writes(&trace, 3), [""; 0], "version is ignored");
    assert_eq!(writes(&trace, 5), [""; 0], "alias is ignored");
    let ignored: Vec<_> =
        trace.ignored.iter().map(|one| format!("{}#{}", one.class, one.field)).collect();
    assert!(ignored.contains(&"Aliasing#alias".to_owned()), "{ignored:?}");
    assert!(ignored.contains(&"Aliasing$Source#version".to_owned()), "{ignored:?}");
}

#[test]
fn an_instance_that_junit_keeps_is_told_as_a_gap() {
    let trace = run(&jvms()[0], "", &["Scenario", "Kept"]).quiet("Kept");
    let said = trace.gaps.iter().any(|gap| gap.detail.starts_with("Kept: what its tests share"));
    assert!(said, "{:?}", trace.gaps);
}

#[test]
fn stacks_have_lines_and_no_frames_of_the_hook() {
    for jvm in jvms() {
        let trace = run(&jvm, "", &["Scenario", "Aliasing"]).quiet("Aliasing");
        let write = &trace.epochs[0].writes[0];
        let frames: Vec<String> = trace
            .frames_of(write.stack.unwrap())
            .map(|frame| format!("{}.{}", frame.class, frame.method))
            .collect();
        assert_eq!(frames[0], "Aliasing.t0");
        assert!(frames.contains(&"Scenario.main".to_owned()), "{frames:?}");
        assert!(!frames.iter().any(|frame| frame.contains("Residue")), "{frames:?}");
        let first = trace.frames_of(write.stack.unwrap()).next().unwrap();
        let source = fs::read_to_string(common::sources().join("Aliasing.java")).unwrap();
        let line = source.lines().position(|line| line.contains("data.cloneString =")).unwrap();
        assert_eq!(first.line, Some(line as i32 + 1));
        let read = trace.epochs[1]
            .reads
            .iter()
            .find(|read| trace.path(read.location).to_string().ends_with("cloneString"));
        let stack = read.unwrap().stack.expect("it was written by a test before");
        assert_eq!(trace.frames_of(stack).next().unwrap().method, "t1");
    }
}

/// No crash, no wrong hash, and nothing lost: the last test writes each object.
#[test]
fn marks_survive_locks_hashes_and_collections() {
    for jvm in jvms() {
        let collectors: &[&str] = match jvm.version {
            17 => &[
                "-XX:+UseG1GC",
                "-XX:+UseSerialGC",
                "-XX:+UseParallelGC",
                "-XX:+UseZGC",
                "-XX:+UseShenandoahGC",
            ],
            25 => &["-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders", "-XX:+UseZGC"],
            _ => &["-XX:+UseG1GC"],
        };
        for collector in collectors {
            let jvm: Jvm = jvm.with(&[collector, "-Xmx400m"]);
            let trace = run(&jvm, "", &["Stress"]).quiet(&format!("Stress {collector}"));
            assert_eq!(trace.epochs.len(), 61);
            let last = writes(&trace, 60);
            let cells = last.iter().filter(|path| path.ends_with("Stress$Cell.value")).count();
            assert_eq!(cells, 20_000, "JDK {} {collector}: {:?}", jvm.version, trace.gaps);
        }
    }
}

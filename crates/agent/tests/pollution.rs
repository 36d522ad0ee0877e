//! What tests leave changed, on each JVM of this machine. The expectations
//! stand before the methods in `Polluting.java`: the place, what was there and
//! what is there now; objects by their class.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;

use std::fs;

use common::{Jvm, jvms};
use residue_model::trace::{GapKind, Trace, Value};

const SCENARIO: &str = "Polluting";

fn expected() -> Vec<Vec<String>> {
    let source = fs::read_to_string(common::sources().join("Polluting.java")).unwrap();
    let (mut tests, mut pending) = (Vec::new(), Vec::new());
    for line in source.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("// ") {
            if comment.contains(" -> ") {
                pending.push(comment.to_owned());
            }
        } else if line.starts_with("static void t") {
            tests.push(std::mem::take(&mut pending));
        }
    }
    tests
}

fn seen(trace: &Trace, test: usize) -> Vec<String> {
    let of_test = trace.pollutions.iter().filter(|one| trace.epoch(one.epoch).test == test);
    let mut seen = Vec::new();
    for pollution in of_test {
        let loaded = if pollution.loaded_here { "loaded " } else { "" };
        for change in &pollution.changes {
            let (old, new) = (shown(change.old.as_ref()), shown(change.new.as_ref()));
            seen.push(format!("{loaded}{}{}: {old} -> {new}", pollution.place, change.label));
        }
        assert!(!pollution.locations.is_empty(), "{pollution:?}");
    }
    seen
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None => "nothing".into(),
        Some(Value::Object { class, .. }) => class.to_string(),
        Some(other) => other.to_string(),
    }
}

fn check(jvm: &Jvm, options: &str) {
    let what = format!("JDK {} {:?} {options}", jvm.version, jvm.options);
    let options = format!(",pollution=test{options}");
    let trace = common::run(jvm, &options, &["Scenario", SCENARIO]).quiet(&what);
    let expected = expected();
    assert_eq!(trace.epochs.len(), expected.len(), "{what}: {:?}", trace.gaps);
    let mut wrong = Vec::new();
    for (test, mut expected) in expected.into_iter().enumerate() {
        let mut seen = seen(&trace, test);
        expected.sort();
        seen.sort();
        if expected != seen {
            wrong.push(format!("t{test}\n   expected {expected:#?}\n   seen {seen:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{what}:\n{}\ngaps {:?}", wrong.join("\n"), trace.gaps);
    assert!(trace.gaps.iter().all(|gap| gap.kind != GapKind::NotCompared), "{:?}", trace.gaps);
}

#[test]
fn what_is_left_changed_is_told_and_what_is_put_back_is_not() {
    for jvm in jvms() {
        check(&jvm, "");
    }
}

#[test]
fn so_it_is_with_every_collector_and_in_slow_mode() {
    for jvm in jvms() {
        for option in ["-XX:+UseSerialGC", "-XX:+UseZGC", "-XX:-UseCompressedOops"] {
            check(&jvm.with(&[option]), "");
        }
        check(&jvm, ",marks=no");
    }
}

#[test]
fn without_the_option_nothing_is_compared() {
    let trace = common::run(&jvms()[0], "", &["Scenario", SCENARIO]).quiet("plain");
    assert_eq!(trace.pollutions, []);
}

/// The scenarios check themselves, among them that nothing is kept alive.
#[test]
fn looking_for_pollution_changes_nothing() {
    let scenarios = [
        "Aliasing",
        "Values",
        "ArraysScenario",
        "Collections",
        "Initialisers",
        "Indirect",
        "Shapes",
        "Threads",
        "Locked",
        "World",
        "Deep",
        "Liveness",
    ];
    for jvm in jvms() {
        for scenario in scenarios {
            for options in [",pollution=test", ",pollution=class"] {
                let what = format!("{scenario} on JDK {}{options}", jvm.version);
                let trace = common::run(&jvm, options, &["Scenario", scenario]).quiet(&what);
                let stopped = trace.gaps.iter().any(|gap| gap.kind == GapKind::TrackingStopped);
                assert!(!stopped && !trace.epochs.is_empty(), "{what}: {:?}", trace.gaps);
            }
        }
    }
}

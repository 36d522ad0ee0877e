//! What is reported and what is not, on each JVM of this machine. The
//! expectations stand in the Java sources, see `common/expectations.rs`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;
#[path = "common/expectations.rs"]
mod expectations;

use std::fs;

use common::{Jvm, jvms};
use residue_model::trace::{GapKind, Trace};

fn check(scenario: &str) {
    for jvm in jvms() {
        check_on(&jvm, "", scenario);
    }
}

fn check_on(jvm: &Jvm, agent_options: &str, scenario: &str) -> Trace {
    let what = format!("{scenario} on JDK {} {:?} {agent_options}", jvm.version, jvm.options);
    let trace = common::run(jvm, agent_options, &["Scenario", scenario]).quiet(&what);
    let source = fs::read_to_string(common::sources().join(format!("{scenario}.java"))).unwrap();
    let expected = expectations::parse(&source);
    assert_eq!(trace.epochs.len(), expected.len(), "{what}: {:?}", trace.gaps);
    let mut wrong = Vec::new();
    for (number, expected) in &expected {
        let seen = expectations::seen(&trace, &trace.epochs[*number]);
        for one in &expected.accesses {
            if !seen.iter().any(|seen| expectations::is_met(one, seen)) {
                wrong.push(format!("t{number} lacks   {one}"));
            }
        }
        for one in &seen {
            let is_own = ["R ", "W "].iter().any(|kind| {
                let path = one.strip_prefix(kind).unwrap_or("");
                path.strip_prefix(scenario).is_some_and(|rest| rest.starts_with(['.', '$']))
            });
            if is_own
                && !expected.accesses.iter().any(|expected| expectations::is_met(expected, one))
            {
                wrong.push(format!("t{number} has     {one}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{what}:\n{}\ngaps {:?}", wrong.join("\n"), trace.gaps);
    trace
}

macro_rules! scenarios {
    ($($test:ident $scenario:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            check($scenario);
        })*
    };
}

scenarios! {
    one_object_has_one_name_whatever_the_path "Aliasing",
    values_are_not_shared_but_the_fields_that_hold_them "Values",
    elements_of_arrays_one_by_one "ArraysScenario",
    collections_down_to_their_parts "Collections",
    class_initialisers_are_lazy_initialisation "Initialisers",
    reflection_handles_atomics_serialisation_and_clone "Indirect",
    lambdas_inner_classes_and_inherited_fields "Shapes",
    records "Records",
    background_threads_thread_locals_and_locks "Threads",
    objects_that_are_locked_when_they_become_old "Locked",
    properties_locale_time_zone_and_streams "World",
    long_lists_and_cycles "Deep",
    nothing_is_kept_alive "Liveness",
}

/// What never changes can be read in whatever way.
#[test]
fn a_method_handle_is_a_gap_if_the_object_can_change() {
    for jvm in jvms() {
        let trace = check_on(&jvm, "", "Handles");
        let gaps = trace.gaps.iter().filter(|gap| gap.kind == GapKind::MethodHandle);
        let counts: Vec<u64> = gaps.map(|gap| gap.count).collect();
        assert_eq!(counts, [1], "JDK {}: {:?}", jvm.version, trace.gaps);
    }
}

/// Everything again where objects look different.
#[test]
fn collectors_and_header_layouts_do_not_matter() {
    for jvm in jvms() {
        let mut variants = vec![
            vec!["-XX:+UseSerialGC"],
            vec!["-XX:+UseParallelGC"],
            vec!["-XX:+UseZGC"],
            vec!["-XX:-UseCompressedOops"],
            vec!["-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers"],
            vec!["-Xint"],
        ];
        match jvm.version {
            17 => variants.push(vec!["-XX:+UseShenandoahGC"]),
            21 => {
                let unlock = "-XX:+UnlockExperimentalVMOptions";
                variants.push(vec![unlock, "-XX:LockingMode=0"]);
                variants.push(vec![unlock, "-XX:LockingMode=2"]);
            }
            25 => {
                variants.retain(|options| !options.contains(&"-XX:-UseCompressedClassPointers"));
                variants.push(vec!["-XX:+UseCompactObjectHeaders"]);
                variants.push(vec!["-XX:+UseShenandoahGC"]);
            }
            _ => {}
        }
        for options in variants {
            let jvm = jvm.with(&options);
            for scenario in ["Collections", "Locked", "Threads"] {
                let trace = check_on(&jvm, "", scenario);
                let slow = trace.gaps.iter().any(|gap| gap.kind == GapKind::LayoutUnknown);
                assert!(!slow, "{options:?}: {:?}", trace.gaps);
            }
        }
    }
}

#[test]
fn the_slow_way_by_tags_sees_the_same_and_says_so() {
    for scenario in ["Aliasing", "Collections", "Indirect", "Locked", "Threads"] {
        let trace = check_on(&jvms()[0], ",marks=no", scenario);
        let gap = trace.gaps.iter().find(|gap| gap.kind == GapKind::LayoutUnknown);
        assert!(gap.unwrap().detail.contains("slow mode"), "{:?}", trace.gaps);
    }
}

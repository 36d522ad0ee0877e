//! A run is seen alike whether classes of the JDK are rewritten ahead or when
//! they are loaded, also if they are not those of the JDK.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;
#[path = "common/expectations.rs"]
#[allow(dead_code)] // it is compared with another run, not with what a source says
mod expectations;

use std::process::Command;

use common::{Jvm, jvms};
use tempfile::TempDir;

/// All accesses of a scenario, the JDK's own included, and all gaps.
fn seen(jvm: &Jvm, agent_options: &str, scenario: &str) -> Vec<Vec<String>> {
    let what = format!("{scenario} on JDK {} {agent_options}", jvm.version);
    let trace = common::run(jvm, agent_options, &["Scenario", scenario]).quiet(&what);
    let epochs = trace.epochs.iter().map(|epoch| expectations::seen(&trace, epoch));
    let gaps = trace.gaps.iter().map(|gap| format!("{gap:?}")).collect();
    epochs.chain([gaps]).collect()
}

#[test]
fn what_is_seen_is_the_same_without() {
    for jvm in jvms() {
        for scenario in ["Collections", "Indirect", "World"] {
            let without = seen(&jvm, ",ahead=no", scenario);
            assert!(without.len() > 2, "{scenario} has tests");
            assert_eq!(seen(&jvm, "", scenario), without, "{scenario} on JDK {}", jvm.version);
        }
    }
}

/// The JDK with another class of a name that every start loads.
fn patched(jvm: &Jvm) -> (Jvm, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut make = Command::new(&jvm.java);
    make.arg("-cp").arg(common::classes()).arg("Patched").arg(folder.path());
    assert!(make.status().unwrap().success());
    let patch = format!("java.base={}", folder.path().display());
    (jvm.with(&["--patch-module", &patch]), folder)
}

#[test]
fn a_class_that_is_not_the_jdks_own_is_loaded_all_the_same() {
    for jvm in jvms() {
        let (patched, _folder) = patched(&jvm);
        common::run(&patched, "", &["Patched"]).quiet("Patched");
        let plain = seen(&jvm, "", "Collections");
        assert_eq!(seen(&patched, "", "Collections"), plain, "JDK {}", jvm.version);
    }
}

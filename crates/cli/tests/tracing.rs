//! `residue trace` on suites whose sources say who reads what of whom: it
//! reports that, nothing else, and leaves every outcome as it is.
//! See `fixtures/traces`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail
#![allow(unreachable_pub)] // nobody else uses the modules of a test

#[path = "tracing/claims.rs"]
mod claims;
mod common;
#[path = "tracing/traced.rs"]
mod traced;

use std::path::Path;

use claims::Claims;
use common::Subject;
use residue_test_support::{Fixture, JUNIT4};
use traced::Traced;

/// Records and text blocks, and the first release we promise to trace.
const MODERN: u32 = 17;

/// The first release with java.lang.foreign.
const FOREIGN: u32 = 22;

fn subject(fixture: Fixture) -> Subject {
    Subject { fixture, folder: tempfile::tempdir().unwrap() }
}

fn classic() -> Subject {
    subject(Fixture::compile("traces/classic", JUNIT4))
}

fn check(subject: &Subject, args: &[&str]) -> Traced {
    let claims = Claims::read(&subject.fixture.sources()[0]);
    let traced = Traced::of(subject, args);
    traced.must_be(&claims);
    traced
}

#[test]
fn every_way_to_share_state_is_seen_and_nothing_else() {
    check(&classic(), &[]);
}

#[test]
fn so_are_the_ways_of_newer_javas() {
    check(&subject(Fixture::compile_for_release(MODERN, "traces/modern", JUNIT4)), &[]);
}

#[test]
fn a_trace_in_the_store_is_not_made_again_and_can_be_asked_about() {
    let subject = classic();
    let first = Traced::of(&subject, &[]);
    let second = Traced::of(&subject, &[]);
    assert_eq!(first.run, second.run);
    let test = "statics.StaticFieldTest#bReads";
    let said = subject.look(&["deps", test]);
    assert_eq!(said.code, 0, "{said:#?}");
    for part in ["aWrites", "StaticFieldTest.counter", "0", "7", "StaticFieldTest.java"] {
        assert!(said.stdout.contains(part), "{part:?} is missing in {said:#?}");
    }
}

/// A detection leaves traces of many orders, the last of which may be of two tests.
#[test]
fn a_later_trace_of_few_tests_does_not_hide_what_the_default_order_shows() {
    let subject = classic();
    let test = "statics.StaticFieldTest#bReads";
    subject.run("trace", &[]);
    let few = subject.run("trace", &["--tests", test]);
    assert_eq!(few.code, 0, "{few:#?}");
    let said = subject.look(&["deps", test]);
    assert!(said.stdout.contains("(trace of run r2, default order)"), "{said:#?}");
    let asked = subject.look(&["deps", test, "--run", "r4"]);
    assert!(asked.stdout.contains("(trace of run r4, another order, of 1 test)"), "{asked:#?}");
}

#[test]
fn what_the_user_ignores_is_not_reported() {
    let subject = classic();
    let with_option = Traced::of(&subject, &["--ignore", "statics.**"]);
    assert!(!with_option.reads.keys().any(|test| test.starts_with("statics.")));
    assert!(with_option.reads.keys().any(|test| test.starts_with("arrays.")));
    let settings = subject.folder.path().join("residue.toml");
    std::fs::write(settings, "[trace]\nignore = [\"arrays.ArrayTest#CELLS\"]\n").unwrap();
    let with_file = Traced::of(&subject, &[]);
    assert!(!with_file.reads.contains_key("arrays.ArrayTest#cReadsTwo"));
    assert!(with_file.reads.contains_key("arrays.ArrayTest#eReadsTheName"));
}

#[test]
fn bad_rules_and_settings_are_refused_before_anything_runs() {
    let subject = classic();
    subject.run("trace", &["--ignore", "a/b"]).refuses(2, &["`a/b`", "with dots"]);
    let settings = subject.folder.path().join("residue.toml");
    std::fs::write(settings, "[trace]\nignored = []\n").unwrap();
    subject.run("trace", &[]).refuses(2, &["residue.toml", "ignored"]);
    let said = subject.look(&["deps", "a.B#c"]);
    said.refuses(2, &["`residue run` makes it"]);
}

#[test]
fn dependencies_can_be_drawn() {
    let subject = classic();
    let said = subject.run("trace", &["--dot", "-"]);
    assert!(said.stdout.starts_with("digraph"), "{}", said.stdout);
    assert!(said.stdout.contains("aWrites"));
}

/// Where several JDKs are installed all of them must agree.
#[test]
fn every_jdk_of_this_machine_and_every_collector_sees_the_same() {
    let subject = classic();
    let claims = Claims::read(&subject.fixture.sources()[0]);
    for home in common::jdk_homes() {
        for collector in ["Serial", "Parallel", "G1", "Z", "Shenandoah"] {
            if has_collector(&home, collector) {
                let options = format!("-XX:+Use{collector}GC");
                Traced::with_jvm(&subject, &home, &options, &[]).must_be(&claims);
            }
        }
    }
}

#[test]
fn every_jdk_sees_the_same_outside_the_heap() {
    let subject = subject(Fixture::compile("traces/outside", JUNIT4));
    let claims = Claims::read(&subject.fixture.sources()[0]);
    for home in common::jdk_homes() {
        Traced::with_jvm(&subject, &home, "", &["--restore"]).must_be(&claims);
    }
}

/// Only newer JDKs can call native code without a compiler for it.
#[test]
fn native_code_is_seen_where_a_jdk_can_call_it() {
    let subject = subject(Fixture::compile("traces/natives", JUNIT4));
    let claims = Claims::read(&subject.fixture.sources()[0]);
    for home in common::jdk_homes().into_iter().filter(|home| feature(home) >= FOREIGN) {
        let options = "--enable-native-access=ALL-UNNAMED";
        let traced = Traced::with_jvm(&subject, &home, options, &["--restore"]);
        traced.must_be(&claims);
        let test = "NativeTest.java".to_owned();
        for ((_, writer, path), places) in &traced.places {
            assert!(places.read.contains(&test), "{path}: {places:?}");
            // While such code runs, nobody may ask where it was called.
            let is_critical = writer.ends_with("#gMakesAFolderCritically");
            assert_eq!(places.written.contains(&test), !is_critical, "{path}: {places:?}");
        }
        assert!(traced.gaps("unknown-caller") > 0, "of the critical code");
    }
}

/// Databases and their drivers share much in the heap too, about which nothing
/// is claimed.
#[test]
fn an_embedded_database_is_shared_through_its_file() {
    let drivers = ["org.xerial:sqlite-jdbc:3.47.0.0", "com.h2database:h2:2.2.224"];
    let jars = [JUNIT4, &drivers].concat();
    let subject = subject(Fixture::compile("traces/databases", &jars));
    let claims = Claims::read(&subject.fixture.sources()[0]);
    let traced = Traced::of(&subject, &["--restore"]);
    traced.must_have_the_reads_of(&claims);
    let mut through_files = traced.places.iter().filter(|((.., path), _)| path.starts_with("file"));
    let of_sqlite = through_files.find(|((_, writer, _), _)| writer.contains("Sqlite"));
    let (_, places) = of_sqlite.unwrap();
    assert!(places.written.iter().any(|file| file == "NativeDB.java"), "by JNI: {places:?}");
    assert_eq!(traced.gaps("unknown-caller"), 0);
}

fn feature(home: &Path) -> u32 {
    let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
    let version = release.split("JAVA_VERSION=\"").nth(1).unwrap_or_default();
    version.split(['.', '"']).next().and_then(|first| first.parse().ok()).unwrap_or(0)
}

fn has_collector(home: &Path, collector: &str) -> bool {
    let mut java = std::process::Command::new(home.join("bin/java"));
    java.arg(format!("-XX:+Use{collector}GC")).arg("-version");
    java.output().is_ok_and(|output| output.status.success())
}

//! `residue polluters` on suites whose sources say what each test leaves
//! changed: it reports that, nothing else, and leaves every outcome as it is.
//! See `fixtures/pollution`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail
#![allow(unreachable_pub)] // nobody else uses the modules of a test

#[path = "polluting/claims.rs"]
mod claims;
mod common;

use std::collections::BTreeSet;

use claims::Claims;
use common::{Subject, said};
use serde_json::Value;

fn suite(subject: &Subject, args: &[&str]) -> Value {
    let said = subject.run("polluters", &[args, &["--json", "-"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let document: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(document["suites"][0]["differences"], serde_json::json!([]), "outcomes changed");
    document["suites"][0].clone()
}

fn polluted(suite: &Value) -> &Vec<Value> {
    suite["polluted"].as_array().unwrap()
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap()
}

#[track_caller]
fn must_be(seen: &BTreeSet<String>, claimed: &BTreeSet<String>, suite: &Value) {
    let missing: Vec<_> = claimed.difference(seen).collect();
    let unclaimed: Vec<_> = seen.difference(claimed).collect();
    let gaps = &suite["gaps"];
    assert!(
        missing.is_empty() && unclaimed.is_empty(),
        "missing: {missing:#?}\nnot claimed: {unclaimed:#?}\ngaps: {gaps}"
    );
}

#[track_caller]
fn check(subject: &Subject, args: &[&str]) {
    let claims = Claims::read(&subject.fixture.sources()[0]);
    let suite = suite(subject, args);
    let one = |one: &Value| {
        let sets =
            format!("{} of {}", one["tests"].as_array().unwrap().len(), one["parameter_sets"]);
        let (polluter, name) = (text(one, "polluter"), text(one, "name"));
        format!("{polluter} leaves {name}, {}, {sets}", text(one, "rank"))
    };
    must_be(&polluted(&suite).iter().map(one).collect(), &claims.by_test, &suite);
}

#[test]
fn what_a_test_leaves_changed_is_found_and_ranked_and_nothing_else() {
    check(&Subject::junit4("pollution"), &[]);
}

#[test]
fn every_jdk_of_this_machine_finds_the_same() {
    let subject = Subject::junit4("pollution");
    for home in common::jdk_homes() {
        check(&subject, &["--java-home", home.to_str().unwrap()]);
    }
}

/// One after the other, since the ports of a machine are shared by all.
#[test]
fn what_is_left_outside_the_heap_is_found_too() {
    let subject = Subject::junit4("pollution/outside");
    for name in ["present.txt", "doomed.txt", "replaced.txt", "times.txt", "kept.txt"] {
        std::fs::write(subject.folder.path().join(name), "original").unwrap();
    }
    for home in common::jdk_homes() {
        check(&subject, &["--restore", "--java-home", home.to_str().unwrap()]);
    }
    let report = subject.run("polluters", &["--restore", "--all"]);
    for part in [
        "files.FilesTest.bMakesIt(FilesTest.java:",
        "made, with 3 names in it",
        "files.FilesTest#aLooksForAFile: in another order they would see it",
        "another in its place",
        "other permissions, owner or times",
        "left open",
        "a test that wants port 42920 would not get it",
        "when the test ends what ports.PortsTest.aLeavesAServer(PortsTest.java:",
    ] {
        assert!(report.stdout.contains(part), "{part:?} is missing in {}", report.stdout);
    }
    let claims = Claims::read(&subject.fixture.sources()[0]);
    let by_class = suite(&subject, &["--restore", "--per", "class"]);
    let of_class = polluted(&by_class).iter();
    let of_class = of_class
        .filter(|one| text(one, "polluter").starts_with("classfiles."))
        .filter(|one| text(one, "rank") != "harmless");
    let seen = of_class.map(|one| format!("{} {}", text(one, "polluter"), text(one, "name")));
    must_be(&seen.collect(), &claims.by_class, &by_class);
    let trees = subject.run("polluters", &["--restore", "--diff", "files.FilesTest#bMakesIt"]);
    assert!(trees.stdout.contains("file made.txt\n   made\n"), "{}", trees.stdout);
}

#[test]
fn state_of_classes_that_a_test_loads_counts_only_if_asked() {
    let subject = Subject::junit4("pollution");
    let claims = Claims::read(&subject.fixture.sources()[0]);
    let names = |suite: &Value| -> BTreeSet<String> {
        let names = polluted(suite).iter();
        names.map(|one| format!("{} {}", text(one, "polluter"), text(one, "name"))).collect()
    };
    let without = suite(&subject, &[]);
    assert!(without["of_new_roots"].as_u64().unwrap() > 0);
    let with = suite(&subject, &["--new-roots"]);
    let more: BTreeSet<_> = names(&with).difference(&names(&without)).cloned().collect();
    must_be(&more, &claims.new_roots, &with);
}

#[test]
fn what_a_class_puts_back_is_no_pollution_of_the_class() {
    let subject = Subject::junit4("pollution");
    let claims = Claims::read(&subject.fixture.sources()[0]);
    let suite = suite(&subject, &["--per", "class"]);
    let of_class = polluted(&suite).iter().filter(|one| {
        ["classfixture.", "jvmstate.", "restored.", "threads."]
            .iter()
            .any(|class| text(one, "polluter").starts_with(class))
    });
    let seen: BTreeSet<_> = of_class
        .filter(|one| !text(one, "name").starts_with("running thread"))
        .filter(|one| text(one, "rank") != "harmless")
        .map(|one| format!("{} {}", text(one, "polluter"), text(one, "name")))
        .collect();
    must_be(&seen, &claims.by_class, &suite);
}

#[test]
fn a_baseline_accepts_what_is_there_and_new_pollution_fails() {
    let subject = Subject::junit4("pollution");
    let file = subject.folder.path().join("accepted.txt");
    let file = file.to_str().unwrap();
    assert_eq!(subject.run("polluters", &["--write-baseline", file]).code, 0);
    let accepted = subject.run("polluters", &["--baseline", file, "--fail-on-new"]);
    assert_eq!(accepted.code, 0, "{}", accepted.stderr);
    assert!(accepted.stdout.contains("nothing is new"), "{}", accepted.stdout);
    let lines = std::fs::read_to_string(file).unwrap();
    let without: Vec<_> =
        lines.lines().filter(|line| !line.contains("RestoredTest.mode")).collect();
    std::fs::write(file, without.join("\n")).unwrap();
    let new = subject.run("polluters", &["--baseline", file, "--fail-on-new", "--all"]);
    assert_eq!(new.code, 1);
    assert!(new.stdout.contains("RestoredTest.mode new"), "{}", new.stdout);
    std::fs::write(file, "something else").unwrap();
    subject
        .run("polluters", &["--baseline", file])
        .refuses(2, &["is no baseline", "--write-baseline"]);
    subject.run("polluters", &["--fail-on-new"]).refuses(2, &["--baseline"]);
}

#[test]
fn the_report_says_where_and_the_trees_say_what() {
    let subject = Subject::junit4("pollution");
    let report = subject.run("polluters", &["--all"]);
    for part in [
        "registry.PotionTest#bRegisters",
        "PotionTest$EffectType.register(PotionTest.java:",
        "registry.PotionTest#cLooksUp",
        "would see it",
        "(3 of 3 parameter sets)",
        "value       en -> fr_CA",
        "\"pollution.mode\"] nothing -> \"fast\"",
        "[\"POLLUTION_MODE\"] nothing -> \"on\"",
        "when the test ends what restored.RestoredTest.fForgets(RestoredTest.java:",
    ] {
        assert!(report.stdout.contains(part), "{part:?} is missing in {}", report.stdout);
    }
    let test = "registry.PotionTest#dRegistersAnotherUnderTheSameName";
    let trees = subject.run("polluters", &["--diff", test]);
    for part in ["-    .id 19", "+    .id 20", "PotionTest$EffectType.BY_NAME[\"poison\"]"] {
        assert!(trees.stdout.contains(part), "{part:?} is missing in {}", trees.stdout);
    }
    subject.run("polluters", &["--diff", "a.B#c"]).refuses(2, &["a.B#c", "leaves nothing changed"]);
}

#[test]
fn an_unknown_unit_is_refused() {
    let mut command = common::residue();
    said(command.args(["polluters", "--per", "suite"]).output().unwrap()).refuses(2, &["suite"]);
}

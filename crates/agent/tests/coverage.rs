//! Which code each test runs, on each JVM of this machine. `Covered.java` says
//! it line by line.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use common::{Jvm, classes, jvms, run};
use residue_graph::DependencyGraph;
use residue_model::trace::{GapKind, Trace};
use residue_model::{Coverage, TestCoverage, TestId};
use residue_wire::trace::TraceReader;

fn traced(jvm: &Jvm, arguments: &[&str]) -> Trace {
    let run = run(jvm, &format!(",code={}", classes().display()), arguments);
    let order: Vec<TestId> = (0..30).map(|n| format!("T{n}#t").parse().unwrap()).collect();
    TraceReader::new(&run.trace).with_code().read(&order).unwrap()
}

/// The lines that each name of a mark stands at: tests, `all`, `nobody`.
fn marked() -> BTreeMap<String, BTreeSet<u32>> {
    let source = fs::read_to_string(common::sources().join("Covered.java")).unwrap();
    let mut marked: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for (number, line) in (1..).zip(source.lines()) {
        let names = line.rsplit_once("// ").map_or("", |(_, names)| names);
        for name in names.split(' ').filter(|name| !name.is_empty()) {
            marked.entry(name.to_owned()).or_default().insert(number);
        }
    }
    marked
}

fn lines(coverage: &Coverage, covered: &TestCoverage) -> BTreeSet<u32> {
    let is_ours = |class: usize| coverage.classes[class].name.starts_with("Covered");
    let all = coverage.units.iter().filter(|unit| is_ours(unit.class)).flat_map(|unit| {
        let ran = unit.statements().zip(&unit.lines);
        ran.filter(|(statement, _)| covered.statements.binary_search(statement).is_ok())
    });
    all.map(|(_, line)| *line).collect()
}

#[test]
fn every_test_runs_the_lines_that_the_source_says() {
    let mut marked = marked();
    let (always, nobody) = (marked.remove("all").unwrap(), marked.remove("nobody").unwrap());
    for jvm in jvms() {
        let trace = traced(&jvm, &["Scenario", "Covered"]);
        let coverage = DependencyGraph::new(&trace).coverage().unwrap();
        assert_eq!(trace.epochs.len(), marked.len(), "{:?}", trace.gaps);
        for (name, expected) in &marked {
            let test: usize = name.strip_prefix('t').unwrap().parse().unwrap();
            let ran = lines(&coverage, &coverage.tests[test]);
            assert_eq!(&ran, expected, "{name} on JDK {}", jvm.version);
        }
        assert_eq!(lines(&coverage, &coverage.always), always, "JDK {}", jvm.version);
        let everything: BTreeSet<u32> = coverage
            .units
            .iter()
            .filter(|unit| coverage.classes[unit.class].name.starts_with("Covered"))
            .flat_map(|unit| unit.lines.iter().copied())
            .collect();
        let told: BTreeSet<u32> =
            marked.values().chain([&always, &nobody]).flatten().copied().collect();
        let silent = everything.difference(&told).collect::<Vec<_>>();
        assert!(silent.is_empty(), "lines without a mark: {silent:?}");
    }
}

#[test]
fn classes_that_bear_on_a_test_are_named_with_their_sources() {
    for jvm in jvms() {
        let trace = traced(&jvm, &["Scenario", "Covered"]);
        let coverage = DependencyGraph::new(&trace).coverage().unwrap();
        let of = |test: usize| -> BTreeSet<&str> {
            let classes = coverage.tests[test].classes.iter();
            let names = classes.map(|class| &*coverage.classes[*class as usize].name);
            names.filter_map(|name| name.strip_prefix("Covered$")).collect()
        };
        assert_eq!(of(1), BTreeSet::from(["Lazy", "Helper"]));
        assert_eq!(of(4), BTreeSet::from(["Derived", "Base"]));
        assert_eq!(of(8), BTreeSet::from(["Late", "Lazy", "Helper"]));
        assert_eq!(of(9), BTreeSet::new(), "a constant is a copy");
        let lazy = &coverage.classes[coverage.class("Covered$Lazy").unwrap()];
        assert_eq!(lazy.source.as_deref(), Some("Covered.java"));
        assert!(coverage.classes.iter().all(|class| class.is_watched));
        assert!(coverage.class("java.lang.String").is_none());
        assert!(!trace.gaps.iter().any(|gap| gap.kind == GapKind::NotCovered), "{:?}", trace.gaps);
    }
}

#[test]
fn nothing_is_watched_unless_asked() {
    let run = run(&jvms()[0], "", &["Scenario", "Covered"]);
    let order: Vec<TestId> = (0..30).map(|n| format!("T{n}#t").parse().unwrap()).collect();
    let trace = TraceReader::new(&run.trace).with_code().read(&order).unwrap();
    assert_eq!(trace.code, None);
}

#[test]
fn a_jvm_that_dies_leaves_what_ran_so_far() {
    for jvm in jvms() {
        let trace = traced(&jvm, &["Dying", "exit"]);
        let coverage = DependencyGraph::new(&trace).coverage().unwrap();
        assert!(coverage.tests[1].units.iter().any(|unit| {
            let unit = &coverage.units[*unit as usize];
            &*coverage.classes[unit.class].name == "Dying"
        }));
    }
}

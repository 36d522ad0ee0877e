//! Suites that the benchmark writes itself, each for one question.

use std::fs;

use residue_model::RunRecord;
use residue_test_support::{Fixture, JUNIT4};

use crate::figures::{Line, median};
use crate::generated::{JUNIT4_TEST, generate};
use crate::peak_memory;
use crate::runs::Runs;

/// The classes that measure are no part of what is measured.
const RULES: &str = "- bench.Ticks\n";
const TICKS: &str = include_str!("../../../../fixtures/bench-trace/generated/Ticks.java");
const TICKS_TEST: &str = include_str!("../../../../fixtures/bench-trace/generated/TicksTest.java");
const STRUCTURE: &str = include_str!("../../../../fixtures/bench-trace/generated/Structure.java");

/// Tells when tests began, for bodies that call it.
const TICKING: [(&str, &str); 2] = [("Ticks", TICKS), ("TicksTest", TICKS_TEST)];

const STARTS: usize = 7;

/// What the agent adds to a JVM with one empty test.
pub(crate) fn start(rounds: usize) -> Line {
    let (mut runs, _classes) = suite(1, 1, "", &[]);
    let (mut plain, mut traced) = (Vec::new(), Vec::new());
    for _ in 0..rounds * STARTS {
        plain.push(runs.plain().cost.wall.as_secs_f64() * 1e3);
        traced.push(runs.traced().cost.wall.as_secs_f64() * 1e3);
    }
    let (plain, traced) = (median(plain), median(traced));
    println!("\nJVM with one empty test: plain {plain:.0} ms, traced {traced:.0} ms");
    Line {
        what: "start-up added, median",
        measured: format!("{:.0} ms", traced - plain),
        goal: "at most 150 ms",
        electric_test: "",
    }
}

/// What lies between the beginnings of two empty tests, with and without the
/// agent.
pub(crate) fn boundary(rounds: usize) -> Line {
    let (mut runs, _classes) = suite(100, 50, "Ticks.tick();", &TICKING);
    let (mut added, mut added_on_average) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (plain, traced) = (runs.plain(), runs.traced());
        let more = traced.cost.wall.as_secs_f64() - plain.cost.wall.as_secs_f64();
        added_on_average.push(more * 1e3 / runs.tests() as f64);
        let (plain, traced) = (gaps(&plain.record), gaps(&traced.record));
        added.push(median(traced) - median(plain));
    }
    let (added, on_average) = (median(added), median(added_on_average));
    println!("\n{} empty tests: one costs {added:.3} ms more by the median", runs.tests());
    println!(
        "and {on_average:.3} ms more of the whole time, start-up and loading of classes included"
    );
    Line {
        what: "test boundary, median",
        measured: format!("{added:.3} ms"),
        goal: "at most 0.5 ms",
        electric_test: "",
    }
}

/// Each test leaves a little behind and reads what others left.
const USES_A_STATIC_MAP: &str = "Left.MAP.put(getClass().getName() + Left.MAP.size(), \
     new StringBuilder(\"left\").append(Left.MAP.size()).toString());";
const LEFT: &str = "package bench;\nfinal class Left {\n  \
     static final java.util.Map<String, String> MAP = new java.util.HashMap<>();\n}\n";

pub(crate) fn memory() -> Line {
    let (mut runs, _classes) = suite(100, 50, USES_A_STATIC_MAP, &[("Left", LEFT)]);
    let plain = peak_memory::during(|| drop(runs.plain())) as f64 / 1e6;
    let traced = peak_memory::during(|| drop(runs.traced())) as f64 / 1e6;
    println!("\n{} tests: peak memory plain {plain:.0} MB, traced {traced:.0} MB", runs.tests());
    Line {
        what: "peak memory of 5,000 tests",
        measured: format!("{:.2}x", traced / plain),
        goal: "at most 2x",
        electric_test: "",
    }
}

/// Whether tests that share a large structure cost more the more have run.
pub(crate) fn structure() -> Line {
    let body = "Structure.use(Ticks.tick());";
    let classes = [&TICKING[..], &[("Structure", STRUCTURE)]].concat();
    let (mut runs, _classes) = suite(100, 100, body, &classes);
    println!("\n{} tests share 100 MB, ms per test (median)", runs.tests());
    let [_, plain_last] = first_and_last("plain", &gaps(&runs.plain().record));
    let [traced_first, traced_last] = first_and_last("traced", &gaps(&runs.traced().record));
    println!("  last thousand: {:.2}x the plain run's", traced_last / plain_last);
    Line {
        what: "sharing 100 MB, last to first thousand",
        measured: format!("{:.2}x", traced_last / traced_first),
        goal: "does not grow",
        electric_test: "",
    }
}

fn first_and_last(kind: &str, gaps: &[f64]) -> [f64; 2] {
    let thousands: Vec<f64> = gaps.chunks(1000).map(|some| median(some.to_vec())).collect();
    let shown: Vec<String> = thousands.iter().map(|time| format!("{time:.3}")).collect();
    println!("  {kind:7} {}", shown.join(" "));
    [thousands[0], thousands[thousands.len() - 1]]
}

/// Milliseconds between the beginnings of tests, as [`TICKS_TEST`] told them.
fn gaps(record: &RunRecord) -> Vec<f64> {
    let last = record.results.last().expect("an order has tests");
    let nanoseconds = last.output.stdout.lines().map(|line| line.parse::<f64>());
    nanoseconds.map(|gap| gap.expect("a number") / 1e6).collect()
}

/// The classes are there as long as the fixture is.
fn suite(classes: usize, tests: usize, body: &str, more: &[(&str, &str)]) -> (Runs, Fixture) {
    let sources = tempfile::tempdir().expect("temporary folder");
    for number in 0..classes {
        generate(sources.path(), number, JUNIT4_TEST, tests, body);
    }
    for (name, source) in more {
        let file = sources.path().join("bench").join(format!("{name}.java"));
        fs::write(file, source).expect("temporary folder");
    }
    let mut fixture = Fixture::compile_sources("bench", sources.path(), JUNIT4);
    fixture.spec.selection.classes.retain(|class| class.ends_with("Test"));
    (Runs::of(&fixture.spec, RULES, |_| true), fixture)
}

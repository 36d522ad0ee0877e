//! Thousands of tests: neither time nor memory may grow with their square.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use residue_detect::{Algorithm, Config};
use residue_exec::fake::FakeSuite;
use support::{Tracing, detect, detect_traced, detect_with, only};

/// Tests in classes of 20; 30 victims of three polluters, which come later.
fn large(tests: usize) -> FakeSuite {
    let (step, polluters) = (tests / 40, tests * 7 / 8);
    (0..tests).fold(FakeSuite::new(), |suite, number: usize| {
        let name = format!("p.C{:03}Test#t{number}", number / 20);
        let key = ["red", "green", "blue"][number % 3];
        match number {
            _ if number % step == 7 && number < step * 30 => {
                suite.test(&name, move |world| world.expect(key, 0))
            }
            _ if (polluters..polluters + 3).contains(&number) => suite.test(&name, move |world| {
                world.set(key, 1);
                Ok(())
            }),
            _ => suite.test(&name, |_| Ok(())),
        }
    })
}

#[test]
fn thirty_victims_among_four_thousand_tests() {
    let started = std::time::Instant::now();
    let config = Config { trials: 2, ..only(&[Algorithm::Reverse, Algorithm::Random]) };
    let done = detect_with(large(4_000), config, 4, |_| 0);
    let coverage = done.detection.coverage();
    println!(
        "{} runs, {} test executions, {:.1}% of pairs, {:?}",
        coverage.runs,
        coverage.test_executions,
        100.0 * coverage.pairs.fraction(),
        started.elapsed()
    );
    assert_eq!(done.detection.finding_count(), 30);
    for finding in done.detection.findings() {
        assert_eq!(finding.partners.tests.len(), 1);
        assert!(finding.partners.minimal);
    }
    assert!(done.asked.len() < 3 + 8 + 30 * 8 + 3 * 40, "{} runs", done.asked.len());
}

/// Every order of every algorithm is looked at, and nearly none runs.
#[test]
fn traces_make_most_of_thousands_of_orders_needless() {
    let started = std::time::Instant::now();
    let tracing = Tracing { values: true, lists_unwritten: false };
    let done = detect_traced(large(800), Config::default(), tracing);
    let coverage = done.detection.coverage();
    println!(
        "{} runs, {} test executions, {:?}, {:?}",
        coverage.runs,
        coverage.test_executions,
        coverage.traced,
        started.elapsed()
    );
    assert_eq!(done.detection.finding_count(), 30);
    let looked_at: u64 = coverage.plan.iter().map(|stage| stage.done).sum();
    let explored = done.explored();
    assert!(looked_at > 1_600 && explored.len() < 10, "{looked_at}, {}", explored.len());
}

#[test]
fn a_budget_ends_a_plan_of_millions_of_orders_at_once() {
    let config = Config { max_runs: Some(50), k: 3, ..only(&[Algorithm::Exhaustive]) };
    let done = detect(large(4_000), config);
    let plan = &done.detection.coverage().plan[0];
    assert_eq!(plan.planned, 4_000 * 3_999 * 3_998);
    assert_eq!(done.asked.len(), 50);
}

//! Thousands of tests: neither time nor memory may grow with their square.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use residue_detect::{Algorithm, Config};
use residue_exec::fake::FakeSuite;
use support::{detect, detect_with, only};

/// 4,000 tests in 200 classes; 30 victims of three polluters, which come later.
fn large() -> FakeSuite {
    (0..4_000).fold(FakeSuite::new(), |suite, number: usize| {
        let name = format!("p.C{:03}Test#t{number}", number / 20);
        let key = ["red", "green", "blue"][number % 3];
        match number {
            _ if number % 100 == 7 && number < 3_000 => {
                suite.test(&name, move |world| world.expect(key, 0))
            }
            3_500..3_503 => suite.test(&name, move |world| {
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
    let done = detect_with(large(), config, 4, |_| 0);
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

#[test]
fn a_budget_ends_a_plan_of_millions_of_orders_at_once() {
    let config = Config { max_runs: Some(50), k: 3, ..only(&[Algorithm::Exhaustive]) };
    let done = detect(large(), config);
    let plan = &done.detection.coverage().plan[0];
    assert_eq!(plan.planned, 4_000 * 3_999 * 3_998);
    assert_eq!(done.asked.len(), 50);
}

//! Slow suites in which a few tests take most of the time.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use std::time::Duration;

use proptest::prelude::*;
use residue_detect::{Algorithm, Config, Purpose};
use residue_exec::fake::{FakeExecutor, FakeSuite};
use residue_model::TestId;
use support::check::check;
use support::model::{ModelSuite, suites_over};
use support::{Done, Tracing, detect_traced, detect_traced_by, expects, only, set, sets};

const LONG: Duration = Duration::from_secs(20);

fn detect(suite: FakeSuite, lengthy: TestId, config: Config, tracing: Tracing) -> Done {
    let executor = FakeExecutor::new(suite).with_duration(lengthy, LONG);
    detect_traced_by(executor, config, tracing, 1, |_| 0)
}

/// For each whole order that was tried its label and whether the test is in it.
fn orders_with(done: &Done, test: &TestId) -> Vec<(String, bool)> {
    let with = |wanted: &residue_detect::Wanted| match &wanted.purpose {
        Purpose::Exploration { order, .. } if wanted.order.tests().len() > 10 => {
            Some((order.clone(), wanted.order.tests().contains(test)))
        }
        _ => None,
    };
    done.asked.iter().filter_map(with).collect()
}

#[test]
fn whole_orders_but_the_reversed_one_run_without_them() {
    let mut suite =
        FakeSuite::new().test("a.T#slow", |_| Ok(())).test("a.T#victim", expects("x", 0));
    for number in 0..20 {
        suite = suite.test(&format!("b.T#t{number}"), |_| Ok(()));
    }
    let suite = suite.test("c.T#polluter", sets("x", 1));
    let slow = TestId::parse("a.T#slow").unwrap();
    let config = Config { trials: 1, ..Config::default() };
    let done = detect(suite, slow.clone(), config, Tracing::ALL[3]);
    assert_eq!(done.dependent(), set(&["a.T#victim"]));
    let orders = orders_with(&done, &slow);
    let orders: Vec<_> = orders.iter().map(|(label, with)| (label.as_str(), *with)).collect();
    let expected = [
        ("reversed", true),
        ("classes reversed, without 1 lengthy test", false),
        ("random by class, seed 1, without 1 lengthy test", false),
        ("random, seed 1, without 1 lengthy test", false),
    ];
    assert_eq!(orders[..4], expected);
    assert!(done.detection.is_complete());
    let plan = done.detection.coverage().plan;
    let later = plan.iter().map(|stage| &*stage.name).filter(|name| name.contains("lengthy"));
    assert!(later.eq(["reverse with lengthy tests", "random with lengthy tests"]), "{plan:#?}");
}

/// What is found all the same: by walking through the orders with them.
fn assert_finds_all(suite: &ModelSuite, lengthy: usize, tracing: Tracing) {
    use Algorithm::{Exhaustive, Isolate, Pairs, Pradet, Reverse};
    let lengthy = suite.order().tests()[lengthy % suite.order().tests().len()].clone();
    let config = Config { trials: 0, ..Config::default() };
    let done = detect(suite.fake(), lengthy, config, tracing);
    assert!(done.detection.is_complete());
    done.detection.findings().iter().for_each(|finding| check(suite, finding, 2));
    for algorithm in [Reverse, Isolate, Pairs, Exhaustive, Pradet] {
        let other = detect_traced(suite.fake(), only(&[algorithm]), tracing);
        let missed: Vec<_> = other.dependent().difference(&done.dependent()).cloned().collect();
        assert!(missed.is_empty(), "{algorithm:?} finds {missed:?} in {suite:#?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn nothing_is_missed_because_a_test_takes_long(
        suite in suites_over(4, 4..=7),
        lengthy in 0..7_usize,
        tracing in prop::sample::select(Tracing::ALL.to_vec()),
    ) {
        assert_finds_all(&suite, lengthy, tracing);
    }
}

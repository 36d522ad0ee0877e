//! After a change of the code only what it touched is decided again: nothing
//! that involves a touched test is missed, and little runs.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use residue_detect::{Algorithm, Config, Purpose};
use residue_model::TestId;
use support::check::{check, involves};
use support::model::{ModelSuite, suites, suites_over, suites_with_fixtures};
use support::{Done, Tracing, detect_traced, expects, only, sets};

fn tracings() -> impl Strategy<Value = Tracing> {
    prop::sample::select(Tracing::ALL.to_vec())
}

/// Some tests of a suite, by number.
fn touched(suite: &ModelSuite, chosen: &[bool]) -> BTreeSet<TestId> {
    let tests = suite.tests.iter().zip(chosen).filter(|(_, chosen)| **chosen);
    tests.map(|((name, _), _)| TestId::parse(name).unwrap()).collect()
}

fn restricted(touched: &BTreeSet<TestId>) -> Config {
    Config { touched: Some(touched.clone()), trials: 0, ..Config::default() }
}

/// What sequences of one and two tests show and involves a touched test. (Of
/// dependencies between three and more, long orders show some by luck.)
fn expected(suite: &ModelSuite, touched: &BTreeSet<TestId>, tracing: Tracing) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for algorithm in [Algorithm::Isolate, Algorithm::Exhaustive] {
        let done = detect_traced(suite.fake(), only(&[algorithm]), tracing);
        let findings = done.detection.findings().into_iter();
        let involved = findings.filter(|finding| involves(suite, finding, touched));
        all.extend(involved.map(|finding| finding.test.to_string()));
    }
    all
}

fn assert_misses_nothing(suite: &ModelSuite, touched: &BTreeSet<TestId>, tracing: Tracing) -> Done {
    let done = detect_traced(suite.fake(), restricted(touched), tracing);
    assert!(done.detection.is_complete());
    let expected = expected(suite, touched, tracing);
    let missed: Vec<_> = expected.difference(&done.dependent()).cloned().collect();
    assert!(missed.is_empty(), "missed {missed:?} of {touched:?} in {suite:#?}");
    let status = done.detection.status();
    assert_eq!(status.orders_done, status.orders_planned);
    done
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn nothing_that_involves_a_touched_test_is_missed(
        suite in suites(3..=6), tracing in tracings(), chosen in prop::collection::vec(any::<bool>(), 6),
    ) {
        let done = assert_misses_nothing(&suite, &touched(&suite, &chosen), tracing);
        for finding in done.detection.findings() {
            check(&suite, &finding, 2);
        }
    }

    #[test]
    fn nothing_is_missed_where_more_is_shared(
        suite in suites_over(4, 4..=7), tracing in tracings(),
        chosen in prop::collection::vec(prop::bool::weighted(0.3), 7),
    ) {
        assert_misses_nothing(&suite, &touched(&suite, &chosen), tracing);
    }

    #[test]
    fn nothing_is_missed_where_classes_have_fixtures(
        suite in suites_with_fixtures(3..=6), tracing in tracings(),
        chosen in prop::collection::vec(prop::bool::weighted(0.3), 6),
    ) {
        assert_misses_nothing(&suite, &touched(&suite, &chosen), tracing);
    }

    #[test]
    fn where_nothing_is_touched_only_the_default_order_runs(
        suite in suites(3..=6), tracing in tracings(),
    ) {
        let config = Config { touched: Some(BTreeSet::new()), ..Config::default() };
        let done = detect_traced(suite.fake(), config, tracing);
        prop_assert!(done.detection.is_complete());
        prop_assert!(done.asked.iter().all(|asked| asked.purpose == Purpose::Reference));
    }
}

#[test]
fn what_was_there_before_is_not_looked_for_again() {
    let suite = || {
        residue_exec::fake::FakeSuite::new()
            .test("a.OldTest#victim", expects("old", 0))
            .test("a.OldTest#polluter", sets("old", 1))
            .test("b.NewTest#reads", expects("new", 0))
            .test("b.UsedTest#writes", sets("new", 1))
    };
    let touched = BTreeSet::from([TestId::parse("b.NewTest#reads").unwrap()]);
    let config = Config { touched: Some(touched), ..Config::default() };
    let done = detect_traced(suite(), config, Tracing::ALL[3]);
    assert_eq!(done.dependent(), support::set(&["b.NewTest#reads"]));
    let explored: usize = done.explored().iter().map(|order| order.len()).sum();
    let old = TestId::parse("a.OldTest#victim").unwrap();
    assert!(done.explored().iter().all(|order| !order.tests().contains(&old)), "{explored}");
    let restriction = done.detection.coverage().restricted.unwrap();
    assert_eq!((restriction.touched, restriction.neighbours, restriction.downstream), (1, 1, 0));
    let whole = detect_traced(suite(), Config::default(), Tracing::ALL[3]);
    assert_eq!(whole.dependent(), support::set(&["a.OldTest#victim", "b.NewTest#reads"]));
    assert_eq!(whole.detection.coverage().restricted, None);
}

#[test]
fn an_untouched_test_that_needs_a_touched_one_is_found() {
    let suite = residue_exec::fake::FakeSuite::new()
        .test("a.SetUpTest#sets", sets("ready", 1))
        .test("b.UseTest#uses", expects("ready", 1))
        .test("c.OtherTest#does", sets("other", 1));
    let touched = BTreeSet::from([TestId::parse("a.SetUpTest#sets").unwrap()]);
    let config = Config { touched: Some(touched), ..Config::default() };
    let done = detect_traced(suite, config, Tracing::ALL[3]);
    assert_eq!(done.dependent(), support::set(&["b.UseTest#uses"]));
    assert_eq!(done.detection.coverage().restricted.unwrap().downstream, 1);
}

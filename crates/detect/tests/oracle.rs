//! Each algorithm finds exactly the tests that its definition covers, on random
//! suites small enough to compute every order.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use residue_detect::{
    Algorithm, Comparison, Config, Granularity, Role, Strategy as Search, Verdict, shuffled,
    shuffled_by_class,
};
use residue_model::TestOrder;
use support::check::{assert_finds, check, flips, suite_numbers};
use support::model::{ModelSuite, line_of, one_variable_suites, sequences, suites};
use support::{detect, detect_with, only};

fn by_class(suite: &ModelSuite) -> Vec<Vec<usize>> {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for (test, (name, _)) in suite.tests.iter().enumerate() {
        let class = name.split('#').next();
        match classes.last_mut() {
            Some(last) if suite.tests[last[0]].0.split('#').next() == class => last.push(test),
            _ => classes.push(vec![test]),
        }
    }
    classes
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn exhaustive_over_all_tests_finds_what_definition_6_says(suite in suites(3..=5)) {
        let n = suite.tests.len();
        let done = detect(suite.fake(), Config { k: n, ..only(&[Algorithm::Exhaustive]) });
        assert_finds(&suite, &done, &suite.differing(sequences(n, n)));
    }

    #[test]
    fn exhaustive_with_k_2_finds_what_pairs_of_tests_show(suite in suites(3..=6)) {
        let n = suite.tests.len();
        let done = detect(suite.fake(), only(&[Algorithm::Exhaustive]));
        assert_finds(&suite, &done, &suite.differing(sequences(n, 2)));
    }

    #[test]
    fn isolate_finds_the_tests_that_differ_alone(suite in suites(3..=6)) {
        let done = detect(suite.fake(), only(&[Algorithm::Isolate]));
        let alone = (0..suite.tests.len()).map(|test| vec![test]);
        assert_finds(&suite, &done, &suite.differing(alone));
    }

    #[test]
    fn reverse_finds_the_tests_that_differ_in_the_reversed_orders(suite in suites(3..=6)) {
        let done = detect(suite.fake(), only(&[Algorithm::Reverse]));
        let mut reversed = suite.default_order();
        reversed.reverse();
        let classes = by_class(&suite).into_iter().rev().flatten().collect();
        assert_finds(&suite, &done, &suite.differing([reversed, classes]));
    }

    #[test]
    fn random_finds_the_tests_that_differ_in_the_shuffles_of_its_seeds(
        suite in suites(3..=6), seed in any::<u64>(),
    ) {
        let config = Config { seed, trials: 3, ..only(&[Algorithm::Random]) };
        let done = detect(suite.fake(), config);
        let classes = by_class(&suite).len();
        let orders = (0..3).flat_map(|trial| {
            let seed = seed.wrapping_add(trial);
            let torn = shuffled(&suite.order(), seed);
            let kept = (classes > 1 && classes < suite.tests.len())
                .then(|| shuffled_by_class(&suite.order(), seed));
            [Some(torn), kept].into_iter().flatten()
        });
        let orders: Vec<TestOrder> = orders.collect();
        let expected = suite.differing(orders.iter().map(|order| suite.numbers(order)));
        assert_finds(&suite, &done, &expected);
    }

    #[test]
    fn pairs_finds_the_tests_that_differ_in_its_orders_and_has_every_pair(suite in suites(3..=6)) {
        let done = detect(suite.fake(), only(&[Algorithm::Pairs]));
        let orders: Vec<_> = done.explored().iter().map(|order| suite.numbers(order)).collect();
        assert_finds(&suite, &done, &suite.differing(orders));
        if suite.never_exits() {
            prop_assert_eq!(done.detection.coverage().adjacent_pairs.fraction(), 1.0);
        }
    }

    #[test]
    fn pairs_equal_exhaustive_where_only_the_last_writer_matters(suite in one_variable_suites(3..=9)) {
        let exhaustive = detect(suite.fake(), only(&[Algorithm::Exhaustive]));
        let pairs = detect(suite.fake(), only(&[Algorithm::Pairs]));
        prop_assert_eq!(pairs.dependent(), exhaustive.dependent());
    }

    #[test]
    fn dependence_aware_finds_what_exhaustive_finds_in_fewer_orders(
        suite in suites(3..=6), k in 1..4_usize,
    ) {
        let n = suite.tests.len();
        let config = only(&[Algorithm::DependenceAware]);
        let config = Config { k, accesses: Some(suite.accesses()), ..config };
        let done = detect(suite.fake(), config);
        let all = sequences(n, 1).into_iter().chain(sequences(n, k));
        assert_finds(&suite, &done, &suite.differing(all.clone()));
        prop_assert!(!suite.never_exits() || done.explored().len() <= all.count());
    }

    #[test]
    fn the_default_strategy_finds_what_differs_in_any_of_its_orders(suite in suites(3..=6)) {
        let done = detect(suite.fake(), Config::default());
        let orders: Vec<_> = done.explored().iter().map(|order| suite.numbers(order)).collect();
        assert_finds(&suite, &done, &suite.differing(orders));
        if suite.never_exits() {
            prop_assert_eq!(done.detection.coverage().adjacent_pairs.fraction(), 1.0);
            prop_assert_eq!(done.detection.coverage().pairs.fraction(), 1.0);
        }
        let status = done.detection.status();
        prop_assert_eq!(status.orders_done, status.orders_planned);
    }

    #[test]
    fn all_partners_and_cleaners_are_those_of_brute_force(suite in suites(3..=6)) {
        let n = suite.tests.len();
        let config = Config { all_partners: true, cleaners: true, ..Config::default() };
        let done = detect(suite.fake(), config);
        for finding in done.detection.findings() {
            check(&suite, &finding, 2);
            let test = suite.number(&finding.test);
            let alone = suite.last(&[test]);
            let others = || (0..n).filter(|&other| other != test);
            let singles: BTreeSet<_> = others()
                .filter(|&other| flips(finding.role, alone, suite.last(&[other, test])))
                .map(|other| vec![other])
                .collect();
            let found: BTreeSet<_> = finding
                .partner_sets()
                .map(|partners| suite_numbers(&suite, &partners.tests))
                .collect();
            prop_assert!(found.is_superset(&singles), "{:?} in {:?}", singles, found);
            prop_assert!(found.difference(&singles).all(|set| set.len() > 1));
            let polluters = suite_numbers(&suite, &finding.partners.tests);
            let cleaners: BTreeSet<_> = others()
                .filter(|other| finding.role == Role::Victim && !polluters.contains(other))
                .filter(|&other| suite.last(&[polluters.as_slice(), &[other, test]].concat()).is_none())
                .map(|other| vec![other])
                .collect();
            let found: BTreeSet<_> =
                finding.cleaners.iter().map(|set| suite_numbers(&suite, &set.tests)).collect();
            prop_assert!(found.is_superset(&cleaners), "{:?} in {:?}", cleaners, found);
        }
    }

    #[test]
    fn answers_in_any_order_give_the_same_findings(
        suite in suites(3..=6), room in 2..9_usize, choices in any::<u64>(),
    ) {
        let config = Config { all_partners: true, cleaners: true, ..Config::default() };
        let one_by_one = detect(suite.fake(), config.clone());
        let mut random = choices;
        let mixed = detect_with(suite.fake(), config, room, |under_way| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % under_way
        });
        prop_assert_eq!(mixed.sorted(), one_by_one.sorted());
    }

    #[test]
    fn by_pass_and_fail_only_other_failures_are_no_difference(suite in suites(3..=5)) {
        let n = suite.tests.len();
        let config = only(&[Algorithm::Exhaustive]);
        let config = Config { k: n, comparison: Comparison::PassFail, ..config };
        let done = detect(suite.fake(), config);
        let expected = suite.expected();
        let differs = sequences(n, n).into_iter().flat_map(|order| {
            let endings = suite.endings(&order);
            let pairs = order.into_iter().zip(endings);
            let other = pairs.filter(|(test, ending)| ending.is_some() != expected[*test].is_some());
            other.map(|(test, _)| suite.tests[test].0.clone()).collect::<Vec<_>>()
        });
        prop_assert_eq!(done.dependent(), differs.collect::<BTreeSet<_>>());
    }

    #[test]
    fn at_class_granularity_whole_classes_are_permuted(suite in suites(3..=6)) {
        let classes = by_class(&suite);
        let config = only(&[Algorithm::Exhaustive]);
        let config = Config { k: classes.len(), granularity: Granularity::Class, ..config };
        let done = detect(suite.fake(), config);
        let orders = sequences(classes.len(), classes.len()).into_iter().map(|order| {
            order.into_iter().flat_map(|class| classes[class].clone()).collect::<Vec<_>>()
        });
        let differing = suite.differing(orders);
        prop_assert!(done.detection.unreproduced().is_empty());
        // A test of which the class ends the JVM before it cannot be explained.
        if suite.never_exits() {
            prop_assert_eq!(done.dependent(), differing);
        } else {
            prop_assert!(done.dependent().is_subset(&differing));
        }
        for finding in done.detection.findings() {
            let test = suite.number(&finding.test);
            let home = classes.iter().find(|class| class.contains(&test)).unwrap();
            let alone: Vec<_> = home.iter().copied().take_while(|&t| t <= test).collect();
            prop_assert_eq!(suite.numbers(&finding.alone.order), alone.clone());
            let together = suite.numbers(&finding.partners.together.order);
            prop_assert!(together.ends_with(&alone));
            let ending = suite.last(&together);
            prop_assert!(flips(finding.role, suite.last(&alone), ending));
            prop_assert_eq!(line_of(&finding.partners.together.outcome), ending);
            for left_out in 0..finding.partners.tests.len() {
                let mut fewer = together.clone();
                fewer.remove(left_out);
                prop_assert!(!flips(finding.role, suite.last(&alone), suite.last(&fewer)));
            }
        }
    }

    #[test]
    fn tests_that_vary_are_never_called_dependent(
        suite in suites(2..=4), percent in 30..70_u64, seed in any::<u64>(),
    ) {
        let fake = suite.fake().test("a.Coin#flip", move |world| match world.chance(percent) {
            true => Err(world.failed_at(1)),
            false => Ok(()),
        });
        let config = Config { reference_runs: 60, seed, trials: 2, ..Config::default() };
        let done = detect(fake, config);
        prop_assert!(!done.dependent().contains("a.Coin#flip"));
        let verdicts = done.detection.verdicts();
        prop_assert_eq!(verdicts.last().unwrap().1, Verdict::NonDeterministic);
        for finding in done.detection.findings() {
            let without_coin = |witness: &residue_detect::Witness| {
                witness.order.tests().iter().all(|test| test.as_str() != "a.Coin#flip")
            };
            prop_assert!(without_coin(&finding.alone) && without_coin(&finding.partners.together));
        }
    }

    #[test]
    fn a_limit_on_runs_is_kept_and_what_is_confirmed_stays(
        suite in suites(3..=6), max_runs in 0..80_u64,
    ) {
        let config = Config { max_runs: Some(max_runs), ..Config::default() };
        let done = detect(suite.fake(), config);
        prop_assert!(done.asked.len() as u64 <= max_runs);
        prop_assert_eq!(done.detection.coverage().runs, done.asked.len() as u64);
        for finding in done.detection.findings() {
            check(&suite, &finding, 2);
        }
        let whole = detect(suite.fake(), Config::default());
        prop_assert!(done.dependent().is_subset(&whole.dependent()));
        for open in done.detection.unexplained() {
            prop_assert!(whole.dependent().contains(open.test.as_str()));
        }
    }
}

/// Prints what `pairs` saves, on suites where it finds as much.
#[test]
fn pairs_take_far_fewer_runs_than_exhaustive_pairs() {
    use support::model::Line;
    println!("tests | runs exhaustive k=2 | runs pairs | explored: exhaustive / pairs");
    for n in [10, 20, 40, 80] {
        let lines = |test: usize| match test % 10 {
            3 => vec![Line::Set(0, 1)],
            5 => vec![Line::Expect(0, 1)],
            7 => vec![Line::Expect(1, 0)],
            8 => vec![Line::Set(1, 1)],
            _ => vec![],
        };
        let name = |test: usize| format!("a.C{}Test#t{test}", test / 5);
        let suite = ModelSuite {
            tests: (0..n).map(|test| (name(test), lines(test))).collect(),
            ..ModelSuite::default()
        };
        let exhaustive = detect(suite.fake(), only(&[Algorithm::Exhaustive]));
        let pairs = detect(suite.fake(), only(&[Algorithm::Pairs]));
        assert_eq!(pairs.dependent(), exhaustive.dependent());
        assert!(!pairs.dependent().is_empty());
        println!(
            "{n:5} | {:19} | {:10} | {} / {}",
            exhaustive.asked.len(),
            pairs.asked.len(),
            exhaustive.explored().len(),
            pairs.explored().len()
        );
        assert!(pairs.explored().len() * n / 3 <= exhaustive.explored().len());
    }
}

#[test]
fn the_strategy_without_a_trace_cannot_be_dependence_aware() {
    let suite = ModelSuite { tests: vec![("a.T#x".into(), vec![])], ..ModelSuite::default() };
    let listed = suite.fake().listed();
    let config =
        Config { strategy: Search::Only(vec![Algorithm::DependenceAware]), ..Config::default() };
    let error = residue_detect::Detection::new(&listed, config).unwrap_err();
    assert!(error.to_string().contains("trace"), "{error}");
}

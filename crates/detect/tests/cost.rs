//! What the algorithms cost, and what they find, on suites of 200 tests.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // helpers of tests may panic and print

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use residue_detect::{Algorithm, Budget, Config, Purpose};
use residue_model::TestId;
use support::check::involves;
use support::model::{Line, ModelSuite, sequences};
use support::{Done, Tracing, detect_traced, only};

const TESTS: usize = 200;

fn model(lines: impl Fn(usize) -> Vec<Line>) -> ModelSuite {
    let name = |test: usize| format!("a.C{:02}Test#t{test}", test / 10);
    let tests = (0..TESTS).map(|test| (name(test), lines(test))).collect();
    ModelSuite { tests, ..ModelSuite::default() }
}

/// Few shared locations, as in most suites: a setting that some tests change
/// and put back or forget to, a cache that is filled once, a counter, and
/// mostly tests that share nothing.
fn loose() -> ModelSuite {
    use Line::{Count, Expect, ExpectIf, Set, SetIf};
    const SETTING: usize = 0;
    const CACHE: usize = 1;
    const COUNTER: usize = 2;
    const MODE: usize = 3;
    model(|test| match test % 20 {
        1 | 6 | 11 => vec![Expect(SETTING, 0)],
        3 | 8 => vec![Set(SETTING, 1), Set(SETTING, 0)],
        13 if test / 20 % 4 == 1 => vec![Set(SETTING, 2)],
        4 | 9 | 14 => vec![SetIf(CACHE, 0, CACHE, 1), Expect(CACHE, 1)],
        15 if test / 20 == 5 => vec![Expect(CACHE, 1)],
        16 => vec![Count(COUNTER)],
        17 if test / 20 == 3 => vec![Set(MODE, 1)],
        18 if test / 20 % 5 == 0 => vec![ExpectIf(MODE, 1, SETTING, 0)],
        _ => vec![],
    })
}

/// Everything hangs together: half of the tests read two of eight locations,
/// a tenth leaves one of three values in one of them, and hardly any outcome
/// depends on it.
fn tangled() -> ModelSuite {
    use Line::{Expect, ExpectIf, Set};
    model(|test| {
        let (a, b) = (test % 8, (test * 5 + 3) % 8);
        match test % 10 {
            0 => vec![Set(b, (test / 10 % 3) as i64)],
            7 if test / 10 % 6 == 2 => vec![Expect(a, 0)],
            2 | 4 | 5 | 6 | 9 => vec![ExpectIf(a, 7, b, 7), ExpectIf(b, 7, a, 7)],
            _ => vec![],
        }
    })
}

/// Every test sets up and puts back what all use, as suites with time zones or
/// locales do, but for one that forgets to.
fn tidy() -> ModelSuite {
    use Line::{Expect, Set, SetIf};
    const ZONE: usize = 0;
    model(|test| match test {
        150 => vec![Set(ZONE, 2)],
        151 => vec![Set(ZONE, 0)],
        _ if test % 50 == 9 => vec![Expect(ZONE, 0), Set(ZONE, 1), Set(ZONE, 0)],
        _ => vec![SetIf(ZONE, 0, ZONE, 1), Set(ZONE, 0)],
    })
}

/// Runs and test executions of the search, without references and explanations.
#[derive(Debug, Clone, Copy, Default)]
struct Price {
    runs: usize,
    executions: usize,
}

fn price(done: &Done, wanted: impl Fn(&Purpose) -> bool) -> Price {
    let runs = done.asked.iter().filter(|asked| wanted(&asked.purpose));
    runs.fold(Price::default(), |price, asked| Price {
        runs: price.runs + 1,
        executions: price.executions + asked.order.len(),
    })
}

/// What all sequences of two tests show and cost. `oracle.rs` has it that
/// `exhaustive` finds just that; to drive it through 39,800 runs takes longer
/// than everything else here.
fn exhaustive(suite: &ModelSuite) -> (BTreeSet<String>, Price) {
    let sequences = sequences(TESTS, 2);
    let price = Price { runs: sequences.len(), executions: 2 * sequences.len() };
    let found = suite.differing(sequences);
    println!(
        "{:18} | {:8} | {:6} | {:10} |",
        "exhaustive",
        found.len(),
        price.runs,
        price.executions
    );
    (found, price)
}

fn report(name: &str, done: &Done) -> Price {
    let search = price(done, |purpose| matches!(purpose, Purpose::Exploration { .. }));
    let all = price(done, |_| true);
    println!(
        "{name:18} | {:8} | {:6} | {:10} | {:8} | {:10}",
        done.dependent().len(),
        search.runs,
        search.executions,
        all.runs,
        all.executions
    );
    search
}

/// Prints the table; gives the price of each algorithm and of the guided way
/// with and without values.
fn compare(name: &str, suite: &ModelSuite) -> (BTreeMap<Algorithm, Price>, [Price; 2]) {
    use Algorithm::{Exhaustive, Isolate, Pairs, Pradet, Reverse};
    let [values, no_values] =
        [true, false].map(|values| Tracing { values, lists_unwritten: false });
    println!("{name:18} | findings | search | executions | all runs | executions");
    let (by_two, price) = exhaustive(suite);
    let mut union = by_two.clone();
    let mut prices = BTreeMap::from([(Exhaustive, price)]);
    for algorithm in [Reverse, Isolate, Pairs, Pradet] {
        let done = detect_traced(suite.fake(), only(&[algorithm]), values);
        prices.insert(algorithm, report(algorithm.as_str(), &done));
        union.extend(done.dependent());
    }
    let guided = [("guided", values), ("guided, no values", no_values)].map(|(name, tracing)| {
        let done = detect_traced(suite.fake(), Config::default(), tracing);
        let price = report(name, &done);
        let conflicts = done.detection.coverage().traced.unwrap().conflicts.unwrap();
        println!(
            "  {} of {} conflicting pairs decided, {} by implication",
            conflicts.decided.covered, conflicts.decided.of, conflicts.implied
        );
        // Without values nearly all is a combination that nobody saw, and what
        // three tests do together is a matter of how many of them may run.
        let wanted = if tracing.values { &union } else { &by_two };
        assert!(done.dependent().is_superset(wanted), "{:?}", done.dependent());
        price
    });
    (prices, guided)
}

#[test]
fn guided_finds_the_union_where_little_is_shared() {
    let (prices, [guided, no_values]) = compare("loose", &loose());
    let (pairs, exhaustive) = (prices[&Algorithm::Pairs], prices[&Algorithm::Exhaustive]);
    assert!(guided.runs < pairs.runs && guided.executions * 10 < pairs.executions);
    assert!(guided.executions * 20 < exhaustive.executions);
    assert!(no_values.executions * 10 < pairs.executions && no_values.runs * 50 < exhaustive.runs);
}

#[test]
fn guided_finds_the_union_where_everything_hangs_together() {
    let (prices, [guided, _]) = compare("tangled", &tangled());
    let (pairs, exhaustive) = (prices[&Algorithm::Pairs], prices[&Algorithm::Exhaustive]);
    assert!(guided.runs * 12 < pairs.runs && guided.executions * 20 < pairs.executions);
    assert!(guided.executions * 35 < exhaustive.executions);
}

#[test]
fn guided_finds_the_union_where_everybody_cleans_up() {
    let (prices, [guided, no_values]) = compare("tidy", &tidy());
    // Who sees the forgotten state cleans it up, so each reader needs a JVM of
    // its own to see it.
    let (pairs, pradet) = (prices[&Algorithm::Pairs], prices[&Algorithm::Pradet]);
    assert!(guided.runs < pairs.runs && guided.executions * 5 < pradet.executions);
    assert!(no_values.executions * 10 < pairs.executions);
}

/// Where the share of the default budget is not enough.
#[test]
fn more_time_decides_more_combinations() {
    let tracing = Tracing { values: false, lists_unwritten: false };
    let [by_default, longer] = [Budget::default(), Budget::Time(Duration::from_secs(900))];
    let [by_default, longer] =
        [("3 minutes", by_default), ("15 minutes", longer)].map(|(name, budget)| {
            let config = Config { budget, ..Config::default() };
            let done = detect_traced(loose().fake(), config, tracing);
            let price = report(name, &done);
            (price, done.detection.coverage().traced.unwrap().conflicts.unwrap().decided)
        });
    assert!(by_default.0.runs < longer.0.runs && longer.0.runs < 5 * by_default.0.runs);
    assert!(by_default.1.fraction() < 1.0, "{by_default:?}");
    assert_eq!(longer.1.fraction(), 1.0, "{longer:?}");
}

#[test]
fn after_a_change_only_what_it_touches_costs_anything() {
    let tracing = Tracing { values: true, lists_unwritten: false };
    for (name, suite) in [("loose", loose()), ("tangled", tangled()), ("tidy", tidy())] {
        let whole = detect_traced(suite.fake(), Config::default(), tracing);
        let of_whole = report(name, &whole);
        for numbers in [vec![53], vec![20, 107], (100..110).collect::<Vec<usize>>()] {
            let touched = numbers.iter().map(|&test| TestId::parse(&suite.tests[test].0).unwrap());
            let touched: BTreeSet<TestId> = touched.collect();
            let config = Config { touched: Some(touched.clone()), ..Config::default() };
            let some = detect_traced(suite.fake(), config, tracing);
            let of_some = report(&format!("{name}, {} touched", touched.len()), &some);
            for finding in whole.detection.findings() {
                if involves(&suite, &finding, &touched) {
                    assert!(some.dependent().contains(finding.test.as_str()), "{finding:#?}");
                }
            }
            assert!(of_some.executions * 3 < of_whole.executions, "{name} {numbers:?}");
        }
    }
}

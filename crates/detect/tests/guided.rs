//! The trace-guided way and PraDeT's refinement, on random suites small enough
//! to compute every order.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use residue_detect::{Algorithm, Config, Detection, Granularity, Purpose, Role, RunAccesses};
use residue_exec::Ticket;
use residue_exec::fake::{FakeExecutor, FakeSuite, World};
use residue_model::Outcome;
use support::check::check;
use support::model::{Line, ModelSuite, suites, suites_over, suites_with_fixtures};
use support::{Done, Tracing, detect, detect_traced, detect_traced_with, only, run};

fn tracings() -> impl Strategy<Value = Tracing> {
    prop::sample::select(Tracing::ALL.to_vec())
}

/// What all the other algorithms find together.
fn union(suite: &ModelSuite, tracing: Tracing) -> BTreeSet<String> {
    use Algorithm::{Exhaustive, Isolate, Pairs, Pradet, Reverse};
    let mut all = BTreeSet::new();
    for algorithm in [Reverse, Isolate, Pairs, Exhaustive, Pradet] {
        let done = detect_traced(suite.fake(), only(&[algorithm]), tracing);
        assert!(done.detection.is_complete());
        all.extend(done.dependent());
    }
    all
}

fn assert_true(suite: &ModelSuite, done: &Done) {
    assert!(done.detection.is_complete());
    assert!(done.detection.unreproduced().is_empty());
    assert!(done.detection.unexplained().is_empty());
    assert!(done.detection.perturbed().is_empty());
    for finding in done.detection.findings() {
        check(suite, &finding, 2);
    }
    let status = done.detection.status();
    assert_eq!(status.orders_done, status.orders_planned);
    assert!(done.detection.coverage().not_begun.is_empty());
}

#[test]
fn what_has_not_begun_is_said() {
    let suite = FakeSuite::new()
        .test("a.T#reads", |world| world.expect("x", 0))
        .test("a.T#other", |_| Ok(()))
        .test("b.T#writes", |world| {
            world.set("x", 1);
            Ok(())
        });
    let tracing = Tracing::ALL[0];
    let mut executor = FakeExecutor::new(suite).tracing();
    let config = Config { tracing: true, ..Config::default() };
    let mut detection = Detection::new(executor.suite(), config).unwrap();
    while let Some(wanted) = detection.wanted(1).pop() {
        if matches!(wanted.purpose, Purpose::Exploration { .. }) {
            break;
        }
        let record = run(&mut executor, &wanted.order);
        let trace = executor.take_trace(Ticket(0)).unwrap_or_default();
        let accesses = wanted.traced.then(|| tracing.accesses(&trace));
        detection.answer(wanted.ticket, &record, accesses.as_ref());
    }
    let coverage = detection.coverage();
    let begun: Vec<&str> = coverage.plan.iter().map(|stage| stage.name.as_str()).collect();
    assert_eq!(begun, ["reverse"]);
    let steps = [
        "random",
        "new sights",
        "single sights",
        "alone",
        "conflicting pairs",
        "inversions",
        "class pairs",
        "pairs",
        "more random",
    ];
    assert_eq!(coverage.not_begun, steps);
}

fn assert_finds_all(suite: &ModelSuite, tracing: Tracing) {
    let guided = detect_traced(suite.fake(), Config { trials: 0, ..Config::default() }, tracing);
    assert_true(suite, &guided);
    let missed: Vec<_> = union(suite, tracing).difference(&guided.dependent()).cloned().collect();
    assert!(missed.is_empty(), "missed {missed:?} in {suite:#?}");
    let coverage = guided.detection.coverage().traced.unwrap();
    assert_eq!(coverage.contradictions, 0, "{suite:#?}");
    assert_eq!(coverage.conflicts.unwrap().decided.fraction(), 1.0);
}

/// What a class takes down when it is first used.
fn initialise(world: &mut World) {
    if world.get("class") == 0 {
        world.set("class", 1 + world.get("zone"));
    }
}

/// No trace tells what an initialiser does, and all orders but those for this
/// begin with a test that initialises the class as it should be.
#[test]
fn a_class_that_is_initialised_amid_a_passing_change_is_found_out() {
    let uses = |world: &mut World| {
        initialise(world);
        Ok(())
    };
    let suite = FakeSuite::new()
        .test("a.FirstTest#uses", uses)
        .test("b.ZoneTest#usesElsewhere", |world| {
            world.set("zone", 1);
            initialise(world);
            world.set("zone", 0);
            Ok(())
        })
        .test("c.ParseTest#parses", |world| {
            initialise(world);
            world.expect("class", 1)
        })
        .test("d.LastTest#uses", uses);
    let done = detect_without_initialisers(suite);
    let findings = done.detection.findings();
    assert_eq!(done.dependent(), ["c.ParseTest#parses".to_owned()].into());
    assert_eq!(support::names(&findings[0].partners.tests), ["b.ZoneTest#usesElsewhere"]);
}

/// There are more such tests than orders that may begin with one, and the guilty
/// one is in the middle.
#[test]
fn many_passing_changes_come_first_together() {
    let mut suite = FakeSuite::new().test("a.FirstTest#uses", |world| {
        initialise(world);
        Ok(())
    });
    for number in 0..400 {
        suite = match number {
            number if number % 20 == 9 => {
                suite.test(&format!("b.Zone{number}Test#isElsewhere"), move |world| {
                    world.set("zone", 1);
                    if number == 209 {
                        initialise(world);
                    }
                    world.set("zone", 0);
                    Ok(())
                })
            }
            number => suite.test(&format!("c.Other{number}Test#passes"), |_| Ok(())),
        };
    }
    let suite = suite.test("d.ParseTest#parses", |world| {
        initialise(world);
        world.expect("class", 1)
    });
    let done = detect_without_initialisers(suite);
    assert_eq!(done.dependent(), ["d.ParseTest#parses".to_owned()].into());
    let finding = done.finding("d.ParseTest#parses");
    assert_eq!(support::names(&finding.partners.tests), ["b.Zone209Test#isElsewhere"]);
}

/// Traces show nothing of `class`.
fn detect_without_initialisers(suite: FakeSuite) -> Done {
    let tracing = Tracing { values: true, lists_unwritten: true };
    let config = Config { trials: 0, tracing: true, ..Config::default() };
    let executor = FakeExecutor::new(suite).tracing();
    support::drive(
        executor,
        config,
        1,
        |_| 0,
        |wanted, mut trace| {
            for part in &mut trace {
                part.reads.retain(|(key, _)| key != "class");
                part.writes.retain(|write| write.key != "class");
            }
            let passing = trace.iter().filter(|part| part.writes.iter().any(|w| w.restored));
            let passing = passing.map(|part| part.test.clone()).collect();
            wanted.traced.then(|| RunAccesses { passing, ..tracing.accesses(&trace) })
        },
    )
}

/// Each failure of a victim in an order that was tried comes behind tests that are
/// known to make it fail.
fn assert_accounts_for_failures(suite: &ModelSuite, tracing: Tracing) {
    let done = detect_traced(suite.fake(), Config::default(), tracing);
    let findings = done.detection.findings();
    let others: usize = findings.iter().map(|finding| finding.other_partners.len()).sum();
    for finding in findings {
        assert!(!finding.others_unnamed || others >= 3, "{finding:#?}");
        let passes_by_default = finding.in_default_order == Outcome::Passed;
        if finding.role != Role::Victim || !passes_by_default || finding.others_unnamed {
            continue;
        }
        let sets: Vec<Vec<usize>> = finding
            .partner_sets()
            .map(|set| set.tests.iter().map(|id| suite.number(id)).collect())
            .collect();
        let victim = suite.number(&finding.test);
        for order in done.explored().iter().map(|order| suite.numbers(order)) {
            let Some(place) = order.iter().position(|&test| test == victim) else { continue };
            let failed = suite.endings(&order)[place].is_some();
            let is_there = |set: &Vec<usize>| set.iter().all(|test| order[..place].contains(test));
            assert!(!failed || sets.iter().any(is_there), "{order:?}: {finding:#?}");
        }
    }
}

#[test]
fn a_second_polluter_that_was_seen_is_named_too() {
    let suite = FakeSuite::new()
        .test("a.T#needsBoth", |world| {
            world.expect("x", 0)?;
            world.expect("y", 0)
        })
        .test("b.T#setsX", |world| {
            world.set("x", 1);
            Ok(())
        })
        .test("c.T#setsY", |world| {
            world.set("y", 1);
            Ok(())
        });
    let done = detect_traced(suite, Config::default(), Tracing::ALL[0]);
    let finding = done.finding("a.T#needsBoth");
    let sets: BTreeSet<_> = finding.partner_sets().map(|set| support::names(&set.tests)).collect();
    assert_eq!(sets, BTreeSet::from([vec!["b.T#setsX"], vec!["c.T#setsY"]]));
    assert!(!finding.others_unnamed);
}

/// However the first orders are shuffled, all that differs in them follows from
/// what is shared.
fn assert_contradicts_nothing(tests: &[(&str, &[Line])]) {
    let tests = tests.iter().map(|(name, lines)| ((*name).to_owned(), lines.to_vec())).collect();
    let suite = ModelSuite { tests, ..ModelSuite::default() };
    for (seed, tracing) in (0..20).flat_map(|seed| Tracing::ALL.map(|tracing| (seed, tracing))) {
        let done = detect_traced(suite.fake(), Config { seed, ..Config::default() }, tracing);
        let coverage = done.detection.coverage().traced.unwrap();
        assert_eq!(coverage.contradictions, 0, "seed {seed}, {tracing:?}");
    }
}

/// What a test leaves that sees something new can only be guessed, and who runs
/// behind it may end otherwise.
#[test]
fn a_wrong_guess_makes_nobody_unpredictable() {
    assert_contradicts_nothing(&[
        ("a.T#resets", &[Line::Set(3, 0)]),
        ("a.T#needsItReset", &[Line::Expect(3, 0), Line::Set(1, 1)]),
        ("a.T#pollutes", &[Line::Set(3, 1)]),
        ("a.T#fails", &[Line::Expect(1, 0)]),
    ]);
}

/// A trace that does not list all reads tells of a test that ended the JVM, and in
/// another order it may not.
#[test]
fn a_wrong_guess_about_the_end_of_the_jvm_makes_nobody_unpredictable() {
    assert_contradicts_nothing(&[
        ("a.T#counts", &[Line::Count(1), Line::Expect(1, 1)]),
        ("a.T#sets", &[Line::Set(1, 1)]),
        ("a.T#exitsIfNothingIsSet", &[Line::ExitIf(1, 0)]),
        ("a.T#expectsTwo", &[Line::Expect(1, 2)]),
    ]);
}

/// What a test that ends the JVM leaves undone shows nothing about those behind
/// it, so PraDeT keeps their edges, and its next orders are other ones.
#[test]
fn an_inversion_behind_the_end_of_the_jvm_is_not_taken_as_seen() {
    let test = |name: &str, lines: &[Line]| (name.to_owned(), lines.to_vec());
    let fixture = |class: &str, line| (class.to_owned(), vec![line]);
    let suite = ModelSuite {
        tests: vec![
            test("a.C0Test#t0", &[Line::Expect(0, 1)]),
            test("a.C0Test#t1", &[]),
            test("a.C1Test#t2", &[Line::ExpectIf(0, 0, 0, 0)]),
            test("a.C2Test#t3", &[Line::ExitIf(0, 1)]),
        ],
        before: [fixture("a.C0Test", Line::Count(0))].into(),
        after: [fixture("a.C0Test", Line::SetIf(1, 0, 2, 0)), fixture("a.C2Test", Line::Count(2))]
            .into(),
    };
    let tracing = Tracing { values: false, lists_unwritten: false };
    let config = Config { trials: 0, ..Config::default() };
    let found = detect_traced(suite.fake(), config, tracing).dependent();
    assert_eq!(union(&suite, tracing).difference(&found).count(), 0, "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn guided_finds_what_the_others_find_together(
        suite in suites(3..=6), tracing in tracings(),
    ) {
        assert_finds_all(&suite, tracing);
    }

    #[test]
    fn guided_finds_it_where_more_is_shared(
        suite in suites_over(4, 4..=7), tracing in tracings(),
    ) {
        assert_finds_all(&suite, tracing);
    }

    #[test]
    fn guided_finds_it_where_classes_have_fixtures(
        suite in suites_with_fixtures(3..=6), tracing in tracings(),
    ) {
        let guided =
            detect_traced(suite.fake(), Config { trials: 0, ..Config::default() }, tracing);
        let missed: Vec<_> =
            union(&suite, tracing).difference(&guided.dependent()).cloned().collect();
        prop_assert!(missed.is_empty(), "missed {:?} in {:#?}", missed, suite);
    }

    #[test]
    fn guided_finds_it_where_whole_classes_move(
        suite in suites_over(3, 3..=7), tracing in tracings(),
    ) {
        // A test whose class ends the JVM before it cannot be explained.
        let suite = suite.without_exits();
        let by_class = |config: Config| Config { granularity: Granularity::Class, ..config };
        let config = by_class(Config { trials: 0, ..Config::default() });
        let guided = detect_traced(suite.fake(), config, tracing);
        prop_assert!(guided.detection.is_complete());
        use Algorithm::{Exhaustive, Isolate, Pairs, Pradet, Reverse};
        for algorithm in [Reverse, Isolate, Pairs, Exhaustive, Pradet] {
            let other = detect_traced(suite.fake(), by_class(only(&[algorithm])), tracing);
            prop_assert!(
                guided.dependent().is_superset(&other.dependent()),
                "{:?} finds {:?}, guided {:?}", algorithm, other.dependent(), guided.dependent()
            );
        }
    }

    #[test]
    fn all_failures_that_were_seen_are_accounted_for(
        suite in suites_over(4, 4..=7), tracing in tracings(),
    ) {
        let mut suite = suite.without_exits();
        // What comes from splitting a class is left out.
        for (number, (name, _)) in suite.tests.iter_mut().enumerate() {
            *name = format!("a.C{number}Test#t");
        }
        assert_accounts_for_failures(&suite, tracing);
    }

    #[test]
    fn a_limit_on_runs_is_kept_and_what_is_confirmed_stays(
        suite in suites(3..=6), max_runs in 0..80_u64, tracing in tracings(),
    ) {
        let config = Config { max_runs: Some(max_runs), ..Config::default() };
        let done = detect_traced(suite.fake(), config, tracing);
        prop_assert!(done.asked.len() as u64 <= max_runs);
        for finding in done.detection.findings() {
            check(&suite, &finding, 2);
        }
        let whole = detect_traced(suite.fake(), Config::default(), tracing);
        prop_assert!(done.dependent().is_subset(&whole.dependent()));
    }

    #[test]
    fn guided_answers_in_any_order_give_the_same_findings(
        suite in suites_over(3, 3..=6), tracing in tracings(), room in 2..9_usize,
        choices in any::<u64>(),
    ) {
        let one_by_one = detect_traced(suite.fake(), Config::default(), tracing);
        let mut random = choices;
        let mixed = detect_traced_with(suite.fake(), Config::default(), tracing, room, |under_way| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % under_way
        });
        prop_assert_eq!(mixed.sorted(), one_by_one.sorted());
    }

    #[test]
    fn only_plain_runs_confirm(suite in suites(3..=6), tracing in tracings()) {
        let done = detect_traced(suite.fake(), Config::default(), tracing);
        for wanted in done.asked.iter().filter(|wanted| wanted.traced) {
            let trace = matches!(
                wanted.purpose,
                Purpose::Reference
                    | Purpose::Exploration { .. }
                    | Purpose::Explanation { step: residue_detect::Step::Trace, .. }
            );
            prop_assert!(trace, "{:?}", wanted);
        }
    }

    #[test]
    fn without_traces_everything_is_as_before(suite in suites(3..=6)) {
        let plain = detect(suite.fake(), Config::default());
        let executor = FakeExecutor::new(suite.fake());
        let config = Config { tracing: true, ..Config::default() };
        let untraced = support::drive(executor, config, 1, |_| 0, |_, _| None);
        prop_assert_eq!(untraced.sorted(), plain.sorted());
        prop_assert_eq!(untraced.detection.coverage().traced, None);
    }
}

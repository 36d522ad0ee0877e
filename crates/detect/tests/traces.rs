//! What traces are good for, and what happens when they are wrong.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use residue_detect::{Algorithm, Config, Detection, Finding, Purpose, Step, Verdict};
use residue_exec::Ticket;
use residue_exec::fake::{FakeExecutor, FakeSuite};
use residue_model::Outcome;
use support::{Done, Tracing, detect_traced, drive, expects, names, run, set, sets};

const TRACING: Tracing = Tracing { values: true, lists_unwritten: false };

fn bystanders(suite: FakeSuite, class: &str, count: usize) -> FakeSuite {
    (0..count).fold(suite, |suite, number| suite.test(&format!("{class}#b{number}"), |_| Ok(())))
}

/// A victim among many tests, of which one fills its cache and others touch
/// other things that it reads too.
fn polluted() -> FakeSuite {
    let suite = FakeSuite::new().test("a.VictimTest#startsEmpty", |world| {
        world.get("locale");
        world.get("zone");
        world.expect("cache", 0)
    });
    let suite = bystanders(suite, "a.OtherTest", 50)
        .test("b.T#locale", sets("locale", 1))
        .test("b.T#zone", sets("zone", 1))
        .test("b.T#fills", sets("cache", 1));
    bystanders(suite, "c.OtherTest", 50)
}

fn minimising(done: &Done) -> usize {
    let of_search =
        |purpose: &Purpose| matches!(purpose, Purpose::Explanation { step: Step::Minimise, .. });
    done.asked.iter().filter(|asked| of_search(&asked.purpose)).count()
}

#[test]
fn traces_say_whom_to_suspect_and_through_what_it_happens() {
    let guided = detect_traced(polluted(), Config::default(), TRACING);
    let finding = guided.finding("a.VictimTest#startsEmpty");
    assert_eq!(names(&finding.partners.tests), ["b.T#fills"]);
    let cache = TRACING.accesses(&trace_of("cache")).stretches[0].written().next().unwrap();
    assert_eq!(finding.through, [cache]);
    assert!(minimising(&guided) <= 3, "{} runs: one for each writer", minimising(&guided));
    let plain = support::detect(polluted(), Config::default());
    assert!(plain.finding("a.VictimTest#startsEmpty").through.is_empty());
}

/// Findings were once kept with digests of locations, which are of no use.
#[test]
fn a_finding_with_bare_digests_can_still_be_read() {
    let done = detect_traced(polluted(), Config::default(), TRACING);
    let finding = done.finding("a.VictimTest#startsEmpty");
    let mut kept = serde_json::to_value(&finding).unwrap();
    kept["through"] = serde_json::json!([1856573103923755457_u64]);
    let read: Finding = serde_json::from_value(kept).unwrap();
    assert_eq!(read, Finding { through: Vec::new(), ..finding });
}

/// The trace of a test that writes this key.
fn trace_of(key: &'static str) -> Vec<residue_exec::fake::TracedPart> {
    let mut executor = FakeExecutor::new(FakeSuite::new().test("x.T#x", sets(key, 1))).tracing();
    let order = executor.suite().default_order().unwrap();
    run(&mut executor, &order);
    executor.take_trace(Ticket(0)).unwrap()
}

#[test]
fn tests_that_share_nothing_cost_a_handful_of_runs() {
    let suite = bystanders(FakeSuite::new(), "a.T", 100);
    let done = detect_traced(suite, Config::default(), TRACING);
    assert!(done.detection.is_complete() && done.dependent().is_empty());
    // Three reference runs, the reversed order, two guards.
    assert!(done.asked.len() <= 6, "{} runs", done.asked.len());
    let coverage = done.detection.coverage();
    assert_eq!(coverage.traced.unwrap().conflicts.unwrap().decided.of, 0);
    assert!(coverage.plan.iter().all(|stage| stage.done == stage.planned));
}

/// Traces as they are when some state is invisible.
fn detect_blind_to(suite: FakeSuite, hidden: &'static str) -> Done {
    let config = Config { tracing: true, ..Config::default() };
    drive(
        FakeExecutor::new(suite).tracing(),
        config,
        1,
        |_| 0,
        |wanted, mut trace| {
            for part in &mut trace {
                part.reads.retain(|(key, _)| key != hidden);
                part.writes.retain(|write| write.key != hidden);
            }
            wanted.traced.then(|| TRACING.accesses(&trace))
        },
    )
}

#[test]
fn what_no_trace_shows_is_found_all_the_same_and_distrusted() {
    let suite = bystanders(FakeSuite::new(), "a.OtherTest", 8)
        .test("b.T#writesHidden", sets("file", 1))
        .test("b.T#deletesHidden", sets("file", 0))
        .test("b.T#victim", expects("file", 0));
    let done = detect_blind_to(suite, "file");
    assert_eq!(done.dependent(), set(&["b.T#victim"]));
    let finding = done.finding("b.T#victim");
    assert_eq!(names(&finding.partners.tests), ["b.T#writesHidden"]);
    assert!(finding.through.is_empty(), "nobody saw it");
    let traced = done.detection.coverage().traced.unwrap();
    assert!(traced.contradictions > 0 && traced.unpredictable == 1, "{traced:?}");
}

/// A run in which one test fails, but only when it is traced.
#[test]
fn a_test_that_fails_only_when_traced_is_no_finding() {
    let suite = || {
        FakeSuite::new()
            .test("a.T#timed", expects("x", 0))
            .test("a.T#other", |_| Ok(()))
            .test("b.T#polluted", expects("y", 0))
            .test("b.T#pollutes", sets("y", 1))
    };
    for only_when_reversed in [false, true] {
        let mut executor = FakeExecutor::new(suite()).tracing();
        let config = Config { tracing: true, ..Config::default() };
        let mut detection = Detection::new(executor.suite(), config).unwrap();
        while !detection.is_done() {
            let Some(wanted) = detection.wanted(1).pop() else { continue };
            let mut record = run(&mut executor, &wanted.order);
            let trace = executor.take_trace(Ticket(0)).unwrap();
            let place = wanted.order.tests().iter().position(|test| test.method() == "timed");
            if let Some(place) =
                place.filter(|&place| wanted.traced && (place > 0 || !only_when_reversed))
            {
                record.results[place].outcome = Outcome::TimedOut(std::time::Duration::ZERO);
            }
            let accesses = wanted.traced.then(|| TRACING.accesses(&trace));
            detection.answer(wanted.ticket, &record, accesses.as_ref());
        }
        assert!(detection.is_complete());
        assert_eq!(names(&detection.perturbed()), ["a.T#timed"]);
        assert!(detection.unreproduced().is_empty());
        let found: Vec<_> = detection.findings().into_iter().map(|f| f.test).collect();
        assert_eq!(names(&found), ["b.T#polluted"]);
        assert_eq!(detection.verdicts()[0].1, Verdict::Independent);
    }
}

#[test]
fn a_trace_that_misses_a_test_is_no_reason_to_skip_it() {
    let suite = FakeSuite::new()
        .test("a.T#victim", expects("x", 0))
        .test("a.T#cleans", sets("x", 0))
        .test("b.T#pollutes", sets("x", 1));
    let config = Config { tracing: true, ..Config::default() };
    let done = drive(
        FakeExecutor::new(suite).tracing(),
        config,
        1,
        |_| 0,
        |wanted, mut trace| {
            trace.retain(|part| part.test.method() != "cleans");
            wanted.traced.then(|| TRACING.accesses(&trace))
        },
    );
    assert!(done.detection.is_complete());
    assert_eq!(done.dependent(), set(&["a.T#victim"]));
}

#[test]
fn a_class_fixture_is_an_actor_of_its_own() {
    let suite = FakeSuite::new()
        .before_class("a.FixtureTest", |world| world.set("entered", world.get("entered") + 1))
        .test("a.FixtureTest#x", expects("entered", 1))
        .test("a.FixtureTest#y", expects("entered", 1))
        .test("b.OtherTest#z", |_| Ok(()))
        .test("c.OtherTest#z", |_| Ok(()));
    let done = detect_traced(suite, Config { trials: 0, ..Config::default() }, TRACING);
    for test in ["a.FixtureTest#x", "a.FixtureTest#y"] {
        let finding = done.finding(test);
        assert!(finding.is_fixture_artefact(), "{finding:#?}");
        assert_eq!(finding.found_by.algorithm, Algorithm::Pairs);
    }
}

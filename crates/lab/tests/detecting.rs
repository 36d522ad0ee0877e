//! A detection goes on from stored runs, whenever it was interrupted.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

use std::time::Duration;

use residue_detect::{Config, Detection, Finding};
use residue_exec::fake::{FakeExecutor, FakeSuite};
use residue_lab::{Answer, DetectionObserver, DetectionSettings, Ended, Lab, LabError};
use residue_model::TestId;
use residue_store::{Fingerprint, RunFilter, Store, SuiteKey};

#[derive(Default)]
struct Counting {
    from_store: usize,
    run: usize,
    findings: Vec<usize>,
}

impl DetectionObserver for Counting {
    fn answered(&mut self, detection: &Detection, answer: &Answer) {
        *(if answer.from_store { &mut self.from_store } else { &mut self.run }) += 1;
        self.findings.push(detection.finding_count());
    }
}

/// Two victims of one polluter, a brittle test, one that ends the JVM, and a
/// polluter that needs another test's help.
fn suite() -> FakeSuite {
    FakeSuite::new()
        .test("a.CacheTest#startsEmpty", |world| world.expect("cache", 0))
        .test("a.CacheTest#isSmall", |world| world.expect("cache", 0))
        .test("a.CacheTest#fills", |world| {
            world.set("cache", 1);
            Ok(())
        })
        .test("b.SetUpTest#sets", |world| {
            world.set("ready", 1);
            Ok(())
        })
        .test("b.UseTest#uses", |world| world.expect("ready", 1))
        .test("b.UseTest#changesModeWhenReady", |world| {
            world.set("mode", world.get("ready"));
            Ok(())
        })
        .test("c.ModeTest#readsMode", |world| world.expect("mode", 1))
        .test("c.ExitTest#exits", |world| Err(world.exited(1)))
        .test("d.LastTest#comesAfterTheExit", |world| world.expect("cache", 0))
}

fn config() -> Config {
    Config { all_partners: true, cleaners: true, trials: 1, ..Config::default() }
}

fn store() -> (Store, SuiteKey) {
    let mut store = Store::in_memory().unwrap();
    let suite = store.suite(".", &Fingerprint::from_hex(&"00".repeat(32)).unwrap()).unwrap();
    (store, suite)
}

fn sorted(detection: &Detection) -> Vec<Finding> {
    let mut findings = detection.findings();
    findings.sort_by(|a, b| a.test.cmp(&b.test));
    findings
}

fn stored_runs(store: &Store) -> usize {
    store.runs(&RunFilter::default()).unwrap().len()
}

/// Detects until the end or the interruption.
fn detect(
    store: &mut Store,
    key: SuiteKey,
    executor: &mut FakeExecutor,
    settings: &DetectionSettings,
) -> (Detection, Counting, Result<Ended, LabError>) {
    let mut detection = Detection::new(executor.suite(), config()).unwrap();
    let mut counting = Counting::default();
    let ended =
        Lab::new(store, key, executor)
            .detect(&mut detection, settings, &mut counting, &mut |_| false);
    (detection, counting, ended)
}

#[test]
fn interrupted_after_any_number_of_runs_it_goes_on_without_repeating_one() {
    let (mut fresh, key) = store();
    let mut executor = FakeExecutor::new(suite());
    let settings = DetectionSettings::default();
    let (whole, counting, ended) = detect(&mut fresh, key, &mut executor, &settings);
    assert_eq!(ended.unwrap(), Ended::Complete);
    let total = executor.runs();
    assert_eq!(total, counting.run);
    println!("{total} runs, {} answered from the store", counting.from_store);
    assert_eq!(total, stored_runs(&fresh), "every run is stored");
    let expected = sorted(&whole);
    let names: Vec<_> = expected.iter().map(|finding| finding.test.as_str()).collect();
    assert_eq!(
        names,
        [
            "a.CacheTest#isSmall",
            "a.CacheTest#startsEmpty",
            "b.UseTest#uses",
            "c.ModeTest#readsMode",
            "d.LastTest#comesAfterTheExit"
        ]
    );

    for interrupted_after in 0..total {
        let (mut store, key) = store();
        let mut executor = FakeExecutor::new(suite()).interrupted_after(interrupted_after);
        let (_, _, ended) = detect(&mut store, key, &mut executor, &settings);
        assert!(matches!(ended, Err(LabError::Interrupted)), "{ended:?}");
        assert_eq!(stored_runs(&store), interrupted_after);

        let mut executor = FakeExecutor::new(suite());
        let (resumed, counting, ended) = detect(&mut store, key, &mut executor, &settings);
        assert_eq!(ended.unwrap(), Ended::Complete);
        assert_eq!(sorted(&resumed), expected, "interrupted after {interrupted_after}");
        assert_eq!(executor.runs(), total - interrupted_after, "no run is repeated");
        assert_eq!(counting.run, executor.runs());
    }
}

#[test]
fn several_at_once_and_interrupted_it_comes_to_the_same_findings() {
    let (mut fresh, key) = store();
    let settings = DetectionSettings::default();
    let (whole, ..) = detect(&mut fresh, key, &mut FakeExecutor::new(suite()), &settings);
    for seed in 0..10 {
        let (mut store, key) = store();
        let capacity = 2 + seed as usize % 4;
        let executor = || FakeExecutor::new(suite()).with_capacity(capacity).scrambled(seed);
        let mut first = executor().interrupted_after(12 * seed as usize);
        detect(&mut store, key, &mut first, &settings).2.ok();
        let kept = stored_runs(&store);
        let mut second = executor();
        let (resumed, _, ended) = detect(&mut store, key, &mut second, &settings);
        assert_eq!(ended.unwrap(), Ended::Complete);
        assert_eq!(sorted(&resumed), sorted(&whole), "seed {seed}");
        assert_eq!(stored_runs(&store), kept + second.runs());
        // One at a time asks nothing that several at once did not ask.
        let mut one_by_one = FakeExecutor::new(suite());
        detect(&mut store, key, &mut one_by_one, &settings).2.unwrap();
        assert_eq!(one_by_one.runs(), 0, "seed {seed}");
    }
}

#[test]
fn a_fresh_detection_does_not_trust_older_runs() {
    let (mut store, key) = store();
    let mut executor = FakeExecutor::new(suite());
    detect(&mut store, key, &mut executor, &DetectionSettings::default()).2.unwrap();
    let total = executor.runs();
    let settings = DetectionSettings { fresh: true, ..DetectionSettings::default() };
    let (_, counting, _) = detect(&mut store, key, &mut executor, &settings);
    assert_eq!(executor.runs(), 2 * total);
    assert_eq!(counting.run, total);
}

#[test]
fn told_to_stop_it_keeps_what_is_confirmed() {
    let (mut store, key) = store();
    let mut executor = FakeExecutor::new(suite()).with_capacity(3);
    let mut detection = Detection::new(executor.suite(), config()).unwrap();
    let mut counting = Counting::default();
    let mut asked = 0;
    let ended = Lab::new(&mut store, key, &mut executor).detect(
        &mut detection,
        &DetectionSettings::default(),
        &mut counting,
        &mut |_| {
            asked += 1;
            asked > 400
        },
    );
    assert_eq!(ended.unwrap(), Ended::Stopped);
    assert!(!detection.is_complete());
    assert!(detection.finding_count() > 0);
    assert_eq!(executor.runs(), stored_runs(&store), "runs under way were finished");
    assert_eq!(detection.coverage().runs as usize, counting.run + counting.from_store);
    assert!(counting.findings.is_sorted(), "findings only ever come to it");
}

#[test]
fn a_run_that_would_take_too_long_does_not_begin() {
    let (mut store, key) = store();
    let (long, hour) = (TestId::parse("a.T#waits").unwrap(), Duration::from_secs(3600));
    let suite = FakeSuite::new().test("a.T#waits", |_| Ok(())).test("a.T#x", |_| Ok(()));
    let mut executor = FakeExecutor::new(suite).with_duration(long, hour);
    let mut detection = Detection::new(executor.suite(), config()).unwrap();
    let ended = Lab::new(&mut store, key, &mut executor).detect(
        &mut detection,
        &DetectionSettings::default(),
        &mut Counting::default(),
        &mut |time| time >= hour,
    );
    assert_eq!(ended.unwrap(), Ended::Stopped);
    assert_eq!(executor.runs(), 1, "how long it takes the first run tells");
}

#[test]
fn an_order_that_cannot_run_ends_it_with_the_reason() {
    let (mut store, key) = store();
    let mut executor = FakeExecutor::new(FakeSuite::new().test("a.T#x", |_| Ok(())));
    let mut detection = Detection::new(&suite().listed(), config()).unwrap();
    let ended = Lab::new(&mut store, key, &mut executor).detect(
        &mut detection,
        &DetectionSettings::default(),
        &mut Counting::default(),
        &mut |_| false,
    );
    assert!(matches!(ended, Err(LabError::Exec(_))), "{ended:?}");
}

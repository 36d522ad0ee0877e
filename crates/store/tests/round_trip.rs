//! What is stored comes back as it was, whatever it is.

#![allow(clippy::unwrap_used)] // helpers of tests may panic too

mod support;

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use residue_model::{
    CapturedOutput, Crash, Failure, FileChange, FixtureFailure, FixturePhase, Frame, Framework,
    LeftBehind, Outcome, OutcomeKind, RunLimits, RunRecord, RunRequest, Suite, TestCase, TestId,
    TestOrder, TestResult, Unlistable, Unrequested,
};
use residue_store::Store;

/// Any text, control characters and NUL included: tests print and throw them.
fn text() -> impl Strategy<Value = String> {
    vec(any::<char>(), 0..12).prop_map(String::from_iter)
}

fn test_id() -> impl Strategy<Value = TestId> {
    "[a-z]{1,3}\\.[A-Z$][a-z$]{0,3}#[a-zé😀 ]{1,3}(\\[[0-9,a-z]{1,3}\\]){0,2}"
        .prop_map(|text| TestId::parse(&text).unwrap())
}

/// Whole microseconds, which is what the store keeps.
fn duration() -> impl Strategy<Value = Duration> {
    (0..=i64::MAX as u64).prop_map(Duration::from_micros)
}

fn frame() -> impl Strategy<Value = Frame> {
    (text(), text(), option::of(text()), option::of(any::<i32>()))
        .prop_map(|(class, method, file, line)| Frame { class, method, file, line })
}

fn failure() -> impl Strategy<Value = Failure> {
    let link = || {
        (text(), option::of(text()), vec(frame(), 0..4)).prop_map(|(exception, message, frames)| {
            Failure { exception, message, frames, cause: None }
        })
    };
    vec(link(), 1..4).prop_map(|links| {
        let whole = links
            .into_iter()
            .reduce(|cause, failure| Failure { cause: Some(Box::new(cause)), ..failure });
        whole.unwrap()
    })
}

fn crash() -> impl Strategy<Value = Crash> {
    prop_oneof![
        (any::<i32>(), vec(frame(), 0..3)).prop_map(|(code, caller)| Crash::Exit { code, caller }),
        any::<i32>().prop_map(|code| Crash::Halt { code }),
        any::<i32>().prop_map(|signal| Crash::Signal { signal }),
    ]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::Passed),
        failure().prop_map(Outcome::Failed),
        failure().prop_map(Outcome::Errored),
        option::of(text()).prop_map(Outcome::Skipped),
        duration().prop_map(Outcome::TimedOut),
        crash().prop_map(Outcome::Crashed),
        Just(Outcome::NotReached),
    ]
}

fn output() -> impl Strategy<Value = CapturedOutput> {
    let noisy = (text(), text(), 0..=i64::MAX as u64)
        .prop_map(|(stdout, stderr, dropped)| CapturedOutput { stdout, stderr, dropped });
    prop_oneof![Just(CapturedOutput::default()), noisy]
}

fn left_behind() -> impl Strategy<Value = LeftBehind> {
    let change = prop_oneof![
        Just(FileChange::Created),
        Just(FileChange::Modified),
        Just(FileChange::Deleted)
    ];
    prop_oneof![
        (test_id(), text()).prop_map(|(test, name)| LeftBehind::Thread { test, name }),
        (option::of(test_id()), text(), change).prop_map(|(test, path, change)| LeftBehind::File {
            test,
            path,
            change
        }),
        Just(LeftBehind::HungAtExit),
    ]
}

fn fixture_failure() -> impl Strategy<Value = FixtureFailure> {
    let phase = prop_oneof![Just(FixturePhase::BeforeClass), Just(FixturePhase::AfterClass)];
    (text(), phase, failure()).prop_map(|(class, phase, failure)| FixtureFailure {
        class,
        phase,
        failure,
    })
}

fn results() -> impl Strategy<Value = Vec<TestResult>> {
    vec((test_id(), outcome(), duration(), output()), 0..8).prop_map(|results| {
        let mut seen = BTreeSet::new();
        results
            .into_iter()
            .filter(|(test, ..)| seen.insert(test.clone()))
            .map(|(test, outcome, duration, output)| TestResult { test, outcome, duration, output })
            .collect()
    })
}

fn record() -> impl Strategy<Value = RunRecord> {
    (
        results(),
        option::of(vec(any::<usize>(), 0..6)),
        vec((test_id(), outcome()), 0..3),
        vec(fixture_failure(), 0..3),
        vec(left_behind(), 0..4),
        0..=i64::MAX as u64,
        duration(),
    )
        .prop_map(
            |(results, deviated, extra, fixture_failures, left_behind, started_at, duration)| {
                let tests = results.iter().map(|result| result.test.clone()).collect();
                RunRecord {
                    order: TestOrder::new(tests).unwrap(),
                    results,
                    deviated,
                    unrequested: extra
                        .into_iter()
                        .map(|(test, outcome)| Unrequested { test, outcome })
                        .collect(),
                    fixture_failures,
                    left_behind,
                    started_at,
                    duration,
                }
            },
        )
}

fn listing() -> impl Strategy<Value = Suite> {
    let framework = prop_oneof![
        Just(Framework::JUnit3),
        Just(Framework::JUnit4),
        Just(Framework::Platform),
        Just(Framework::TestNg),
    ];
    let case = (test_id(), framework, text()).prop_map(|(id, framework, locator)| TestCase {
        id,
        framework,
        locator,
    });
    let unlistable = (text(), failure()).prop_map(|(class, failure)| Unlistable { class, failure });
    (vec(case, 0..8), vec(unlistable, 0..3))
        .prop_map(|(tests, unlistable)| Suite { tests, unlistable })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_record_comes_back_whole(
        records in vec(record(), 1..4),
        per_test in duration(),
        per_run in duration(),
    ) {
        let mut store = Store::in_memory().unwrap();
        let suite = support::suite(&mut store);
        let limits = RunLimits { per_test, per_run };
        for record in &records {
            let run = store.record(suite, &limits, record).unwrap();
            prop_assert_eq!(&store.load(run).unwrap(), record);
            let info = store.run_info(run).unwrap();
            prop_assert_eq!(&info.request, &RunRequest { order: record.order.clone(), limits });
            prop_assert_eq!(info.summary.deviated, record.deviated.is_some());
            for kind in OutcomeKind::ALL {
                let count = record.results.iter().filter(|r| r.outcome.kind() == kind).count();
                prop_assert_eq!(info.summary.counts.get(kind), count as u64);
            }
            prop_assert!(store.answers(suite, &info.request).unwrap().contains(&run));
        }
    }

    #[test]
    fn a_listing_comes_back_whole_and_replaces_the_one_before(
        first in listing(),
        second in listing(),
    ) {
        let mut store = Store::in_memory().unwrap();
        let suite = support::suite(&mut store);
        prop_assert_eq!(store.listing(suite).unwrap(), None);
        for listing in [first, second] {
            store.save_listing(suite, &listing).unwrap();
            prop_assert_eq!(store.listing(suite).unwrap(), Some(listing));
        }
    }
}

#[test]
fn durations_keep_whole_microseconds() {
    let mut store = Store::in_memory().unwrap();
    let suite = support::suite(&mut store);
    let mut record = support::passing(support::order(&["A#x"]));
    record.duration = Duration::from_nanos(1_999_999);
    let limits = RunLimits { per_test: Duration::MAX, per_run: Duration::from_nanos(1) };
    let run = store.record(suite, &limits, &record).unwrap();
    assert_eq!(store.load(run).unwrap().duration, Duration::from_micros(1999));
    // Limits that no column can hold still ask the same question.
    let request = RunRequest { order: record.order, limits };
    assert_eq!(store.answers(suite, &request).unwrap(), [run]);
}

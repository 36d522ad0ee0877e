//! Each way in which a test can misbehave gives an outcome for the right test.

#![allow(clippy::unwrap_used)] // a test panics where it fails

mod common;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use common::{listed, order_of, request_for, result, run};
use residue_model::{
    Crash, FileChange, LeftBehind, Outcome, OutcomeKind, RunRecord, Suite, TestId,
};
use residue_test_support::{Expectations, Fixture, JUNIT4};

struct Misbehaving {
    fixture: Fixture,
    suite: Suite,
    expectations: Expectations,
}

static MISBEHAVING: LazyLock<Misbehaving> = LazyLock::new(|| {
    let mut fixture = Fixture::compile("misbehaving", JUNIT4);
    fixture.spec.launch.jvm_args = vec!["-Xmx64m".into()];
    let suite = listed(&fixture);
    let expectations = Expectations::read(fixture.sources());
    Misbehaving { fixture, suite, expectations }
});

/// Runs whole classes in default order and compares with what their sources
/// expect.
fn run_classes(classes: &[&str]) -> RunRecord {
    let names: Vec<String> = classes.iter().map(|class| format!("misbehaving.{class}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Misbehaving { fixture, suite, expectations } = &*MISBEHAVING;
    let order = order_of(suite, &names);
    assert!(order.len() >= classes.len(), "not listed: {names:?} in {suite:?}");
    let mut request = request_for(order);
    if request.order.tests().iter().any(|id| expectations.of(id.as_str()) == OutcomeKind::TimedOut)
    {
        request.limits.per_test = common::SOON;
    }
    let record = run(fixture, suite, request);
    if let [_] = classes {
        for result in &record.results {
            let expected = expectations.of(result.test.as_str());
            assert_eq!(result.outcome.kind(), expected, "{}: {:?}", result.test, result.outcome);
        }
    }
    record
}

fn crash<'a>(record: &'a RunRecord, method: &str) -> &'a Crash {
    match &result(record, method).outcome {
        Outcome::Crashed(crash) => crash,
        other => panic!("{method} did not crash but: {other:?}"),
    }
}

#[test]
fn every_test_of_the_fixture_is_listed() {
    let listed: Vec<&str> = MISBEHAVING.suite.tests.iter().map(|t| t.id.as_str()).collect();
    let expected: Vec<&str> = MISBEHAVING.expectations.tests().collect();
    assert_eq!(listed, expected);
    assert!(MISBEHAVING.suite.unlistable.is_empty());
}

#[test]
fn system_exit_names_its_caller() {
    let record = run_classes(&["ExitTest"]);
    let Crash::Exit { code: 3, caller } = crash(&record, "bExits") else {
        panic!("{record:?}");
    };
    let called = |class: &str, method: &str| {
        caller.iter().any(|frame| frame.class == class && frame.method == method)
    };
    assert!(called("java.lang.System", "exit"), "{caller:?}");
    assert!(called("misbehaving.ExitTest", "bExits"), "{caller:?}");
    assert_eq!(result(&record, "bExits").output.stdout, "about to leave\n");
}

#[test]
fn halt_is_no_exit() {
    let record = run_classes(&["HaltTest"]);
    assert_eq!(crash(&record, "bHalts"), &Crash::Halt { code: 4 });
}

#[test]
fn a_native_crash_comes_with_the_vms_own_report() {
    let record = run_classes(&["CrashTest"]);
    assert_eq!(crash(&record, "bCrashes"), &Crash::Signal { signal: 6 });
    let stderr = &result(&record, "bCrashes").output.stderr;
    assert!(stderr.contains("SIGSEGV") && stderr.contains("putAddress"), "{stderr}");
    let litter: Vec<_> = MISBEHAVING.fixture.working_dir().read_dir().unwrap().flatten().collect();
    let litter = litter.iter().any(|file| file.file_name().to_string_lossy().contains("hs_err"));
    assert!(!litter, "the report is not in the project");
}

#[test]
fn out_of_memory_is_an_error_and_the_run_goes_on() {
    let record = run_classes(&["OutOfMemoryTest"]);
    let failure = result(&record, "bUsesItUp").outcome.failure().unwrap();
    assert_eq!(failure.exception, "java.lang.OutOfMemoryError");
}

#[test]
fn a_deadlock_times_out_with_a_thread_dump() {
    let record = run_classes(&["DeadlockTest"]);
    let output = &result(&record, "bDeadlocks").output.stdout;
    assert!(output.contains("Found one Java-level deadlock"), "{output}");
    assert_eq!(result(&record, "bDeadlocks").outcome, Outcome::TimedOut(common::SOON));
}

#[test]
fn an_endless_loop_times_out_even_if_it_writes() {
    let begin = Instant::now();
    let record = run_classes(&["EndlessLoopTest"]);
    assert!(begin.elapsed() < Duration::from_secs(20), "took {:?}", begin.elapsed());
    let output = &result(&record, "bLoops").output;
    assert!(output.stdout.starts_with("turn 0\nturn 1\n"), "{}", output.stdout);
    assert!(output.stdout.contains("Full thread dump"), "the dump is lost in the flood");
    assert!(output.dropped > 0);
}

#[test]
fn a_class_fixture_that_hangs_is_the_first_tests_time_out() {
    let record = run_classes(&["SlowFixtureTest"]);
    let output = &result(&record, "aFirst").output.stdout;
    assert!(output.starts_with("the fixture begins\n"), "{output}");
    assert!(output.contains("SlowFixtureTest.loops"), "{output}");
}

#[test]
fn a_thread_left_behind_is_told_and_does_not_delay_the_end() {
    let begin = Instant::now();
    let record = run_classes(&["ThreadLeftTest"]);
    assert!(begin.elapsed() < Duration::from_secs(10), "took {:?}", begin.elapsed());
    let test = TestId::parse("misbehaving.ThreadLeftTest#bLeavesThread").unwrap();
    let name = "left behind".to_owned();
    assert_eq!(record.left_behind, [LeftBehind::Thread { test, name }]);
}

#[test]
fn closing_the_standard_streams_does_not_disturb_the_events() {
    let record = run_classes(&["ClosedOutTest"]);
    assert_eq!(result(&record, "bCloses").output.stdout, "the last words\n");
    assert!(result(&record, "cAfter").output.is_empty());
    let failure = result(&record, "cAfter").outcome.failure().unwrap();
    assert_eq!(failure.message.as_deref(), Some("but this is heard"));
}

#[test]
fn redirecting_standard_output_does_not_disturb_the_marks() {
    let record = run_classes(&["RedirectedOutTest"]);
    assert_eq!(result(&record, "bRedirects").output.stdout, "before\n");
    let after = &result(&record, "cAfter").output;
    assert_eq!((after.stdout.as_str(), after.stderr.as_str()), ("", "still mine\n"));
}

#[test]
fn a_flood_of_output_is_cut_and_the_next_test_is_heard_again() {
    let record = run_classes(&["FloodTest"]);
    let flood = &result(&record, "bFloods").output;
    let limit = common::options().output_per_test;
    for text in [&flood.stdout, &flood.stderr] {
        assert!(text.starts_with("\u{fffd}xxx"), "not text at its start");
        assert_eq!(text.chars().count(), limit);
    }
    assert_eq!(flood.dropped, 2 * ((200 << 20) - limit as u64));
    assert_eq!(result(&record, "cAfter").output.stdout, "quiet again\n");
}

#[test]
fn a_file_left_in_the_working_directory_is_told_with_its_test() {
    // Alone, because a file that another test's run may have made is not told.
    let fixture = Fixture::compile("misbehaving", JUNIT4);
    let order = order_of(&MISBEHAVING.suite, &["misbehaving.ChangedFileTest"]);
    let record = run(&fixture, &MISBEHAVING.suite, request_for(order));
    let expected = LeftBehind::File {
        test: Some(TestId::parse("misbehaving.ChangedFileTest#bWrites").unwrap()),
        path: "left-behind.txt".into(),
        change: FileChange::Created,
    };
    assert_eq!(record.left_behind, [expected]);
}

#[test]
fn an_exit_before_the_first_test_is_the_first_tests_crash() {
    let record = run_classes(&["ExitInBeforeClassTest"]);
    assert!(matches!(crash(&record, "aFirst"), Crash::Exit { code: 5, .. }), "{record:?}");
}

#[test]
fn an_exit_after_the_last_test_is_the_last_tests_crash() {
    let record = run_classes(&["ExitInAfterClassTest"]);
    assert!(matches!(crash(&record, "bSecond"), Crash::Exit { code: 6, .. }), "{record:?}");
}

#[test]
fn an_exit_between_two_classes_belongs_to_the_class_that_called_it() {
    let record = run_classes(&["ExitInAfterClassTest", "HaltTest"]);
    assert!(matches!(crash(&record, "bSecond"), Crash::Exit { code: 6, .. }), "{record:?}");
    assert_eq!(result(&record, "aBefore").outcome.kind(), OutcomeKind::NotReached);
    let record = run_classes(&["ThreadLeftTest", "ExitInBeforeClassTest"]);
    assert!(matches!(crash(&record, "aFirst"), Crash::Exit { code: 5, .. }), "{record:?}");
    assert_eq!(result(&record, "cAfter").outcome.kind(), OutcomeKind::Passed);
}

#[test]
fn a_shutdown_hook_that_hangs_is_told() {
    let record = run_classes(&["HangingHookTest"]);
    assert_eq!(record.left_behind, [LeftBehind::HungAtExit]);
    assert!(record.duration >= common::options().exit_grace);
}

#[test]
fn a_process_that_a_test_started_does_not_outlive_the_run() {
    let record = run_classes(&["ChildProcessTest"]);
    let output = &result(&record, "bStartsChild").output.stdout;
    let pid = output.trim().strip_prefix("child ").unwrap_or_else(|| panic!("{output:?}"));
    let gone = |_: &u32| {
        std::thread::sleep(Duration::from_millis(10));
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        state.is_err() || state.is_ok_and(|state| state.contains(") Z "))
    };
    assert!((0..200).any(|turn| gone(&turn)), "process {pid} is still there");
}

#[test]
fn interrupting_every_thread_does_not_end_the_run() {
    run_classes(&["InterruptsEveryoneTest"]);
}

#[test]
fn the_folder_for_temporary_files_is_new_in_each_run() {
    run_classes(&["TempFileTest"]);
    run_classes(&["TempFileTest"]);
}

//! The local executor itself: fresh JVMs, the build's surroundings, stopping
//! and errors.

#![allow(clippy::unwrap_used)] // a test panics where it fails

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use common::{kinds, listed, options, request, result, run, wait};
use residue_exec::{
    ExecError, ExecEvent, Executor, Interrupt, LocalExecutor, LocalOptions, Ticket, list,
};
use residue_model::{OutcomeKind, Suite, SuiteSpec};
use residue_test_support::{Fixture, JUNIT4};

const FIRST: &str = "witness.WitnessTest#aIsFirstInItsJvm";
const TELLS: &str = "witness.WitnessTest#bTellsItsSurroundings";
const READS: &str = "witness.WitnessTest#cReadsNothing";
const SLEEPS: &str = "witness.WitnessTest#dSleeps";

static WITNESS: LazyLock<(Fixture, Suite)> = LazyLock::new(|| {
    let fixture = Fixture::compile("witness", JUNIT4);
    let suite = listed(&fixture);
    (fixture, suite)
});

fn executor(options: &LocalOptions) -> LocalExecutor {
    LocalExecutor::new(&WITNESS.0.spec, WITNESS.1.clone(), options).unwrap()
}

fn failure_of(spec: &SuiteSpec) -> ExecError {
    list(spec, &options()).unwrap_err()
}

/// Processes that have this folder in their command line.
fn processes_in(folder: &Path) -> Vec<String> {
    let folder = folder.to_string_lossy().into_owned();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|process| fs::read_to_string(process.path().join("cmdline")).ok())
        .filter(|line| line.contains(&folder))
        .collect()
}

#[test]
fn each_of_many_orders_gets_a_jvm_of_its_own() {
    let mut executor = executor(&LocalOptions { jobs: 2, ..options() });
    let mut open: Vec<u64> = (0..12).collect();
    for ticket in &open {
        executor.start(Ticket(*ticket), request(&[FIRST]));
    }
    while let Some(event) = executor.next_event() {
        if let ExecEvent::Finished { ticket, record } = event {
            assert_eq!(kinds(&record), [(FIRST.to_owned(), OutcomeKind::Passed)]);
            open.retain(|one| *one != ticket.0);
        }
    }
    assert!(open.is_empty(), "no answer for {open:?}");
}

#[test]
fn events_come_in_order_with_their_positions() {
    let mut executor = executor(&options());
    executor.start(Ticket(4), request(&[READS, FIRST]));
    let mut seen = Vec::new();
    while let Some(event) = executor.next_event() {
        seen.push(match event {
            ExecEvent::TestBegan { ticket: Ticket(4), index } => format!("began {index}"),
            ExecEvent::TestEnded { ticket: Ticket(4), index, kind } => {
                format!("ended {index} {}", kind.as_str())
            }
            ExecEvent::Finished { ticket: Ticket(4), .. } => "finished".into(),
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(seen, ["began 0", "ended 0 passed", "began 1", "ended 1 passed", "finished"]);
}

#[test]
fn tests_see_what_the_build_gives_them() {
    let mut fixture = Fixture::compile("witness", JUNIT4);
    let launch = &mut fixture.spec.launch;
    launch.system_properties = vec![("given.property".into(), "by the build".into())];
    launch.environment = vec![("GIVEN_VARIABLE".into(), Some("too".into())), ("PATH".into(), None)];
    // The executable is looked up in the host's PATH, not in the test's.
    let launch = fixture.spec.launch.clone();
    let record = run(&fixture, &WITNESS.1, request(&[TELLS]));
    let output = &result(&record, "bTellsItsSurroundings").output;
    let class_path = std::env::join_paths(&launch.class_path).unwrap();
    let expected = format!(
        "class.path={}\nuser.dir={}\nproperty=by the build\nvariable=too\npath=null\n",
        class_path.display(),
        launch.working_dir.display(),
    );
    assert_eq!(output.stdout, expected);
    assert_eq!(output.stderr, "on the other stream\n");
}

#[test]
fn words_of_the_vm_itself_belong_to_no_test() {
    let mut fixture = Fixture::compile("witness", JUNIT4);
    fixture.spec.launch.jvm_args = vec!["-XX:+PrintFlagsFinal".into()];
    let record = run(&fixture, &WITNESS.1, request(&[READS]));
    assert!(record.results[0].output.is_empty(), "{:?}", record.results[0].output);
}

#[test]
fn an_interruption_stops_everything_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let interrupt = Interrupt::new().unwrap();
    let options = LocalOptions {
        jobs: 2,
        scratch: scratch.path().into(),
        interrupt: Some(interrupt.clone()),
        ..options()
    };
    let mut executor = executor(&options);
    for ticket in 0..5 {
        executor.start(Ticket(ticket), request(&[SLEEPS]));
    }
    assert!(matches!(executor.next_event(), Some(ExecEvent::TestBegan { .. })));
    assert!(!processes_in(scratch.path()).is_empty());
    let raiser = thread::spawn(move || interrupt.raise());
    let begin = Instant::now();
    assert!(matches!(wait(&mut executor), Err(ExecError::Interrupted)));
    assert!(begin.elapsed() < common::SOON, "took {:?}", begin.elapsed());
    raiser.join().unwrap();
    assert_eq!(processes_in(scratch.path()), Vec::<String>::new());
    executor.start(Ticket(9), request(&[FIRST]));
    assert!(matches!(executor.next_event(), Some(ExecEvent::Interrupted)));
    drop(executor);
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0, "scratch is left");
}

#[test]
fn listing_can_be_interrupted_too() {
    let interrupt = Interrupt::new().unwrap();
    interrupt.raise();
    let options = LocalOptions { interrupt: Some(interrupt), ..options() };
    assert!(matches!(list(&WITNESS.0.spec, &options), Err(ExecError::Interrupted)));
}

#[test]
fn nothing_outlives_an_executor_that_is_dropped() {
    let scratch = tempfile::tempdir().unwrap();
    let mut executor =
        executor(&LocalOptions { jobs: 2, scratch: scratch.path().into(), ..options() });
    for ticket in 0..4 {
        executor.start(Ticket(ticket), request(&[FIRST, SLEEPS]));
    }
    while !matches!(executor.next_event(), Some(ExecEvent::TestEnded { .. })) {}
    assert!(processes_in(scratch.path()).len() >= 2);
    drop(executor);
    assert_eq!(processes_in(scratch.path()), Vec::<String>::new());
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0, "scratch is left");
}

#[test]
fn a_time_out_for_the_whole_run_ends_it() {
    let mut request = request(&[READS, SLEEPS, FIRST]);
    request.limits.per_test = Duration::from_secs(600);
    request.limits.per_run = Duration::from_secs(2);
    let record = run(&WITNESS.0, &WITNESS.1, request);
    use OutcomeKind::{NotReached, Passed, TimedOut};
    let found: Vec<_> = record.results.iter().map(|result| result.outcome.kind()).collect();
    assert_eq!(found, [Passed, TimedOut, NotReached]);
}

#[test]
fn an_unknown_test_fails_its_run_only() {
    let mut executor = executor(&options());
    executor.start(Ticket(1), request(&["witness.WitnessTest#gone"]));
    let error = wait(&mut executor).unwrap_err().to_string();
    assert!(error.contains("witness.WitnessTest#gone"), "{error}");
    executor.start(Ticket(2), request(&[FIRST]));
    assert_eq!(kinds(&wait(&mut executor).unwrap()).len(), 1);
    assert!(executor.next_event().is_none());
}

#[test]
fn a_jvm_that_does_not_start_says_why() {
    let mut spec = WITNESS.0.spec.clone();
    spec.launch.jvm_args = vec!["-XX:+NoSuchOption".into()];
    let error = failure_of(&spec);
    assert!(matches!(error, ExecError::RunnerDied { .. }), "{error:?}");
    assert!(error.to_string().contains("NoSuchOption"), "{error}");
}

#[test]
fn what_is_not_there_is_named() {
    let with = |change: fn(&mut SuiteSpec)| {
        let mut spec = WITNESS.0.spec.clone();
        change(&mut spec);
        failure_of(&spec).to_string()
    };
    let error = with(|spec| spec.launch.java = "/no/such/java".into());
    assert!(error.contains("no java executable at `/no/such/java`"), "{error}");
    let error = with(|spec| spec.launch.working_dir = "/no/such/dir".into());
    assert!(error.contains("`/no/such/dir`, which cannot be used"), "{error}");
    let error = with(|spec| spec.launch.class_path.push("/no/such.jar".into()));
    assert!(error.contains("class path entry `/no/such.jar`"), "{error}");
    let options = LocalOptions { scratch: "/no/such/scratch".into(), ..options() };
    let error = list(&WITNESS.0.spec, &options).unwrap_err().to_string();
    assert!(error.contains("/no/such/scratch"), "{error}");
}

#[test]
fn a_java_that_is_no_java_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let java = folder.path().join("java");
    fs::write(&java, "#!/bin/sh\necho I am a shell script\nexit 7\n").unwrap();
    let mut spec = WITNESS.0.spec.clone();
    spec.launch.java = java.clone();
    fs::set_permissions(&java, fs::Permissions::from_mode(0o644)).unwrap();
    let error = failure_of(&spec);
    assert!(matches!(error, ExecError::CannotStart { .. }), "{error:?}");
    fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
    let error = failure_of(&spec).to_string();
    assert!(error.contains("status: 7") && error.contains("I am a shell script"), "{error}");
}

//! Killed or interrupted at any moment: no completed run is lost, no record is
//! torn, nothing that was started survives, and the same command goes on.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;

use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::Subject;
use residue_model::{OutcomeKind, TestOrder};
use residue_store::{RunFilter, Store};
use rustix::process::{Pid, Signal, kill_process};

const RUNS: usize = 40;

#[test]
fn killed_at_ten_moments_an_analysis_loses_nothing_and_ends_with_the_same_answer() {
    let subject = Subject::junit4("orders");
    assert_eq!(subject.run("list", &[]).code, 0);
    let repeat = RUNS.to_string();
    let args = ["--reverse", "--repeat", &repeat];
    let mut known = 0;
    for moment in 0..10_u64 {
        let mut child = start(&subject, "run", &args);
        // Uneven steps hit start-up, running tests and storing alike.
        sleep(Duration::from_millis(150 + moment * moment * 17 % 700));
        let before = stored_runs(&subject).len();
        child.kill().unwrap();
        child.wait().unwrap();
        let after = check_every_record(&subject);
        assert!(after >= before.max(known), "{after} runs after the kill, {before} before");
        known = after;
    }
    let ended = subject.run("run", &args);
    assert_eq!(ended.code, 1, "{ended:#?}");
    assert_eq!(ended.stdout.matches("2 tests differ from the default order").count(), RUNS);
    let of_default_order = 1;
    assert_eq!(check_every_record(&subject), RUNS + of_default_order, "a run was lost or repeated");
    assert_no_jvm_survives(subject.classes());
}

#[test]
fn a_traced_detection_that_is_killed_goes_on_and_runs_nothing_twice() {
    let args = ["--jobs", "1"];
    let whole = Subject::junit4("orders");
    let expected = whole.run("detect", &args);
    assert_eq!(expected.code, 1, "{expected:#?}");
    let traced = |subject: &Subject| stored_runs(subject).iter().filter(|run| run.traced).count();
    assert!(traced(&whole) > 0, "{expected:#?}");

    let cut = Subject::junit4("orders");
    assert_eq!(cut.run("list", &[]).code, 0);
    for _ in 0..4 {
        let known = stored_runs(&cut).len();
        let mut child = start(&cut, "detect", &args);
        let deadline = Instant::now() + Duration::from_secs(60);
        while stored_runs(&cut).len() == known && Instant::now() < deadline {
            sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(stored_runs(&cut).len() > known, "nothing was kept in a minute");
    }
    let ended = cut.run("detect", &args);
    assert_eq!(findings(&cut, &ended.stdout), findings(&whole, &expected.stdout));
    assert_eq!(stored_runs(&cut).len(), stored_runs(&whole).len(), "a run was lost or repeated");
    assert_eq!(traced(&cut), traced(&whole));
    assert_no_jvm_survives(cut.classes());
}

/// What was found, without what it took, and where.
fn findings(subject: &Subject, said: &str) -> String {
    let found = said.split_once("looked at").unwrap().0;
    let named = |path: &Path| path.to_str().unwrap().to_owned();
    found
        .replace(&named(subject.folder.path()), "PROJECT")
        .replace(&named(subject.classes()), "CLASSES")
}

#[test]
fn an_interrupt_stops_every_jvm_and_keeps_the_finished_runs() {
    let subject = Subject::junit4("orders");
    assert_eq!(subject.run("list", &[]).code, 0);
    let mut child = start(&subject, "run", &["--repeat", "500"]);
    let deadline = Instant::now() + Duration::from_secs(60);
    while stored_runs(&subject).is_empty() && Instant::now() < deadline {
        sleep(Duration::from_millis(20));
    }
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(check_every_record(&subject) > 0);
    assert_no_jvm_survives(subject.classes());
}

fn start(subject: &Subject, what: &str, args: &[&str]) -> Child {
    let mut command = subject.command(what, args);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn stored_runs(subject: &Subject) -> Vec<residue_store::RunSummary> {
    let folder = subject.folder.path().join(".residue");
    Store::open(&folder).unwrap().runs(&RunFilter::default()).unwrap()
}

/// Loads every record; each must be whole. Gives their number.
fn check_every_record(subject: &Subject) -> usize {
    let store = Store::open(&subject.folder.path().join(".residue")).unwrap();
    let runs = store.runs(&RunFilter::default()).unwrap();
    for run in &runs {
        let record = store.load(run.id).unwrap();
        let tests = record.results.iter().map(|result| result.test.clone()).collect();
        assert_eq!(TestOrder::new(tests).unwrap(), record.order, "{} is torn", run.id);
        assert_eq!(record.results.len(), 4);
        let slow = record.result(&"orders.SlowTest#takesItsTime".parse().unwrap()).unwrap();
        assert_eq!(slow.outcome.kind(), OutcomeKind::Passed);
    }
    runs.len()
}

/// No process has our class folder on its command line. A JVM whose host was
/// killed needs a moment to notice.
fn assert_no_jvm_survives(classes: &Path) {
    let needle = classes.to_str().unwrap();
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let survivors = processes_with(needle);
        if survivors.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "still running: {survivors:#?}");
        sleep(Duration::from_millis(50));
    }
}

fn processes_with(needle: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(needle)).collect()
}

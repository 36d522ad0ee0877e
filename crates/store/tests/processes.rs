//! Several processes at one store, and processes that are killed at it.
//!
//! A process is this test program started again to run only `writer_process`.

#![allow(clippy::unwrap_used)] // helpers of tests may panic too

mod support;

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use residue_model::RunLimits;
use residue_store::{RunFilter, RunId, Store};
use rusqlite::Connection;
use support::numbered;

const FOLDER: &str = "RESIDUE_TEST_STORE";
const FIRST: &str = "RESIDUE_TEST_FIRST";
const COUNT: &str = "RESIDUE_TEST_COUNT";
const TESTS_PER_RUN: usize = 300;

#[test]
#[ignore = "the other process of the tests below"]
fn writer_process() {
    let number = |name| std::env::var(name).unwrap().parse::<u64>().unwrap();
    let (first, count) = (number(FIRST), number(COUNT));
    let mut store = Store::open(Path::new(&std::env::var(FOLDER).unwrap())).unwrap();
    let suite = support::suite(&mut store);
    let mut stdout = std::io::stdout().lock();
    for number in first..first + count {
        let record = numbered(number, TESTS_PER_RUN);
        let run = store.record(suite, &RunLimits::default(), &record).unwrap();
        // On a line of its own, whatever the test harness wrote before.
        writeln!(stdout, "\n{run}").unwrap();
        stdout.flush().unwrap();
    }
}

fn start_writer(folder: &Path, first: u64, count: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["writer_process", "--exact", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(FIRST, first.to_string())
        .env(COUNT, count.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The runs that a process says it has stored, as it says so.
struct Promises(BufReader<ChildStdout>);

impl Promises {
    fn of(writer: &mut Child) -> Self {
        Self(BufReader::new(writer.stdout.take().unwrap()))
    }
}

impl Iterator for Promises {
    type Item = RunId;

    /// A line cut by a kill has no end and is not taken for a promise.
    fn next(&mut self) -> Option<RunId> {
        let mut line = String::new();
        while self.0.read_line(&mut line).unwrap() > 0 {
            if let Some(Ok(run)) = line.strip_suffix('\n').map(str::parse) {
                return Some(run);
            }
            line.clear();
        }
        None
    }
}

/// Every run in the store is exactly what its writer meant, and the file sound.
fn check_soundness(folder: &Path) -> HashSet<RunId> {
    let store = Store::open(folder).unwrap();
    let runs: HashSet<RunId> =
        store.runs(&RunFilter::default()).unwrap().iter().map(|summary| summary.id).collect();
    for run in &runs {
        let record = store.load(*run).unwrap();
        let meant = numbered(record.started_at, TESTS_PER_RUN);
        assert!(record == meant, "{run} is torn");
    }
    let db = Connection::open(store.path()).unwrap();
    let sound: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    let mut violations = db.prepare("PRAGMA foreign_key_check").unwrap();
    assert!(violations.query([]).unwrap().next().unwrap().is_none());
    let orphans: i64 = db
        .query_row(
            "SELECT count(*) FROM results WHERE run_id NOT IN (SELECT run_id FROM runs)",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(orphans, 0);
    runs
}

/// Milliseconds between 1 and `most`, different each time.
fn random_moment(most: u64, nth: u64) -> Duration {
    Duration::from_millis(1 + RandomState::new().hash_one(nth) % most)
}

#[test]
fn kill_9_at_any_moment_loses_nothing_that_was_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let residue = folder.path().join(".residue");
    let mut all_promised = HashSet::new();
    for nth in 0..10 {
        let mut writer = start_writer(&residue, nth * 1_000_000, 1_000_000);
        let mut promises = Promises::of(&mut writer);
        // Every other one surely has begun to record; the rest may be opening.
        if nth % 2 == 0 {
            all_promised.insert(promises.next().unwrap());
        }
        let moment = random_moment(200, nth);
        std::thread::sleep(moment);
        writer.kill().unwrap();
        all_promised.extend(promises);
        let status = writer.wait().unwrap();
        assert!(!status.success(), "the writer ended before it was killed");

        let stored = check_soundness(&residue);
        let lost: Vec<_> = all_promised.difference(&stored).collect();
        assert!(lost.is_empty(), "killed after {moment:?}, lost {lost:?}");
        // Recorded but not yet said: at most the one run in flight.
        assert!(stored.len() <= all_promised.len() + 1);
        all_promised.extend(stored);
    }
}

#[test]
fn several_processes_open_and_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let residue = folder.path().join(".residue");
    let mut writers: Vec<Child> =
        (0..4).map(|nth| start_writer(&residue, nth * 1000, 15)).collect();
    let mut runs = HashSet::new();
    for writer in &mut writers {
        let own: Vec<RunId> = Promises::of(writer).collect();
        assert_eq!(own.len(), 15);
        runs.extend(own);
        assert!(writer.wait().unwrap().success());
    }
    assert_eq!(runs.len(), 60, "two processes were given the same run number");
    assert_eq!(check_soundness(&residue), runs);
}

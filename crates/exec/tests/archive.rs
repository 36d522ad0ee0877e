//! The class data archive: made once, used, and harmless.

#![allow(clippy::unwrap_used)] // a test panics where it fails

mod common;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use common::{kinds, listed, options, request, wait};
use residue_exec::{ExecEvent, Executor, LocalExecutor, LocalOptions, Ticket};
use residue_model::{OutcomeKind, RunRecord};
use residue_test_support::{Fixture, HandMadeClass, JUNIT4, WITH_SUBROUTINE, WITHOUT_SUBROUTINE};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Waits until there is an archive; gives its name.
fn archives_made(cache: &Path) -> Vec<String> {
    let begin = Instant::now();
    loop {
        let archives = archives_in(cache);
        if !archives.is_empty() {
            return archives;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "no archive was made");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn an_archive_is_made_once_and_used() {
    let cache = tempfile::tempdir().unwrap();
    let log = cache.path().join("loaded.log");
    let fixture = Fixture::compile("witness", JUNIT4);
    let suite = listed(&fixture);
    let mut spec = fixture.spec.clone();
    // One JVM at a time, so the last one's log is the one we find.
    spec.launch.jvm_args = vec![format!("-Xlog:class+load:file={}", log.display())];
    let options =
        LocalOptions { cache: Some(cache.path().into()), start_ahead: false, ..options() };
    let run = |executor: &mut LocalExecutor| {
        executor.start(Ticket(1), request(&["witness.WitnessTest#aIsFirstInItsJvm"]));
        wait(executor).unwrap()
    };
    let mut executor = LocalExecutor::new(&spec, suite.clone(), &options).unwrap();
    run(&mut executor);
    let made = archives_made(cache.path());
    drop(executor);
    let mut executor = LocalExecutor::new(&spec, suite.clone(), &options).unwrap();
    let record = run(&mut executor);
    assert!(record.results[0].output.is_empty(), "{:?}", record.results[0].output);
    let log = fs::read_to_string(&log).unwrap();
    for class in ["org.junit.runner.Runner ", "residue.runner.Main "] {
        let line = log.lines().find(|line| line.contains(class)).unwrap();
        assert!(line.contains("shared objects file"), "{line}");
    }
    assert_eq!(archives_made(cache.path()), made);
}

/// Classes that the JVM makes for method handles are in no file, where it would
/// look for them as soon as somebody wants to see classes.
#[test]
fn an_archive_does_no_harm_where_an_agent_watches_classes() {
    const WATCHED: &str = "watched.WatchedTest#bindsArguments";
    let mut fixture = Fixture::compile("watched", JUNIT4);
    let suite = listed(&fixture);
    let cache = tempfile::tempdir().unwrap();
    let agent = cache.path().join("agent.jar");
    let mut jar = ZipWriter::new(File::create(&agent).unwrap());
    jar.start_file("META-INF/MANIFEST.MF", SimpleFileOptions::default()).unwrap();
    jar.write_all(b"Premain-Class: watched.WatchedTest\n").unwrap();
    jar.finish().unwrap();
    fixture.spec.launch.jvm_args = vec![format!("-javaagent:{}", agent.display())];
    let options = LocalOptions { cache: Some(cache.path().into()), ..options() };
    let mut executor = LocalExecutor::new(&fixture.spec, suite, &options).unwrap();
    let mut outcomes = Vec::new();
    for _ in 0..3 {
        executor.start(Ticket(1), request(&[WATCHED]));
        outcomes.extend(kinds(&wait(&mut executor).unwrap()));
        archives_made(cache.path());
    }
    assert_eq!(outcomes, vec![(WATCHED.to_owned(), OutcomeKind::Passed); 3]);
}

/// HotSpot changes them when they are linked, which JDK 17 tried in a part of the
/// archive that cannot be written. A subclass brings them there too.
#[test]
fn an_archive_does_no_harm_to_classes_with_subroutines() {
    const CALLS: &str = "subroutines.SubroutineTest#callsInheritedMethod";
    let mut fixture = Fixture::compile("subroutines", JUNIT4);
    let cache = tempfile::tempdir().unwrap();
    let path = cache.path().join("old.jar");
    let old = HandMadeClass {
        name: "old/Finally",
        super_name: "java/lang/Object",
        format: 49,
        descriptor: "()I",
        code: WITH_SUBROUTINE,
    };
    let child = HandMadeClass {
        name: "old/Child",
        super_name: "old/Finally",
        format: 52,
        descriptor: "(I)I",
        code: WITHOUT_SUBROUTINE,
    };
    let mut jar = ZipWriter::new(File::create(&path).unwrap());
    for class in [old, child] {
        let file = format!("{}.class", class.name);
        jar.start_file(file, SimpleFileOptions::default()).unwrap();
        jar.write_all(&class.bytes()).unwrap();
    }
    jar.finish().unwrap();
    fixture.spec.launch.class_path.push(path);
    let mut executor = with_archive(&fixture, cache.path());
    for _ in 0..3 {
        let (record, warnings) = run(&mut executor, CALLS);
        assert_eq!(kinds(&record), [(CALLS.to_owned(), OutcomeKind::Passed)], "{record:?}");
        assert_eq!(warnings, [""; 0]);
        archives_made(cache.path());
    }
}

const PASSES: &str = "archived.PassesTest#passes";

#[test]
fn a_crash_that_only_an_archive_causes_is_no_outcome_and_ends_its_use() {
    const CRASHES: &str = "archived.CrashesWithArchiveTest#crashes";
    let fixture = Fixture::compile("archived", JUNIT4);
    let cache = tempfile::tempdir().unwrap();
    let mut executor = with_archive(&fixture, cache.path());
    run(&mut executor, PASSES);
    archives_made(cache.path());
    let told: Vec<_> = (0..2).map(|_| run(&mut executor, CRASHES)).collect();
    for (record, _) in &told {
        assert_eq!(kinds(record), [(CRASHES.to_owned(), OutcomeKind::Passed)], "{record:?}");
    }
    assert!(told[0].1[0].contains("class-data archive"), "{:?}", told[0].1);
    assert_eq!((told[0].1.len(), told[1].1.len()), (1, 0), "it is said once");
    assert_eq!(archives_in(cache.path()), [""; 0]);
    drop(executor);
    let mut executor = with_archive(&fixture, cache.path());
    for _ in 0..2 {
        assert_eq!(run(&mut executor, CRASHES).1, [""; 0]);
    }
    drop(executor);
    assert_eq!(archives_in(cache.path()), [""; 0], "it was made again");
}

#[test]
fn a_test_that_always_crashes_runs_twice_only_the_first_time_and_keeps_the_archive() {
    const CRASHES: &str = "archived.CrashesAlwaysTest#crashes";
    let fixture = Fixture::compile("archived", JUNIT4);
    let cache = tempfile::tempdir().unwrap();
    let log = cache.path().join("runs");
    let count = format!("echo run >> {}", log.display());
    let suite = listed(&fixture);
    let options =
        LocalOptions { cache: Some(cache.path().into()), before_run: Some(count), ..options() };
    let mut executor = LocalExecutor::new(&fixture.spec, suite, &options).unwrap();
    run(&mut executor, PASSES);
    let made = archives_made(cache.path());
    let mut runs = Vec::new();
    for _ in 0..2 {
        fs::remove_file(&log).unwrap();
        let (record, warnings) = run(&mut executor, CRASHES);
        assert_eq!(kinds(&record), [(CRASHES.to_owned(), OutcomeKind::Crashed)]);
        assert_eq!(warnings, [""; 0]);
        runs.push(fs::read_to_string(&log).unwrap().lines().count());
    }
    assert_eq!(runs, [2, 1]);
    assert_eq!(archives_made(cache.path()), made);
}

/// One JVM at a time, none of which was started before there was an archive.
fn with_archive(fixture: &Fixture, cache: &Path) -> LocalExecutor {
    let options = LocalOptions { cache: Some(cache.into()), start_ahead: false, ..options() };
    LocalExecutor::new(&fixture.spec, listed(fixture), &options).unwrap()
}

/// The record of a test alone, and what the user is told.
fn run(executor: &mut LocalExecutor, test: &str) -> (RunRecord, Vec<String>) {
    let mut warnings = Vec::new();
    executor.start(Ticket(1), request(&[test]));
    loop {
        match executor.next_event().unwrap() {
            ExecEvent::Warned { text } => warnings.push(text),
            ExecEvent::Finished { record, .. } => return (*record, warnings),
            ExecEvent::TestBegan { .. } | ExecEvent::TestEnded { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

fn archives_in(cache: &Path) -> Vec<String> {
    let files = fs::read_dir(cache.join("cds")).into_iter().flatten().flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".jsa")).collect()
}

//! Traced runs: kept whole, readable with SQL, and no answer to plain questions.

#![allow(clippy::unwrap_used)] // helpers of tests may panic too

mod support;

use residue_graph::{DependencyGraph, DependencyKind};
use residue_model::trace::{EpochKind, GapKind, Trace, Value};
use residue_model::{RunLimits, TestId};
use residue_store::{NewTrace, RunFilter, Store, StoreError};
use residue_wire::trace::{TraceReader, TraceWriter};
use rusqlite::Connection;
use support::{order, passing, request};

const TESTS: [&str; 2] = ["shop.CartTest#adds", "shop.PriceTest#sums"];

/// The first test leaves a value that the second reads.
fn trace_file() -> Vec<u8> {
    let mut writer = TraceWriter::new();
    let frame = writer.frame("shop.Cart", "add", Some("Cart.java"), Some(12));
    let test = writer.frame("shop.CartTest", "adds", Some("CartTest.java"), Some(7));
    let runner = writer.frame("junit.Runner", "run", Some("Runner.java"), Some(1));
    let stack = writer.stack(&[frame, test, runner]);
    writer.begin_epoch(EpochKind::Test, 0);
    writer.describe_static(1, "shop.Cart", "total");
    writer.write(1, Some(stack), Some(&Value::Integer(0)), Some(&Value::Integer(3)));
    writer.begin_epoch(EpochKind::Test, 1);
    writer.read(1, None);
    writer.gap(GapKind::HiddenClass, "shop.Lambda", 2);
    writer.finish();
    writer.take_bytes()
}

/// Keeps a traced run of these tests that saw what `trace_file` says.
fn save(
    store: &mut Store,
    tests: &[&str],
    settings: &str,
) -> Result<residue_store::RunId, StoreError> {
    let suite = support::suite(store);
    let file = trace_file();
    let new = NewTrace { settings, file: &file, order: &traced_tests() };
    store.save_trace(suite, &RunLimits::default(), &passing(order(tests)), &new)
}

fn traced_tests() -> Vec<TestId> {
    TESTS.iter().map(|test| TestId::parse(test).unwrap()).collect()
}

fn read(file: &[u8]) -> Trace {
    TraceReader::new(file).read(&traced_tests()).unwrap()
}

#[test]
fn a_trace_comes_back_as_it_was_and_gives_the_same_graph() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let run = save(&mut store, &TESTS, "- a.B").unwrap();
    let file = trace_file();

    let store = Store::open(folder.path()).unwrap();
    let stored = store.load_trace(run).unwrap();
    assert_eq!((stored.settings.as_str(), &stored.file), ("- a.B", &file));
    let again = read(&stored.file);
    assert_eq!(again, read(&file));
    let pairs: Vec<_> =
        DependencyGraph::new(&again).pairs(DependencyKind::ReadAfterWrite).collect();
    assert_eq!(pairs, [(1, 0)]);
    assert_eq!(store.load(run).unwrap(), passing(order(&TESTS)));
    assert!(store.runs(&RunFilter::default()).unwrap()[0].traced);
}

#[test]
fn a_traced_run_answers_only_the_question_for_a_trace() {
    let mut store = Store::in_memory().unwrap();
    let suite = support::suite(&mut store);
    let record = passing(order(&TESTS));
    let limits = RunLimits::default();
    assert_eq!(store.latest_trace(suite).unwrap(), None);
    let traced = save(&mut store, &TESTS, "one").unwrap();
    let asked = request(&TESTS);
    assert!(store.answers(suite, &asked).unwrap().is_empty());
    assert_eq!(store.traced_answers(suite, &asked, "one").unwrap(), [traced]);
    assert!(store.traced_answers(suite, &asked, "another").unwrap().is_empty());
    let plain = store.record(suite, &limits, &record).unwrap();
    assert_eq!(store.answers(suite, &asked).unwrap(), [plain]);
    assert_eq!(store.latest_trace(suite).unwrap(), Some(traced));
    let missing = store.load_trace(plain).unwrap_err();
    assert!(matches!(missing, StoreError::NoSuchTrace { .. }), "{missing}");
}

#[test]
fn a_trace_of_another_order_is_refused() {
    let mut store = Store::in_memory().unwrap();
    let refused = save(&mut store, &["shop.CartTest#adds"], "").unwrap_err();
    assert!(matches!(refused, StoreError::Inconsistent { .. }), "{refused}");
    assert!(store.runs(&RunFilter::default()).unwrap().is_empty());
}

#[test]
fn dependencies_can_be_read_with_sql_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let run = save(&mut store, &TESTS, "").unwrap();
    let trace = read(&trace_file());
    // Twice is once.
    for _ in 0..2 {
        store.describe_trace(run, &DependencyGraph::new(&trace)).unwrap();
    }
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let db = Connection::open_with_flags(store.path(), flags).unwrap();
    let line = |sql: &str| db.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(
        line(
            "SELECT run || ' ' || kind || ' ' || test || ' ' || depends_on || ' ' || location
                    || ' ' || old || ' ' || new FROM trace_dependencies"
        ),
        "r1 read-after-write shop.PriceTest#sums shop.CartTest#adds Cart.total 0 3"
    );
    assert_eq!(
        line("SELECT earlier_stack FROM trace_dependencies"),
        "shop.Cart.add(Cart.java:12)\nshop.CartTest.adds(CartTest.java:7)"
    );
    assert_eq!(line("SELECT root FROM trace_locations"), "shop.Cart#total");
    assert_eq!(line("SELECT kind || times FROM trace_gaps"), "hidden-class2");
    assert_eq!(line("SELECT traced || '' FROM run_summary"), "1");
}

/// A file as version 1 left it, with a run in it.
#[test]
fn a_store_of_version_1_is_brought_up_to_date_and_keeps_its_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("residue.db");
    let db = Connection::open(&path).unwrap();
    db.execute_batch(include_str!("../src/schema/v1.sql")).unwrap();
    db.execute_batch(&format!(
        "PRAGMA application_id = {}; PRAGMA user_version = 1;
         INSERT INTO suites VALUES (1, 'core', '{}', 0, NULL);
         INSERT INTO tests VALUES (1, 'shop.CartTest#adds');
         INSERT INTO runs VALUES (1, 1, 'digest', 60000000, 3600000000, 5, 6, NULL,
                                  1, 1, 0, 0, 0, 0, 0, 0);
         INSERT INTO results VALUES (1, 0, 1, 'passed', 7, NULL);",
        0x5265_7364,
        "a".repeat(64)
    ))
    .unwrap();
    drop(db);
    let mut store = Store::open(folder.path()).unwrap();
    let runs = store.runs(&RunFilter::default()).unwrap();
    assert_eq!(runs.len(), 1);
    assert!(!runs[0].traced);
    assert_eq!(store.load(runs[0].id).unwrap().results[0].test.as_str(), "shop.CartTest#adds");
    let suite = support::suite(&mut store);
    let file = trace_file();
    let new = NewTrace { settings: "", file: &file, order: &traced_tests() };
    let run =
        store.save_trace(suite, &RunLimits::default(), &passing(order(&TESTS)), &new).unwrap();
    assert_eq!(run.to_string(), "r2");
}

//! The file can be read with SQL alone.

#![allow(clippy::unwrap_used)] // helpers of tests may panic too

mod support;

use residue_model::RunLimits;
use residue_store::Store;
use rusqlite::Connection;
use support::numbered;

#[test]
fn views_show_runs_results_and_stacks_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let suite = support::suite(&mut store);
    store.record(suite, &RunLimits::default(), &numbered(0, 10)).unwrap();
    // Read only, while residue has it open, as a curious person would.
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let db = Connection::open_with_flags(store.path(), flags).unwrap();
    let line = |sql: &str| db.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();

    assert_eq!(
        line("SELECT run || ' ' || suite || ' ' || passed || ' ' || failed FROM run_summary"),
        "r1 core 8 2"
    );
    assert_eq!(
        line(
            "SELECT position || ' ' || test || ' ' || outcome || ' ' || exception || ' ' || message
               FROM run_results WHERE run = 'r1' AND outcome <> 'passed' AND position > 1"
        ),
        "8 shop.Test0#case7 failed java.lang.AssertionError expected 7"
    );
    assert_eq!(
        line(
            "SELECT class || ' ' || method || ' ' || file || ' ' || line FROM stack_frames
              WHERE depth = 2 ORDER BY explanation_id LIMIT 1"
        ),
        "shop.CartTest check CartTest.java 0"
    );
}

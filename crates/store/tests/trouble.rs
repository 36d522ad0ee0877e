//! Files that are not ours, disks that are full: clear words, nothing lost.

#![allow(clippy::unwrap_used)] // helpers of tests may panic too

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use residue_model::RunLimits;
use residue_store::{RunFilter, Store, StoreError};
use rusqlite::Connection;
use support::numbered;
use tempfile::TempDir;

fn database(folder: &Path) -> PathBuf {
    folder.join("residue.db")
}

/// A closed store with one run.
fn store_with_a_run() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let suite = support::suite(&mut store);
    store.record(suite, &RunLimits::default(), &numbered(1, 20)).unwrap();
    folder
}

fn edit(folder: &Path, sql: &str) {
    Connection::open(database(folder)).unwrap().execute_batch(sql).unwrap();
}

/// Opening is refused and does not change a byte of the file.
fn refused_untouched(folder: &Path) -> StoreError {
    let before = fs::read(database(folder)).unwrap();
    let refused = Store::open(folder).unwrap_err();
    assert!(fs::read(database(folder)).unwrap() == before, "the file was changed");
    let text = refused.to_string();
    assert!(text.contains(database(folder).to_str().unwrap()), "{text}");
    refused
}

#[test]
fn a_store_of_a_newer_version_is_refused_untouched() {
    let folder = store_with_a_run();
    edit(folder.path(), "PRAGMA user_version = 99");
    let refused = refused_untouched(folder.path());
    assert!(
        matches!(refused, StoreError::NewerVersion { found: 99, supported: 6, .. }),
        "{refused}"
    );
    assert!(refused.to_string().contains("update residue"), "{refused}");
}

#[test]
fn a_store_that_becomes_newer_while_open_is_not_written_any_more() {
    let folder = store_with_a_run();
    let mut store = Store::open(folder.path()).unwrap();
    let suite = support::suite(&mut store);
    edit(folder.path(), "PRAGMA user_version = 7");
    let refused = store.record(suite, &RunLimits::default(), &numbered(2, 20)).unwrap_err();
    assert!(matches!(refused, StoreError::NewerVersion { found: 7, .. }), "{refused}");
}

#[test]
fn a_file_that_is_no_database_is_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(database(folder.path()), "Dear diary, today I wrote no tests. ".repeat(99)).unwrap();
    let refused = refused_untouched(folder.path());
    assert!(matches!(refused, StoreError::NotAStore { .. }), "{refused}");
}

#[test]
fn a_database_of_another_program_is_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    edit(folder.path(), "CREATE TABLE runs (distance_km REAL)");
    let refused = refused_untouched(folder.path());
    assert!(matches!(refused, StoreError::NotAStore { .. }), "{refused}");
}

#[test]
fn a_store_whose_pages_are_overwritten_is_refused_and_not_a_panic() {
    let folder = store_with_a_run();
    let mut bytes = fs::read(database(folder.path())).unwrap();
    bytes[100..].fill(0x5a);
    fs::write(database(folder.path()), bytes).unwrap();
    let refused = Store::open(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::NotAStore { .. }), "{refused}");
}

#[test]
fn an_empty_file_left_by_a_killed_process_becomes_a_store() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(database(folder.path()), "").unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    support::suite(&mut store);
}

#[test]
fn a_value_that_residue_never_writes_is_reported_with_its_place() {
    let folder = store_with_a_run();
    let store = Store::open(folder.path()).unwrap();
    let run = store.runs(&RunFilter::default()).unwrap()[0].id;
    edit(folder.path(), "UPDATE results SET outcome = 'meh' WHERE position = 3");
    let damaged = store.load(run).unwrap_err();
    assert!(matches!(damaged, StoreError::Damaged { .. }), "{damaged}");
    assert!(damaged.to_string().contains("`meh` is not an outcome"), "{damaged}");

    edit(folder.path(), "DELETE FROM results WHERE position = 3");
    let torn = store.load(run).unwrap_err();
    assert!(torn.to_string().contains("r1 has 19 results instead of 20"), "{torn}");
}

#[test]
fn a_full_disk_costs_only_the_run_that_did_not_fit() {
    // A real full disk needs a small file system, which only root may mount.
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let residue = disk.path().join(".residue");
    let mut store = Store::open(&residue).unwrap();
    let suite = support::suite(&mut store);
    let limits = RunLimits::default();
    let mut kept = Vec::new();
    let full = loop {
        let number = kept.len() as u64;
        match store.record(suite, &limits, &numbered(number, 500)) {
            Ok(run) => kept.push(run),
            Err(error) => break error,
        }
        assert!(kept.len() < 10_000, "the disk never filled");
    };
    assert!(matches!(full, StoreError::DiskFull { .. }), "{full}");
    assert!(!kept.is_empty());
    let survives = |store: &Store| {
        for (number, run) in kept.iter().enumerate() {
            assert_eq!(store.load(*run).unwrap(), numbered(number as u64, 500));
        }
        assert_eq!(store.runs(&RunFilter::default()).unwrap().len(), kept.len());
    };
    survives(&store);
    drop(store);
    survives(&Store::open(&residue).unwrap());
}

#[test]
fn a_store_on_a_read_only_disk_says_so() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let (existing, missing) = (disk.path().join(".residue"), disk.path().join("other/.residue"));
    drop(Store::open(&existing).unwrap());
    disk.make_read_only();
    for folder in [existing, missing] {
        let refused = Store::open(&folder).unwrap_err();
        assert!(matches!(refused, StoreError::ReadOnly { .. }), "{refused}");
        assert!(refused.to_string().contains("make the file and its folder writable"));
    }
}

#[test]
fn a_file_in_place_of_the_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".residue");
    fs::write(&path, "not a folder").unwrap();
    let refused = Store::open(&path).unwrap_err();
    assert!(matches!(refused, StoreError::Io { .. }), "{refused}");
    assert!(refused.to_string().contains(path.to_str().unwrap()), "{refused}");
}

/// A file system of 2 MB.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(folder.path())
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn make_read_only(&self) {
        let remounted =
            Command::new("mount").args(["-o", "remount,ro"]).arg(self.path()).status().unwrap();
        assert!(remounted.success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(self.0.path()).status();
        assert!(unmounted.is_ok_and(|status| status.success()), "left a mount behind");
    }
}

//! `--restore` and `--before-run`: every order starts from the same world.
//! See `fixtures/restoring`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail
#![allow(unreachable_pub)] // nobody else uses the modules of a test

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use common::Subject;

/// Paths in the project with what is there.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            let kind = entry.file_type().unwrap();
            if name == ".residue" {
                continue;
            } else if kind.is_symlink() {
                found.insert(name, format!("-> {}", fs::read_link(&path).unwrap().display()));
            } else if kind.is_dir() {
                found.insert(name, "folder".into());
                folders.push(path);
            } else {
                found.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

fn prepared() -> Subject {
    let subject = Subject::junit4("restoring");
    let folder = subject.folder.path();
    let files = ["overwritten", "appended", "deleted", "renamed", "replaced", "for-child"];
    for name in files {
        fs::write(folder.join(name), "original").unwrap();
    }
    fs::create_dir(folder.join("empty")).unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    fs::write(folder.join("folder/inside"), "original").unwrap();
    symlink("overwritten", folder.join("link")).unwrap();
    subject
}

#[test]
fn what_a_run_did_to_files_is_undone_before_the_next() {
    let subject = prepared();
    let before = tree(subject.folder.path());
    let said = subject.run("run", &["--restore", "--repeat", "2"]);
    assert_eq!(said.code, 0, "{said:#?}");
    assert_eq!(tree(subject.folder.path()), before);
    assert!(said.stdout.contains("the run deleted the file"), "it is told all the same: {said:#?}");
    let said = subject.run("trace", &["--restore"]);
    assert_eq!(said.code, 0, "{said:#?}");
    assert_eq!(tree(subject.folder.path()), before);
}

#[test]
fn without_it_the_second_run_fails() {
    let subject = prepared();
    let said = subject.run("run", &["--repeat", "2"]);
    assert_ne!(said.code, 0, "{said:#?}");
}

#[test]
fn a_command_runs_before_each_order_and_keeps_it_from_running_if_it_fails() {
    let subject = prepared();
    let args = ["--restore", "--repeat", "2", "--before-run", "echo x >> before-run.log"];
    assert_eq!(subject.run("run", &args).code, 0);
    let log = fs::read_to_string(subject.folder.path().join("before-run.log")).unwrap();
    assert_eq!(log, "x\nx\n");
    let said = subject.run("run", &["--before-run", "echo no database; false"]);
    said.refuses(4, &["--before-run", "no database", "exit status: 1"]);
}

//! `--restore` and `--before-run`: every order starts from the same world.
//! See `fixtures/restoring`.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail
#![allow(unreachable_pub)] // nobody else uses the modules of a test

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use common::Subject;

/// Paths in the project with what is there, permissions included.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            let kind = entry.file_type().unwrap();
            let mode = entry.metadata().unwrap().mode() & 0o777;
            if name == ".residue" {
                continue;
            } else if kind.is_symlink() {
                found.insert(name, format!("-> {}", fs::read_link(&path).unwrap().display()));
            } else if kind.is_dir() {
                found.insert(name, format!("folder {mode:o}"));
                folders.push(path);
            } else {
                found.insert(name, format!("{} {mode:o}", fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

const FILES: [&str; 8] = [
    "overwritten",
    "appended",
    "deleted",
    "renamed",
    "replaced",
    "for-child",
    "for-child-too",
    "moved-out",
];

/// A project, and a folder in the temporary folder of the machine.
struct Prepared {
    subject: Subject,
    fixed: tempfile::TempDir,
}

impl Prepared {
    fn run(&self, command: &str, args: &[&str]) -> common::Said {
        let mut command = self.subject.command(command, args);
        common::said(command.env("FIXED_FOLDER", self.fixed.path()).output().unwrap())
    }

    fn folder(&self) -> &Path {
        self.subject.folder.path()
    }
}

fn prepared() -> Prepared {
    let subject = Subject::junit4("restoring");
    let folder = subject.folder.path();
    for name in FILES {
        fs::write(folder.join(name), "original").unwrap();
    }
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.join("for-child-too"), executable).unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    fs::create_dir(folder.join("empty-too")).unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    fs::write(folder.join("folder/inside"), "original").unwrap();
    symlink("overwritten", folder.join("link")).unwrap();
    Prepared { subject, fixed: tempfile::tempdir().unwrap() }
}

#[test]
fn what_a_run_did_to_files_is_undone_before_the_next() {
    let prepared = prepared();
    let modified = || fs::metadata(prepared.folder().join("empty-too")).unwrap().mtime();
    let (before, modified_before) = (tree(prepared.folder()), modified());
    let said = prepared.run("run", &["--restore", "--repeat", "2"]);
    assert_eq!(said.code, 0, "{said:#?}");
    assert_eq!(tree(prepared.folder()), before);
    assert_eq!(modified(), modified_before);
    assert!(said.stdout.contains("the run deleted the file"), "it is told all the same: {said:#?}");
    let made = prepared.fixed.path().join("made").display().to_string();
    assert!(said.stdout.contains(&made), "{made} is missing in {said:#?}");
    let said = prepared.run("trace", &["--restore"]);
    assert_eq!(said.code, 0, "{said:#?}");
    assert_eq!(tree(prepared.folder()), before);
    assert!(tree(prepared.fixed.path()).is_empty(), "the temporary folder is as it was");
}

#[test]
fn without_it_the_second_run_fails() {
    let prepared = prepared();
    let said = prepared.run("run", &["--repeat", "2"]);
    assert_ne!(said.code, 0, "{said:#?}");
}

#[test]
fn a_command_runs_before_each_order_and_keeps_it_from_running_if_it_fails() {
    let prepared = prepared();
    let args = ["--restore", "--repeat", "2", "--before-run", "echo x >> before-run.log"];
    assert_eq!(prepared.run("run", &args).code, 0);
    let log = fs::read_to_string(prepared.folder().join("before-run.log")).unwrap();
    assert_eq!(log, "x\nx\n");
    let said = prepared.run("run", &["--before-run", "echo no database; false"]);
    said.refuses(4, &["--before-run", "no database", "exit status: 1"]);
}

//! Bad input: a clear error that says what, where and what to do, with the
//! documented exit code.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use common::{Subject, residue, said};

const USAGE: i32 = 2;
const PROJECT: i32 = 3;
const ENVIRONMENT: i32 = 4;
const STORE: i32 = 5;

#[test]
fn a_folder_without_a_build() {
    let folder = tempfile::tempdir().unwrap();
    let said = said(residue().arg("list").arg(folder.path()).output().unwrap());
    said.refuses(PROJECT, &[folder.path().to_str().unwrap(), "pom.xml", "--classpath"]);
}

#[test]
fn a_broken_pom() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pom.xml"), "<project><modelVersion>4.0.0").unwrap();
    let said = said(residue().arg("list").arg(folder.path()).output().unwrap());
    said.refuses(PROJECT, &["pom.xml"]);
}

#[test]
fn a_build_that_fails_with_the_arguments_of_the_project_and_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("pom.xml", "<project/>");
    write("residue.toml", "[build]\nargs = [\"-Pslow\", \"-Dname=a b\"]\n");
    write("mvnw", "#!/bin/sh\nfor word; do echo \"[ERROR] got <$word>\"; done\nexit 1\n");
    let wrapper = folder.path().join("mvnw");
    fs::set_permissions(wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    let list = || {
        let mut residue = residue();
        residue.arg("list").arg(folder.path()).arg("--build-arg=-Pfast");
        said(residue.output().unwrap())
    };
    list().refuses(PROJECT, &["<-Pslow>", "<-Dname=a b>", "<-Pfast>"]);
    write("residue.toml", "[build]\nargs = \"-Pslow\"\n");
    list().refuses(USAGE, &["residue.toml", "line 2", "args"]);
}

#[test]
fn a_project_without_tests() {
    let subject = Subject::junit4("orders");
    let empty = subject.folder.path().join("no-classes");
    fs::create_dir(&empty).unwrap();
    let mut residue = residue();
    residue.arg("list").arg(subject.folder.path()).arg("--classpath").arg(subject.class_path());
    said(residue.arg("--test-classes").arg(&empty).output().unwrap()).refuses(PROJECT, &["test"]);
}

#[test]
fn wrong_orders() {
    let subject = Subject::junit4("orders");
    let run = |args: &[&str]| subject.run("run", args);
    run(&["--tests", "orders.CounterTest#bcounts"])
        .refuses(USAGE, &["no test `orders.CounterTest#bcounts`", "did you mean", "bCounts"]);
    run(&["--tests", "orders.CounterTest#bCounts,orders.CounterTest"])
        .refuses(USAGE, &["`orders.CounterTest#bCounts` is listed twice"]);
    run(&["--order", "/no/such/file"]).refuses(USAGE, &["/no/such/file"]);
    let file = subject.folder.path().join("order.txt");
    fs::write(&file, "# a comment\n\norders.CounterTest#\n").unwrap();
    run(&["--order", file.to_str().unwrap()])
        .refuses(USAGE, &["order.txt, line 3", "not a test id"]);
    fs::write(&file, "# nothing\n").unwrap();
    run(&["--order", file.to_str().unwrap()]).refuses(USAGE, &["order.txt", "names no test"]);
    run(&["--reverse", "--shuffle", "1"]).refuses(USAGE, &["cannot be used with"]);
    run(&["--suite", "nope"]).refuses(USAGE, &["no suite `nope`"]);
    subject.run("replay", &["r99"]).refuses(USAGE, &["r99"]);
    subject.run("replay", &["seven"]).refuses(USAGE, &["`seven` is not a run"]);
}

#[test]
fn a_class_path_entry_that_is_missing_or_unreadable() {
    let subject = Subject::junit4("orders");
    let broken = |entry: &str| {
        let mut residue = residue();
        residue.arg("list").arg(subject.folder.path());
        residue.arg("--classpath").arg(format!("{}:{entry}", subject.class_path()));
        said(residue.arg("--test-classes").arg(subject.classes()).output().unwrap())
    };
    broken("/no/such.jar").refuses(PROJECT, &["/no/such.jar"]);
    let not_a_jar = subject.folder.path().join("broken.jar");
    fs::write(&not_a_jar, "not a jar").unwrap();
    fs::set_permissions(&not_a_jar, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&not_a_jar).is_err() {
        broken(not_a_jar.to_str().unwrap()).refuses(PROJECT, &["broken.jar"]);
    }
}

#[test]
fn a_class_that_does_not_load_is_named_and_the_others_are_listed() {
    let subject = Subject::junit4("orders");
    fs::write(subject.classes().join("BrokenTest.class"), b"\xCA\xFE\xBA\xBE\0\0").unwrap();
    let listed = subject.run("list", &[]);
    assert_eq!(listed.code, 0, "{listed:#?}");
    assert!(listed.stderr.contains("class BrokenTest"), "{listed:#?}");
    assert!(listed.stdout.contains("orders.CounterTest#bCounts"), "{listed:#?}");
}

#[test]
fn no_jdk() {
    let subject = Subject::junit4("orders");
    let mut command = subject.command("list", &[]);
    let said = said(command.env("PATH", "/nowhere").env_remove("JAVA_HOME").output().unwrap());
    said.refuses(ENVIRONMENT, &["JAVA_HOME"]);
}

#[test]
fn a_store_of_a_newer_version_or_of_somebody_else() {
    let subject = Subject::junit4("orders");
    assert_eq!(subject.run("list", &[]).code, 0);
    let file = subject.folder.path().join(".residue/residue.db");
    let mut bytes = fs::read(&file).unwrap();
    bytes[60..64].copy_from_slice(&999_u32.to_be_bytes()); // PRAGMA user_version
    fs::write(&file, &bytes).unwrap();
    subject.run("list", &[]).refuses(STORE, &["residue.db", "999"]);
    assert_eq!(fs::read(&file).unwrap(), bytes, "a store of a newer version stays as it is");

    fs::write(&file, "my diary").unwrap();
    subject.run("list", &[]).refuses(STORE, &["residue.db"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "my diary");
}

#[test]
fn a_json_file_that_cannot_be_written_costs_no_run() {
    let subject = Subject::junit4("orders");
    let target = subject.folder.path().join("no-such-folder/runs.json");
    subject.run("run", &["--json", target.to_str().unwrap()]).refuses(STORE, &["runs.json"]);
    assert_eq!(subject.look(&["runs"]).stdout.lines().count(), 1, "the run itself is kept");
}

#[test]
fn a_full_disk() {
    let subject = Subject::junit4("orders");
    let Some(_disk) = TinyDisk::mount(subject.folder.path(), "64k") else { return };
    subject.run("run", &[]).refuses(STORE, &["space"]);
}

/// A file system of this size, for as long as it lives. `None` where mounting
/// is not allowed.
struct TinyDisk<'a>(&'a Path);

impl<'a> TinyDisk<'a> {
    fn mount(at: &'a Path, size: &str) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(at);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        mounted.then_some(Self(at))
    }
}

impl Drop for TinyDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).output();
    }
}

#[test]
fn looking_at_a_project_where_nothing_ran_makes_no_store() {
    let folder = tempfile::tempdir().unwrap();
    let said = said(residue().arg("runs").arg(folder.path()).output().unwrap());
    said.refuses(USAGE, &["nothing was run there yet"]);
    assert!(!folder.path().join(".residue").exists());
}

//! Runs the real binary on a compiled fixture.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)] // not every test file uses everything

pub mod claims;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use residue_test_support::{Fixture, JUNIT4};

/// A project folder without a build, and a compiled suite to run in it.
pub struct Subject {
    pub fixture: Fixture,
    pub folder: tempfile::TempDir,
}

impl Subject {
    pub fn junit4(name: &str) -> Self {
        let fixture = Fixture::compile(name, JUNIT4);
        Self { fixture, folder: tempfile::tempdir().unwrap() }
    }

    pub fn classes(&self) -> &Path {
        &self.fixture.spec.launch.class_path[0]
    }

    pub fn class_path(&self) -> String {
        let entries = &self.fixture.spec.launch.class_path;
        std::env::join_paths(entries).unwrap().into_string().unwrap()
    }

    /// `residue COMMAND PROJECT --classpath … ARGS`
    pub fn command(&self, command: &str, args: &[&str]) -> Command {
        let mut residue = residue();
        residue.arg(command).args(args).arg(self.folder.path());
        residue.arg("--classpath").arg(self.class_path());
        residue.arg("--test-classes").arg(self.classes());
        residue
    }

    pub fn run(&self, command: &str, args: &[&str]) -> Said {
        said(self.command(command, args).output().unwrap())
    }

    /// A command that only looks at the store.
    pub fn look(&self, args: &[&str]) -> Said {
        said(residue().args(args).arg(self.folder.path()).output().unwrap())
    }
}

/// The homes of all JDKs of this machine.
pub fn jdk_homes() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
    let homes = entries.map(|entry| entry.path()).filter(|home| !home.is_symlink());
    homes.filter(|home| home.join("bin/javac").is_file()).collect()
}

pub fn residue() -> Command {
    let mut residue = Command::new(env!("CARGO_BIN_EXE_residue"));
    residue.env("NO_COLOR", "1");
    residue
}

/// A command line that the program printed.
pub fn pasted(command: &str) -> Said {
    let program = Path::new(env!("CARGO_BIN_EXE_residue")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program.to_path_buf()).chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("PATH", std::env::join_paths(folders).unwrap());
    said(shell.env("NO_COLOR", "1").output().unwrap())
}

/// What the program printed and how it ended.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

pub fn said(output: Output) -> Said {
    Said {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Said {
    /// Checks the exit code and that the error says all of this.
    #[track_caller]
    pub fn refuses(&self, code: i32, all_of: &[&str]) {
        assert_eq!(self.code, code, "{self:#?}");
        for part in all_of {
            assert!(self.stderr.contains(part), "{part:?} is missing in {self:#?}");
        }
    }
}

//! docs/reference.md shows the real `--help` of every command. Run with
//! `UPDATE_DOCS=1` to bring it up to date.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const START: &str = "<!-- help:";

#[test]
fn the_reference_shows_the_real_help_of_every_command() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference.md");
    let document = fs::read_to_string(&path).unwrap();
    let current = with_current_help(&document);
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &current).unwrap();
        return;
    }
    assert!(
        document == current,
        "docs/reference.md is out of date: run `UPDATE_DOCS=1 cargo test -p residue --test reference`"
    );
}

#[test]
fn the_reference_has_every_command() {
    let document = include_str!("../../../docs/reference.md");
    for command in commands() {
        assert!(document.contains(&format!("{START} {command} -->")), "no section for {command}");
    }
}

#[test]
fn the_reference_has_every_exit_code() {
    let document = include_str!("../../../docs/reference.md");
    let source = include_str!("../src/exit_code.rs");
    let codes = source.lines().filter_map(|line| line.trim().strip_suffix(',')?.split_once(" = "));
    let mut seen = 0;
    for (name, code) in codes {
        assert!(document.contains(&format!("| {code} |")), "exit code {code} ({name}) is missing");
        seen += 1;
    }
    assert!(seen >= 7, "only {seen} exit codes found in the source");
}

/// Replaces the block after each marker by what the program says.
fn with_current_help(document: &str) -> String {
    let mut parts = document.split(START);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (command, rest) = part.split_once("-->").expect("a help marker is closed");
        let after = rest.splitn(3, "```").nth(2).expect("a help marker is followed by a block");
        let help = help(command.trim());
        result += &format!("{START}{command}-->\n```text\n{help}```{after}");
    }
    result
}

fn help(command: &str) -> String {
    let mut residue = Command::new(env!("CARGO_BIN_EXE_residue"));
    if command != "residue" {
        residue.arg(command);
    }
    let output = residue.arg("--help").env("NO_COLOR", "1").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn commands() -> Vec<String> {
    let overview = help("residue");
    let listed = overview.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names =
        listed.take_while(|line| !line.is_empty()).filter_map(|l| l.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

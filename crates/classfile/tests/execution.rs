//! Runs rewritten classes under full verification. Each class of `tests/java`
//! with a `run` method says in comments which hooks it calls, in that order,
//! and what it returns.
#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod support;

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use support::assembler;
use support::{NamedFields, class_files, compile, java_sources, rewrite, run};

/// What came of a class.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    hooks: Vec<String>,
    result: String,
}

fn expectation(name: &str) -> Outcome {
    let is_it = |path: &&std::path::PathBuf| path.file_stem().is_some_and(|stem| stem == name);
    let source = java_sources().iter().find(is_it).map(|path| fs::read_to_string(path).unwrap());
    let source = source.unwrap_or_else(|| panic!("there is no tests/java/{name}.java"));
    let after = |mark: &str| -> Vec<String> {
        let texts = source.lines().filter_map(|line| line.split_once(mark));
        texts.map(|(_, text)| text.trim().to_owned()).collect()
    };
    Outcome { hooks: after("// hook: "), result: after("// result: ").join("\n") }
}

/// Rewrites and runs everything once.
fn outcomes() -> &'static Vec<(String, Outcome)> {
    static OUTCOMES: OnceLock<Vec<(String, Outcome)>> = OnceLock::new();
    OUTCOMES.get_or_init(|| {
        let folder = compile();
        for (name, class) in assembler::samples() {
            fs::write(folder.path().join(format!("{name}.class")), class).unwrap();
        }
        let mut ids = NamedFields::default();
        let mut names = Vec::new();
        for file in class_files(folder.path()) {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            if matches!(name.as_str(), "LogHook" | "Driver") {
                continue;
            }
            let rewritten = rewrite(&fs::read(&file).unwrap(), &mut ids);
            assert_eq!(rewritten.declined_methods, [], "{name}");
            if let Some(bytes) = rewritten.bytes {
                fs::write(&file, bytes).unwrap();
            }
            if !name.contains('$') {
                names.push(name);
            }
        }
        drive(folder.path(), &names, &ids)
    })
}

fn drive(classes: &Path, names: &[String], ids: &NamedFields) -> Vec<(String, Outcome)> {
    let class_path = classes.to_str().unwrap();
    let mut arguments =
        vec!["-XX:TieredStopAtLevel=1", "-Xverify:all", "-cp", class_path, "Driver"];
    arguments.extend(names.iter().map(String::as_str));
    let said = run("java", &arguments);
    let mut found: Vec<(String, Outcome)> = Vec::new();
    for line in said.lines() {
        match line.split_once(' ') {
            Some(("scenario", name)) => {
                let outcome = Outcome { hooks: Vec::new(), result: String::new() };
                found.push((name.to_owned(), outcome));
            }
            Some(("hook", call)) => found.last_mut().unwrap().1.hooks.push(readable(call, ids)),
            Some(("result", result)) => found.last_mut().unwrap().1.result = result.to_owned(),
            _ => panic!("the driver printed {line}"),
        }
    }
    found
}

/// Puts the name of a field where the driver printed its number.
fn readable(call: &str, ids: &NamedFields) -> String {
    match call.split_once(' ') {
        Some((
            hook
            @ ("read" | "write" | "writeRef" | "staticRead" | "staticWrite" | "staticWriteRef"),
            id,
        )) => format!("{hook} {}", ids.name(id.parse().unwrap())),
        _ => call.to_owned(),
    }
}

fn outcome(name: &str) -> &'static Outcome {
    let found = outcomes().iter().find(|(known, _)| known == name);
    &found.unwrap_or_else(|| panic!("{name} was not run")).1
}

fn check(name: &str) {
    assert_eq!(*outcome(name), expectation(name));
}

macro_rules! java_tests {
    ($($test:ident $class:literal,)*) => {
        $(#[test] fn $test() { check($class); })*
    };
}

java_tests! {
    every_kind_of_field_is_hooked "Fields",
    every_kind_of_array_is_hooked "Elements",
    loops_run_their_hooks_again "Loops",
    superfluous_hooks_are_left_out "Redundant",
    objects_under_construction_are_left_alone "Construction",
    what_never_changes_is_left_alone "Finals",
    copies_are_reported "Copies",
    class_initializers_report_their_end "Initializers",
    switches_survive "Switches",
    handlers_and_lines_survive "Exceptions",
    uninitialized_objects_in_frames_survive "Uninitialized",
    calls_are_replaced "Replaced",
    entries_run_once "Entered",
}

fn of(hook: &str, field: &str, times: usize) -> Vec<String> {
    vec![format!("{hook} {field}"); times]
}

#[test]
fn subroutines_of_old_classes_survive() {
    let found = outcome("Subroutine");
    assert_eq!(found.result, "21");
    assert_eq!(found.hooks, of("staticWrite", "Subroutine.count", 2));
}

#[test]
fn far_jumps_of_old_classes_become_wide() {
    let found = outcome("FarOld");
    assert_eq!(found.result, "5");
    assert_eq!(found.hooks, of("staticRead", "FarOld.field", assembler::FAR_READS));
}

#[test]
fn far_jumps_become_wide_where_frames_allow() {
    let found = outcome("FarNew");
    assert_eq!(found.result, "5");
    assert_eq!(found.hooks, of("staticRead", "FarNew.field", assembler::FAR_READS));
}

#[test]
fn old_constructors_without_frames_set_fields_before_super() {
    let found = outcome("OldConstructor");
    assert_eq!(found.result, "7");
    assert_eq!(found.hooks, of("read", "OldConstructor.value", 1));
}

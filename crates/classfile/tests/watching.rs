//! Classes that tell which of their code runs, under full verification. In
//! `Watched.java` each line with code says whether it runs.
#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use residue_classfile::{Rewritten, text};
use support::{NamedFields, assembler, class_files, compile, java_sources, rewrite_watching, run};

/// What the driver says of one class: its hooks, its blocks and its result.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    hooks: Vec<String>,
    blocks: BTreeSet<u32>,
    result: String,
}

/// Rewrites everything in place. Numbers of blocks go on from class to class.
fn rewritten(
    folder: &Path,
    watch: bool,
    ids: &mut NamedFields,
) -> BTreeMap<String, (u32, Rewritten)> {
    let mut next = 120;
    let mut all = BTreeMap::new();
    for file in class_files(folder) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        if matches!(name.as_str(), "LogHook" | "Driver") {
            continue;
        }
        let done = rewrite_watching(&fs::read(&file).unwrap(), ids, watch.then_some(next));
        assert_eq!(done.declined_methods, [], "{name}");
        if let Some(bytes) = &done.bytes {
            fs::write(&file, bytes).unwrap();
        }
        let first = next;
        next += done.code.iter().map(|method| method.blocks.len() as u32).sum::<u32>();
        all.insert(name, (first, done));
    }
    all
}

fn drive(folder: &Path, classes: &BTreeMap<String, (u32, Rewritten)>) -> BTreeMap<String, Said> {
    let class_path = folder.to_str().unwrap();
    let mut arguments =
        vec!["-XX:TieredStopAtLevel=1", "-Xverify:all", "-cp", class_path, "Driver"];
    arguments.extend(classes.keys().filter(|name| !name.contains('$')).map(String::as_str));
    let mut all: BTreeMap<String, Said> = BTreeMap::new();
    let mut name = String::new();
    for line in run("java", &arguments).lines() {
        let (kind, rest) = line.split_once(' ').unwrap();
        let said = match kind {
            "scenario" => {
                name = rest.to_owned();
                all.entry(name.clone()).or_default()
            }
            _ => all.get_mut(&name).unwrap(),
        };
        match kind {
            "hook" => said.hooks.push(rest.to_owned()),
            "block" => _ = said.blocks.insert(rest.parse().unwrap()),
            "result" => said.result = rest.to_owned(),
            _ => {}
        }
    }
    all
}

fn compiled() -> tempfile::TempDir {
    let folder = compile();
    for (name, class) in assembler::samples() {
        fs::write(folder.path().join(format!("{name}.class")), class).unwrap();
    }
    folder
}

/// The lines of `Watched.java` with a mark.
fn marked(mark: &str) -> BTreeSet<u16> {
    let source = java_sources().into_iter().find(|path| path.ends_with("Watched.java")).unwrap();
    let text = fs::read_to_string(source).unwrap();
    let lines = (1..).zip(text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|(_, line)| line.ends_with(mark)).map(|(number, _)| number).collect()
}

#[test]
fn watched_classes_do_what_they_did_and_tell_which_lines_ran() {
    let (plain, watched) = (compiled(), compiled());
    let mut ids = NamedFields::default();
    let unwatched = rewritten(plain.path(), false, &mut ids);
    let classes = rewritten(watched.path(), true, &mut ids);
    let (before, after) = (drive(plain.path(), &unwatched), drive(watched.path(), &classes));
    assert!(unwatched.values().all(|(_, done)| done.code.is_empty()));
    for (name, said) in &after {
        let is_access = |hook: &&String| !hook.starts_with("initializ");
        let accesses: Vec<&String> = said.hooks.iter().filter(is_access).collect();
        assert_eq!(accesses, before[name].hooks.iter().collect::<Vec<_>>(), "{name}");
        assert_eq!(said.result, before[name].result, "{name}");
    }

    let (mut ran, mut idle) = (BTreeSet::new(), BTreeSet::new());
    for name in ["Watched", "Watched$Inner"] {
        let (first, done) = &classes[name];
        assert!(done.code.iter().all(|method| method.unwatched.is_none()), "{name}");
        let blocks = done.code.iter().flat_map(|method| &method.blocks);
        for (number, block) in (*first..).zip(blocks) {
            let lines =
                if after["Watched"].blocks.contains(&number) { &mut ran } else { &mut idle };
            lines.extend(block.lines.iter().copied());
        }
    }
    assert_eq!(ran, marked("// runs"));
    assert_eq!(idle.difference(&ran).copied().collect::<BTreeSet<_>>(), marked("// idle"));
}

#[test]
fn an_initialiser_tells_when_it_begins_and_ends() {
    let folder = compiled();
    let classes = rewritten(folder.path(), true, &mut NamedFields::default());
    let said = drive(folder.path(), &classes);
    let number = classes["Watched"].0;
    let of_class = |hook: &&String| hook.ends_with(&format!(" {number}"));
    let told: Vec<&String> = said["Watched"].hooks.iter().filter(of_class).collect();
    assert_eq!(told, [&format!("initializing {number}"), &format!("initialized {number}")]);
}

#[test]
fn a_block_names_classes_that_it_uses_without_calling_them() {
    let folder = compiled();
    let classes = rewritten(folder.path(), true, &mut NamedFields::default());
    let (_, done) = &classes["Finals"];
    let named: BTreeSet<&str> = done
        .code
        .iter()
        .flat_map(|method| &method.blocks)
        .flat_map(|block| block.classes.iter().map(String::as_str))
        .collect();
    assert!(named.contains("Finals"), "{named:?}");
    assert!(named.iter().all(|name| !name.starts_with('[')), "{named:?}");
    let source = fs::read(folder.path().join("Finals.class")).unwrap();
    let class = residue_classfile::ClassFile::parse(&source).unwrap();
    assert_eq!(class.source_file().map(text).as_deref(), Some("Finals.java"));
}

//! Compiles and runs Java for the tests of this crate.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "a part of each test")]

pub mod assembler;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use residue_classfile::{
    Entry, EntryTable, FieldIds, FieldReference, Plan, Replacement, ReplacementTable, Rewritten,
    text,
};
use tempfile::TempDir;

pub const HOOK_CLASS: &str = "LogHook";

/// `JAVA_HOME` first, as every Java build does, then the search path.
pub fn jdk_tool(name: &str) -> PathBuf {
    let in_java_home =
        std::env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin").join(name));
    in_java_home.filter(|tool| tool.is_file()).unwrap_or_else(|| name.into())
}

/// Runs a tool of the JDK and gives what it printed.
pub fn run<S: AsRef<OsStr>>(tool: &str, arguments: &[S]) -> String {
    let mut command = Command::new(jdk_tool(tool));
    let output = command.args(arguments).output().expect("tests need a JDK");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} failed:\n{said}\n{complained}");
    said
}

pub fn java_sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.collect();
    found.sort();
    found
}

/// Compiles `tests/java`.
pub fn compile() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec![
        "-J-XX:TieredStopAtLevel=1".into(),
        "-J-XX:+UseSerialGC".into(),
        "--release".into(),
        "11".into(),
        "-g".into(),
        "-d".into(),
        folder.path().as_os_str().to_owned(),
    ];
    arguments.extend(java_sources().iter().map(|path| path.as_os_str().to_owned()));
    run("javac", &arguments);
    folder
}

/// The folder of the JDK whose tools are used.
pub fn jdk_home() -> PathBuf {
    let settings = Command::new(jdk_tool("java"))
        .args(["-XshowSettings:properties", "-version"])
        .output()
        .expect("tests need a JDK");
    let settings = String::from_utf8_lossy(&settings.stderr).into_owned();
    let home = settings.lines().find_map(|line| line.trim().strip_prefix("java.home = "));
    home.expect("every JDK knows its home").into()
}

/// Classes of the JDK whose path in its image matches a pattern of `jimage`.
pub fn jdk_classes(pattern: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let home = jdk_home();
    let image = home.join("lib/modules");
    let directory = folder.path().to_str().unwrap();
    let arguments = ["extract", "--dir", directory, "--include", pattern, image.to_str().unwrap()];
    run("jimage", &arguments);
    folder
}

/// All class files below a folder.
pub fn class_files(folder: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
    let paths = files.map(|entry| entry.unwrap().into_path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "class")).collect()
}

/// Numbers fields and remembers their names.
#[derive(Default)]
pub struct NamedFields {
    ids: HashMap<String, u32>,
}

impl NamedFields {
    pub fn name(&self, id: u32) -> &str {
        self.ids.iter().find(|(_, known)| **known == id).map_or("unknown", |(name, _)| name)
    }
}

impl FieldIds for NamedFields {
    fn field(&mut self, field: FieldReference<'_>) -> Option<u32> {
        if field.owner == b"java/lang/System" {
            return None;
        }
        // Some are small and some need a constant.
        let next = u32::try_from(self.ids.len()).unwrap() * 2_500;
        let name = format!("{}.{}", text(field.owner), text(field.name));
        Some(*self.ids.entry(name).or_insert(next))
    }
}

/// Rewrites with the replacements and entries that `tests/java` expects.
pub fn rewrite(bytes: &[u8], ids: &mut NamedFields) -> Rewritten {
    rewrite_watching(bytes, ids, None)
}

/// The same, and the class tells which of its code runs.
pub fn rewrite_watching(bytes: &[u8], ids: &mut NamedFields, watch: Option<u32>) -> Rewritten {
    let mut replacements = ReplacementTable::default();
    let all = [
        ("java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", true),
        ("Replaced$Scale", "scaled", "(IJ)J", false),
    ];
    for (owner, name, descriptor, is_static) in all {
        let one = Replacement { owner, name, descriptor, is_static, hook_name: name };
        replacements.add(one).unwrap();
    }
    let mut entries = EntryTable::default();
    let entry = Entry {
        class: "Entered",
        name: "loop",
        descriptor: "(JLjava/lang/String;I)I",
        is_static: false,
        hook_name: "entered",
        hook_descriptor: "(LEntered;JLjava/lang/String;)V",
    };
    entries.add(entry).unwrap();
    let plan =
        Plan { hook_class: HOOK_CLASS, replacements: &replacements, entries: &entries, watch };
    residue_classfile::rewrite(bytes, &plan, ids).unwrap()
}

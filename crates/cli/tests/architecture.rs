//! Crate edges are the pipeline: a crate that gains an edge not listed here
//! fails this test. Change the table only together with ARCHITECTURE.md.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Crate -> the workspace crates it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("wire", &["model"]),
    ("java", &[]),
    ("classfile", &[]),
    ("change", &["classfile", "model"]),
    ("ignore", &[]),
    ("outside", &["model"]),
    ("interpose", &["outside"]),
    ("agent", &["classfile", "ignore", "model", "outside", "wire"]),
    // It embeds what cargo builds of the two libraries, and links none of it.
    ("agent-embed", &[]),
    ("heap-checker", &["ignore", "model"]),
    ("discover", &["java", "model"]),
    ("exec", &["agent-embed", "classfile", "java", "model", "outside", "wire"]),
    ("store", &["graph", "model"]),
    ("graph", &["model"]),
    ("detect", &["model"]),
    ("pollution", &["ignore", "model"]),
    ("lab", &["detect", "exec", "graph", "model", "store", "wire"]),
    ("schedule", &["graph", "model"]),
    ("report", &["change", "detect", "graph", "model", "pollution", "schedule"]),
    (
        "cli",
        &[
            "change",
            "classfile",
            "detect",
            "discover",
            "exec",
            "graph",
            "ignore",
            "lab",
            "model",
            "outside",
            "pollution",
            "report",
            "schedule",
            "store",
            "wire",
        ],
    ),
];

/// Crates that must stay pure: no IO, no clock, no own randomness.
const PURE: &[&str] = &[
    "model",
    "wire",
    "classfile",
    "change",
    "ignore",
    "outside",
    "graph",
    "detect",
    "pollution",
    "schedule",
];

/// Crates that talk to the JVM or the C library, and may be unsafe.
const UNSAFE: &[&str] = &["agent", "heap-checker", "interpose"];

#[test]
fn crates_have_only_the_edges_the_architecture_allows() {
    let actual = workspace_edges();
    let allowed: BTreeMap<_, BTreeSet<_>> = ALLOWED
        .iter()
        .map(|(name, edges)| ((*name).to_owned(), edges.iter().map(|e| (*e).to_owned()).collect()))
        .collect();
    for (name, edges) in &actual {
        let expected = allowed.get(name).unwrap_or_else(|| panic!("crate `{name}` is new: add it"));
        let extra: Vec<_> = edges.difference(expected).collect();
        assert!(extra.is_empty(), "crate `{name}` gained edges to {extra:?}");
    }
}

#[test]
fn pure_crates_touch_neither_files_nor_processes_nor_clocks() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    for name in PURE {
        for file in rust_files(&format!("{root}/{name}/src")) {
            let source = std::fs::read_to_string(&file).unwrap();
            for forbidden in ["std::fs", "std::process", "std::net", "Instant::", "SystemTime"] {
                assert!(!source.contains(forbidden), "{file} uses {forbidden}");
            }
        }
    }
}

#[test]
fn only_what_talks_to_c_is_unsafe() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    for (name, _) in ALLOWED.iter().filter(|(name, _)| !UNSAFE.contains(name)) {
        for file in rust_files(&format!("{root}/{name}/src")) {
            let source = std::fs::read_to_string(&file).unwrap();
            assert!(!source.contains("allow(unsafe_code)"), "{file} allows unsafe code");
        }
    }
}

#[test]
fn the_architecture_document_shows_every_crate() {
    let document = include_str!("../../../ARCHITECTURE.md");
    for (name, _) in ALLOWED {
        assert!(
            document.contains(&format!("crates/{name}")),
            "ARCHITECTURE.md lacks crates/{name}"
        );
    }
}

fn rust_files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let files = paths.flat_map(|path| {
        let shown = path.to_str().unwrap().to_owned();
        if path.is_dir() { rust_files(&shown) } else { vec![shown] }
    });
    files.filter(|file| file.ends_with(".rs")).collect()
}

/// Normal and build dependencies between workspace crates, without the prefix.
fn workspace_edges() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let short = |name: &str| {
        let stripped = name.strip_prefix("residue-").map(str::to_owned);
        if name == "residue" { Some("cli".into()) } else { stripped }
    };
    let edges_of = |package: &serde_json::Value| {
        let dependencies = package["dependencies"].as_array().unwrap();
        let ours = dependencies
            .iter()
            .filter(|dependency| dependency["kind"] != "dev")
            .filter_map(|dependency| short(dependency["name"].as_str().unwrap()));
        ours.collect::<BTreeSet<_>>()
    };
    let of_workspace = packages.iter().filter_map(|package| {
        let name = short(package["name"].as_str().unwrap())?;
        // Test support is only ever a dev-dependency, so it has no place in the map.
        (name != "test-support").then(|| (name, edges_of(package)))
    });
    of_workspace.collect()
}

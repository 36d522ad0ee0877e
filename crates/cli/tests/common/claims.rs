//! Claims in the sources of fixtures: line comments before the methods that
//! they are about.

use std::fs;
use std::path::{Path, PathBuf};

/// Calls `attach` with class, method and claim, for every claim.
pub fn each(sources: &Path, mut attach: impl FnMut(&str, &str, &str)) {
    for file in java_files(sources) {
        let inside = file.strip_prefix(sources).unwrap().with_extension("");
        let class = inside.to_str().unwrap().replace('/', ".");
        let source = fs::read_to_string(&file).unwrap();
        let mut pending = Vec::new();
        for line in source.lines().map(str::trim) {
            if let Some(claim) = line.strip_prefix("// ") {
                pending.push(claim);
            } else if let Some(method) = test_method(line) {
                pending.drain(..).for_each(|claim| attach(&class, method, claim));
            }
        }
        assert!(pending.is_empty(), "no method after {pending:?} in {class}");
    }
}

fn test_method(line: &str) -> Option<&str> {
    line.strip_prefix("public void ")?.split_once('(').map(|(name, _)| name)
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(java_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "java") {
            files.push(path);
        }
    }
    files.sort();
    files
}

//! What the sources in `fixtures/pollution` say about their tests.
//!
//! Each line comment of this form is a claim about the next method:
//!
//! ```text
//! leaves NAME, RANK              leaves this state changed
//! leaves NAME, RANK, SOME of ALL so do some of its sets of parameters
//! leaves-new-root NAME           does so with a class that it is the first to load
//! class-leaves NAME              the whole class leaves it, fixtures included
//! ```
//!
//! Claims are complete: what is not claimed is not left changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Default)]
pub struct Claims {
    /// `TEST leaves NAME, RANK, SOME of ALL`
    pub by_test: BTreeSet<String>,
    pub new_roots: BTreeSet<String>,
    pub by_class: BTreeSet<String>,
}

impl Claims {
    pub fn read(sources: &Path) -> Self {
        let mut claims = Self::default();
        for file in java_files(sources) {
            let inside = file.strip_prefix(sources).unwrap().with_extension("");
            let class = inside.to_str().unwrap().replace('/', ".");
            claims.add(&class, &fs::read_to_string(&file).unwrap());
        }
        assert!(!claims.by_test.is_empty(), "no claim in {}", sources.display());
        claims
    }

    fn add(&mut self, class: &str, source: &str) {
        let mut pending = Vec::new();
        for line in source.lines().map(str::trim) {
            if let Some(claim) = line.strip_prefix("// ") {
                pending.push(claim);
            } else if let Some(rest) = line.strip_prefix("public void ") {
                let method = rest.split_once('(').unwrap().0;
                for claim in pending.drain(..) {
                    self.attach(class, method, claim);
                }
            }
        }
    }

    fn attach(&mut self, class: &str, method: &str, claim: &str) {
        let (word, name) = claim.split_once(' ').unwrap_or((claim, ""));
        match word {
            "leaves" => {
                let sets = if claim.contains(" of ") { "" } else { ", 1 of 1" };
                self.by_test.insert(format!("{class}#{method} {claim}{sets}"));
            }
            "leaves-new-root" => _ = self.new_roots.insert(format!("{class}#{method} {name}")),
            "class-leaves" => _ = self.by_class.insert(format!("{class} {name}")),
            _ => {}
        }
    }
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(java_files(&path));
        } else {
            files.push(path);
        }
    }
    files
}

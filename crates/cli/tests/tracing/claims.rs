//! What the sources in `fixtures/traces` say about their tests.
//!
//! Each line comment holds one claim about the next method:
//!
//! ```text
//! reads TEST through PATH     reads what the test of the same class left,
//!                             at a path that begins like this
//! overwrites TEST             writes what the test wrote
//! writes-after-read TEST      writes what the test read
//! ```
//!
//! Reads are claimed completely: a test without such a claim reads nothing of
//! any other test.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All claims of a suite, by test.
#[derive(Debug, Default)]
pub struct Claims {
    /// Reader, writer, how the paths begin.
    pub reads: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// Later test, earlier test.
    pub overwrites: Vec<(String, String)>,
    pub writes_after_read: Vec<(String, String)>,
}

impl Claims {
    pub fn read(sources: &Path) -> Self {
        let mut claims = Self::default();
        for file in java_files(sources) {
            let inside = file.strip_prefix(sources).unwrap().with_extension("");
            let class = inside.to_str().unwrap().replace('/', ".");
            claims.add(&class, &fs::read_to_string(&file).unwrap());
        }
        assert!(!claims.reads.is_empty(), "no claim in {}", sources.display());
        claims
    }

    fn add(&mut self, class: &str, source: &str) {
        let mut pending = Vec::new();
        for line in source.lines().map(str::trim) {
            if let Some(claim) = line.strip_prefix("// ") {
                pending.push(claim);
            } else if let Some(method) = test_method(line) {
                for claim in pending.drain(..) {
                    self.attach(class, method, claim);
                }
            }
        }
        assert!(pending.is_empty(), "no method after {pending:?} in {class}");
    }

    fn attach(&mut self, class: &str, method: &str, claim: &str) {
        let id = |method: &str| format!("{class}#{method}");
        let (word, rest) = claim.split_once(' ').unwrap();
        match word {
            "reads" => {
                let (writer, path) = rest.split_once(" through").unwrap();
                let of_reader = self.reads.entry(id(method)).or_default();
                of_reader.entry(id(writer)).or_default().push(path.trim().to_owned());
            }
            "overwrites" => self.overwrites.push((id(method), id(rest))),
            "writes-after-read" => self.writes_after_read.push((id(method), id(rest))),
            other => panic!("`{other}` in {class} is no claim"),
        }
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

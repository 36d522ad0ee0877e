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
use std::path::Path;

use super::common;

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
        common::claims::each(sources, |class, method, claim| claims.attach(class, method, claim));
        assert!(!claims.reads.is_empty(), "no claim in {}", sources.display());
        claims
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

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
use std::path::Path;

use super::common;

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
        common::claims::each(sources, |class, method, claim| claims.attach(class, method, claim));
        assert!(!claims.by_test.is_empty(), "no claim in {}", sources.display());
        claims
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

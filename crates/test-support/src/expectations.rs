//! What a fixture's source says about its tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use residue_model::OutcomeKind;

use crate::fixture::java_files;

const MARK: &str = "// expect: ";

/// A line `// expect: OUTCOME` names the outcome of the next method when the
/// tests of its class run in default order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectations(BTreeMap<String, OutcomeKind>);

impl Expectations {
    /// Reads all sources of a folder.
    ///
    /// # Panics
    /// If a mark is followed by no outcome or no method.
    pub fn read(sources: &Path) -> Self {
        let mut all = BTreeMap::new();
        for file in java_files(sources) {
            let text = fs::read_to_string(&file).expect("a source file is text");
            let class = file.strip_prefix(sources).expect("below the sources").with_extension("");
            let class = class.to_string_lossy().replace('/', ".");
            for (method, kind) in methods(&text) {
                all.insert(format!("{class}#{method}"), kind);
            }
        }
        Self(all)
    }

    /// What is expected of the test with this id.
    ///
    /// # Panics
    /// If the source says nothing about it.
    pub fn of(&self, test: &str) -> OutcomeKind {
        *self.0.get(test).unwrap_or_else(|| panic!("the fixture says nothing about {test}"))
    }

    /// The ids of all tests with an expectation.
    pub fn tests(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

fn methods(source: &str) -> Vec<(&str, OutcomeKind)> {
    let mut lines = source.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some(word) = line.trim().strip_prefix(MARK) else { continue };
        let kind = OutcomeKind::from_word(word.trim());
        let kind = kind.unwrap_or_else(|| panic!("`{word}` is no outcome"));
        let method = lines.by_ref().find_map(|line| {
            let (before, _) = line.split_once("(")?;
            let (_, name) = before.split_once(" void ")?;
            Some(name.trim())
        });
        found.push((method.unwrap_or_else(|| panic!("no method after `{line}`")), kind));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_belongs_to_the_next_method() {
        let source = "  // expect: passed\n  @Test(timeout = 3)\n  public void a() {}\n\
                      void helper() {}\n// expect: timed-out\n @Test public void b() {";
        let expected = [("a", OutcomeKind::Passed), ("b", OutcomeKind::TimedOut)];
        assert_eq!(methods(source), expected);
    }
}

//! What the sources of a fixture say about its tests.

use std::fs;
use std::path::Path;

use residue_model::{FixturePhase, OutcomeKind};

use crate::expectation::{Expectation, Expected};
use crate::fixture::{class_name, fixture_folder, java_files};
use crate::version::Version;

const MARK: &str = "// expect: ";

/// All `// expect:` comments of a fixture. There are three forms:
///
/// - `// expect: OUTCOME` on a line of its own names the outcome of the next
///   method of a top-level class.
/// - `// expect: TEST-ID OUTCOME`, anywhere, names the outcome of that test.
/// - `// expect: CLASS before-class` or `after-class`, anywhere, says that the
///   fixture of that class fails.
///
/// The latter two may end with `since VERSION` and `before VERSION` of the
/// framework, and with `in default order` where another order may have another
/// outcome.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expectations(Vec<Expectation>);

impl Expectations {
    /// Reads all sources of these folders.
    ///
    /// # Panics
    /// If a mark is followed by nothing that can be read.
    pub fn read<T: AsRef<Path>>(folders: &[T]) -> Self {
        let mut all = Vec::new();
        for folder in folders.iter().map(AsRef::as_ref) {
            for file in java_files(folder) {
                let text = fs::read_to_string(&file).expect("a source file is text");
                all.extend(in_source(&class_name(folder, &file), &text));
            }
        }
        Self(all)
    }

    /// Reads the sources of a folder below `fixtures`, as far as they hold for
    /// this version of the framework.
    ///
    /// # Panics
    /// If a mark is followed by nothing that can be read.
    pub fn of_version(folder: &str, version: &str) -> Self {
        let version = Version::parse(version);
        let mut all = Self::read(&[fixture_folder(folder)]);
        all.0.retain(|one| one.holds_at(&version));
        all
    }

    /// These and those.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// What is expected of the test with this id.
    ///
    /// # Panics
    /// If the sources say nothing about it, or more than one thing.
    pub fn of(&self, test: &str) -> OutcomeKind {
        let about = self.0.iter().filter(|one| one.subject == test);
        let kinds: Vec<OutcomeKind> = about.filter_map(outcome).collect();
        match kinds.as_slice() {
            &[kind] => kind,
            [] => panic!("the fixture says nothing about {test}"),
            several => panic!("the fixture says too much about {test}: {several:?}"),
        }
    }

    /// Whether the expectation of this test holds in every order.
    pub fn holds_in_every_order(&self, test: &str) -> bool {
        !self.0.iter().any(|one| one.subject == test && one.in_default_order)
    }

    /// The ids of all tests with an expectation.
    pub fn tests(&self) -> impl Iterator<Item = &str> {
        let of_tests = self.0.iter().filter(|one| outcome(one).is_some());
        of_tests.map(|one| one.subject.as_str())
    }

    /// The classes whose fixture is to fail, and when.
    pub fn fixture_failures(&self) -> impl Iterator<Item = (&str, FixturePhase)> {
        self.0.iter().filter_map(|one| match one.what {
            Expected::FixtureFails(phase) => Some((one.subject.as_str(), phase)),
            Expected::Ends(_) => None,
        })
    }
}

fn outcome(expectation: &Expectation) -> Option<OutcomeKind> {
    match expectation.what {
        Expected::Ends(kind) => Some(kind),
        Expected::FixtureFails(_) => None,
    }
}

fn in_source(class: &str, source: &str) -> Vec<Expectation> {
    let mut lines = source.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some((before, text)) = line.split_once(MARK) else { continue };
        match OutcomeKind::from_word(text.trim()) {
            Some(kind) if before.trim().is_empty() => {
                let method = lines.by_ref().find_map(method_name);
                let method = method.unwrap_or_else(|| panic!("no method after `{line}`"));
                found.push(Expectation::of_test(format!("{class}#{method}"), kind));
            }
            _ => found.push(Expectation::parse(text)),
        }
    }
    found
}

fn method_name(line: &str) -> Option<&str> {
    let (before, _) = line.split_once("(")?;
    let (_, name) = before.split_once(" void ")?;
    Some(name.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(source: &str) -> Vec<(String, OutcomeKind)> {
        let read = in_source("a.T", source).into_iter();
        read.filter_map(|one| Some((one.subject.clone(), outcome(&one)?))).collect()
    }

    #[test]
    fn a_mark_belongs_to_the_next_method() {
        let source = "  // expect: passed\n  @Test(timeout = 3)\n  public void a() {}\n\
                      void helper() {}\n// expect: timed-out\n @Test public void b() {";
        let expected = [
            ("a.T#a".to_owned(), OutcomeKind::Passed),
            ("a.T#b".to_owned(), OutcomeKind::TimedOut),
        ];
        assert_eq!(outcomes(source), expected);
    }

    #[test]
    fn a_mark_with_an_id_belongs_to_that_test() {
        let source = "  void a() {} // expect: a.T$Inner#a[2] skipped\n  void b() {}";
        let expected = [("a.T$Inner#a[2]".to_owned(), OutcomeKind::Skipped)];
        assert_eq!(outcomes(source), expected);
    }
}

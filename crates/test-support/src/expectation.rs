//! One `// expect:` comment.

use residue_model::{FixturePhase, OutcomeKind};

use crate::version::Version;

/// What a comment says about a test or a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expectation {
    /// A test id, or the name of a class.
    pub(crate) subject: String,
    pub(crate) what: Expected,
    pub(crate) since: Option<Version>,
    pub(crate) before: Option<Version>,
    pub(crate) in_default_order: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    Ends(OutcomeKind),
    FixtureFails(FixturePhase),
}

impl Expectation {
    /// An outcome that holds everywhere.
    pub(crate) fn of_test(subject: String, kind: OutcomeKind) -> Self {
        let what = Expected::Ends(kind);
        Self { subject, what, since: None, before: None, in_default_order: false }
    }

    /// Reads `SUBJECT WHAT [since VERSION] [before VERSION] [in default order]`.
    ///
    /// # Panics
    /// If the text reads otherwise.
    pub(crate) fn parse(text: &str) -> Self {
        let wrong = || -> ! { panic!("cannot read the expectation `{text}`") };
        let mut words = text.split_whitespace();
        let (Some(subject), Some(what)) = (words.next(), words.next()) else { wrong() };
        let what = match what {
            "before-class" => Expected::FixtureFails(FixturePhase::BeforeClass),
            "after-class" => Expected::FixtureFails(FixturePhase::AfterClass),
            word => match OutcomeKind::from_word(word) {
                Some(kind) => Expected::Ends(kind),
                None => wrong(),
            },
        };
        if matches!(what, Expected::Ends(_)) != subject.contains('#') {
            wrong();
        }
        let (mut since, mut before, mut in_default_order) = (None, None, false);
        while let Some(word) = words.next() {
            match word {
                "since" => since = words.next().map(Version::parse),
                "before" => before = words.next().map(Version::parse),
                "in" if words.by_ref().take(2).eq(["default", "order"]) => in_default_order = true,
                _ => wrong(),
            }
        }
        Self { subject: subject.into(), what, since, before, in_default_order }
    }

    pub(crate) fn holds_at(&self, version: &Version) -> bool {
        self.since.as_ref().is_none_or(|since| since <= version)
            && self.before.as_ref().is_none_or(|before| version < before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_limits_an_outcome_to_versions_and_orders() {
        let read = Expectation::parse("a.T#m[1] failed since 4.5 before 4.11 in default order");
        assert_eq!(read.subject, "a.T#m[1]");
        assert_eq!(read.what, Expected::Ends(OutcomeKind::Failed));
        assert!(read.in_default_order);
        for (version, holds) in [("4.4", false), ("4.5", true), ("4.10", true), ("4.11", false)] {
            assert_eq!(read.holds_at(&Version::parse(version)), holds, "{version}");
        }
    }

    #[test]
    fn a_class_expects_a_failure_of_its_fixture() {
        let read = Expectation::parse("a.T after-class");
        assert_eq!(read.what, Expected::FixtureFails(FixturePhase::AfterClass));
    }

    #[test]
    #[should_panic(expected = "cannot read the expectation `a.T#m maybe`")]
    fn a_misspelt_outcome_is_no_expectation() {
        Expectation::parse("a.T#m maybe");
    }
}

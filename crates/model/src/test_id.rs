//! The name of one runnable test, stable between runs and machines.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// `pkg.Class#method`, followed by bracketed parts where the method alone does
/// not name one runnable test: `[int,String]` for an overload, `[2]` for an
/// invocation of a parameterised, repeated or dynamic test.
///
/// The class is the binary name of the class that runs (`pkg.Outer$Inner`),
/// not the one that declares an inherited method.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TestId(Arc<str>);

/// A text that is not a test id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a test id: expected `pkg.Class#method`, optionally followed by `[…]`")]
pub struct BadTestId {
    /// What was given.
    pub text: String,
}

impl TestId {
    /// Reads a test id, for example from an order file.
    pub fn parse(text: &str) -> Result<Self, BadTestId> {
        let well_formed = text
            .split_once('#')
            .is_some_and(|(class, method)| is_class_name(class) && is_method_part(method));
        if well_formed { Ok(Self(text.into())) } else { Err(BadTestId { text: text.into() }) }
    }

    /// The whole id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Binary name of the class that runs.
    pub fn class(&self) -> &str {
        self.split().0
    }

    /// The outermost class: the unit that real runners keep together.
    pub fn top_level_class(&self) -> &str {
        let class = self.class();
        // A leading `$` is a legal identifier, so only a later one separates.
        let after_package = class.rfind('.').map_or(0, |dot| dot + 1);
        match class[after_package..].char_indices().skip(1).find(|&(_, c)| c == '$') {
            Some((at, _)) => &class[..after_package + at],
            None => class,
        }
    }

    /// Method name without bracketed parts.
    pub fn method(&self) -> &str {
        let rest = self.split().1;
        rest.find('[').map_or(rest, |bracket| &rest[..bracket])
    }

    fn split(&self) -> (&str, &str) {
        self.0.split_once('#').unwrap_or((&self.0, ""))
    }
}

fn is_class_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// Method names may hold spaces (Kotlin, Spock), so only line breaks are out.
fn is_method_part(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('[') && !text.contains(char::is_control)
}

impl fmt::Display for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for TestId {
    type Error = BadTestId;
    fn try_from(text: String) -> Result<Self, BadTestId> {
        Self::parse(&text)
    }
}

impl From<TestId> for String {
    fn from(id: TestId) -> Self {
        id.0.as_ref().into()
    }
}

impl std::str::FromStr for TestId {
    type Err = BadTestId;
    fn from_str(text: &str) -> Result<Self, BadTestId> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> TestId {
        TestId::parse(text).unwrap()
    }

    #[test]
    fn parts_of_a_parameterised_nested_test() {
        let id = id("a.b.Outer$Inner#adds[int,String][2]");
        assert_eq!(id.class(), "a.b.Outer$Inner");
        assert_eq!(id.top_level_class(), "a.b.Outer");
        assert_eq!(id.method(), "adds");
    }

    #[test]
    fn a_class_name_may_start_with_a_dollar() {
        assert_eq!(id("a.$Gen#t").top_level_class(), "a.$Gen");
        assert_eq!(id("$Gen$In#t").top_level_class(), "$Gen");
    }

    #[test]
    fn method_names_with_spaces_are_fine() {
        assert_eq!(id("a.Spec#adds two numbers[1]").method(), "adds two numbers");
    }

    #[test]
    fn texts_that_are_no_ids_are_refused() {
        for text in ["", "a.b.C", "#m", "a.C#", "a.C#[1]", "a b#m", "a.C#m\nx"] {
            assert!(TestId::parse(text).is_err(), "{text:?} was accepted");
        }
    }
}

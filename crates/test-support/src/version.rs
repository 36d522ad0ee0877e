//! Versions of frameworks, so that an expectation can be limited to some.

/// A version such as `4.13.2`, compared number by number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(Vec<u32>);

impl Version {
    /// Reads a version made of numbers and dots.
    ///
    /// # Panics
    /// If the text is something else.
    pub(crate) fn parse(text: &str) -> Self {
        let number = |part: &str| part.parse().unwrap_or_else(|_| panic!("`{text}` is no version"));
        Self(text.split('.').map(number).collect())
    }
}

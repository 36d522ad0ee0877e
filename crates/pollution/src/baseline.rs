//! Pollution that a project has accepted, as a text file to be kept with the
//! sources: one a line, sorted, so that changes are easy to review.

use std::collections::BTreeSet;

const FIRST_LINE: &str = "# residue polluters baseline, version 1";

/// Names of accepted pollution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    names: BTreeSet<String>,
}

/// A text that is no baseline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it does not start with `{FIRST_LINE}`; `residue polluters --write-baseline` writes one")]
pub struct BadBaseline;

impl Baseline {
    /// Accepts all of these.
    pub fn of(names: impl IntoIterator<Item = String>) -> Self {
        Self { names: names.into_iter().collect() }
    }

    /// Reads what [`to_text`](Self::to_text) wrote.
    pub fn parse(text: &str) -> Result<Self, BadBaseline> {
        let mut lines = text.lines();
        if lines.next().map(str::trim_end) != Some(FIRST_LINE) {
            return Err(BadBaseline);
        }
        let names = lines.map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Self::of(names.map(str::to_owned)))
    }

    /// Whether this pollution is accepted.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// As it is kept.
    pub fn to_text(&self) -> String {
        let mut text =
            format!("{FIRST_LINE}\n# One a line: the test, then what it leaves changed.\n");
        for name in &self.names {
            text += name;
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_people_may_comment() {
        let baseline = Baseline::of(["b.T#x  y".to_owned(), "a.T#x  y".to_owned()]);
        let text = baseline.to_text();
        assert!(text.find("a.T").unwrap() < text.find("b.T").unwrap());
        let commented = text + "\n# because of X\n";
        assert_eq!(Baseline::parse(&commented), Ok(baseline));
        assert_eq!(Baseline::parse("a.T#x  y\n"), Err(BadBaseline));
    }
}

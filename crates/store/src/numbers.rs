//! The numbers of runs and findings as users see them.

use std::fmt;
use std::str::FromStr;

/// A stored run, written `r12`. Numbers grow and are never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub(crate) i64);

/// A stored finding, written `f3`. Numbers grow and are never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FindingId(pub(crate) i64);

/// A text that is not the number of a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a run: expected `r` and a number, for example `r12`")]
pub struct BadRunId {
    /// What was given.
    pub text: String,
}

/// A text that is not the number of a finding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a finding: expected `f` and a number, for example `f3`")]
pub struct BadFindingId {
    /// What was given.
    pub text: String,
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("r{}", self.0))
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("f{}", self.0))
    }
}

impl FromStr for RunId {
    type Err = BadRunId;

    /// Reads `r12`; the bare number will do too.
    fn from_str(text: &str) -> Result<Self, BadRunId> {
        let digits = text.strip_prefix(['r', 'R']).unwrap_or(text);
        positive(digits).map(Self).ok_or_else(|| BadRunId { text: text.into() })
    }
}

impl FromStr for FindingId {
    type Err = BadFindingId;

    /// Reads `f3`. The letter is needed, since a bare number is a run.
    fn from_str(text: &str) -> Result<Self, BadFindingId> {
        let digits = text.strip_prefix(['f', 'F']);
        digits.and_then(positive).map(Self).ok_or_else(|| BadFindingId { text: text.into() })
    }
}

fn positive(digits: &str) -> Option<i64> {
    let only_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|number| only_digits && *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_read_as_it_is_written() {
        let run: RunId = "r12".parse().unwrap();
        assert_eq!(run.to_string(), "r12");
        assert_eq!("12".parse(), Ok(run));
        assert_eq!(format!("{run:>6}"), "   r12");
    }

    #[test]
    fn texts_that_are_no_runs_are_refused() {
        for text in ["", "r", "r0", "r-1", "+3", "rr1", "r1x", "r99999999999999999999"] {
            let refused = text.parse::<RunId>().unwrap_err();
            assert_eq!(refused.text, text);
        }
    }

    #[test]
    fn a_finding_needs_its_letter() {
        let finding: FindingId = "f3".parse().unwrap();
        assert_eq!(finding.to_string(), "f3");
        assert!("3".parse::<FindingId>().is_err());
        assert!("r3".parse::<FindingId>().is_err());
    }
}

//! How a test ended.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Failure, TestId};

/// How one test of one run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It passed.
    Passed,
    /// An assertion failed.
    Failed(Failure),
    /// Something other than an assertion was thrown, by the test or by the
    /// class fixture before it.
    Errored(Failure),
    /// The framework did not run it: disabled, ignored, an assumption failed.
    Skipped(Option<String>),
    /// It was still running when its time was up; the JVM was killed.
    TimedOut(Duration),
    /// The JVM ended during this test.
    Crashed(Crash),
    /// The run ended before this test began.
    NotReached,
}

/// Why the JVM ended in the middle of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Crash {
    /// `System.exit` or `Runtime.exit`, with the stack of the caller when the
    /// runner still saw it.
    Exit {
        /// Exit status.
        code: i32,
        /// The thread that called it.
        caller: Vec<crate::Frame>,
    },
    /// `Runtime.halt`, or the VM gave up without running shutdown hooks.
    Halt {
        /// Exit status.
        code: i32,
    },
    /// A signal ended the process, as a native crash does.
    Signal {
        /// Signal number.
        signal: i32,
    },
}

/// An outcome without its details: what tables count and stores index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // named exactly as the outcomes above
pub enum OutcomeKind {
    Passed,
    Failed,
    Errored,
    Skipped,
    TimedOut,
    Crashed,
    NotReached,
}

impl OutcomeKind {
    /// All kinds, best first.
    pub const ALL: [Self; 7] = [
        Self::Passed,
        Self::Failed,
        Self::Errored,
        Self::Skipped,
        Self::TimedOut,
        Self::Crashed,
        Self::NotReached,
    ];

    /// The word used in JSON, in the store and on the terminal.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Errored => "errored",
            Self::Skipped => "skipped",
            Self::TimedOut => "timed-out",
            Self::Crashed => "crashed",
            Self::NotReached => "not-reached",
        }
    }

    /// The kind with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl Outcome {
    /// The outcome without details.
    pub fn kind(&self) -> OutcomeKind {
        match self {
            Self::Passed => OutcomeKind::Passed,
            Self::Failed(_) => OutcomeKind::Failed,
            Self::Errored(_) => OutcomeKind::Errored,
            Self::Skipped(_) => OutcomeKind::Skipped,
            Self::TimedOut(_) => OutcomeKind::TimedOut,
            Self::Crashed(_) => OutcomeKind::Crashed,
            Self::NotReached => OutcomeKind::NotReached,
        }
    }

    /// What was thrown, if anything.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed(failure) | Self::Errored(failure) => Some(failure),
            _ => None,
        }
    }

    /// Equal in DTDetector's sense: same kind, and for a failure the same
    /// exception at the same line of the test's own code.
    pub fn same_as(&self, other: &Outcome, test: &TestId) -> bool {
        match (self, other) {
            (Self::Failed(a), Self::Failed(b)) | (Self::Errored(a), Self::Errored(b)) => {
                a.same_as(b, test)
            }
            (Self::Crashed(a), Self::Crashed(b)) => a.same_as(b),
            (a, b) => a.kind() == b.kind(),
        }
    }

    /// One line for a person.
    pub fn headline(&self) -> String {
        match self {
            Self::Failed(failure) | Self::Errored(failure) => failure.headline(),
            Self::Skipped(Some(reason)) => format!("skipped: {reason}"),
            Self::TimedOut(limit) => format!("still running after {}s", limit.as_secs_f32()),
            Self::Crashed(crash) => crash.to_string(),
            Self::NotReached => "not reached".into(),
            Self::Passed | Self::Skipped(None) => self.kind().as_str().into(),
        }
    }
}

impl Crash {
    fn same_as(&self, other: &Crash) -> bool {
        match (self, other) {
            (Self::Exit { code: a, .. }, Self::Exit { code: b, .. })
            | (Self::Halt { code: a }, Self::Halt { code: b })
            | (Self::Signal { signal: a }, Self::Signal { signal: b }) => a == b,
            _ => false,
        }
    }
}

impl std::fmt::Display for Crash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exit { code, .. } => write!(f, "called System.exit({code})"),
            Self::Halt { code } => write!(f, "the JVM halted with status {code}"),
            Self::Signal { signal } => write!(f, "the JVM was ended by signal {signal}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_word() {
        for kind in OutcomeKind::ALL {
            assert_eq!(OutcomeKind::from_word(kind.as_str()), Some(kind));
        }
    }

    #[test]
    fn exits_with_another_code_are_another_outcome() {
        let test = TestId::parse("a.T#m").unwrap();
        let exit = |code| Outcome::Crashed(Crash::Exit { code, caller: vec![] });
        assert!(exit(1).same_as(&exit(1), &test));
        assert!(!exit(1).same_as(&exit(2), &test));
        assert!(!exit(1).same_as(&Outcome::Passed, &test));
    }
}

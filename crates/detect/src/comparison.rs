//! When two outcomes of a test count as the same.

use residue_model::{Outcome, OutcomeKind, TestId};
use serde::{Deserialize, Serialize};

/// How closely outcomes are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// As DTDetector does: failures are the same when exception and line of
    /// the test's own code agree.
    #[default]
    SameFailure,
    /// Only whether the test passed, was skipped, or neither.
    PassFail,
}

impl Comparison {
    /// Whether these two outcomes of `test` count as one.
    pub fn same(self, a: &Outcome, b: &Outcome, test: &TestId) -> bool {
        match self {
            Self::SameFailure => a.same_as(b, test),
            Self::PassFail => coarse(a) == coarse(b),
        }
    }
}

/// Every way not to pass is one, but a skipped test did not fail.
fn coarse(outcome: &Outcome) -> OutcomeKind {
    match outcome.kind() {
        OutcomeKind::Errored | OutcomeKind::TimedOut | OutcomeKind::Crashed => OutcomeKind::Failed,
        kind => kind,
    }
}

#[cfg(test)]
mod tests {
    use residue_model::Failure;

    use super::*;

    #[test]
    fn by_pass_and_fail_only_another_exception_is_the_same() {
        let test = TestId::parse("a.T#m").unwrap();
        let thrown = |exception: &str| {
            let exception = exception.into();
            Outcome::Failed(Failure { exception, message: None, frames: vec![], cause: None })
        };
        let errored = Outcome::Errored(thrown("E").failure().unwrap().clone());
        assert!(!Comparison::SameFailure.same(&thrown("E"), &thrown("F"), &test));
        assert!(Comparison::PassFail.same(&thrown("E"), &thrown("F"), &test));
        assert!(Comparison::PassFail.same(&thrown("E"), &errored, &test));
        assert!(!Comparison::PassFail.same(&thrown("E"), &Outcome::Passed, &test));
        assert!(!Comparison::PassFail.same(&Outcome::Skipped(None), &Outcome::Passed, &test));
    }
}

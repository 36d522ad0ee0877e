//! What kind of dependence it is, and which run shows the other side of it.

use residue_model::{Outcome, TestId};

use super::Case;
use crate::Comparison;
use crate::finding::Role;
use crate::observation::Evidence;
use crate::roster::TestNumber;
use crate::shared::Shared;

/// What a test does alone against what it did after others.
pub(crate) struct Contrast {
    pub(crate) role: Role,
    /// A run in which the test did not end as it does alone.
    pub(crate) evidence: Evidence,
    pub(crate) flip: Flip,
}

/// When an outcome is on the other side.
pub(crate) enum Flip {
    /// It passes.
    Passes,
    /// It does not pass.
    DoesNotPass,
    /// It does not pass either, but fails in another way than this.
    Other { alone: Outcome, comparison: Comparison, test: TestId },
}

impl Flip {
    /// Away from how the test ends alone.
    pub(crate) fn of(role: Role, alone: &Outcome, shared: &Shared, test: TestNumber) -> Self {
        match role {
            Role::Victim => Self::DoesNotPass,
            Role::Brittle => Self::Passes,
            _ => {
                let (comparison, test) = (shared.config.comparison, shared.id(test).clone());
                Self::Other { alone: alone.clone(), comparison, test }
            }
        }
    }

    pub(crate) fn holds(&self, outcome: &Outcome) -> bool {
        match self {
            Self::Passes => *outcome == Outcome::Passed,
            Self::DoesNotPass => *outcome != Outcome::Passed,
            Self::Other { alone, comparison, test } => {
                *outcome != Outcome::Passed && !comparison.same(outcome, alone, test)
            }
        }
    }
}

/// iFixFlakies' terms. The two runs of a case differ from each other, so at
/// least one of them differs from the run alone.
pub(crate) fn classify(alone: &Outcome, case: &Case, shared: &Shared) -> Contrast {
    let passes = |evidence: &Evidence| *evidence.outcome() == Outcome::Passed;
    let role = if *alone == Outcome::Passed {
        Role::Victim
    } else if passes(&case.expected) || passes(&case.differing) {
        Role::Brittle
    } else {
        Role::FailsDifferently
    };
    let flip = Flip::of(role, alone, shared, case.test);
    // What happens by default is what people see, and what schedules keep.
    let flipped = [&case.expected, &case.differing].into_iter();
    let evidence = flipped.clone().find(|evidence| flip.holds(evidence.outcome()));
    Contrast { role, evidence: evidence.unwrap_or(&case.differing).clone(), flip }
}

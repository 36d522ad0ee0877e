//! Why a run is wanted.

use std::fmt;

use residue_model::TestId;

use crate::Algorithm;

/// Why a run is wanted, for people who watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// To know what tests do in the default order.
    Reference,
    /// To see whether anything differs in this order.
    Exploration {
        /// Whose order it is.
        algorithm: Algorithm,
        /// The order's label.
        order: String,
    },
    /// To explain why a test differed.
    Explanation {
        /// The test.
        test: TestId,
        /// What about it.
        step: Step,
    },
}

/// A step on the way from a difference to a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// What it does alone.
    Alone,
    /// Which other tests it takes.
    Minimise,
    /// Whether it happens again.
    Confirm,
    /// To which others it happens too.
    Company,
    /// Whether it happens with classes kept together.
    Regroup,
    /// Which other tests do the same.
    OtherPartners,
    /// Which tests undo it.
    Cleaners,
    /// Through what it happens.
    Trace,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reference => f.write_str("running the default order"),
            Self::Exploration { order, .. } => write!(f, "trying the order `{order}`"),
            Self::Explanation { test, step } => {
                let step = match step {
                    Step::Alone => "what it does alone",
                    Step::Minimise => "which tests it takes",
                    Step::Confirm => "whether it happens again",
                    Step::Company => "to which others it happens too",
                    Step::Regroup => "whether it happens with classes kept together",
                    Step::OtherPartners => "which other tests do the same",
                    Step::Cleaners => "which tests undo it",
                    Step::Trace => "through what it happens",
                };
                write!(f, "explaining {test}: {step}")
            }
        }
    }
}

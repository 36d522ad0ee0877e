//! What came of values that stood in for tests.

use std::time::Duration;

use residue_model::TestId;
use residue_schedule::Obstacle;

/// How far values can stand in for tests in the schedules of a suite.
#[derive(Debug, Clone)]
pub struct SpeculationPlan {
    /// Dependencies that values can meet.
    pub simple: usize,
    /// Dependencies that values cannot meet, by reason.
    pub obstacles: Vec<(Obstacle, usize)>,
    /// Dependencies that values meet in the schedule; none if that makes it no
    /// shorter.
    pub met: usize,
    /// How long the schedule takes in which all tests run that others need.
    pub without: Duration,
}

impl SpeculationPlan {
    /// How many dependencies there are.
    pub(crate) fn dependencies(&self) -> usize {
        self.simple + self.obstacles.iter().map(|(_, count)| count).sum::<usize>()
    }
}

/// What came of it in a parallel run.
#[derive(Debug)]
pub struct SpeculationOutcome<'a> {
    /// Dependencies that values met.
    pub met: usize,
    /// Those whose values were wrong.
    pub failed: Vec<FailedSpeculation<'a>>,
    /// Tests that ran again because of that.
    pub again: Vec<&'a TestId>,
}

/// A dependency whose values were wrong.
#[derive(Debug, Clone, Copy)]
pub struct FailedSpeculation<'a> {
    /// The test that ran with the values.
    pub reader: &'a TestId,
    /// The test that they stood in for.
    pub writer: &'a TestId,
    /// How that is known.
    pub doubt: &'a Doubt,
}

/// Why a value was wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// It could not be put in place.
    Refused {
        /// Where it should have been.
        field: String,
        /// Why.
        reason: String,
    },
    /// The test it stood in for left something else.
    Differs {
        /// Where.
        field: String,
        /// What was put in place.
        put: String,
        /// What the test left.
        left: String,
    },
    /// The test it stood in for never came to its end.
    NotSeen {
        /// Where the value was put.
        field: String,
    },
    /// A test that was run with it ended otherwise than in the default order.
    OtherOutcome {
        /// Which.
        test: TestId,
    },
}

impl Doubt {
    /// In words.
    pub fn told(&self) -> String {
        match self {
            Self::Refused { field, reason } => {
                format!("{field} could not be set: {reason}")
            }
            Self::Differs { field, put, left } => {
                format!("{field} was set to {put}, but the test leaves {left}")
            }
            Self::NotSeen { field } => {
                format!("what the test leaves in {field} was never seen")
            }
            Self::OtherOutcome { test } => format!("{test} ended otherwise with its values"),
        }
    }
}

/// Why values cannot meet a dependency, in words.
pub(crate) fn obstacle_text(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::Object => "through objects, or state outside the heap",
        Obstacle::Field => "through fields that cannot be set: final, or not of the project",
        Obstacle::Value => "with values that are not known exactly, such as objects",
        Obstacle::Fixture => "through class fixtures",
        Obstacle::Initialiser => "in classes whose static initialiser depends on tests",
        Obstacle::Refuted => "whose values did not hold before",
    }
}

//! What is known about a test at a place of an order.

use super::jvm::Content;
use crate::knowledge::{ExecutionId, Spot};
use crate::roster::TestNumber;

/// What is known about a test at a place of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It will do what this execution did.
    Known(ExecutionId),
    /// It would do what this execution did, but no trace of that told whether
    /// it reads some location that is not as made here.
    Untold(ExecutionId),
    /// It sees what it never saw.
    Novel,
    /// What it sees depends on an earlier test that sees what it never saw.
    Unsure,
    /// What it reads does not tell how it ends.
    Unpredictable,
}

/// A test of a simulated order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) test: TestNumber,
    pub(crate) seen: Seen,
    /// Places of the tests that left what it reads, and where they left it.
    pub(crate) from: Vec<(usize, Spot)>,
    /// What it sees, if it is not known what follows from it.
    pub(crate) view: Vec<(Spot, Content)>,
    /// Of what no trace told, if it is only that.
    pub(crate) untold: Vec<Spot>,
    /// Places of the tests that left something there.
    pub(super) untold_from: Vec<usize>,
    /// It depends on all that ran before it in its JVM, from this place on.
    pub(super) on_all_since: Option<usize>,
    /// A class fixture that does something runs between the test before it and
    /// this one.
    pub(super) behind_fixture: bool,
}

impl Step {
    /// Whether the test sees here what it sees there.
    pub(crate) fn sees_like(&self, other: &Self) -> bool {
        match (self.seen, other.seen) {
            (Seen::Known(a) | Seen::Untold(a), Seen::Known(b) | Seen::Untold(b)) => a == b,
            (a, b) => a == b && self.view == other.view,
        }
    }
}

//! What a run really showed.

use std::rc::Rc;

use residue_model::{Outcome, OutcomeKind, RunRecord};

use crate::roster::{Roster, TestNumber};

/// The tests of a run as they really ran, with their outcomes.
#[derive(Debug, Clone)]
pub(crate) struct Observation {
    reached: Vec<(TestNumber, Outcome)>,
    unreached: Vec<TestNumber>,
    kept_order: bool,
}

/// How a test ended after certain others: a place in a run.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    pub(crate) run: Rc<Observation>,
    pub(crate) place: usize,
}

impl Evidence {
    pub(crate) fn outcome(&self) -> &Outcome {
        &self.run.reached[self.place].1
    }

    /// Whether the run was one of exactly this order, so that to see it again
    /// takes another repetition.
    pub(crate) fn is_run_of(&self, order: &[TestNumber]) -> bool {
        let run = &self.run;
        run.kept_order
            && run.unreached.is_empty()
            && run.reached.iter().map(|(test, _)| test).eq(order)
    }

    /// What ran before the test, first to run first.
    pub(crate) fn before(&self) -> Vec<TestNumber> {
        self.run.reached[..self.place].iter().map(|(test, _)| *test).collect()
    }
}

impl Observation {
    /// Sorts out what was reached, in the order in which it really began.
    pub(crate) fn of(record: &RunRecord, roster: &Roster) -> Self {
        let asked = (0..record.results.len()).collect();
        let places = record.deviated.as_ref().unwrap_or(&asked);
        let result = |&place: &usize| {
            let result = record.results.get(place)?;
            let ended = result.outcome.kind() != OutcomeKind::NotReached;
            let number = roster.number(&result.test)?;
            ended.then(|| (number, result.outcome.clone()))
        };
        let never_began = record.results.iter();
        Self {
            reached: places.iter().filter_map(result).collect(),
            unreached: never_began
                .filter(|result| result.outcome.kind() == OutcomeKind::NotReached)
                .filter_map(|result| roster.number(&result.test))
                .collect(),
            kept_order: record.deviated.is_none(),
        }
    }

    /// Tests that ended, in the order in which they ran.
    pub(crate) fn reached(&self) -> &[(TestNumber, Outcome)] {
        &self.reached
    }

    /// The outcome of a test in exactly the order that was asked. A run that
    /// deviated from it, or never got to the test, says nothing.
    pub(crate) fn outcome_as_asked(&self, test: TestNumber) -> Option<&Outcome> {
        let found = self.reached.iter().rev().find(|(reached, _)| *reached == test);
        found.filter(|_| self.kept_order).map(|(_, outcome)| outcome)
    }

    /// The tests behind one that ended the JVM, unless nothing ran at all.
    pub(crate) fn left_over(&self) -> Option<&[TestNumber]> {
        let worth_asking = !self.reached.is_empty() && !self.unreached.is_empty();
        worth_asking.then_some(&self.unreached)
    }
}

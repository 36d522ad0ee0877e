//! What a run really showed.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use residue_model::{Failure, FixturePhase, Outcome, OutcomeKind, RunRecord};

use crate::Location;
use crate::roster::{Roster, TestNumber};
use crate::trace::{Actor, RunAccesses, Stretch};

/// What a run showed, and what a trace saw of it.
#[derive(Debug, Clone)]
pub(crate) struct Observation {
    ran: Rc<Ran>,
    accesses: Option<Watched>,
}

/// The tests of a run as they really ran, with their outcomes.
#[derive(Debug)]
struct Ran {
    reached: Vec<(TestNumber, Outcome)>,
    /// How long each of these took.
    took: Vec<Duration>,
    unreached: Vec<TestNumber>,
    kept_order: bool,
    duration: Duration,
    traced: bool,
    /// Classes whose fixture failed before their tests.
    unopened: Vec<(String, Failure)>,
}

/// What a trace saw of a run.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    /// For each test that ended what happened with it.
    pub(crate) tests: Vec<Stretches>,
    pub(crate) lists_unwritten: bool,
    pub(crate) memos: HashMap<Location, bool>,
    pub(crate) tables: HashMap<Location, Location>,
    /// Tests that change something for everybody and put it back.
    pub(crate) passing: Vec<TestNumber>,
}

/// What happened with a test: the fixture before it, itself, the one after it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stretches {
    pub(crate) opening: Option<Stretch>,
    pub(crate) test: Option<Stretch>,
    pub(crate) closing: Option<Stretch>,
}

impl Stretches {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Stretch> {
        [&self.opening, &self.test, &self.closing].into_iter().flatten()
    }
}

/// How a test ended after certain others: a place in a run. What a trace saw of
/// the run is not kept with it.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    run: Rc<Ran>,
    place: usize,
}

impl Evidence {
    pub(crate) fn at(run: &Observation, place: usize) -> Self {
        Self { run: Rc::clone(&run.ran), place }
    }

    pub(crate) fn was_traced(&self) -> bool {
        self.run.traced
    }

    pub(crate) fn outcome(&self) -> &Outcome {
        &self.run.reached[self.place].1
    }

    /// Whether the run was one of exactly this order and without a trace, so
    /// that to see it again takes another repetition.
    pub(crate) fn is_run_of(&self, order: &[TestNumber]) -> bool {
        let run = &self.run;
        run.kept_order
            && !run.traced
            && run.unreached.is_empty()
            && run.reached.iter().map(|(test, _)| test).eq(order)
    }

    /// The last place of a test in a run.
    pub(crate) fn last_of(run: &Observation, test: TestNumber) -> Option<Self> {
        let place = run.reached().iter().rposition(|(reached, _)| *reached == test)?;
        Some(Self::at(run, place))
    }

    /// What ran before the test, first to run first.
    pub(crate) fn before(&self) -> Vec<TestNumber> {
        self.run.reached[..self.place].iter().map(|(test, _)| *test).collect()
    }
}

impl Observation {
    /// Sorts out what was reached, in the order in which it really began.
    pub(crate) fn of(record: &RunRecord, accesses: Option<&RunAccesses>, roster: &Roster) -> Self {
        let asked = (0..record.results.len()).collect();
        let places = record.deviated.as_ref().unwrap_or(&asked);
        let result = |&place: &usize| {
            let result = record.results.get(place)?;
            let ended = result.outcome.kind() != OutcomeKind::NotReached;
            let number = roster.number(&result.test)?;
            ended.then(|| ((number, result.outcome.clone()), result.duration))
        };
        let never_began = record.results.iter();
        let (reached, took): (Vec<_>, Vec<_>) = places.iter().filter_map(result).unzip();
        let failures = record.fixture_failures.iter();
        let unopened = failures
            .filter(|failed| failed.phase == FixturePhase::BeforeClass)
            .map(|failed| (failed.class.clone(), failed.failure.clone()));
        // Tests that nobody asked for leave what no trace puts down to them.
        let accesses = accesses.filter(|_| record.unrequested.is_empty());
        let accesses = accesses.map(|accesses| Watched::of(accesses, &reached, roster));
        let ran = Ran {
            unopened: unopened.collect(),
            traced: accesses.is_some(),
            reached,
            took,
            unreached: never_began
                .filter(|result| result.outcome.kind() == OutcomeKind::NotReached)
                .filter_map(|result| roster.number(&result.test))
                .collect(),
            kept_order: record.deviated.is_none(),
            duration: record.duration,
        };
        Self { ran: Rc::new(ran), accesses }
    }

    /// Why the fixture of a class failed before its tests, if it did.
    pub(crate) fn failed_opening(&self, class: &str) -> Option<&Failure> {
        self.ran.unopened.iter().find(|(failed, _)| failed == class).map(|(_, failure)| failure)
    }

    /// How long each test took that ended.
    pub(crate) fn test_durations(&self) -> impl Iterator<Item = (TestNumber, Duration)> {
        self.ran.reached.iter().zip(&self.ran.took).map(|((test, _), took)| (*test, *took))
    }

    /// How long the run took.
    pub(crate) fn duration(&self) -> Duration {
        self.ran.duration
    }

    /// What a trace saw, if there was one.
    pub(crate) fn watched(&self) -> Option<&Watched> {
        self.accesses.as_ref()
    }

    /// Tests that ended, in the order in which they ran.
    pub(crate) fn reached(&self) -> &[(TestNumber, Outcome)] {
        &self.ran.reached
    }

    /// The outcome of a test in exactly the order that was asked. A run that
    /// deviated from it, or never got to the test, says nothing.
    pub(crate) fn outcome_as_asked(&self, test: TestNumber) -> Option<&Outcome> {
        let found = self.ran.reached.iter().rev().find(|(reached, _)| *reached == test);
        found.filter(|_| self.ran.kept_order).map(|(_, outcome)| outcome)
    }

    /// The tests behind one that ended the JVM, unless nothing ran at all.
    pub(crate) fn left_over(&self) -> Option<&[TestNumber]> {
        let Ran { reached, unreached, .. } = &*self.ran;
        let worth_asking = !reached.is_empty() && !unreached.is_empty();
        worth_asking.then_some(unreached)
    }
}

impl Watched {
    fn of(accesses: &RunAccesses, reached: &[(TestNumber, Outcome)], roster: &Roster) -> Self {
        let mut by_test: HashMap<Option<TestNumber>, Stretches> = HashMap::new();
        for stretch in &accesses.stretches {
            let stretches = by_test.entry(roster.number(&stretch.test)).or_default();
            let place = match stretch.actor {
                Actor::Opening => &mut stretches.opening,
                Actor::Test => &mut stretches.test,
                Actor::Closing => &mut stretches.closing,
            };
            *place = Some(stretch.clone());
        }
        let tests =
            reached.iter().map(|(test, _)| by_test.remove(&Some(*test)).unwrap_or_default());
        Self {
            tests: tests.collect(),
            lists_unwritten: accesses.lists_unwritten,
            memos: accesses.memos.clone(),
            tables: accesses.tables.clone(),
            passing: accesses.passing.iter().filter_map(|test| roster.number(test)).collect(),
        }
    }
}

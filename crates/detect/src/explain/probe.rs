//! Asks how one test ends after chosen others.

use std::cell::{Cell, RefCell};
use std::collections::{HashSet, VecDeque};

use residue_model::Outcome;

use super::classify::Flip;
use crate::bits::TestSet;
use crate::desk::Asked;
use crate::finding::{Finding, PartnerSet};
use crate::observation::Evidence;
use crate::purpose::Step;
use crate::roster::{Order, TestNumber};
use crate::shared::Shared;

/// Candidates that may be under way at once while the first good one is sought.
const WINDOW: usize = 32;

/// One test under examination, and what always runs before it.
pub(crate) struct Probe<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) test: TestNumber,
    step: Step,
    /// First of all.
    lead: Vec<TestNumber>,
    /// Directly before the test.
    home: Vec<TestNumber>,
    fixed: TestSet,
    runs: Cell<u32>,
    /// Sets that were tried while minimising and did not flip the test.
    in_vain: RefCell<HashSet<Vec<TestNumber>>>,
}

/// A candidate after which the test flipped.
pub(crate) struct Hit {
    pub(crate) tests: Vec<TestNumber>,
    pub(crate) outcome: Outcome,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(shared: &'a Shared, test: TestNumber) -> Self {
        Self::after(shared, test, &[], Step::Minimise)
    }

    /// Looks at the test always after these.
    pub(crate) fn after(
        shared: &'a Shared,
        test: TestNumber,
        lead: &[TestNumber],
        step: Step,
    ) -> Self {
        let home = shared.home(test);
        let fixed = [lead, &home, &[test]].concat();
        let fixed = TestSet::of(shared.roster.len(), &fixed);
        let (runs, in_vain) = (Cell::new(0), RefCell::default());
        Self { shared, test, step, lead: lead.to_vec(), home, fixed, runs, in_vain }
    }

    /// The test after these others.
    pub(crate) fn order(&self, before: &[TestNumber]) -> Order {
        let others = self.movable(before.iter().copied());
        [self.lead.as_slice(), &others, &self.home, &[self.test]].concat().into()
    }

    /// Of these tests those that may be left out or put in.
    pub(crate) fn movable(&self, tests: impl IntoIterator<Item = TestNumber>) -> Vec<TestNumber> {
        tests.into_iter().filter(|&test| !self.fixed.contains(test)).collect()
    }

    pub(crate) fn ask(
        &self,
        before: &[TestNumber],
        repetition: u32,
        step: Step,
        rank: usize,
    ) -> Asked {
        self.shared.ask_about(self.test, self.order(before), repetition, step, rank)
    }

    /// How the test ends after these others; `None` if the run does not tell.
    pub(crate) async fn outcome(&self, before: &[TestNumber], step: Step) -> Option<Outcome> {
        let run = self.ask(before, 0, step, 0).await;
        run.outcome_as_asked(self.test).cloned()
    }

    /// The first candidate that flips the test. Later ones may run meanwhile
    /// and are withdrawn, but never decide.
    pub(crate) async fn first(
        &self,
        candidates: impl IntoIterator<Item = Vec<TestNumber>>,
        flip: &Flip,
    ) -> Option<Hit> {
        let new = candidates.into_iter().filter(|tests| !self.in_vain.borrow().contains(tests));
        let mut stream = self.stream(new, self.step);
        while !self.out_of_runs()
            && let Some((tests, outcome)) = stream.next().await
        {
            self.runs.set(self.runs.get() + 1);
            if let Some(outcome) = outcome.filter(|outcome| flip.holds(outcome)) {
                return Some(Hit { tests, outcome });
            }
            self.in_vain.borrow_mut().insert(tests);
        }
        None
    }

    /// Whether what this run showed happens again in a run of its own.
    pub(crate) async fn again(&self, evidence: &Evidence, flip: &Flip) -> Option<Hit> {
        let tests = self.movable(evidence.before());
        let run = self.ask(&tests, self.next_repetition(evidence), self.step, 0).await;
        let outcome = run.outcome_as_asked(self.test).filter(|outcome| flip.holds(outcome));
        outcome.map(|outcome| Hit { tests, outcome: outcome.clone() })
    }

    /// The first repetition that is not the run of this evidence.
    pub(crate) fn next_repetition(&self, evidence: &Evidence) -> u32 {
        u32::from(evidence.is_run_of(&self.order(&evidence.before())))
    }

    /// Each candidate's outcome, in the order given, some asked ahead.
    pub(crate) fn stream<I: IntoIterator<Item = Vec<TestNumber>>>(
        &self,
        candidates: I,
        step: Step,
    ) -> Stream<'_, I::IntoIter> {
        let candidates = candidates.into_iter();
        Stream { probe: self, candidates, step, asked: 0, ahead: VecDeque::new() }
    }

    /// Whether minimising has taken as many runs as it may.
    pub(crate) fn out_of_runs(&self) -> bool {
        self.runs.get() >= self.shared.config.minimising_runs
    }

    /// Adds others that flip the test to its finding, which must be in the ledger.
    pub(crate) fn add_partners(&self, partners: PartnerSet) {
        self.amend(|finding| finding.other_partners.push(partners));
        self.shared.ledger.borrow_mut().account_for(self.test, &self.shared.roster);
    }

    /// Adds to the test's finding, which must be in the ledger.
    pub(crate) fn amend(&self, change: impl FnOnce(&mut Finding)) {
        let test = self.shared.id(self.test);
        let findings = &mut self.shared.ledger.borrow_mut().findings;
        if let Some(finding) = findings.iter_mut().find(|finding| finding.test == *test) {
            change(finding);
        }
    }
}

pub(crate) struct Stream<'a, I> {
    probe: &'a Probe<'a>,
    candidates: I,
    step: Step,
    asked: usize,
    ahead: VecDeque<(Vec<TestNumber>, Asked)>,
}

impl<I: Iterator<Item = Vec<TestNumber>>> Stream<'_, I> {
    pub(crate) async fn next(&mut self) -> Option<(Vec<TestNumber>, Option<Outcome>)> {
        while self.ahead.len() < WINDOW
            && let Some(tests) = self.candidates.next()
        {
            let asked = self.probe.ask(&tests, 0, self.step, self.asked);
            self.ahead.push_back((tests, asked));
            self.asked += 1;
        }
        let (tests, asked) = self.ahead.pop_front()?;
        let run = asked.await;
        Some((tests, run.outcome_as_asked(self.probe.test).cloned()))
    }
}

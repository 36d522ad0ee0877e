//! Tests that put the cause back themselves: what they do, the polluter or a
//! fixture should do.

use std::collections::BTreeSet;

use residue_detect::{CleanerSet, Role, Witness};
use residue_lab::{Answer, Question};
use residue_model::trace::{Trace, Write};
use residue_model::{Outcome, TestId, TestOrder};
use residue_report::{Cause, Piece};

use super::{Inquiry, Unanswered};
use crate::error::CliError;

/// Tests that are tried.
const MOST_TRIED: usize = 8;

/// Runs that prove that a test is a cleaner.
const PROOFS: usize = 3;

impl Inquiry<'_, '_> {
    /// The cleaners of the finding. If nobody looked for them, the first of the
    /// tests that write the cause which lets the victim pass again.
    pub(super) fn cleaners(&mut self, cause: &Cause) -> Result<Vec<CleanerSet>, Unanswered> {
        let finding = self.finding;
        if !finding.cleaners.is_empty() {
            return Ok(finding.cleaners.clone());
        }
        let (Role::Victim, Cause::Proved { pieces, .. }) = (finding.role, cause) else {
            return Ok(Vec::new());
        };
        let Some(traced) = self.means.stored_default_trace()? else { return Ok(Vec::new()) };
        let takes_part = |test: &&TestId| finding.partners.together.order.tests().contains(test);
        let writers = writers(&traced.trace, pieces).filter(|test| !takes_part(test));
        let with_order = |test| Ok((test, self.with_cleaner(test)?));
        let orders =
            writers.take(MOST_TRIED).map(with_order).collect::<Result<Vec<_>, CliError>>()?;
        let once: Vec<_> = orders.iter().map(|(_, order)| self.question(order, 1)).collect();
        let answers = self.ask(&once)?;
        let cleaned = answers.iter().position(|answers| answers.iter().all(has_passed));
        let Some((test, order)) = cleaned.map(|at| &orders[at]) else { return Ok(Vec::new()) };
        let again = self.question(order, PROOFS);
        let answers = self.ask(&[again])?;
        let held = answers[0].iter().filter(|answer| has_passed(answer)).count();
        if held < PROOFS {
            return Ok(Vec::new());
        }
        let order = order.clone();
        let witness =
            Witness { order, outcome: Outcome::Passed, held: held as u32, runs: PROOFS as u32 };
        Ok(vec![CleanerSet { tests: vec![(*test).clone()], witness, minimal: true }])
    }

    /// Polluters, cleaner, victim.
    fn with_cleaner(&self, cleaner: &TestId) -> Result<TestOrder, CliError> {
        let mut tests = self.finding.partners.tests.clone();
        tests.push(cleaner.clone());
        tests.push(self.finding.test.clone());
        Ok(TestOrder::new(tests)?)
    }

    fn question(&self, order: &TestOrder, repetitions: usize) -> Question {
        Question { request: self.means.request(order.clone()), repetitions, fresh: false }
    }

    fn ask(&mut self, questions: &[Question]) -> Result<Vec<Vec<Answer>>, Unanswered> {
        let (mut lab, mut watch) = self.means.lab(format!("cleaners for {}", self.id));
        let answers = lab.ask(questions, &mut watch)?;
        drop(watch);
        answers.iter().flatten().for_each(|answer| self.means.spent.count(&answer.record));
        Ok(answers)
    }
}

/// Tests that write one of these, in the order in which they ran.
fn writers<'t>(trace: &'t Trace, pieces: &[Piece]) -> impl Iterator<Item = &'t TestId> + use<'t> {
    let is_cause = |write: &Write| pieces.iter().any(|piece| piece.has(trace.path(write.location)));
    let writing = trace.epochs.iter().filter(|epoch| epoch.writes.iter().any(is_cause));
    let tests: BTreeSet<usize> = writing.map(|epoch| epoch.test).collect();
    tests.into_iter().map(|test| &trace.order[test])
}

fn has_passed(answer: &Answer) -> bool {
    let kept_order = answer.record.deviated.is_none();
    kept_order && answer.record.results.last().is_some_and(|last| last.outcome == Outcome::Passed)
}

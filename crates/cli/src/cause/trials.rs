//! Runs of a failing order in which something is put back before the dependent
//! test.

use std::collections::BTreeSet;
use std::time::Duration;

use residue_detect::Finding;
use residue_lab::{Lab, Observer, StoodIn, Traced};
use residue_model::{PutBack, RunLimits, RunRequest, StatePath};

use super::means::{Effort, Spent, Unanswered};

/// Runs that prove a cause.
const PROOFS: usize = 3;

/// A test that does not come to its end because of what was put back shall not
/// hold up the others: it has so many times the time that it takes else.
const PATIENCE: u32 = 10;

/// But at least this.
const LEAST_PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn patient(limits: &RunLimits, flipped: &Traced) -> RunLimits {
    let took = flipped.record.results.iter().map(|result| result.duration).max();
    let patience = (took.unwrap_or_default() * PATIENCE).max(LEAST_PATIENCE);
    RunLimits { per_test: limits.per_test.min(patience), ..*limits }
}

/// Suspects are told by their numbers.
pub(super) struct Trials<'a> {
    pub(super) finding: &'a Finding,
    pub(super) request: RunRequest,
    pub(super) suspects: Vec<StatePath>,
    pub(super) lab: Lab<'a>,
    /// How long a run takes, and whether it may.
    pub(super) run_takes: Duration,
    pub(super) effort: Effort<'a>,
    pub(super) spent: &'a mut Spent,
    /// Suspects that could not be put back.
    pub(super) refused: BTreeSet<usize>,
}

impl Trials<'_> {
    /// How many suspects could not be put back.
    pub(super) fn refused(&self) -> usize {
        self.refused.len()
    }

    /// Whether the test ends as alone with these put back, and not if they are
    /// only noted.
    pub(super) fn undoes(
        &mut self,
        set: &[usize],
        watch: &mut dyn Observer,
    ) -> Result<bool, Unanswered> {
        if !self.is_as_alone_with(set, watch)? {
            return Ok(false);
        }
        let control = self.run(set, 0, 1, watch)?;
        Ok(!control.iter().any(|run| self.is_as_alone(run)))
    }

    /// Whether the test ends as alone with these put back.
    pub(super) fn is_as_alone_with(
        &mut self,
        set: &[usize],
        watch: &mut dyn Observer,
    ) -> Result<bool, Unanswered> {
        let runs = self.run(set, self.dependent(), 1, watch)?;
        Ok(runs.iter().all(|run| self.is_as_alone(run)))
    }

    /// In how many of how many runs it does.
    pub(super) fn proof(
        &mut self,
        set: &[usize],
        watch: &mut dyn Observer,
    ) -> Result<(usize, usize), Unanswered> {
        let runs = self.run(set, self.dependent(), PROOFS, watch)?;
        Ok((runs.iter().filter(|run| self.is_as_alone(run)).count(), runs.len()))
    }

    /// The place of the dependent test.
    fn dependent(&self) -> usize {
        self.request.order.len() - 1
    }

    fn run(
        &mut self,
        set: &[usize],
        before: usize,
        repetitions: usize,
        watch: &mut dyn Observer,
    ) -> Result<Vec<StoodIn>, Unanswered> {
        self.effort.allows(self.run_takes)?;
        let put_back = |&suspect: &usize| PutBack { before, path: self.suspects[suspect].clone() };
        let put_back: Vec<PutBack> = set.iter().map(put_back).collect();
        let runs = self.lab.put_back(&self.request, &put_back, repetitions, watch)?;
        runs.iter().for_each(|(answer, _)| self.spent.count(&answer.record));
        let refusals = runs.iter().flat_map(|(_, account)| &account.not_put_back);
        self.refused.extend(refusals.map(|(at, _)| set[*at]));
        Ok(runs)
    }

    fn is_as_alone(&self, (answer, _): &StoodIn) -> bool {
        let kept_order = answer.record.deviated.is_none();
        let last = answer.record.results.last();
        kept_order && last.is_some_and(|result| self.finding.is_as_alone(&result.outcome))
    }
}

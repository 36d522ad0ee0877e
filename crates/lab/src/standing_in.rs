//! Orders that run with stand-ins: what such a run shows holds for these values
//! only, so it never answers for the order itself.

use residue_exec::{ExecEvent, Ticket};
use residue_model::{PutBack, RunRequest, StandInAccount, StandIns};

use crate::{Answer, Lab, LabError, Observer};

/// A run with what became of its stand-ins.
pub type StoodIn = (Answer, StandInAccount);

impl Lab<'_> {
    /// So many runs of an order in which tests do not find what was changed
    /// before them. Those in the store count.
    pub fn put_back(
        &mut self,
        request: &RunRequest,
        put_back: &[PutBack],
        repetitions: usize,
        observer: &mut dyn Observer,
    ) -> Result<Vec<StoodIn>, LabError> {
        let mut runs = Vec::new();
        let stored = self.store.put_back_answers(self.suite, request, put_back)?;
        for run in stored.into_iter().take(repetitions) {
            let answer = Answer { run, record: self.store.load(run)?, from_store: true };
            runs.push((answer, self.store.not_put_back(run)?));
        }
        let stand_ins = StandIns { put_back: put_back.to_vec(), ..StandIns::default() };
        let missing = vec![(request.clone(), stand_ins); repetitions - runs.len()];
        if !missing.is_empty() {
            runs.extend(self.stand_in(&missing, observer)?);
        }
        Ok(runs)
    }

    /// Runs orders, all at once as far as there is room, each with values that
    /// are put in place on the way, in new runs always. An order without such
    /// values is run, and kept, like any other.
    pub fn stand_in(
        &mut self,
        orders: &[(RunRequest, StandIns)],
        observer: &mut dyn Observer,
    ) -> Result<Vec<StoodIn>, LabError> {
        let tests = orders.iter().map(|(request, _)| request.order.len()).sum();
        observer.starting(orders.len(), tests);
        for (number, (request, stand_ins)) in orders.iter().enumerate() {
            let (ticket, request) = (Ticket(number as u64), request.clone());
            if stand_ins.is_empty() {
                self.executor.start(ticket, request);
            } else {
                self.executor.start_with_stand_ins(ticket, request, stand_ins.clone());
            }
        }
        let mut answers: Vec<Option<StoodIn>> = vec![None; orders.len()];
        let mut failure = None;
        while let Some(event) = self.executor.next_event() {
            let (ticket, record, account) = match event {
                ExecEvent::TestBegan { .. } => continue,
                ExecEvent::TestEnded { kind, .. } => {
                    observer.test_ended(kind);
                    continue;
                }
                ExecEvent::Warned { text } => {
                    observer.warned(&text);
                    continue;
                }
                ExecEvent::Finished { ticket, record } => {
                    (ticket, record, StandInAccount::default())
                }
                ExecEvent::FinishedWithStandIns { ticket, record, stand_ins } => {
                    (ticket, record, stand_ins)
                }
                // Runs under way may still finish and are worth keeping.
                ExecEvent::Failed { error, .. } => {
                    failure.get_or_insert(error);
                    continue;
                }
                ExecEvent::Interrupted => return Err(LabError::Interrupted),
                ExecEvent::Traced { .. } => return Err(LabError::CannotStandIn),
            };
            let number = ticket.0 as usize;
            let (RunRequest { limits, .. }, stand_ins) = &orders[number];
            let run = if stand_ins.is_empty() {
                self.store.record(self.suite, limits, &record)?
            } else {
                let done = (stand_ins, &account);
                self.store.record_with_stand_ins(self.suite, limits, &record, done)?
            };
            let answer = Answer { run, record: *record, from_store: false };
            observer.answered(number, &answer);
            answers[number] = Some((answer, account));
        }
        match failure {
            Some(error) => Err(error.into()),
            None => answers.into_iter().collect::<Option<_>>().ok_or(LabError::CannotStandIn),
        }
    }
}

//! The one loop that answers questions about orders.
//!
//! A question is an order and how often it shall have been run. What the store
//! has is not run again; the rest goes to an executor, and every finished run
//! is stored before anything else happens, so that killing the program costs
//! only the runs in flight.

mod contents;
mod detection_loop;
mod location_names;
mod memos;
mod paths;
mod run_accesses;
mod standing_in;
mod tables;
mod tracing;

use std::collections::VecDeque;

use residue_exec::{ExecError, ExecEvent, Executor, Ticket};
use residue_model::{OutcomeKind, RunRecord, RunRequest};
use residue_store::{RunId, Store, StoreError, SuiteKey};

pub use detection_loop::{DetectionObserver, DetectionSettings, Ended};
pub use standing_in::StoodIn;
pub use tracing::{Traced, coverage, traced};

/// What somebody wants to know.
#[derive(Debug, Clone)]
pub struct Question {
    /// Which order, under which limits.
    pub request: RunRequest,
    /// How many runs are wanted in all.
    pub repetitions: usize,
    /// Whether stored runs do not count.
    pub fresh: bool,
}

/// A run that answers a question.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Its number in the store.
    pub run: RunId,
    /// What happened.
    pub record: RunRecord,
    /// Whether it was there already.
    pub from_store: bool,
}

/// Watches the lab at work.
pub trait Observer {
    /// Runs that the store could not answer are about to start.
    fn starting(&mut self, _runs: usize, _tests: usize) {}
    /// A test of some run has ended.
    fn test_ended(&mut self, _kind: OutcomeKind) {}
    /// There is something that the user should know.
    fn warned(&mut self, _text: &str) {}
    /// A run is stored.
    fn answered(&mut self, _question: usize, _answer: &Answer) {}
}

/// Why not everything could be answered. All runs that finished are stored.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A run could not take place.
    #[error(transparent)]
    Exec(#[from] ExecError),
    /// A trace is not in a format we know.
    #[error("the trace of a run cannot be read: {0}; trace again with --fresh")]
    Trace(#[from] residue_wire::trace::TraceError),
    /// Whoever runs the orders does not trace them.
    #[error("orders are run by something that cannot trace them")]
    CannotTrace,
    /// Whoever runs the orders puts no values into fields.
    #[error("orders are run by something that cannot put values into fields")]
    CannotStandIn,
    /// Somebody asked to stop.
    #[error(
        "interrupted; every finished run is in the store, and the same command goes on from there"
    )]
    Interrupted,
}

/// One suite, where its runs are kept, and who performs new ones.
pub struct Lab<'a> {
    store: &'a mut Store,
    suite: SuiteKey,
    executor: &'a mut dyn Executor,
    /// Traced runs that detections were told of, first to last.
    told_traces: Vec<RunId>,
}

impl<'a> Lab<'a> {
    /// A lab for one suite.
    pub fn new(store: &'a mut Store, suite: SuiteKey, executor: &'a mut dyn Executor) -> Self {
        Self { store, suite, executor, told_traces: Vec::new() }
    }

    /// Answers all questions; the answers stand in the order of the questions.
    pub fn ask(
        &mut self,
        questions: &[Question],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Vec<Answer>>, LabError> {
        let mut answers = self.recall(questions, observer)?;
        let mut waiting = unanswered(questions, &answers);
        if waiting.is_empty() {
            return Ok(answers);
        }
        let tests = waiting.iter().map(|&question| questions[question].request.order.len()).sum();
        observer.starting(waiting.len(), tests);
        self.run(questions, &mut waiting, &mut answers, observer)?;
        Ok(answers)
    }

    fn recall(
        &self,
        questions: &[Question],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Vec<Answer>>, LabError> {
        let mut answers = Vec::with_capacity(questions.len());
        for (number, question) in questions.iter().enumerate() {
            let mut known = Vec::new();
            if !question.fresh {
                let stored = self.store.answers(self.suite, &question.request)?;
                for run in stored.into_iter().take(question.repetitions) {
                    let answer = Answer { run, record: self.store.load(run)?, from_store: true };
                    observer.answered(number, &answer);
                    known.push(answer);
                }
            }
            answers.push(known);
        }
        Ok(answers)
    }

    fn run(
        &mut self,
        questions: &[Question],
        waiting: &mut VecDeque<usize>,
        answers: &mut [Vec<Answer>],
        observer: &mut dyn Observer,
    ) -> Result<(), LabError> {
        let mut under_way = 0;
        let mut failure = None;
        loop {
            while failure.is_none() && under_way < self.executor.capacity() {
                let Some(question) = waiting.pop_front() else { break };
                self.executor.start(Ticket(question as u64), questions[question].request.clone());
                under_way += 1;
            }
            match self.executor.next_event() {
                None => break,
                Some(ExecEvent::TestBegan { .. }) => {}
                Some(ExecEvent::TestEnded { kind, .. }) => observer.test_ended(kind),
                Some(ExecEvent::Warned { text }) => observer.warned(&text),
                Some(ExecEvent::Finished { ticket, record }) => {
                    under_way -= 1;
                    let question = ticket.0 as usize;
                    let limits = &questions[question].request.limits;
                    let run = self.store.record(self.suite, limits, &record)?;
                    let answer = Answer { run, record: *record, from_store: false };
                    observer.answered(question, &answer);
                    answers[question].push(answer);
                }
                // Nobody asks for these here.
                Some(ExecEvent::Traced { .. } | ExecEvent::FinishedWithStandIns { .. }) => {
                    under_way -= 1;
                }
                // Runs under way may still finish and are worth keeping.
                Some(ExecEvent::Failed { error, .. }) => {
                    under_way -= 1;
                    failure.get_or_insert(error);
                }
                Some(ExecEvent::Interrupted) => return Err(LabError::Interrupted),
            }
        }
        failure.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// Each question as often as it still has to be run.
fn unanswered(questions: &[Question], answers: &[Vec<Answer>]) -> VecDeque<usize> {
    let missing = |(number, question): (usize, &Question)| {
        let runs = question.repetitions.saturating_sub(answers[number].len());
        std::iter::repeat_n(number, runs)
    };
    questions.iter().enumerate().flat_map(missing).collect()
}

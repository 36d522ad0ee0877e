//! Drives a detection: its questions go to the store first, then to the
//! executor, and every answer goes back.

use std::time::Duration;

use residue_detect::{Detection, RunAccesses, Wanted};
use residue_exec::{ExecEvent, Ticket};
use residue_model::{OutcomeKind, RunLimits, RunRecord, RunRequest};
use residue_store::{RunFilter, RunId};

use crate::run_accesses::run_accesses;
use crate::{Answer, Lab, LabError, Traced};

/// How the runs of a detection are made.
#[derive(Debug, Clone, Default)]
pub struct DetectionSettings {
    /// Bounds on each run.
    pub limits: RunLimits,
    /// Whether runs from before this detection do not count.
    pub fresh: bool,
    /// What traced runs track, as the store tells them apart.
    pub trace_settings: String,
}

/// Watches a detection at work.
pub trait DetectionObserver {
    /// A run begins that the store could not answer.
    fn started(&mut self, _wanted: &Wanted) {}
    /// A test of some run has ended.
    fn test_ended(&mut self, _kind: OutcomeKind) {}
    /// There is something that the user should know.
    fn warned(&mut self, _text: &str) {}
    /// An answer was taken in; the detection may have a new status or findings.
    fn answered(&mut self, _detection: &Detection, _answer: &Answer) {}
}

/// Why a detection came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The plan was carried out.
    Complete,
    /// It had as many runs as it may have.
    RunLimit,
    /// It was told to stop, and the runs under way were taken in.
    Stopped,
}

/// A run that the executor performs for the detection.
struct UnderWay {
    ticket: Ticket,
    wanted: Wanted,
}

impl Lab<'_> {
    /// Carries a detection on until it is done or `is_over_within` says so: asked
    /// after every event about no time at all, and before each run about the time
    /// that it is going to take. Runs under way are finished then and taken in, so
    /// that nothing is lost.
    ///
    /// Asked again with the same suite and settings, a new detection gets the
    /// stored answers and goes on where this one stopped.
    pub fn detect(
        &mut self,
        detection: &mut Detection,
        settings: &DetectionSettings,
        observer: &mut dyn DetectionObserver,
        is_over_within: &mut dyn FnMut(Duration) -> bool,
    ) -> Result<Ended, LabError> {
        let older = if settings.fresh { self.newest_run()? } else { None };
        let mut under_way: Vec<UnderWay> = Vec::new();
        let mut tickets = 0;
        let mut stopped = false;
        let mut failure = None;
        loop {
            stopped = stopped || is_over_within(Duration::ZERO);
            while !stopped && failure.is_none() && under_way.len() < self.executor.capacity() {
                let Some(wanted) = detection.wanted(1).pop() else {
                    if !detection.is_thinking() {
                        break;
                    }
                    stopped = is_over_within(Duration::ZERO);
                    continue;
                };
                let request = RunRequest { order: wanted.order.clone(), limits: settings.limits };
                if let Some(told) = self.stored(&request, &wanted, settings, older)? {
                    self.told_traces.extend(told.trace());
                    told.to(detection, &wanted, observer);
                    stopped = is_over_within(Duration::ZERO);
                    continue;
                }
                if is_over_within(wanted.expected) {
                    stopped = true;
                    break;
                }
                observer.started(&wanted);
                if wanted.traced {
                    self.executor.start_traced(Ticket(tickets), request);
                } else {
                    self.executor.start(Ticket(tickets), request);
                }
                under_way.push(UnderWay { ticket: Ticket(tickets), wanted });
                tickets += 1;
            }
            if under_way.is_empty() {
                break;
            }
            match self.executor.next_event() {
                None => break,
                Some(ExecEvent::TestBegan { .. }) => {}
                Some(ExecEvent::TestEnded { kind, .. }) => observer.test_ended(kind),
                Some(ExecEvent::Warned { text }) => observer.warned(&text),
                Some(ExecEvent::Finished { ticket, record }) => {
                    let answer = self.keep(&settings.limits, *record)?;
                    if let Some(wanted) = settle(&mut under_way, ticket) {
                        Told::plainly(answer).to(detection, &wanted, observer);
                    }
                }
                Some(ExecEvent::Traced { ticket, record, trace }) => {
                    let DetectionSettings { limits, trace_settings, .. } = settings;
                    let traced = self.keep_traced(limits, *record, &trace, trace_settings)?;
                    if let Some(wanted) = settle(&mut under_way, ticket) {
                        self.told_traces.push(traced.run);
                        Told::traced(traced).to(detection, &wanted, observer);
                    }
                }
                // Nobody asks for these here.
                Some(ExecEvent::FinishedWithStandIns { ticket, .. }) => {
                    settle(&mut under_way, ticket);
                }
                // Runs under way may still finish and are worth keeping.
                Some(ExecEvent::Failed { ticket, error }) => {
                    under_way.retain(|run| run.ticket != ticket);
                    failure.get_or_insert(error);
                }
                Some(ExecEvent::Interrupted) => return Err(LabError::Interrupted),
            }
        }
        match failure {
            Some(error) => Err(error.into()),
            None if detection.is_complete() => Ok(Ended::Complete),
            None if detection.is_done() => Ok(Ended::RunLimit),
            None => Ok(Ended::Stopped),
        }
    }

    fn newest_run(&self) -> Result<Option<RunId>, LabError> {
        let filter = RunFilter { newest: Some(1), ..RunFilter::default() };
        Ok(self.store.runs(&filter)?.first().map(|run| run.id))
    }

    /// The stored run that stands for this repetition: the first run of an
    /// order is its repetition 0, the second its repetition 1.
    fn stored(
        &self,
        request: &RunRequest,
        wanted: &Wanted,
        settings: &DetectionSettings,
        older: Option<RunId>,
    ) -> Result<Option<Told>, LabError> {
        let runs = if wanted.traced {
            self.traced_runs(request, &settings.trace_settings)?
        } else {
            self.store.answers(self.suite, request)?
        };
        let mut counting = runs.into_iter().filter(|run| older.is_none_or(|old| *run > old));
        let Some(run) = counting.nth(wanted.repetition as usize) else { return Ok(None) };
        if wanted.traced {
            return Ok(Some(Told::traced(self.load_traced(run)?)));
        }
        let record = self.store.load(run)?;
        Ok(Some(Told::plainly(Answer { run, record, from_store: true })))
    }

    fn keep(&mut self, limits: &RunLimits, record: RunRecord) -> Result<Answer, LabError> {
        let run = self.store.record(self.suite, limits, &record)?;
        Ok(Answer { run, record, from_store: false })
    }
}

/// An answer as a detection takes it.
struct Told {
    answer: Answer,
    accesses: Option<RunAccesses>,
}

impl Told {
    fn plainly(answer: Answer) -> Self {
        Self { answer, accesses: None }
    }

    fn traced(traced: Traced) -> Self {
        let Traced { run, record, trace, from_store } = traced;
        Self { accesses: Some(run_accesses(&trace)), answer: Answer { run, record, from_store } }
    }

    /// The run, if it was traced.
    fn trace(&self) -> Option<RunId> {
        self.accesses.is_some().then_some(self.answer.run)
    }

    fn to(&self, detection: &mut Detection, wanted: &Wanted, observer: &mut dyn DetectionObserver) {
        detection.answer(wanted.ticket, &self.answer.record, self.accesses.as_ref());
        observer.answered(detection, &self.answer);
    }
}

/// What the finished run answers. Of several runs of one order the first to be
/// stored is the first repetition, whichever was started first, because that is
/// how the store will count them.
fn settle(under_way: &mut Vec<UnderWay>, finished: Ticket) -> Option<Wanted> {
    let place = under_way.iter().position(|run| run.ticket == finished)?;
    let kind = |run: &UnderWay| (run.wanted.order.clone(), run.wanted.traced);
    let finished_kind = kind(&under_way[place]);
    let same = |run: &&UnderWay| kind(run) == finished_kind;
    let lowest = under_way.iter().filter(same).map(|run| run.wanted.repetition).min()?;
    let answered = under_way
        .iter()
        .position(|run| kind(run) == finished_kind && run.wanted.repetition == lowest)?;
    // The other one stays under way, with the ticket of the one now answered.
    let ticket = under_way[answered].ticket;
    under_way[place].ticket = ticket;
    under_way[answered].ticket = finished;
    Some(under_way.remove(answered).wanted)
}

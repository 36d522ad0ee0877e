//! What a run's events say, and who is to blame when they stop.
//!
//! Pure bookkeeping: events and the end of the JVM in, a record out.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, SystemTime};

use residue_model::{
    Crash, FixtureFailure, Frame, LeftBehind, Outcome, OutcomeKind, StandInAccount, TestId,
    TestOrder, TestResult, Unrequested,
};
use residue_wire::{Event, Malformed, TestEnd};

use crate::ExecError;

/// A test that the framework no longer has when it is to run.
const NOT_FOUND: &str = "the framework has no such test any more";

#[derive(Debug)]
pub(super) struct Transcript {
    order: TestOrder,
    ends: Vec<Option<(Outcome, Duration)>>,
    begun: Vec<usize>,
    running: Option<usize>,
    last_ended: Option<usize>,
    unrequested: Vec<Unrequested>,
    fixture_failures: Vec<FixtureFailure>,
    left_behind: Vec<LeftBehind>,
    exit_caller: Option<Vec<Frame>>,
    intervals: Vec<Option<Interval>>,
    stand_ins: StandInAccount,
    done: bool,
}

/// When a test ran, by the host's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) began: SystemTime,
    pub(super) ended: Option<SystemTime>,
}

/// What an event means to somebody who watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Began(usize),
    Ended(usize, OutcomeKind),
    /// Something ended that is no test of the order.
    OtherProgress,
    Nothing,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// The JVM ended by itself.
    Exited(ExitStatus),
    /// A limit was reached and the JVM was killed.
    TimedOut(Duration),
    /// It did not end after the last test and was killed.
    HungAtExit,
}

/// A transcript that is complete.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) results: Vec<TestResult>,
    pub(super) deviated: Option<Vec<usize>>,
    pub(super) unrequested: Vec<Unrequested>,
    pub(super) fixture_failures: Vec<FixtureFailure>,
    pub(super) left_behind: Vec<LeftBehind>,
    pub(super) intervals: Vec<Option<Interval>>,
    pub(super) stand_ins: StandInAccount,
}

impl Transcript {
    pub(super) fn new(order: TestOrder) -> Self {
        let count = order.len();
        Self {
            order,
            ends: vec![None; count],
            begun: Vec::new(),
            running: None,
            last_ended: None,
            unrequested: Vec::new(),
            fixture_failures: Vec::new(),
            left_behind: Vec::new(),
            exit_caller: None,
            intervals: vec![None; count],
            stand_ins: StandInAccount::default(),
            done: false,
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// Takes in an event of the running order.
    pub(super) fn apply(&mut self, event: Event, now: SystemTime) -> Result<Step, ExecError> {
        match event {
            Event::Begin { index } => {
                let index = self.position(index)?;
                self.begun.push(index);
                self.running = Some(index);
                self.intervals[index] = Some(Interval { began: now, ended: None });
                Ok(Step::Began(index))
            }
            Event::End { index, end, duration } => {
                let index = self.position(index)?;
                let outcome = outcome_of(end);
                let kind = outcome.kind();
                if self.ends[index].replace((outcome, duration)).is_some() {
                    return Err(Malformed("a test ended twice").into());
                }
                self.running = self.running.filter(|&running| running != index);
                self.last_ended = Some(index);
                if let Some(interval) = &mut self.intervals[index] {
                    interval.ended = Some(now);
                }
                Ok(Step::Ended(index, kind))
            }
            Event::Unrequested { id, end } => {
                let test = TestId::parse(&id)?;
                self.unrequested.push(Unrequested { test, outcome: outcome_of(end) });
                Ok(Step::OtherProgress)
            }
            Event::FixtureFailed { class, phase, failure } => {
                self.fixture_failures.push(FixtureFailure { class, phase, failure });
                Ok(Step::OtherProgress)
            }
            Event::ThreadLeft { index, name } => {
                let test = self.order.tests()[self.position(index)?].clone();
                self.left_behind.push(LeftBehind::Thread { test, name });
                Ok(Step::Nothing)
            }
            Event::Exiting { caller } => {
                self.exit_caller = Some(caller);
                Ok(Step::Nothing)
            }
            Event::StandInRefused { put, reason } => {
                self.stand_ins.refused.push((put as usize, reason));
                Ok(Step::Nothing)
            }
            Event::NotPutBack { path, reason } => {
                self.stand_ins.not_put_back.push((path as usize, reason));
                Ok(Step::Nothing)
            }
            Event::FieldLeft { watched, content } => {
                self.stand_ins.left.push((watched as usize, content));
                Ok(Step::Nothing)
            }
            Event::Done => {
                self.done = true;
                Ok(Step::Nothing)
            }
            Event::RunnerFailed { activity, failure } => {
                Err(ExecError::RunnerFailed { activity, failure })
            }
            Event::Hello { .. }
            | Event::Ready
            | Event::Listed { .. }
            | Event::Unlistable { .. } => {
                Err(Malformed("an event that does not belong to a run").into())
            }
        }
    }

    fn position(&self, index: u32) -> Result<usize, ExecError> {
        usize::try_from(index)
            .ok()
            .filter(|&index| index < self.order.len())
            .ok_or_else(|| Malformed("a test that is not in the order").into())
    }

    /// The test that was running, or else the one about to begin, whose class
    /// fixture may have been at work, or else the last one. If the stack of
    /// who called `System.exit` shows the class that ended just before and not
    /// the one about to begin, it was the tear-down of that class.
    pub(super) fn to_blame(&self) -> usize {
        let last = self.last_ended.unwrap_or(0);
        if let Some(running) = self.running {
            return running;
        }
        let Some(next) = self.ends.iter().position(Option::is_none) else { return last };
        let calls = |index: usize| {
            let class = self.order.tests()[index].top_level_class();
            let frames = self.exit_caller.iter().flatten();
            frames.into_iter().any(|frame| {
                let rest = frame.class.strip_prefix(class);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
            })
        };
        if self.last_ended.is_some() && calls(last) && !calls(next) { last } else { next }
    }

    /// Makes the account of a run that ended so.
    pub(super) fn conclude(mut self, end: RunEnd) -> Result<Account, ExecError> {
        let disaster = match end {
            RunEnd::TimedOut(limit) if !self.done => Some(Outcome::TimedOut(limit)),
            RunEnd::Exited(status) if !self.done => Some(Outcome::Crashed(self.crash(status))),
            _ => None,
        };
        if end == RunEnd::HungAtExit || (self.done && matches!(end, RunEnd::TimedOut(_))) {
            self.left_behind.push(LeftBehind::HungAtExit);
        }
        if let Some(outcome) = disaster
            && !self.order.is_empty()
        {
            let blamed = self.to_blame();
            let duration = self.ends[blamed].take().map_or(Duration::ZERO, |(_, taken)| taken);
            self.ends[blamed] = Some((outcome, duration));
        } else if let Some(forgotten) = self.ends.iter().position(Option::is_none) {
            let test = self.order.tests()[forgotten].clone();
            return Err(ExecError::TestForgotten { test });
        }
        let in_order = self.begun.is_sorted();
        let results = self.order.tests().iter().zip(self.ends).map(|(test, end)| {
            let (outcome, duration) = end.unwrap_or((Outcome::NotReached, Duration::ZERO));
            TestResult { test: test.clone(), outcome, duration, output: Default::default() }
        });
        Ok(Account {
            results: results.collect(),
            deviated: (!in_order).then_some(self.begun),
            unrequested: self.unrequested,
            fixture_failures: self.fixture_failures,
            left_behind: self.left_behind,
            intervals: self.intervals,
            stand_ins: self.stand_ins,
        })
    }

    fn crash(&self, status: ExitStatus) -> Crash {
        match (status.code(), &self.exit_caller) {
            (Some(code), Some(caller)) => Crash::Exit { code, caller: caller.clone() },
            (Some(code), None) => Crash::Halt { code },
            (None, _) => Crash::Signal { signal: status.signal().unwrap_or_default() },
        }
    }
}

fn outcome_of(end: TestEnd) -> Outcome {
    match end {
        TestEnd::Passed => Outcome::Passed,
        TestEnd::Failed(failure) => Outcome::Failed(failure),
        TestEnd::Errored(failure) => Outcome::Errored(failure),
        TestEnd::Skipped(reason) => Outcome::Skipped(reason),
        TestEnd::NotRun => Outcome::Skipped(Some(NOT_FOUND.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript(ids: &[&str], events: Vec<Event>) -> Transcript {
        let tests = ids.iter().map(|id| TestId::parse(id).unwrap()).collect();
        let mut transcript = Transcript::new(TestOrder::new(tests).unwrap());
        for event in events {
            transcript.apply(event, SystemTime::UNIX_EPOCH).unwrap();
        }
        transcript
    }

    fn begin(index: u32) -> Event {
        Event::Begin { index }
    }

    fn end(index: u32) -> Event {
        Event::End { index, end: TestEnd::Passed, duration: Duration::from_millis(1) }
    }

    fn exiting(class: &str) -> Event {
        let frame = Frame { class: class.into(), method: "m".into(), file: None, line: None };
        Event::Exiting { caller: vec![frame] }
    }

    fn kinds(transcript: Transcript, end: RunEnd) -> Vec<OutcomeKind> {
        let account = transcript.conclude(end).unwrap();
        account.results.iter().map(|result| result.outcome.kind()).collect()
    }

    fn status(raw: i32) -> RunEnd {
        RunEnd::Exited(ExitStatus::from_raw(raw))
    }

    use OutcomeKind::{Crashed, NotReached, Passed, TimedOut};

    #[test]
    fn the_running_test_is_to_blame() {
        let dead = transcript(&["A#x", "A#y", "A#z"], vec![begin(0), end(0), begin(1)]);
        assert_eq!(kinds(dead, status(9)), [Passed, Crashed, NotReached]);
    }

    #[test]
    fn between_tests_it_is_the_one_about_to_begin() {
        let slow = transcript(&["A#x", "B#y", "B#z"], vec![begin(0), end(0)]);
        let limit = RunEnd::TimedOut(Duration::from_secs(1));
        assert_eq!(kinds(slow, limit), [Passed, TimedOut, NotReached]);
    }

    #[test]
    fn an_exit_in_a_tear_down_belongs_to_the_class_that_ended() {
        let events = vec![begin(0), end(0), exiting("a.A$1")];
        assert_eq!(
            kinds(transcript(&["a.A#x", "a.B#y"], events), status(0)),
            [Crashed, NotReached]
        );
        let events = vec![begin(0), end(0), exiting("a.B")];
        assert_eq!(kinds(transcript(&["a.A#x", "a.B#y"], events), status(0)), [Passed, Crashed]);
    }

    #[test]
    fn when_all_had_ended_it_is_the_last() {
        let events = vec![begin(0), end(0), begin(1), end(1)];
        let account = transcript(&["A#x", "A#y"], events).conclude(status(3 << 8)).unwrap();
        assert_eq!(account.results[1].outcome, Outcome::Crashed(Crash::Halt { code: 3 }));
    }

    #[test]
    fn dying_after_done_is_no_crash_but_hanging_is_told() {
        let events = || vec![begin(0), end(0), Event::Done];
        assert_eq!(kinds(transcript(&["A#x"], events()), status(1 << 8)), [Passed]);
        let hung = transcript(&["A#x"], events()).conclude(RunEnd::HungAtExit).unwrap();
        assert_eq!(hung.left_behind, [LeftBehind::HungAtExit]);
    }

    #[test]
    fn another_order_of_beginning_is_told() {
        let events = vec![begin(1), end(1), begin(0), end(0), Event::Done];
        let account = transcript(&["A#x", "A#y"], events).conclude(status(0)).unwrap();
        assert_eq!(account.deviated, Some(vec![1, 0]));
    }

    #[test]
    fn a_runner_that_forgets_a_test_is_not_believed() {
        let events = vec![begin(0), end(0), Event::Done];
        let error = transcript(&["A#x", "A#y"], events).conclude(status(0)).unwrap_err();
        assert!(error.to_string().contains("`A#y`"), "{error}");
    }
}

//! One order in one JVM, from handing it over until the JVM is gone.

use std::time::{Duration, Instant, SystemTime};

use residue_model::{
    CapturedOutput, LeftBehind, Outcome, RunLimits, RunRecord, RunRequest, StandInAccount,
    StandIns, TestCase,
};
use residue_wire::{Command, Event, RunItem};

use super::changed_files::{CLOCK_TICK, Change};
use super::jvm::{Listener, Woken};
use super::launcher::Started;
use super::options::LocalOptions;
use super::output::{OutputCapture, Stream};
use super::transcript::{Account, Interval, RunEnd, Step, Transcript};
use super::{crash_report, thread_dump};
use crate::{ExecError, Interrupt};

/// Whom an order run tells what happens.
pub(super) trait Observer {
    /// The JVM has its order and is at work.
    fn handed_over(&mut self);
    fn step(&mut self, step: Step);
}

/// What a JVM is to do.
pub(super) struct Order<'a> {
    pub(super) request: RunRequest,
    /// The tests of the request as they were listed.
    pub(super) cases: &'a [&'a TestCase],
    pub(super) stand_ins: StandIns,
}

/// A run that has ended, before the files it changed are known.
pub(super) struct Ended {
    account: Account,
    request: RunRequest,
    started_at: SystemTime,
    duration: Duration,
}

/// Runs the order in a JVM that is ready.
pub(super) fn perform(
    started: &mut Started,
    order: Order<'_>,
    options: &LocalOptions,
    interrupts: &[&Interrupt],
    observer: &mut impl Observer,
) -> Result<Ended, ExecError> {
    let Order { request, cases, stand_ins } = order;
    let mut bytes = Vec::new();
    let items = cases.iter().map(|case| run_item(case)).collect();
    Command::Run { items, stand_ins }.encode(&mut bytes);
    let started_at = SystemTime::now();
    let handed_over = Instant::now();
    started.jvm.send(bytes)?;
    observer.handed_over();
    let mut running = Running {
        transcript: Transcript::new(request.order.clone()),
        output: OutputCapture::new(&started.mark, options.output_per_test, options.output_per_run),
        last_end: handed_over,
        observer,
    };
    let mut dump = None;
    let end = loop {
        let (deadline, limit) = running.deadline(handed_over, request.limits, options);
        if Instant::now() >= deadline {
            if running.transcript.is_done() {
                started.jvm.kill(&mut running)?;
                break RunEnd::HungAtExit;
            }
            dump = thread_dump::take(&mut started.jvm);
            started.jvm.kill(&mut Deaf)?;
            break RunEnd::TimedOut(limit);
        }
        if let Woken::Gone(status) = started.jvm.attend(Some(deadline), interrupts, &mut running)? {
            break RunEnd::Exited(status);
        }
    };
    let duration = handed_over.elapsed();
    let blamed = running.transcript.to_blame();
    let outputs = running.output.finish(blamed);
    let mut account = running.transcript.conclude(end)?;
    for (index, output) in outputs {
        if let Some(result) = account.results.get_mut(index) {
            result.output = output;
        }
    }
    if let Some(result) = account.results.get_mut(blamed) {
        let crashed = matches!(result.outcome, Outcome::Crashed(_));
        let report = crashed.then(|| crash_report::read(started.jvm.folder())).flatten();
        append(&mut result.output, dump, report);
    }
    Ok(Ended { account, request, started_at, duration })
}

fn run_item(case: &TestCase) -> RunItem {
    RunItem {
        id: case.id.as_str().into(),
        framework: case.framework,
        locator: case.locator.clone(),
    }
}

/// Puts the VM's own words behind those of the test, whatever the limits.
fn append(output: &mut CapturedOutput, dump: Option<String>, report: Option<String>) {
    for (text, extra) in [(&mut output.stdout, dump), (&mut output.stderr, report)] {
        if let Some(extra) = extra {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&extra);
        }
    }
}

impl Ended {
    /// Whether the JVM went all the way, so that it saw a typical run.
    pub(super) fn is_complete(&self) -> bool {
        let stopped = |outcome: &Outcome| {
            matches!(outcome, Outcome::Crashed(_) | Outcome::TimedOut(_) | Outcome::NotReached)
        };
        !self.account.results.iter().any(|result| stopped(&result.outcome))
            && !self.account.left_behind.contains(&LeftBehind::HungAtExit)
    }

    pub(super) fn record(self, changes: Vec<Change>) -> (RunRecord, StandInAccount) {
        let Self { mut account, request, started_at, duration } = self;
        for Change { path, change, at } in changes {
            let test = at.and_then(|at| only_test_at(&account.intervals, at));
            let test = test.map(|index| request.order.tests()[index].clone());
            account.left_behind.push(LeftBehind::File { test, path, change });
        }
        let since_1970 = started_at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let record = RunRecord {
            order: request.order,
            results: account.results,
            deviated: account.deviated,
            unrequested: account.unrequested,
            fixture_failures: account.fixture_failures,
            left_behind: account.left_behind,
            started_at: u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX),
            duration,
        };
        (record, account.stand_ins)
    }
}

/// The one test that ran when a file was changed, if the clock is fine enough
/// to tell.
fn only_test_at(intervals: &[Option<Interval>], at: SystemTime) -> Option<usize> {
    let possible = |interval: &Interval| {
        at + CLOCK_TICK >= interval.began && interval.ended.is_none_or(|ended| at <= ended)
    };
    let mut candidates = intervals
        .iter()
        .enumerate()
        .filter(|(_, interval)| interval.as_ref().is_some_and(possible))
        .map(|(index, _)| index);
    match (candidates.next(), candidates.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

struct Running<'a, O> {
    transcript: Transcript,
    output: OutputCapture,
    /// When the last test ended, or the order was handed over: what follows is
    /// the time of the next test and its class fixture.
    last_end: Instant,
    observer: &'a mut O,
}

impl<O> Running<'_, O> {
    /// When to give up, and which limit that is.
    fn deadline(
        &self,
        handed_over: Instant,
        limits: RunLimits,
        options: &LocalOptions,
    ) -> (Instant, Duration) {
        if self.transcript.is_done() {
            return (self.last_end + options.exit_grace, options.exit_grace);
        }
        let for_test = (self.last_end + limits.per_test, limits.per_test);
        let for_run = (handed_over + limits.per_run, limits.per_run);
        for_test.min(for_run)
    }
}

impl<O: Observer> Listener for Running<'_, O> {
    fn event(&mut self, event: Event) -> Result<(), ExecError> {
        let step = self.transcript.apply(event, SystemTime::now())?;
        if step != Step::Nothing || self.transcript.is_done() {
            if !matches!(step, Step::Began(_)) {
                self.last_end = Instant::now();
            }
            self.observer.step(step);
        }
        Ok(())
    }

    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        self.output.push(stream, bytes);
    }
}

/// For a JVM that is being killed after its time was up.
struct Deaf;

impl Listener for Deaf {
    fn event(&mut self, _: Event) -> Result<(), ExecError> {
        Ok(())
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_belongs_to_a_test_only_if_no_other_can_have_made_it() {
        let at = |millis: u64| SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
        let interval = |began, ended| Some(Interval { began: at(began), ended: Some(at(ended)) });
        let intervals = [interval(0, 100), interval(101, 200), None];
        assert_eq!(only_test_at(&intervals, at(50)), Some(0));
        assert_eq!(only_test_at(&intervals, at(150)), Some(1));
        assert_eq!(only_test_at(&intervals, at(95)), None, "the clock may lag behind");
        assert_eq!(only_test_at(&intervals, at(300)), None);
    }
}

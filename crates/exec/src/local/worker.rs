//! A thread that runs one order after the other, each in a JVM of its own.
//!
//! While an order runs, the JVM for the next one is started if there is a next
//! one or the past makes one likely. Such a spare has loaded no class of the
//! suite and runs one order only, as any other.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use residue_model::{RunRequest, StandIns, Suite, TestOrder};

use super::before_run;
use super::changed_files::FileWatch;
use super::durations::{Durations, Length};
use super::launcher::{Launcher, Started};
use super::options::Jit;
use super::order_run::{self, Observer, Order};
use super::transcript::Step;
use crate::{ExecError, ExecEvent, Interrupt, Ticket};

/// What all workers of an executor share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) launcher: Launcher,
    pub(super) suite: Suite,
    pub(super) durations: Mutex<Durations>,
    files: Mutex<FileWatch>,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Raised when the executor is dropped.
    closing: Interrupt,
    archive_maker: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Queue {
    jobs: VecDeque<Job>,
    closed: bool,
}

#[derive(Debug)]
pub(super) struct Job {
    pub(super) ticket: Ticket,
    pub(super) request: RunRequest,
    pub(super) manner: Manner,
}

/// What is done besides running the tests.
#[derive(Debug)]
pub(super) enum Manner {
    Plain,
    Traced,
    WithStandIns(StandIns),
}

impl Shared {
    pub(super) fn new(launcher: Launcher, suite: Suite) -> Result<Self, ExecError> {
        let closing = Interrupt::new()
            .map_err(|source| ExecError::System { activity: "make an event descriptor", source })?;
        Ok(Self {
            files: Mutex::new(FileWatch::new(&launcher.suite.launch.working_dir)),
            launcher,
            suite,
            durations: Mutex::default(),
            queue: Mutex::default(),
            changed: Condvar::new(),
            closing,
            archive_maker: Mutex::default(),
        })
    }

    pub(super) fn add(&self, job: Job) {
        lock(&self.queue).jobs.push_back(job);
        self.changed.notify_one();
    }

    /// Makes every worker stop and kill what it runs.
    pub(super) fn close(&self) {
        self.closing.raise();
        let mut queue = lock(&self.queue);
        queue.closed = true;
        queue.jobs.clear();
        self.changed.notify_all();
    }

    /// Waits for the one other thread there may be, which closing has told to
    /// stop.
    pub(super) fn join_archive_maker(&self) {
        let maker = lock(&self.archive_maker).take();
        if let Some(maker) = maker {
            let _ = maker.join();
        }
    }

    fn next_job(&self) -> Option<Job> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn interrupts(&self) -> Vec<&Interrupt> {
        self.launcher.options.interrupt.iter().chain([&self.closing]).collect()
    }

    /// For which length of orders a JVM for this one should be made.
    fn length(&self, request: &RunRequest) -> Length {
        match self.launcher.options.jit {
            Jit::SuitedToLength => lock(&self.durations).length(&request.order),
            Jit::AsBuild => Length::Long,
        }
    }

    /// The same for the order that is next in the queue, if there is one.
    fn next_length(&self) -> Option<Length> {
        let queue = lock(&self.queue);
        queue.jobs.front().map(|job| self.length(&job.request))
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs jobs until the executor is dropped.
pub(super) fn work(shared: &Arc<Shared>, events: &Sender<ExecEvent>) {
    let mut worker = Worker { shared, events, spare: None, orders_run: 0 };
    while let Some(job) = shared.next_job() {
        let ticket = job.ticket;
        let event = worker.perform(job).unwrap_or_else(|error| match error {
            ExecError::Interrupted => ExecEvent::Interrupted,
            error => ExecEvent::Failed { ticket, error },
        });
        worker.orders_run += 1;
        // Nobody listens any more only while the executor is being dropped.
        let _ = events.send(event);
    }
}

struct Worker<'a> {
    shared: &'a Arc<Shared>,
    events: &'a Sender<ExecEvent>,
    spare: Option<Started>,
    orders_run: usize,
}

impl Worker<'_> {
    fn perform(&mut self, job: Job) -> Result<ExecEvent, ExecError> {
        let Job { ticket, request, manner } = job;
        let shared = Arc::clone(self.shared);
        let interrupts = shared.interrupts();
        if interrupts.iter().any(|interrupt| interrupt.is_raised()) {
            return Err(ExecError::Interrupted);
        }
        let cases = shared.suite.resolve(&request.order)?;
        let length = shared.length(&request);
        if let Some(command) = &shared.launcher.options.before_run {
            before_run::run(command, &shared.launcher.suite.launch)?;
        }
        let mut started = match manner {
            Manner::Traced => self.traced_jvm(&request.order)?,
            Manner::Plain | Manner::WithStandIns(_) => self.ready_jvm(length)?,
        };
        let stand_ins = match &manner {
            Manner::WithStandIns(stand_ins) => stand_ins.clone(),
            Manner::Plain | Manner::Traced => StandIns::default(),
        };
        let run = lock(&shared.files).run_begins();
        let options = &shared.launcher.options;
        let mut steps = Steps { ticket, length, worker: self };
        let order = Order { request, cases: &cases, stand_ins };
        let ended = order_run::perform(&mut started, order, options, &interrupts, &mut steps);
        if ended.is_err() {
            // What it does from now on could not be undone.
            started.jvm.end();
        }
        let mut changes = lock(&shared.files).run_ends(run);
        let trace = started.take_trace();
        let restored = started.restore();
        if shared.launcher.options.restore {
            lock(&shared.files).look_anew();
        }
        let ended = ended?;
        changes.extend(restored?);
        if ended.is_complete() {
            self.teach_archive(&mut started);
        }
        let (record, stand_ins) = ended.record(changes);
        let mut durations = lock(&shared.durations);
        for result in &record.results {
            durations.learn(&result.test, result.duration);
        }
        let record = Box::new(record);
        Ok(match (trace?, manner) {
            (Some(trace), _) => ExecEvent::Traced { ticket, record, trace },
            (None, Manner::WithStandIns(_)) => {
                ExecEvent::FinishedWithStandIns { ticket, record, stand_ins }
            }
            (None, _) => ExecEvent::Finished { ticket, record },
        })
    }

    /// Which code each test runs does not depend on the order, so the default
    /// order is enough to tell it.
    fn traced_jvm(&self, order: &TestOrder) -> Result<Started, ExecError> {
        let Shared { launcher, suite, .. } = &**self.shared;
        let is_default = suite.tests.iter().map(|test| &test.id).eq(order.tests());
        let mut started = launcher.start_traced(is_default)?;
        started.get_ready(&launcher.options, &self.shared.interrupts())?;
        Ok(started)
    }

    /// The spare if it fits and is well, else a new JVM.
    fn ready_jvm(&mut self, length: Length) -> Result<Started, ExecError> {
        let launcher = &self.shared.launcher;
        let interrupts = self.shared.interrupts();
        // A long order needs what a short one can do with.
        if let Some(mut spare) = self.spare.take().filter(|spare| spare.length >= length) {
            match spare.get_ready(&launcher.options, &interrupts) {
                Ok(()) => return Ok(spare),
                Err(ExecError::Interrupted) => return Err(ExecError::Interrupted),
                // Something ended it while it waited; a new one will tell.
                Err(_) => {}
            }
        }
        let mut started = launcher.start(length)?;
        started.get_ready(&launcher.options, &interrupts)?;
        Ok(started)
    }

    fn start_spare(&mut self, length: Length) {
        if !self.shared.launcher.options.start_ahead || self.spare.is_some() {
            return;
        }
        let expected = self.shared.next_length().or((self.orders_run > 0).then_some(length));
        if let Some(length) = expected {
            // What keeps it from starting will be told when it is needed.
            self.spare = self.shared.launcher.start(length).ok();
        }
    }

    fn teach_archive(&self, started: &mut Started) {
        if let Some(lesson) = started.take_lesson() {
            let shared = Arc::clone(self.shared);
            let maker = thread::spawn(move || lesson.teach(&shared.interrupts()));
            *lock(&self.shared.archive_maker) = Some(maker);
        }
    }
}

struct Steps<'a, 'b> {
    ticket: Ticket,
    length: Length,
    worker: &'a mut Worker<'b>,
}

impl Observer for Steps<'_, '_> {
    fn handed_over(&mut self) {
        self.worker.start_spare(self.length);
    }

    fn step(&mut self, step: Step) {
        let ticket = self.ticket;
        let event = match step {
            Step::Began(index) => ExecEvent::TestBegan { ticket, index },
            Step::Ended(index, kind) => ExecEvent::TestEnded { ticket, index, kind },
            Step::OtherProgress | Step::Nothing => return,
        };
        let _ = self.worker.events.send(event);
    }
}

//! A thread that runs one order after the other, each in a JVM of its own.
//!
//! While an order runs, the JVM for the next one is started if there is a next
//! one or the past makes one likely. Such a spare has loaded no class of the
//! suite and runs one order only, as any other.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use residue_model::{RunRecord, RunRequest, StandInAccount, StandIns, Suite, TestOrder};

use super::before_run;
use super::changed_files::FileWatch;
use super::durations::{Durations, Length};
use super::launcher::{Launcher, Sharing, Started};
use super::options::Jit;
use super::order_run::{self, Observer, Order};
use super::suspicion::{Crashers, GIVEN_UP};
use super::transcript::Step;
use crate::{ExecError, ExecEvent, Interrupt, Ticket};

/// What all workers of an executor share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) launcher: Launcher,
    pub(super) suite: Suite,
    pub(super) durations: Mutex<Durations>,
    crashers: Mutex<Crashers>,
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
            crashers: Mutex::default(),
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

/// An order that has been run.
struct Run {
    record: RunRecord,
    stand_ins: StandInAccount,
    trace: Option<Vec<u8>>,
    used_archive: bool,
}

impl Worker<'_> {
    fn perform(&mut self, job: Job) -> Result<ExecEvent, ExecError> {
        let mut run = self.run(&job, Sharing::AsOffered)?;
        if run.used_archive && lock(&self.shared.crashers).leave_doubt(&run.record) {
            run = self.run(&job, Sharing::None)?;
            if lock(&self.shared.crashers).learn(&run.record) {
                self.give_up_archive();
            }
        }
        let Run { record, stand_ins, trace, .. } = run;
        let mut durations = lock(&self.shared.durations);
        for result in &record.results {
            durations.learn(&result.test, result.duration);
        }
        let (ticket, record) = (job.ticket, Box::new(record));
        Ok(match (trace, job.manner) {
            (Some(trace), _) => ExecEvent::Traced { ticket, record, trace },
            (None, Manner::WithStandIns(_)) => {
                ExecEvent::FinishedWithStandIns { ticket, record, stand_ins }
            }
            (None, _) => ExecEvent::Finished { ticket, record },
        })
    }

    fn run(&mut self, job: &Job, sharing: Sharing) -> Result<Run, ExecError> {
        let Job { ticket, request, manner } = job;
        let shared = Arc::clone(self.shared);
        let interrupts = shared.interrupts();
        if interrupts.iter().any(|interrupt| interrupt.is_raised()) {
            return Err(ExecError::Interrupted);
        }
        let cases = shared.suite.resolve(&request.order)?;
        let length = shared.length(request);
        if let Some(command) = &shared.launcher.options.before_run {
            before_run::run(command, &shared.launcher.suite.launch)?;
        }
        let mut started = match manner {
            Manner::Traced => self.traced_jvm(&request.order)?,
            Manner::Plain | Manner::WithStandIns(_) => self.ready_jvm(length, sharing)?,
        };
        let stand_ins = match manner {
            Manner::WithStandIns(stand_ins) => stand_ins.clone(),
            Manner::Plain | Manner::Traced => StandIns::default(),
        };
        let run = lock(&shared.files).run_begins();
        let options = &shared.launcher.options;
        let is_silent = sharing == Sharing::None;
        let mut steps = Steps { ticket: *ticket, length, is_silent, worker: self };
        let order = Order { request: request.clone(), cases: &cases, stand_ins };
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
        Ok(Run { record, stand_ins, trace: trace?, used_archive: started.uses_archive })
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
    fn ready_jvm(&mut self, length: Length, sharing: Sharing) -> Result<Started, ExecError> {
        let launcher = &self.shared.launcher;
        let interrupts = self.shared.interrupts();
        let may_share = sharing == Sharing::AsOffered && !launcher.has_given_up_archive();
        // A long order needs what a short one can do with.
        let fits = |spare: &Started| spare.length >= length && (may_share || !spare.uses_archive);
        if let Some(mut spare) = self.spare.take().filter(fits) {
            match spare.get_ready(&launcher.options, &interrupts) {
                Ok(()) => return Ok(spare),
                Err(ExecError::Interrupted) => return Err(ExecError::Interrupted),
                // Something ended it while it waited; a new one will tell.
                Err(_) => {}
            }
        }
        let mut started = launcher.start(length, sharing)?;
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
            self.spare = self.shared.launcher.start(length, Sharing::AsOffered).ok();
        }
    }

    fn give_up_archive(&self) {
        let archive = self.shared.launcher.archive.as_ref();
        if archive.is_some_and(|archive| archive.give_up()) {
            let _ = self.events.send(ExecEvent::Warned { text: GIVEN_UP.to_owned() });
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
    /// The second run of an order has nothing new to tell.
    is_silent: bool,
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
        if !self.is_silent {
            let _ = self.worker.events.send(event);
        }
    }
}

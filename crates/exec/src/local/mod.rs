//! Runs orders in JVMs on this machine.
//!
//! One thread for each JVM that runs, with one poll loop over its events, its
//! two output streams, its end and whoever wants to stop. Nothing that was
//! started outlives the executor.

mod agent;
mod archive;
mod before_run;
mod changed_files;
mod class_list;
mod class_path;
mod command_line;
mod coverage_agent;
mod crash_report;
mod durations;
mod jdk;
mod jvm;
mod launcher;
mod listing;
mod options;
mod order_run;
mod output;
mod outside;
mod restoring;
mod scratch;
mod subroutines;
mod suspicion;
mod thread_dump;
mod transcript;
mod worker;

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use residue_model::{RunRequest, StandIns, Suite, SuiteSpec, TestId};

pub use agent::agent_digest;
pub use listing::list;
pub use options::{Captures, Jit, LocalOptions};

use crate::{ExecError, ExecEvent, Executor, Ticket};
use launcher::Launcher;
use worker::{Job, Manner, Shared};

/// An [`Executor`] that starts a JVM for each order.
pub struct LocalExecutor {
    shared: Arc<Shared>,
    jobs: usize,
    workers: Vec<JoinHandle<()>>,
    sender: Sender<ExecEvent>,
    events: Receiver<ExecEvent>,
    under_way: usize,
    interrupted: bool,
}

impl LocalExecutor {
    /// An executor for one suite. Looks at the class path and the JDK, but
    /// starts nothing yet.
    pub fn new(spec: &SuiteSpec, suite: Suite, options: &LocalOptions) -> Result<Self, ExecError> {
        let launcher = Launcher::for_orders(spec, options)?;
        let (sender, events) = mpsc::channel();
        Ok(Self {
            shared: Arc::new(Shared::new(launcher, suite)?),
            jobs: if options.is_serial() { 1 } else { options.jobs.max(1) },
            workers: Vec::new(),
            sender,
            events,
            under_way: 0,
            interrupted: false,
        })
    }

    /// Tells how long tests took in the past, which decides about compilers.
    /// What this executor measures itself it knows anyway.
    pub fn know_durations(&self, durations: impl IntoIterator<Item = (TestId, Duration)>) {
        let mut known = worker::lock(&self.shared.durations);
        for (test, duration) in durations {
            known.learn(&test, duration);
        }
    }

    /// A new worker, if there is work for one.
    fn hire(&mut self) -> Result<(), ExecError> {
        if self.workers.len() >= self.jobs.min(self.under_way) {
            return Ok(());
        }
        let (shared, sender) = (Arc::clone(&self.shared), self.sender.clone());
        let worker = thread::Builder::new()
            .name(format!("jvm-{}", self.workers.len()))
            .spawn(move || worker::work(&shared, &sender))
            .map_err(|source| ExecError::System { activity: "start a thread", source })?;
        self.workers.push(worker);
        Ok(())
    }

    fn enqueue(&mut self, ticket: Ticket, request: RunRequest, manner: Manner) {
        self.under_way += 1;
        match self.hire() {
            Err(error) if self.workers.is_empty() => {
                let _ = self.sender.send(ExecEvent::Failed { ticket, error });
            }
            // With at least one worker it will be done, only later.
            _ => self.shared.add(Job { ticket, request, manner }),
        }
    }

    fn stop(&mut self) {
        self.shared.close();
        for worker in self.workers.drain(..) {
            // A worker that panicked has dropped, and so killed, its JVMs.
            let _ = worker.join();
        }
        self.shared.join_archive_maker();
        self.under_way = 0;
    }
}

impl Executor for LocalExecutor {
    fn capacity(&self) -> usize {
        if self.shared.launcher.options.start_ahead { 2 * self.jobs } else { self.jobs }
    }

    fn start(&mut self, ticket: Ticket, request: RunRequest) {
        self.enqueue(ticket, request, Manner::Plain);
    }

    fn start_traced(&mut self, ticket: Ticket, request: RunRequest) {
        self.enqueue(ticket, request, Manner::Traced);
    }

    fn start_with_stand_ins(&mut self, ticket: Ticket, request: RunRequest, stand_ins: StandIns) {
        self.enqueue(ticket, request, Manner::WithStandIns(stand_ins));
    }

    fn next_event(&mut self) -> Option<ExecEvent> {
        if self.interrupted {
            return Some(ExecEvent::Interrupted);
        }
        if self.under_way == 0 {
            return None;
        }
        let event = self.events.recv().ok()?;
        match event {
            ExecEvent::Finished { .. }
            | ExecEvent::Traced { .. }
            | ExecEvent::FinishedWithStandIns { .. }
            | ExecEvent::Failed { .. } => self.under_way -= 1,
            ExecEvent::Interrupted => {
                self.interrupted = true;
                self.stop();
            }
            ExecEvent::TestBegan { .. }
            | ExecEvent::TestEnded { .. }
            | ExecEvent::Warned { .. } => {}
        }
        Some(event)
    }
}

impl Drop for LocalExecutor {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for LocalExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalExecutor")
            .field("suite", &self.shared.launcher.suite.name)
            .field("jobs", &self.jobs)
            .field("under_way", &self.under_way)
            .finish_non_exhaustive()
    }
}

//! What it takes to look for causes: somebody who runs orders, and how much may be
//! run.

use std::time::Duration;

use residue_exec::{Captures, LocalExecutor};
use residue_lab::{Lab, LabError, Traced};
use residue_model::{RunRecord, RunRequest, TestOrder};

use crate::args::ExecArgs;
use crate::error::CliError;
use crate::printer::Printer;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

/// What it takes to look for causes of findings about one suite.
pub struct Means<'m> {
    pub(super) suite: usize,
    pub(super) exec: &'m ExecArgs,
    pub workbench: &'m mut Workbench,
    pub printer: &'m mut Printer,
    pub(super) effort: Effort<'m>,
    /// Its traced runs also tell what each test leaves changed.
    pub(super) executor: LocalExecutor,
    pub spent: Spent,
}

/// What is looked for in traced runs of few tests.
pub(super) const CAPTURES: Option<Captures> = Some(Captures::Tests);

impl<'m> Means<'m> {
    pub fn new(
        suite: usize,
        exec: &'m ExecArgs,
        workbench: &'m mut Workbench,
        printer: &'m mut Printer,
        effort: Effort<'m>,
    ) -> Result<Self, CliError> {
        let executor = workbench.executor_with(suite, exec, CAPTURES)?;
        Ok(Self { suite, exec, workbench, printer, effort, executor, spent: Spent::default() })
    }

    pub(super) fn request(&self, order: TestOrder) -> RunRequest {
        RunRequest { order, limits: limits(self.exec) }
    }

    /// A lab for the suite, and somebody who tells the user what it is at.
    pub(super) fn lab(&mut self, at: String) -> (Lab<'_>, Watch<'_>) {
        let key = self.workbench.suites[self.suite].key;
        let lab = Lab::new(&mut self.workbench.store, key, &mut self.executor);
        (lab, Watch::about(self.printer, at))
    }

    pub(super) fn stored_default_trace(&self) -> Result<Option<Traced>, CliError> {
        let Workbench { store, suites, .. } = &*self.workbench;
        let open = &suites[self.suite];
        let request = self.request(open.suite.default_order()?);
        let settings = self.workbench.trace_settings();
        let runs = store.traced_answers(open.key, &request, &settings)?;
        let newest = runs.last().map(|run| residue_lab::traced(store, *run));
        Ok(newest.transpose()?)
    }
}

/// How much may be done to find a cause.
#[derive(Clone, Copy)]
pub enum Effort<'a> {
    /// All that it takes.
    Whatever,
    /// Runs of few tests, but none for which it is too late: it is told how long
    /// one takes.
    Little(&'a dyn Fn(Duration) -> bool),
}

impl Effort<'_> {
    /// An error if a run that takes so long must not begin.
    pub(super) fn allows(&self, run_takes: Duration) -> Result<(), Unanswered> {
        match self {
            Self::Little(is_too_late) if is_too_late(run_takes) => Err(Unanswered::OutOfTime),
            _ => Ok(()),
        }
    }
}

/// What it took, stored runs counted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spent {
    pub runs: u64,
    pub test_executions: u64,
}

impl Spent {
    pub(super) fn count(&mut self, record: &RunRecord) {
        self.runs += 1;
        self.test_executions += record.order.len() as u64;
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Unanswered {
    /// There was no time for another run.
    OutOfTime,
    Failed(CliError),
}

impl From<CliError> for Unanswered {
    fn from(error: CliError) -> Self {
        Self::Failed(error)
    }
}

impl From<LabError> for Unanswered {
    fn from(error: LabError) -> Self {
        Self::Failed(error.into())
    }
}

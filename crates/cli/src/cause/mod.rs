//! What makes a test depend on others: state that, put back before the test,
//! makes it end as it does alone; or a class that, initialised before the others
//! run, does so.
//!
//! To note what is there initialises classes, which may be the very thing that
//! matters. So each proof has a control: the same noted and nothing undone, and
//! the test must end as after its partners.

mod cleaners;
mod explained;
mod initialisers;
mod of_groups;
mod trials;

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use residue_detect::{Finding, smallest_cause};
use residue_exec::Captures;
use residue_graph::DependencyGraph;
use residue_lab::{Lab, LabError, Traced};
use residue_model::trace::AccessPath;
use residue_model::{RunRecord, RunRequest, StatePath, TestOrder};
use residue_report::{Cause, Suspect, read_of_others, suspects};

use crate::args::ExecArgs;
use crate::error::CliError;
use crate::printer::Printer;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};
use trials::Trials;

pub use of_groups::{Causes, of_groups};

/// A finding whose cause is looked for.
pub struct Inquiry<'a> {
    pub finding: &'a Finding,
    /// Its number in the store, as the user types it.
    pub id: &'a str,
    /// The number of its suite.
    pub suite: usize,
    pub exec: &'a ExecArgs,
    pub workbench: &'a mut Workbench,
    pub printer: &'a mut Printer,
    pub effort: Effort<'a>,
    pub spent: Spent,
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

/// What it took, stored runs counted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spent {
    pub runs: u64,
    pub test_executions: u64,
}

impl Spent {
    fn count(&mut self, record: &RunRecord) {
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

impl Inquiry<'_> {
    /// Looks for the cause: first among what the test read of its partners, then
    /// among the classes that both use.
    fn find(
        &mut self,
        flipped: &Traced,
        harmless: &HashSet<AccessPath>,
    ) -> Result<Cause, Unanswered> {
        let cause = self.in_state(flipped, harmless)?;
        if matches!(cause, Cause::Proved { .. }) {
            return Ok(cause);
        }
        let classes = initialisers::shared(self)?;
        Ok(self.in_initialisers(flipped, &classes)?.unwrap_or(cause))
    }

    /// Where the dependent test found something of others in the default order,
    /// and ended as it does alone. Nothing if no trace of that is in the store.
    fn harmless(&self) -> Result<HashSet<AccessPath>, CliError> {
        let Some(Traced { trace, record, .. }) = self.stored_default_trace()? else {
            return Ok(HashSet::new());
        };
        let test = &self.finding.test;
        let ended = record.results.iter().find(|result| result.test == *test);
        if !ended.is_some_and(|result| self.finding.is_as_alone(&result.outcome)) {
            return Ok(HashSet::new());
        }
        let graph = DependencyGraph::new(&trace);
        let flows = read_of_others(&graph, test).flat_map(|dependency| dependency.flows());
        Ok(flows.map(|flow| trace.path(flow.location)).collect())
    }

    fn stored_default_trace(&self) -> Result<Option<Traced>, CliError> {
        let Workbench { store, suites, .. } = &*self.workbench;
        let open = &suites[self.suite];
        let request = self.request(open.suite.default_order()?);
        let settings = self.workbench.trace_settings();
        let runs = store.traced_answers(open.key, &request, &settings)?;
        let newest = runs.last().map(|run| residue_lab::traced(store, *run));
        Ok(newest.transpose()?)
    }

    fn in_state(
        &mut self,
        flipped: &Traced,
        harmless: &HashSet<AccessPath>,
    ) -> Result<Cause, Unanswered> {
        let Finding { test, partners, .. } = self.finding;
        let graph = DependencyGraph::new(&flipped.trace);
        let (mut pieces, mut paths) = (Vec::new(), Vec::new());
        let mut out_of_reach = 0;
        for Suspect { piece, way, .. } in suspects(&graph, test, &partners.tests, harmless) {
            match StatePath::at(way) {
                Some(path) => {
                    pieces.push(piece);
                    paths.push(path);
                }
                None => out_of_reach += 1,
            }
        }
        self.with_trials(flipped, paths, |trials, watch| {
            let cause = smallest_cause(pieces.len(), |set| trials.undoes(set, watch))?;
            let Some(set) = cause else {
                let refused = trials.refused();
                let put_back = pieces.len() - refused;
                return Ok(Cause::Open { put_back, refused: refused + out_of_reach });
            };
            let (held, runs) = trials.proof(&set, watch)?;
            let pieces = set.iter().map(|&at| pieces[at].clone()).collect();
            Ok(Cause::Proved { pieces, held, runs })
        })
    }

    /// The fewest of these classes that must not be initialised while the partners
    /// run; nothing if it is not up to them.
    fn in_initialisers(
        &mut self,
        flipped: &Traced,
        classes: &[String],
    ) -> Result<Option<Cause>, Unanswered> {
        let paths = classes.iter().map(|class| StatePath::initialiser(class)).collect();
        let all: Vec<usize> = (0..classes.len()).collect();
        self.with_trials(flipped, paths, |trials, watch| {
            if classes.is_empty() || !trials.is_as_alone_with(&all, watch)? {
                return Ok(None);
            }
            let cause = smallest_cause(all.len(), |set| trials.is_as_alone_with(set, watch))?;
            let set = cause.unwrap_or(all);
            let (held, runs) = trials.proof(&set, watch)?;
            let classes = set.iter().map(|&at| classes[at].clone()).collect();
            Ok(Some(Cause::Initialised { classes, held, runs }))
        })
    }

    fn with_trials<T>(
        &mut self,
        flipped: &Traced,
        suspects: Vec<StatePath>,
        look: impl FnOnce(&mut Trials<'_>, &mut Watch<'_>) -> Result<T, Unanswered>,
    ) -> Result<T, Unanswered> {
        let request = RunRequest {
            order: self.finding.partners.together.order.clone(),
            limits: trials::patient(&limits(self.exec), flipped),
        };
        let mut executor = self.workbench.executor(self.suite, self.exec)?;
        let key = self.workbench.suites[self.suite].key;
        let mut watch = Watch::about(self.printer, format!("the cause of {}", self.id));
        let mut trials = Trials {
            finding: self.finding,
            request,
            suspects,
            lab: Lab::new(&mut self.workbench.store, key, &mut executor),
            run_takes: flipped.record.duration,
            effort: self.effort,
            spent: &mut self.spent,
            refused: BTreeSet::new(),
        };
        look(&mut trials, &mut watch)
    }

    /// A traced run of an order that ends with the dependent test, with what each
    /// of the others leaves changed.
    fn trace(&mut self, order: &TestOrder) -> Result<Traced, Unanswered> {
        self.effort.allows(Duration::ZERO)?;
        let request = self.request(order.clone());
        let comparing = Some(Captures::Tests);
        let settings = self.workbench.trace_settings_with(comparing);
        let mut executor = self.workbench.executor_with(self.suite, self.exec, comparing)?;
        let key = self.workbench.suites[self.suite].key;
        let mut watch = Watch::about(self.printer, format!("the cause of {}", self.id));
        let mut lab = Lab::new(&mut self.workbench.store, key, &mut executor);
        let traced = lab.trace(&request, &settings, false, &mut watch)?;
        self.spent.count(&traced.record);
        Ok(traced)
    }

    fn request(&self, order: TestOrder) -> RunRequest {
        RunRequest { order, limits: limits(self.exec) }
    }
}

impl Effort<'_> {
    /// An error if a run that takes so long must not begin.
    fn allows(&self, run_takes: Duration) -> Result<(), Unanswered> {
        match self {
            Self::Little(is_too_late) if is_too_late(run_takes) => Err(Unanswered::OutOfTime),
            _ => Ok(()),
        }
    }
}

//! Which state makes a test depend on others: that which, put back before the
//! test, makes it end as it does alone.
//!
//! To note what is there initialises classes, which may be the very thing that
//! matters. So each proof has a control: the same noted and nothing undone, and
//! the test must end as after its partners.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use residue_detect::{Finding, smallest_cause};
use residue_graph::DependencyGraph;
use residue_lab::{Lab, Observer, StoodIn, Traced};
use residue_model::trace::{AccessPath, LocationId};
use residue_model::{PutBack, RunLimits, RunRequest, StatePath};
use residue_report::{Cause, read_of_others, suspects};

use crate::args::ExecArgs;
use crate::error::CliError;
use crate::printer::Printer;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

/// Runs that prove a cause.
const PROOFS: usize = 3;

/// A test that does not come to its end because of what was put back shall not
/// hold up the others: it has so many times the time that it takes else.
const PATIENCE: u32 = 10;

/// But at least this.
const LEAST_PATIENCE: Duration = Duration::from_secs(10);

/// Where the dependent test found something of others in the default order,
/// and ended as it does alone. Nothing if no trace of that is in the store.
pub fn harmless(
    finding: &Finding,
    exec: &ExecArgs,
    workbench: &mut Workbench,
) -> Result<HashSet<AccessPath>, CliError> {
    let open = &workbench.suites[0];
    let request = RunRequest { order: open.suite.default_order()?, limits: limits(exec) };
    let stored = workbench.store.traced_answers(open.key, &request, &workbench.trace_settings())?;
    let Some(run) = stored.last() else { return Ok(HashSet::new()) };
    let Traced { trace, record, .. } = residue_lab::traced(&workbench.store, *run)?;
    let ended = record.results.iter().find(|result| result.test == finding.test);
    if !ended.is_some_and(|result| finding.is_as_alone(&result.outcome)) {
        return Ok(HashSet::new());
    }
    let graph = DependencyGraph::new(&trace);
    let flows = read_of_others(&graph, &finding.test).flat_map(|dependency| dependency.flows());
    Ok(flows.map(|flow| trace.path(flow.location)).collect())
}

/// Looks for the cause among what the test read of its partners.
pub fn find(
    finding: &Finding,
    (flipped, harmless): (&Traced, &HashSet<AccessPath>),
    exec: &ExecArgs,
    workbench: &mut Workbench,
    printer: &mut Printer,
) -> Result<Cause, CliError> {
    let graph = DependencyGraph::new(&flipped.trace);
    let flows = suspects(&graph, &finding.test, &finding.partners.tests, harmless);
    let mut seen = HashSet::new();
    let (mut suspects, mut out_of_reach) = (Vec::new(), 0);
    for flow in flows {
        match StatePath::at(flipped.trace.path(flow.location)) {
            Some(path) if seen.insert(path.clone()) => suspects.push((flow.location, path)),
            Some(_) => {}
            None => out_of_reach += 1,
        }
    }
    let request = RunRequest {
        order: finding.partners.together.order.clone(),
        limits: patient(&limits(exec), flipped),
    };
    let mut executor = workbench.executor(0, exec)?;
    let open = &workbench.suites[0];
    let (key, suite) = (open.key, open.spec.name.clone());
    let mut watch = Watch::new(printer, &suite);
    let lab = Lab::new(&mut workbench.store, key, &mut executor);
    let mut trials = Trials { finding, request, suspects, lab, refused: BTreeSet::new() };
    let cause = smallest_cause(trials.suspects.len(), |set| trials.undoes(set, &mut watch))?;
    let Some(set) = cause else {
        let refused = trials.refused.len();
        let put_back = trials.suspects.len() - refused;
        return Ok(Cause::Open { put_back, refused: refused + out_of_reach });
    };
    let last = trials.request.order.len() - 1;
    let runs = trials.run(&set, last, PROOFS, &mut watch)?;
    let held = runs.iter().filter(|run| trials.is_as_alone(run)).count();
    let locations = set.iter().map(|&suspect| trials.suspects[suspect].0).collect();
    Ok(Cause::Proved { locations, held, runs: runs.len() })
}

fn patient(limits: &RunLimits, flipped: &Traced) -> RunLimits {
    let took = flipped.record.results.iter().map(|result| result.duration).max();
    let patience = (took.unwrap_or_default() * PATIENCE).max(LEAST_PATIENCE);
    RunLimits { per_test: limits.per_test.min(patience), ..*limits }
}

/// Runs of the failing order with some of the suspects put back.
struct Trials<'a> {
    finding: &'a Finding,
    request: RunRequest,
    suspects: Vec<(LocationId, StatePath)>,
    lab: Lab<'a>,
    /// Suspects that could not be put back.
    refused: BTreeSet<usize>,
}

impl Trials<'_> {
    fn undoes(&mut self, set: &[usize], watch: &mut dyn Observer) -> Result<bool, CliError> {
        let put_back = self.run(set, self.request.order.len() - 1, 1, watch)?;
        if !put_back.iter().all(|run| self.is_as_alone(run)) {
            return Ok(false);
        }
        let control = self.run(set, 0, 1, watch)?;
        Ok(!control.iter().any(|run| self.is_as_alone(run)))
    }

    fn run(
        &mut self,
        set: &[usize],
        before: usize,
        repetitions: usize,
        watch: &mut dyn Observer,
    ) -> Result<Vec<StoodIn>, CliError> {
        let put_back =
            |&suspect: &usize| PutBack { before, path: self.suspects[suspect].1.clone() };
        let put_back: Vec<PutBack> = set.iter().map(put_back).collect();
        let runs = self.lab.put_back(&self.request, &put_back, repetitions, watch)?;
        let refusals = runs.iter().flat_map(|(_, account)| &account.not_put_back);
        self.refused.extend(refusals.map(|(at, _)| set[*at]));
        Ok(runs)
    }

    fn is_as_alone(&self, (answer, _): &StoodIn) -> bool {
        let last = answer.record.results.last();
        last.is_some_and(|result| self.finding.is_as_alone(&result.outcome))
    }
}

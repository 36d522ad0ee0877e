//! What makes a test depend on others: state that, put back before the test,
//! makes it end as it does alone; or a class that, initialised before the others
//! run, does so.
//!
//! To note what is there initialises classes, which may be the very thing that
//! matters. So each proof has a control: the same noted and nothing undone, and
//! the test must end as after its partners.

mod initialisers;
mod trials;

use std::collections::HashSet;

use residue_detect::{Finding, smallest_cause};
use residue_graph::DependencyGraph;
use residue_lab::{Lab, Traced};
use residue_model::trace::{AccessPath, LocationId};
use residue_model::{RunRequest, StatePath};
use residue_report::{Cause, read_of_others, suspects};

use crate::args::ExecArgs;
use crate::error::CliError;
use crate::printer::Printer;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};
use trials::Trials;

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

/// Looks for the cause: first among what the test read of its partners, then
/// among the classes that both use.
pub fn find(
    finding: &Finding,
    (flipped, harmless): (&Traced, &HashSet<AccessPath>),
    exec: &ExecArgs,
    workbench: &mut Workbench,
    printer: &mut Printer,
) -> Result<Cause, CliError> {
    let cause = in_state(finding, (flipped, harmless), exec, workbench, printer)?;
    if matches!(cause, Cause::Proved { .. }) {
        return Ok(cause);
    }
    let classes = initialisers::shared(finding, exec, workbench, printer)?;
    let in_classes = in_initialisers(finding, flipped, classes, exec, workbench, printer)?;
    Ok(in_classes.unwrap_or(cause))
}

fn in_state(
    finding: &Finding,
    (flipped, harmless): (&Traced, &HashSet<AccessPath>),
    exec: &ExecArgs,
    workbench: &mut Workbench,
    printer: &mut Printer,
) -> Result<Cause, CliError> {
    let graph = DependencyGraph::new(&flipped.trace);
    let flows = suspects(&graph, &finding.test, &finding.partners.tests, harmless);
    let mut seen = HashSet::new();
    let mut out_of_reach = 0;
    let (mut locations, mut paths): (Vec<LocationId>, Vec<StatePath>) = Default::default();
    for flow in flows {
        match StatePath::at(flipped.trace.path(flow.location)) {
            Some(path) if seen.insert(path.clone()) => {
                locations.push(flow.location);
                paths.push(path);
            }
            Some(_) => {}
            None => out_of_reach += 1,
        }
    }
    with_trials(finding, flipped, paths, exec, workbench, printer, |trials, watch| {
        let cause = smallest_cause(locations.len(), |set| trials.undoes(set, watch))?;
        let Some(set) = cause else {
            let refused = trials.refused();
            let put_back = locations.len() - refused;
            return Ok(Cause::Open { put_back, refused: refused + out_of_reach });
        };
        let (held, runs) = trials.proof(&set, watch)?;
        Ok(Cause::Proved { locations: set.iter().map(|&at| locations[at]).collect(), held, runs })
    })
}

/// The fewest of these classes that must not be initialised while the partners
/// run; nothing if it is not up to them.
fn in_initialisers(
    finding: &Finding,
    flipped: &Traced,
    classes: Vec<String>,
    exec: &ExecArgs,
    workbench: &mut Workbench,
    printer: &mut Printer,
) -> Result<Option<Cause>, CliError> {
    let paths = classes.iter().map(|class| StatePath::initialiser(class)).collect();
    let all: Vec<usize> = (0..classes.len()).collect();
    with_trials(finding, flipped, paths, exec, workbench, printer, |trials, watch| {
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
    finding: &Finding,
    flipped: &Traced,
    suspects: Vec<StatePath>,
    exec: &ExecArgs,
    workbench: &mut Workbench,
    printer: &mut Printer,
    look: impl FnOnce(&mut Trials<'_>, &mut Watch<'_>) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let request = RunRequest {
        order: finding.partners.together.order.clone(),
        limits: trials::patient(&limits(exec), flipped),
    };
    let mut executor = workbench.executor(0, exec)?;
    let open = &workbench.suites[0];
    let (key, suite) = (open.key, open.spec.name.clone());
    let mut watch = Watch::new(printer, &suite);
    let lab = Lab::new(&mut workbench.store, key, &mut executor);
    look(&mut Trials::new(finding, request, suspects, lab), &mut watch)
}

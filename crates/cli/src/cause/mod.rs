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
mod means;
mod of_groups;
mod trials;

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use residue_detect::{Finding, smallest_cause};
use residue_graph::DependencyGraph;
use residue_lab::{Lab, Traced};
use residue_model::trace::AccessPath;
use residue_model::{RunRequest, StatePath, TestOrder};
use residue_report::{Cause, Suspect, read_of_others, suspects};

use crate::error::CliError;
use crate::watch::Watch;
use crate::workbench::limits;
use means::CAPTURES;
use trials::Trials;

pub use means::{Effort, Means, Unanswered};
pub use of_groups::Causes;

/// A finding whose cause is looked for.
pub struct Inquiry<'a, 'm> {
    /// Its number in the store, as the user types it.
    pub id: &'a str,
    pub finding: &'a Finding,
    pub means: &'a mut Means<'m>,
}

impl Inquiry<'_, '_> {
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
        let classes = initialisers::shared(self.finding, self.means)?;
        Ok(self.in_initialisers(flipped, &classes)?.unwrap_or(cause))
    }

    /// Where the dependent test found something of others in the default order,
    /// and ended as it does alone. Nothing if no trace of that is in the store.
    fn harmless(&self) -> Result<HashSet<AccessPath>, CliError> {
        let Some(Traced { trace, record, .. }) = self.means.stored_default_trace()? else {
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
        let means = &mut *self.means;
        let request = RunRequest {
            order: self.finding.partners.together.order.clone(),
            limits: trials::patient(&limits(means.exec), flipped),
        };
        let key = means.workbench.suites[means.suite].key;
        let mut watch = Watch::about(means.printer, format!("the cause of {}", self.id));
        let mut trials = Trials {
            finding: self.finding,
            request,
            suspects,
            lab: Lab::new(&mut means.workbench.store, key, &mut means.executor),
            run_takes: flipped.record.duration,
            effort: means.effort,
            spent: &mut means.spent,
            refused: BTreeSet::new(),
        };
        look(&mut trials, &mut watch)
    }

    /// A traced run of an order that ends with the dependent test.
    fn trace(&mut self, order: &TestOrder) -> Result<Traced, Unanswered> {
        let means = &mut *self.means;
        means.effort.allows(Duration::ZERO)?;
        let request = means.request(order.clone());
        let settings = means.workbench.trace_settings_with(CAPTURES);
        let (mut lab, mut watch) = means.lab(format!("the cause of {}", self.id));
        let traced = lab.trace(&request, &settings, false, &mut watch)?;
        drop(watch);
        means.spent.count(&traced.record);
        Ok(traced)
    }
}

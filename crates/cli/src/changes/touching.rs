//! What a change touches in one suite.

use residue_change::{ChangedEntry, ChangedFile, Entry, Touched, compare, impact, touched};
use residue_graph::DependencyGraph;
use residue_model::TestId;
use residue_store::Inventory;

use super::basis::Basis;
use super::class_path::{ClassPath, Naming};
use super::executed::executed;
use super::since::{Since, SuiteSources};
use crate::error::CliError;
use crate::workbench::Workbench;

/// The touched tests of a suite, and what touches them.
pub struct Touching {
    pub touched: Touched,
    /// What differs, as people call it, and what happened to it.
    pub changed: Vec<(String, &'static str)>,
}

impl Touching {
    /// Of these tests those that what changed since a revision touches, or
    /// since the basis was traced. If the basis is of older code, what happened
    /// since then counts in any case: else it would not tell what tests run.
    pub fn of(
        workbench: &mut Workbench,
        number: usize,
        tests: &[TestId],
        basis: &Basis,
        since: Option<&Since>,
    ) -> Result<Self, CliError> {
        let now = workbench.class_path(number)?;
        let before = match basis.is_current {
            true => None,
            false => workbench.store.inventory(basis.key)?,
        };
        let entries = before.map_or(Vec::new(), |before| compare(&before, &now.inventory));
        let touched = reached(workbench, number, tests, basis, &now, since, &entries);
        let file = |file: &ChangedFile| (file.path.clone(), file.how.as_str());
        let changed = match since {
            Some(since) => since.files.iter().map(file).collect(),
            None => entries.iter().map(named).collect(),
        };
        Ok(Self { touched, changed })
    }

    /// Of these tests those that are touched by what changed since a state of
    /// the suite with this inventory.
    pub fn since_inventory(
        workbench: &mut Workbench,
        number: usize,
        tests: &[TestId],
        basis: &Basis,
        before: &Inventory,
    ) -> Result<Touched, CliError> {
        let now = workbench.class_path(number)?;
        let entries = compare(before, &now.inventory);
        Ok(reached(workbench, number, tests, basis, &now, None, &entries))
    }
}

fn reached(
    workbench: &Workbench,
    number: usize,
    tests: &[TestId],
    basis: &Basis,
    now: &ClassPath,
    since: Option<&Since>,
    entries: &[ChangedEntry],
) -> Touched {
    let files = since.map_or(&[][..], |since| &since.files);
    let naming = Naming::new(&workbench.suites[number].spec.launch.working_dir);
    let impact = impact(files, entries, &now.code, &SuiteSources { since, naming });
    let graph = DependencyGraph::new(&basis.traced.trace);
    let mut executed = executed(&graph, &basis.coverage);
    executed.tests.retain(|test, _| !basis.perturbed.contains(test));
    touched(tests, &executed, &impact)
}

fn named(entry: &ChangedEntry) -> (String, &'static str) {
    let what = match &entry.what {
        Entry::Class(name) => format!("class {name}"),
        Entry::File(name) | Entry::Anything(name) => name.clone(),
    };
    (what, entry.how.as_str())
}

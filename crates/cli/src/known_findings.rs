//! Findings of before, and which of them a change leaves as they are.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use residue_detect::Finding;
use residue_model::TestId;
use residue_store::{FindingId, SuiteKey};

use crate::changes::{Basis, Touching};
use crate::error::CliError;
use crate::workbench::Workbench;

/// The newest finding about each test, in whatever state it was made.
#[derive(Default)]
pub struct Earlier {
    /// None of its tests was touched since.
    pub unchanged: Vec<StoredFinding>,
    /// One of its tests was, or is gone.
    pub touched: Vec<StoredFinding>,
}

/// A finding and where it is stored.
#[derive(Clone)]
pub struct StoredFinding {
    pub id: FindingId,
    pub suite: SuiteKey,
    pub finding: Finding,
}

impl Earlier {
    /// Sorts out the findings about a suite. `touched` are its tests that
    /// changed since a revision; what changed since a finding was made counts
    /// too.
    pub fn of(
        workbench: &mut Workbench,
        number: usize,
        basis: &Basis,
        touched: &BTreeSet<TestId>,
    ) -> Result<Self, CliError> {
        let open = &workbench.suites[number];
        let name = open.spec.name.clone();
        let tests = open.suite.default_order()?.tests().to_vec();
        let there: BTreeSet<&TestId> = tests.iter().collect();
        let mut earlier = Self::default();
        let mut since_state: HashMap<SuiteKey, Option<BTreeSet<TestId>>> = HashMap::new();
        for stored in newest_by_test(workbench, &name)? {
            let since = match since_state.entry(stored.suite) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    new.insert(touched_since(workbench, number, &tests, basis, stored.suite)?)
                }
            };
            let is_as_it_was = |test: &TestId| {
                let untouched = since.as_ref().is_some_and(|since| !since.contains(test));
                there.contains(test) && !touched.contains(test) && untouched
            };
            let Finding { test, partners, .. } = &stored.finding;
            let unchanged = [test].into_iter().chain(&partners.tests).all(is_as_it_was);
            let list = if unchanged { &mut earlier.unchanged } else { &mut earlier.touched };
            list.push(stored);
        }
        Ok(earlier)
    }
}

/// The tests that changed since a state of the suite; nothing if that state
/// cannot be compared any more.
fn touched_since(
    workbench: &mut Workbench,
    number: usize,
    tests: &[TestId],
    basis: &Basis,
    state: SuiteKey,
) -> Result<Option<BTreeSet<TestId>>, CliError> {
    let Some(before) = workbench.store.inventory(state)? else { return Ok(None) };
    let touched = Touching::since_inventory(workbench, number, tests, basis, &before)?;
    Ok(Some(touched.reasons.keys().map(|test| tests[*test].clone()).collect()))
}

fn newest_by_test(workbench: &Workbench, suite: &str) -> Result<Vec<StoredFinding>, CliError> {
    let store = &workbench.store;
    let mut states: Vec<SuiteKey> = store
        .suites()?
        .into_iter()
        .filter(|state| state.name == suite)
        .map(|state| state.key)
        .collect();
    states.reverse();
    let mut known = BTreeSet::new();
    let mut newest = Vec::new();
    for suite in states {
        for id in store.findings_of(suite)? {
            // What an older version wrote in another format is no news.
            let document = store.finding(id)?.document;
            let Ok(finding) = serde_json::from_str::<Finding>(&document) else { continue };
            if known.insert(finding.test.clone()) {
                newest.push(StoredFinding { id, suite, finding });
            }
        }
    }
    Ok(newest)
}

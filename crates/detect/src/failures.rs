//! Runs in which tests that differ did not pass. Those in which none of the tests
//! had run before that are known to make it fail show that others do so, too.

use std::collections::BTreeMap;

use crate::finding::{Finding, Role};
use crate::observation::Evidence;
use crate::roster::{Roster, TestNumber};

/// That are kept of one test. Most of them a finding will account for.
const MOST: usize = 16;

#[derive(Default)]
pub(crate) struct Failures {
    by_test: BTreeMap<TestNumber, Vec<Evidence>>,
}

impl Failures {
    pub(crate) fn add(&mut self, test: TestNumber, evidence: Evidence) {
        let failures = self.by_test.entry(test).or_default();
        if failures.len() < MOST {
            failures.push(evidence);
        }
    }

    /// Forgets what the finding accounts for.
    pub(crate) fn reduce(&mut self, finding: &Finding, roster: &Roster) {
        let test = roster.number(&finding.test);
        if let Some(failures) = test.and_then(|test| self.by_test.get_mut(&test)) {
            failures.retain(|evidence| !is_accounted_for(evidence, finding, roster));
        }
    }

    /// The first that is left of a test.
    pub(crate) fn take_first(&mut self, test: TestNumber) -> Option<Evidence> {
        let failures = self.by_test.get_mut(&test)?;
        (!failures.is_empty()).then(|| failures.remove(0))
    }

    pub(crate) fn are_left(&self, test: TestNumber) -> bool {
        self.by_test.get(&test).is_some_and(|failures| !failures.is_empty())
    }
}

/// Whether a failure is no other than that of the finding, as far as the tests
/// tell that had run before. A test that needs others fails wherever they are
/// missing, and one that fails because a class is split does so for many splits.
fn is_accounted_for(evidence: &Evidence, finding: &Finding, roster: &Roster) -> bool {
    let needs_others = finding.role == Role::Brittle;
    if needs_others || finding.is_fixture_artefact() || finding.is_as_alone(evidence.outcome()) {
        return true;
    }
    let before = evidence.before();
    finding.partner_sets().any(|set| {
        set.tests.iter().all(|test| roster.number(test).is_some_and(|test| before.contains(&test)))
    })
}

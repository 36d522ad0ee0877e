//! Classes that may have been initialised at the wrong time.
//!
//! An initialiser runs once, for whoever is first to need the class, and what it
//! finds then may stay in the class for good. Traces hold it against nobody.

use std::collections::HashSet;

use residue_detect::Finding;
use residue_model::{Coverage, TestId};

use super::{Effort, Means};
use crate::default_trace::default_trace;
use crate::error::CliError;

/// Classes of the project with an initialiser that the dependent test uses and
/// one of its partners, too. None where nothing tells who uses which.
pub(super) fn shared(finding: &Finding, means: &mut Means<'_>) -> Result<Vec<String>, CliError> {
    let traced = match means.effort {
        Effort::Whatever => {
            Some(default_trace(means.workbench, means.suite, means.exec, means.printer)?)
        }
        Effort::Little(_) => means.stored_default_trace()?,
    };
    let Some(traced) = traced else { return Ok(Vec::new()) };
    let coverage = residue_lab::coverage(&means.workbench.store, traced.run)?;
    Ok(coverage
        .map(|coverage| used_by_both(&coverage, &traced.trace.order, finding))
        .unwrap_or_default())
}

fn used_by_both(coverage: &Coverage, order: &[TestId], finding: &Finding) -> Vec<String> {
    let used = |test: &TestId| -> HashSet<u32> {
        let place = order.iter().position(|other| other == test);
        let covered = place.and_then(|place| coverage.tests.get(place));
        covered.into_iter().flat_map(|covered| &covered.classes).copied().collect()
    };
    let by_partners: HashSet<u32> = finding.partners.tests.iter().flat_map(used).collect();
    let by_both: HashSet<u32> = used(&finding.test).intersection(&by_partners).copied().collect();
    let initialisers = coverage.units.iter().filter(|unit| &*unit.method == "<clinit>");
    let classes = initialisers.filter(|unit| by_both.contains(&(unit.class as u32)));
    classes.map(|unit| coverage.classes[unit.class].name.to_string()).collect()
}

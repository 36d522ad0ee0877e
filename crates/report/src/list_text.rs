//! The tests of a project as text.

use std::collections::BTreeMap;

use residue_model::Framework;

use crate::style::{DIM, HEADING, WARN, paint};
use crate::units::count;
use crate::{ListedSuite, units};

/// One test id a line for pipes and files, so that the output is an order
/// file; suite names and totals are comments in that format.
pub fn list_text(suites: &[ListedSuite<'_>]) -> String {
    let mut text = String::new();
    for ListedSuite { spec, suite } in suites {
        let frameworks = frameworks(suite.tests.iter().map(|test| test.framework));
        let title = format!("# suite {}: {}", spec.name, count(suite.tests.len(), "test"));
        text += &paint(HEADING, title);
        if !frameworks.is_empty() {
            text += &paint(DIM, format!(" ({frameworks})"));
        }
        text.push('\n');
        for test in &suite.tests {
            text += &format!("{}\n", test.id);
        }
        for broken in &suite.unlistable {
            let reason = broken.failure.headline().replace('\n', " ");
            text +=
                &paint(WARN, format!("# class {} has no list of tests: {reason}", broken.class));
            text.push('\n');
        }
    }
    text
}

fn frameworks(of_tests: impl Iterator<Item = Framework>) -> String {
    let mut counts: BTreeMap<Framework, usize> = BTreeMap::new();
    for framework in of_tests {
        *counts.entry(framework).or_default() += 1;
    }
    match counts.len() {
        1 => counts.keys().map(|framework| framework.as_str().to_owned()).collect(),
        _ => {
            let each = counts.iter().map(|(framework, tests)| {
                format!("{} {}", units::grouped(*tests), framework.as_str())
            });
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

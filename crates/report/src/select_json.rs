//! A selection as JSON, described in `docs/formats.md`.

use residue_model::TestId;
use residue_schedule::Why;
use serde::Serialize;

use crate::json::of_suites;
use crate::select_report::{Compared, SelectReport};

const VERSION: u32 = 1;

#[derive(Serialize)]
struct SuiteEntry<'a> {
    suite: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<&'a str>,
    basis: &'a str,
    basis_is_current: bool,
    respected: &'static str,
    changed: Vec<ChangedEntry<'a>>,
    everything: &'a [String],
    tests: usize,
    duration_us: u128,
    selected_us: u128,
    selected: Vec<SelectedEntry<'a>>,
}

#[derive(Serialize)]
struct ChangedEntry<'a> {
    what: &'a str,
    how: &'static str,
}

#[derive(Serialize)]
struct SelectedEntry<'a> {
    test: &'a TestId,
    role: &'static str,
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    because_of: Option<&'a TestId>,
    duration_us: u128,
}

/// Which tests to run after a change.
pub fn select_json(reports: &[SelectReport<'_>]) -> String {
    of_suites("residue-select", VERSION, reports.iter().map(suite_entry))
}

fn suite_entry<'a>(report: &'a SelectReport<'_>) -> SuiteEntry<'a> {
    let entry = |(&test, why): (&usize, &Why)| {
        let (role, other) = match why {
            Why::Wanted => ("touched", None),
            Why::Downstream(of) => ("downstream", Some(*of)),
            Why::NeededBy(reader) => ("needed", Some(*reader)),
            Why::Together(other) => ("together", Some(*other)),
        };
        SelectedEntry {
            test: &report.tests[test],
            role,
            why: report.why(test),
            because_of: other.map(|other| &report.tests[other]),
            duration_us: report.durations[test].as_micros(),
        }
    };
    let changed = report.changed.iter();
    SuiteEntry {
        suite: report.suite,
        since: match report.compared {
            Compared::Revision(revision) => Some(revision),
            Compared::Basis => None,
        },
        basis: report.basis,
        basis_is_current: report.basis_is_current,
        respected: report.respected.as_str(),
        changed: changed.map(|(what, how)| ChangedEntry { what, how }).collect(),
        everything: &report.touched.everything,
        tests: report.tests.len(),
        duration_us: report.whole_time().as_micros(),
        selected_us: report.selected_time().as_micros(),
        selected: report.selected.iter().map(entry).collect(),
    }
}

//! Tests as builds take them.
//!
//! A build runs the tests of a list in its own order, which is the reference
//! order, so a list need not say it. It selects methods, not invocations of
//! parameterised tests, so what is listed are methods, or classes that are
//! there whole.

use std::collections::{BTreeMap, BTreeSet};

use residue_model::TestId;

use crate::SelectReport;

/// Methods of a class, or all of it.
pub(crate) struct Selected<'a> {
    class: &'a str,
    /// Empty: the whole class.
    methods: Vec<&'a str>,
}

/// The value of Surefire's `-Dtest` for the selected tests; nothing for none,
/// since with an empty value Surefire runs everything.
pub fn select_surefire(reports: &[SelectReport<'_>]) -> String {
    line(reports, surefire)
}

/// Arguments for `gradle test` for the selected tests; nothing for none.
pub fn select_gradle(reports: &[SelectReport<'_>]) -> String {
    line(reports, gradle)
}

/// The selected tests as an order file.
pub fn select_order(reports: &[SelectReport<'_>]) -> String {
    reports.iter().flat_map(SelectReport::ids).map(|test| format!("{test}\n")).collect()
}

fn line(reports: &[SelectReport<'_>], write: fn(&[Selected<'_>]) -> String) -> String {
    let selected: Vec<Selected<'_>> =
        reports.iter().flat_map(|report| selected_of(report.tests, report.ids())).collect();
    if selected.is_empty() { String::new() } else { write(&selected) + "\n" }
}

/// `a.A#x+y,a.B`
pub(crate) fn surefire(selected: &[Selected<'_>]) -> String {
    let write = |Selected { class, methods }: &Selected<'_>| match methods.as_slice() {
        [] => (*class).to_owned(),
        some => format!("{class}#{}", some.join("+")),
    };
    selected.iter().map(write).collect::<Vec<_>>().join(",")
}

/// `--tests 'a.A.x' --tests 'a.B'`
pub(crate) fn gradle(selected: &[Selected<'_>]) -> String {
    let write = |Selected { class, methods }: &Selected<'_>| match methods.as_slice() {
        [] => format!("--tests '{class}'"),
        some => {
            let each = some.iter().map(|method| format!("--tests '{class}.{method}'"));
            each.collect::<Vec<_>>().join(" ")
        }
    };
    selected.iter().map(write).collect::<Vec<_>>().join(" ")
}

/// Some tests of a suite, by class.
pub(crate) fn selected_of<'a>(
    all: &'a [TestId],
    some: impl Iterator<Item = &'a TestId>,
) -> Vec<Selected<'a>> {
    let all = methods_by_class(all.iter());
    let of_class = |(class, methods): (&'a str, BTreeSet<&'a str>)| {
        let whole = methods.len() == all[class].len();
        let methods = if whole { Vec::new() } else { methods.into_iter().collect() };
        Selected { class, methods }
    };
    methods_by_class(some).into_iter().map(of_class).collect()
}

fn methods_by_class<'a>(
    tests: impl Iterator<Item = &'a TestId>,
) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut classes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for test in tests {
        classes.entry(test.class()).or_default().insert(test.method());
    }
    classes
}

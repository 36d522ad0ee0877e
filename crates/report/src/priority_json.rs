//! Orders with the most worthwhile tests first as JSON, described in
//! `docs/formats.md`.

use residue_model::TestId;
use serde::Serialize;

use crate::json::{DifferenceEntry, difference_entry, of_suites};
use crate::priority_report::{PriorityReport, ProposedOrder};

const VERSION: u32 = 1;

#[derive(Serialize)]
struct SuiteEntry<'a> {
    suite: &'a str,
    technique: &'a str,
    by: &'a str,
    traced: &'a str,
    statements: usize,
    methods: usize,
    orders: Vec<OrderEntry<'a>>,
}

#[derive(Serialize)]
struct OrderEntry<'a> {
    respected: &'a str,
    tests: &'a [&'a TestId],
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    covered: &'a [usize],
    unsettled: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<RunEntry<'a>>,
}

#[derive(Serialize)]
struct RunEntry<'a> {
    id: &'a str,
    from_store: bool,
    deviated: bool,
    duration_us: u128,
    reference: &'a [String],
    differences: Vec<DifferenceEntry<'a>>,
}

/// The orders of a project.
pub fn priority_json(reports: &[PriorityReport<'_>]) -> String {
    of_suites("residue-prioritize", VERSION, reports.iter().map(suite_entry))
}

fn suite_entry<'a>(report: &'a PriorityReport<'_>) -> SuiteEntry<'a> {
    let (statements, methods) = report.covered;
    SuiteEntry {
        suite: report.suite,
        technique: report.technique,
        by: &report.by,
        traced: report.traced,
        statements,
        methods,
        orders: report.orders.iter().map(order_entry).collect(),
    }
}

fn order_entry<'a>(order: &'a ProposedOrder<'_>) -> OrderEntry<'a> {
    OrderEntry {
        respected: order.respected.as_str(),
        tests: &order.tests,
        covered: &order.worth,
        unsettled: order.unsettled,
        run: order.run.as_ref().map(|run| RunEntry {
            id: run.id,
            from_store: run.from_store,
            deviated: run.record.deviated.is_some(),
            duration_us: run.record.duration.as_micros(),
            reference: run.reference,
            differences: run.differences.iter().map(difference_entry).collect(),
        }),
    }
}

//! Suites and runs as text for people and JSON for programs.
//!
//! Everything here makes strings; who prints them, and whether colour is
//! wanted, is decided by the program's printer. Text is readable without
//! colour: no meaning is carried by it alone.

mod advice_text;
mod build_lists;
mod called_with;
mod cause_text;
mod deps_json;
mod deps_report;
mod deps_text;
mod detect_json;
mod detect_locations;
mod detect_report;
mod detect_text;
mod explain_json;
mod explain_report;
mod explain_text;
mod failing_text;
mod finding_groups;
mod java_string;
mod json;
mod junit_xml;
mod jvm_values;
mod list_text;
mod others_text;
mod outcome_text;
mod parallel_json;
mod parallel_report;
mod parallel_text;
mod piece;
mod polluters_diff;
mod polluters_json;
mod polluters_report;
mod polluters_text;
mod pollution_changes;
mod priority_json;
mod priority_report;
#[cfg(test)]
mod priority_tests;
mod priority_text;
mod proved_cause;
mod reproduce;
mod run_text;
mod schedule_json;
mod schedule_report;
mod schedule_svg;
mod schedule_text;
mod select_json;
mod select_report;
mod select_text;
mod selected_run_text;
mod shards;
mod since_text;
mod speculation_report;
mod stored_text;
mod style;
mod suspects;
mod telling;
mod thread_locals;
mod told_flow;
mod trace_frames;
mod trace_ignored;
mod trace_json;
mod trace_report;
#[cfg(test)]
mod trace_tests;
mod trace_text;
mod unexplained_text;
mod units;
mod xml;

pub use advice_text::{Advice, advice_text};
pub use build_lists::{select_gradle, select_order, select_surefire};
pub use called_with::CalledWith;
pub use deps_json::deps_json;
pub use deps_report::DepsReport;
pub use deps_text::deps_text;
pub use detect_json::detect_json;
pub use detect_report::{DetectReport, SinceReport};
pub use detect_text::detect_text;
pub use explain_json::explain_json;
pub use explain_report::{Cause, ExplainReport, Traced};
pub use explain_text::explain_text;
pub use failing_text::most_fail_warning;
pub use finding_groups::{Numbered, examples};
pub use json::{list_json, run_json};
pub use junit_xml::junit_xml;
pub use list_text::list_text;
pub use outcome_text::captured_output_text;
pub use parallel_json::parallel_json;
pub use parallel_report::{Differing, ParallelReport};
pub use parallel_text::parallel_text;
pub use piece::Piece;
pub use polluters_diff::polluters_diff;
pub use polluters_json::polluters_json;
pub use polluters_report::PollutersReport;
pub use polluters_text::polluters_text;
pub use priority_json::priority_json;
pub use priority_report::{PriorityReport, ProposedOrder};
pub use priority_text::priority_text;
pub use proved_cause::{CauseTally, ProvedCause};
pub use run_text::run_text;
pub use schedule_json::schedule_json;
pub use schedule_report::{Respected, ScheduleReport, ScheduleRow};
pub use schedule_svg::schedule_svg;
pub use schedule_text::schedule_text;
pub use select_json::select_json;
pub use select_report::{Compared, SelectReport};
pub use select_text::select_text;
pub use selected_run_text::{SelectedRun, selected_run_text};
pub use shards::{ShardedSuite, shards_github, shards_gradle, shards_json, shards_surefire};
pub use speculation_report::{Doubt, FailedSpeculation, SpeculationOutcome, SpeculationPlan};
pub use stored_text::{StoredRun, order_text, record_text, replayed_text, result_text, runs_text};
pub use style::{BAD, DIM, GOOD, HEADING, NAME, WARN, paint};
pub use suspects::{Suspect, read_of_others, suspects};
pub use trace_ignored::ignored_text;
pub use trace_json::trace_json;
pub use trace_report::TraceReport;
pub use trace_text::trace_text;
pub use units::{count, duration};

use residue_detect::Difference;
use residue_model::{RunRecord, Suite, SuiteSpec};

/// A listed suite.
#[derive(Debug, Clone, Copy)]
pub struct ListedSuite<'a> {
    /// Where it comes from.
    pub spec: &'a SuiteSpec,
    /// Its tests.
    pub suite: &'a Suite,
}

/// One run with what is needed to judge it.
#[derive(Debug, Clone)]
pub struct RunReport<'a> {
    /// Number in the store, as the user types it.
    pub id: &'a str,
    /// Name of the suite.
    pub suite: &'a str,
    /// How the order came about, in words: `default order`, `shuffled with seed 7`.
    pub order: &'a str,
    /// What happened.
    pub record: &'a RunRecord,
    /// Whether the store already had it.
    pub from_store: bool,
    /// What ended otherwise than in the reference runs.
    pub differences: Vec<Difference<'a>>,
    /// The reference runs compared with; empty if this is one of them.
    pub reference: &'a [String],
    /// Tests whose outcome varies in the default order itself.
    pub varying: usize,
    /// How to call the program again.
    pub called_with: &'a CalledWith,
}

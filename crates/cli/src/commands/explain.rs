//! `residue explain`: a finding with its cause.

use residue_detect::Finding;
use residue_model::TestId;
use residue_report::{explain_json, explain_text};
use residue_store::{FindingId, Store};

use crate::args::ExplainArgs;
use crate::cause::{Effort, Inquiry, Means, Unanswered};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::printer::Printer;
use crate::tracking::TrackingRules;
use crate::workbench::{Workbench, open_store};

pub fn explain(args: &ExplainArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    let store = open_store(&args.project.project)?;
    let id = meant(&args.what, &store)?;
    let stored = store.finding(id)?;
    drop(store);
    let mut finding: Finding =
        serde_json::from_str(&stored.document).map_err(CliError::Document)?;
    if let Some(partner) = &args.after {
        finding = after(finding, &TestId::parse(partner)?)?;
    }
    let (mut workbench, exec) =
        Workbench::open_for((id, &stored), &args.project, &args.exec, printer)?;
    workbench.track(rules);
    let id = id.to_string();
    let mut means = Means::new(0, &exec, &mut workbench, printer, Effort::Whatever)?;
    let mut inquiry = Inquiry { id: &id, finding: &finding, means: &mut means };
    let explained = inquiry.explain_with_cleaners().map_err(|unanswered| match unanswered {
        Unanswered::Failed(error) => error,
        Unanswered::OutOfTime => unreachable!("whatever it takes"),
    })?;
    drop(means);
    explained.told((&id, &finding), args.all, &workbench.called_with, |report| {
        if let Some(path) = &args.json {
            write_document(path, &explain_json(report), printer)?;
        }
        if !owns_stdout(args.json.as_deref()) {
            printer.data(&explain_text(report));
        }
        Ok(ExitCode::Clean)
    })
}

/// A finding by its number or by the test it is about.
fn meant(what: &str, store: &Store) -> Result<FindingId, CliError> {
    if let Ok(finding) = what.parse() {
        return Ok(finding);
    }
    let test = TestId::parse(what)?;
    let found = store.finding_about(&test)?;
    found.ok_or_else(|| CliError::NoFinding { test: test.to_string() })
}

/// The same finding, with those partners that this test is one of.
fn after(finding: Finding, partner: &TestId) -> Result<Finding, CliError> {
    let others = finding.partner_sets().flat_map(|set| &set.tests).map(ToString::to_string);
    let unknown = CliError::NoPartner {
        test: finding.test.to_string(),
        partner: partner.to_string(),
        known: others.collect(),
    };
    finding.after(partner).ok_or(unknown)
}

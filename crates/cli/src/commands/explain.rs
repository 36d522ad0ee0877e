//! `residue explain`: a finding with its cause.

use std::collections::HashSet;

use residue_detect::Finding;
use residue_graph::DependencyGraph;
use residue_lab::{Lab, Traced};
use residue_model::trace::AccessPath;
use residue_model::{RunRequest, TestId, TestOrder};
use residue_report::{CalledWith, Cause, ExplainReport, explain_text};
use residue_store::{FindingId, Store};

use crate::args::{ExecArgs, ExplainArgs};
use crate::cause;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::printer::Printer;
use crate::tracking::TrackingRules;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits, open_store};

pub fn explain(args: &ExplainArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    let store = open_store(&args.project.project)?;
    let id = meant(&args.what, &store)?;
    let stored = store.finding(id)?;
    drop(store);
    let finding: Finding = serde_json::from_str(&stored.document).map_err(CliError::Document)?;
    let (mut workbench, exec) =
        Workbench::open_for((id, &stored), &args.project, &args.exec, printer)?;
    workbench.track(rules);
    let flipped = trace(&finding.partners.together.order, &exec, &mut workbench, printer)?;
    let mut cleaned = Vec::new();
    for cleaners in &finding.cleaners {
        cleaned.push(trace(&cleaners.witness.order, &exec, &mut workbench, printer)?);
    }
    let harmless = cause::harmless(&finding, &exec, &mut workbench)?;
    let cause = cause::find(&finding, (&flipped, &harmless), &exec, &mut workbench, printer)?;
    let explained = Explained { flipped, harmless, cause, cleaned };
    let called_with = &workbench.called_with;
    printer.data(&explained.text(&id.to_string(), &finding, args.all, called_with));
    Ok(ExitCode::Clean)
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

fn trace(
    order: &TestOrder,
    exec: &ExecArgs,
    workbench: &mut Workbench,
    printer: &mut Printer,
) -> Result<Traced, CliError> {
    let request = RunRequest { order: order.clone(), limits: limits(exec) };
    let mut executor = workbench.executor(0, exec)?;
    let settings = workbench.trace_settings();
    let open = &workbench.suites[0];
    let (key, suite) = (open.key, open.spec.name.clone());
    let mut watch = Watch::new(printer, &suite);
    let mut lab = Lab::new(&mut workbench.store, key, &mut executor);
    Ok(lab.trace(&request, &settings, false, &mut watch)?)
}

/// All that was found out about a finding.
struct Explained {
    flipped: Traced,
    harmless: HashSet<AccessPath>,
    cause: Cause,
    cleaned: Vec<Traced>,
}

impl Explained {
    fn text(&self, id: &str, finding: &Finding, all: bool, called_with: &CalledWith) -> String {
        let Self { flipped, harmless, cause, cleaned } = self;
        let traces: Vec<&Traced> = [flipped].into_iter().chain(cleaned).collect();
        let runs: Vec<String> = traces.iter().map(|traced| traced.run.to_string()).collect();
        let graphs: Vec<_> =
            traces.iter().map(|traced| DependencyGraph::new(&traced.trace)).collect();
        let traced = |at: usize| residue_report::Traced { run: &runs[at], graph: &graphs[at] };
        explain_text(&ExplainReport {
            id,
            finding,
            flipped: traced(0),
            harmless,
            cause,
            cleaned: (1..traces.len()).map(traced).collect(),
            all,
            called_with,
        })
    }
}

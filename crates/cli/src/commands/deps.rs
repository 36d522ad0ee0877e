//! `residue deps`

use residue_graph::DependencyGraph;
use residue_model::{RunRecord, TestId};
use residue_report::{DepsReport, deps_json, deps_text};
use residue_store::{RunFilter, RunId, Store};
use residue_wire::trace::TraceReader;

use crate::args::DepsArgs;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::printer::Printer;
use crate::workbench::open_store;

pub fn deps(args: &DepsArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let test = TestId::parse(&args.test)?;
    let store = open_store(&args.project)?;
    let (run, record) = match &args.run {
        Some(run) => named(&store, run.parse()?, &test)?,
        None => newest(&store, &test)?,
    };
    let file = store.load_trace(run)?.file;
    let trace = TraceReader::new(&file).read(record.order.tests())?;
    let graph = DependencyGraph::new(&trace);
    let Some(position) = graph.position(&test) else {
        return Err(CliError::NotInRun { run: run.to_string(), test: test.to_string() });
    };
    let report = DepsReport {
        run: &run.to_string(),
        suite: &store.run_info(run)?.summary.suite_name,
        graph: &graph,
        test: position,
    };
    printer.data(&if args.json { deps_json(&report) } else { deps_text(&report) });
    Ok(ExitCode::Clean)
}

fn named(store: &Store, run: RunId, test: &TestId) -> Result<(RunId, RunRecord), CliError> {
    let record = store.load(run)?;
    if record.result(test).is_none() {
        return Err(CliError::NotInRun { run: run.to_string(), test: test.to_string() });
    }
    Ok((run, record))
}

/// The newest traced run that has the test.
fn newest(store: &Store, test: &TestId) -> Result<(RunId, RunRecord), CliError> {
    for summary in store.runs(&RunFilter::default())?.into_iter().rev().filter(|run| run.traced) {
        let record = store.load(summary.id)?;
        if record.result(test).is_some() {
            return Ok((summary.id, record));
        }
    }
    Err(CliError::NotTraced { test: test.to_string() })
}

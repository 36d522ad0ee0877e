//! `residue deps`

use residue_graph::DependencyGraph;
use residue_model::{RunRecord, TestId};
use residue_report::{DepsReport, deps_json, deps_text};
use residue_store::{RunFilter, RunId, RunSummary, Store, SuiteKey};
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
        None => best(&store, &test)?,
    };
    let RunSummary { suite, suite_name, .. } = store.run_info(run)?.summary;
    let file = store.load_trace(run)?.file;
    let trace = TraceReader::new(&file).read(record.order.tests())?;
    let graph = DependencyGraph::new(&trace);
    let Some(position) = graph.position(&test) else {
        return Err(CliError::NotInRun { run: run.to_string(), test: test.to_string() });
    };
    let report = DepsReport {
        run: &run.to_string(),
        in_default_order: is_default_order(&store, suite, &record)?,
        suite: &suite_name,
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

/// The newest traced run of the default order, of the state in which a run with
/// the test was traced last. Without one, that last run: a detection traces many
/// orders, mostly of a few tests.
fn best(store: &Store, test: &TestId) -> Result<(RunId, RunRecord), CliError> {
    let mut traced = store.runs(&RunFilter::default())?;
    traced.retain(|run| run.traced);
    traced.reverse();
    let (newest, record) = newest(store, &traced, test)?;
    let tests = store.listing(newest.suite)?.map_or(0, |listing| listing.tests.len() as u64);
    // A shorter order need not be read to see that it is another.
    let is_whole = |run: &&RunSummary| run.suite == newest.suite && run.counts.total() == tests;
    for run in traced.iter().filter(is_whole) {
        let record = store.load(run.id)?;
        if is_default_order(store, run.suite, &record)? {
            return Ok((run.id, record));
        }
    }
    Ok((newest.id, record))
}

/// The first of these runs that has the test.
fn newest<'a>(
    store: &Store,
    traced: &'a [RunSummary],
    test: &TestId,
) -> Result<(&'a RunSummary, RunRecord), CliError> {
    for run in traced {
        let record = store.load(run.id)?;
        if record.result(test).is_some() {
            return Ok((run, record));
        }
    }
    Err(CliError::NotTraced { test: test.to_string() })
}

fn is_default_order(store: &Store, suite: SuiteKey, record: &RunRecord) -> Result<bool, CliError> {
    let listing = store.listing(suite)?;
    let tests = || record.order.tests().iter();
    Ok(listing.is_some_and(|listing| listing.tests.iter().map(|case| &case.id).eq(tests())))
}

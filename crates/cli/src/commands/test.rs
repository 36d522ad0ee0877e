//! `residue test`

use std::fs;
use std::path::Path;

use residue_graph::DependencyGraph;
use residue_model::{OutcomeKind, TestId};
use residue_report::{Differing, ParallelReport, junit_xml, parallel_text};
use residue_schedule::Planner;

use crate::args::{ExecArgs, TestArgs};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::write_document;
use crate::parallel::{Learned, ParallelRun, affected};
use crate::plan::{SuitePlan, workers};
use crate::printer::Printer;
use crate::tracking::rules_text;
use crate::workbench::{Workbench, limits};

pub fn test(args: &TestArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let rules = rules_text(&args.project.project, &args.tracking)?;
    let mut workbench = Workbench::open(&args.project, printer)?;
    workbench.track(rules);
    let mut verdicts = Vec::new();
    for number in 0..workbench.suites.len() {
        if !workbench.suites[number].suite.tests.is_empty() {
            verdicts.push(test_suite(args, &mut workbench, number, printer)?);
        }
    }
    let code = |code| verdicts.contains(&code).then_some(code);
    Ok(code(ExitCode::Failures).or(code(ExitCode::Findings)).unwrap_or(ExitCode::Clean))
}

fn test_suite(
    args: &TestArgs,
    workbench: &mut Workbench,
    number: usize,
    printer: &mut Printer,
) -> Result<ExitCode, CliError> {
    let plan = SuitePlan::prepare(workbench, number, &args.plan, &args.exec, printer)?;
    let graph = DependencyGraph::new(&plan.traced.trace);
    let workload = plan.workload(&graph);
    let planner = Planner::new(&workload);
    let wanted = workers(&args.plan);
    let schedule = plan.schedule(&planner, wanted);

    // All workers run at once unless the user has set a limit.
    let jobs = args.exec.jobs.or(u16::try_from(wanted).ok());
    let exec = ExecArgs { jobs, ..args.exec.clone() };
    let executor = workbench.executor(number, &exec)?;
    let mut run =
        ParallelRun { workbench, number, plan: &plan, executor, limits: limits(&args.exec) };
    let performed = run.perform(&schedule, printer)?;
    let results = performed.results(&plan.tests);

    let affected = affected(&results, &plan.reference);
    let careful = plan.careful_workload(&graph);
    let again = run.run_again(&affected, &Planner::new(&careful), printer)?;
    let differing: Vec<Differing<'_>> = affected
        .iter()
        .filter_map(|test| {
            let result = &results[*test];
            Some(Differing {
                test: &result.test,
                expected: plan.reference.expected(&result.test)?,
                actual: &result.outcome,
                again: again.iter().rev().find_map(|record| record.result(&result.test)),
            })
        })
        .collect();
    // A test that its worker never came to has nothing to explain.
    let ended = |differing: &&Differing<'_>| differing.actual.kind() != OutcomeKind::NotReached;
    let to_explain: Vec<TestId> =
        differing.iter().filter(ended).map(|differing| differing.test.clone()).collect();
    let learned = match to_explain.as_slice() {
        [] => Learned::default(),
        some => run.learn(&performed, some, args.learn, printer)?,
    };

    let runs: Vec<String> =
        performed.lanes.iter().map(|(_, answer)| answer.run.to_string()).collect();
    let reference: Vec<String> = plan.runs.iter().map(|(run, _)| run.to_string()).collect();
    let report = ParallelReport {
        suite: &plan.suite,
        workers: wanted,
        results: &results,
        runs: &runs,
        reference: &reference,
        took: performed.took(),
        serial: plan.serial(),
        duplicates: schedule.duplicates(),
        differing_duplicates: performed.differing_duplicates(&plan.reference, &plan.tests),
        differing: &differing,
        varying: plan.reference.varying().len(),
        learned: &learned.findings,
        disturbed: &learned.disturbed,
    };
    printer.data(&parallel_text(&report));
    if let Some(folder) = &args.xml {
        write_xml(folder, &report, printer)?;
    }
    Ok(verdict(&report))
}

fn verdict(report: &ParallelReport<'_>) -> ExitCode {
    if report.has_failures() {
        ExitCode::Failures
    } else if report.differing.is_empty() {
        ExitCode::Clean
    } else {
        ExitCode::Findings
    }
}

/// Suites of one project have folders of their own.
fn write_xml(
    folder: &Path,
    report: &ParallelReport<'_>,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let folder = if report.suite == "." { folder.into() } else { folder.join(report.suite) };
    fs::create_dir_all(&folder)
        .map_err(|source| CliError::Write { path: folder.clone(), source })?;
    for (name, document) in junit_xml(report) {
        write_document(&folder.join(name), &document, printer)?;
    }
    Ok(())
}

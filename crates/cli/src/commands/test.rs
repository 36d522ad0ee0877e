//! `residue test`

use std::fs;
use std::path::Path;

use residue_graph::DependencyGraph;
use residue_model::{OutcomeKind, RunRecord, TestId, TestResult};
use residue_report::{Differing, ParallelReport, junit_xml, parallel_json, parallel_text};
use residue_schedule::Planner;

use crate::args::{ExecArgs, TestArgs};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::parallel::{Learned, ParallelRun, Performed, affected};
use crate::plan::{SuitePlan, workers};
use crate::printer::Printer;
use crate::tracking::TrackingRules;
use crate::workbench::{Workbench, limits};

pub fn test(args: &TestArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    let mut workbench = Workbench::open(&args.project, Some(&args.exec), printer)?;
    workbench.track(rules);
    let mut tested = Vec::new();
    for number in 0..workbench.suites.len() {
        if !workbench.suites[number].suite.tests.is_empty() {
            tested.push(Tested::new(args, &mut workbench, number, printer)?);
        }
    }
    let reports: Vec<_> = tested.iter().map(Tested::report).collect();
    for report in &reports {
        let text = parallel_text(report);
        if owns_stdout(args.json.as_deref()) {
            printer.status(text.trim_end());
        } else {
            printer.data(&text);
        }
        if let Some(folder) = &args.xml {
            write_xml(folder, report, printer)?;
        }
    }
    if let Some(path) = &args.json {
        write_document(path, &parallel_json(&reports), printer)?;
    }
    let code = |code| reports.iter().any(|report| verdict(report) == code).then_some(code);
    Ok(code(ExitCode::Failures).or(code(ExitCode::Findings)).unwrap_or(ExitCode::Clean))
}

/// One suite after its parallel run.
struct Tested {
    plan: SuitePlan,
    workers: usize,
    duplicates: usize,
    performed: Performed,
    results: Vec<TestResult>,
    runs: Vec<String>,
    reference: Vec<String>,
    /// Tests that did not end as in the default order, by position.
    affected: Vec<usize>,
    /// What they did when they ran again, the last time last.
    again: Vec<RunRecord>,
    learned: Learned,
}

impl Tested {
    fn new(
        args: &TestArgs,
        workbench: &mut Workbench,
        number: usize,
        printer: &mut Printer,
    ) -> Result<Self, CliError> {
        let plan = SuitePlan::prepare(workbench, number, &args.plan, &args.exec, printer)?;
        let graph = DependencyGraph::new(&plan.traced.trace);
        let workers = workers(&args.plan);
        let schedule = plan.schedule(&Planner::new(&plan.workload(&graph)), workers);
        // All workers run at once unless the user has set a limit.
        let jobs = args.exec.jobs.or(u16::try_from(workers).ok());
        let exec = ExecArgs { jobs, ..args.exec.clone() };
        let executor = workbench.executor(number, &exec)?;
        let limits = limits(&args.exec);
        let mut run = ParallelRun { workbench, number, plan: &plan, executor, limits };
        let performed = run.perform(&schedule, printer)?;
        let results = performed.results(&plan.tests);
        let affected = affected(&results, &plan.reference);
        let careful = plan.careful_workload(&graph);
        let again = run.run_again(&affected, &Planner::new(&careful), printer)?;
        // A test that its worker never came to has nothing to explain.
        let ended = |result: &&TestResult| result.outcome.kind() != OutcomeKind::NotReached;
        let to_explain = affected.iter().map(|test| &results[*test]).filter(ended);
        let to_explain: Vec<TestId> = to_explain.map(|result| result.test.clone()).collect();
        let learned = match to_explain.as_slice() {
            [] => Learned::default(),
            some => run.learn(&performed, some, args.learn, printer)?,
        };
        Ok(Self {
            workers,
            duplicates: schedule.duplicates(),
            runs: performed.lanes.iter().map(|(_, answer)| answer.run.to_string()).collect(),
            reference: plan.runs.iter().map(|(run, _)| run.to_string()).collect(),
            plan,
            performed,
            results,
            affected,
            again,
            learned,
        })
    }

    fn report(&self) -> ParallelReport<'_> {
        let Self { plan, performed, .. } = self;
        ParallelReport {
            suite: &plan.suite,
            workers: self.workers,
            results: &self.results,
            runs: &self.runs,
            reference: &self.reference,
            took: performed.took(),
            serial: plan.serial(),
            duplicates: self.duplicates,
            differing_duplicates: performed.differing_duplicates(&plan.reference, &plan.tests),
            differing: self.affected.iter().filter_map(|test| self.differing(*test)).collect(),
            varying: plan.reference.varying().len(),
            learned: &self.learned.findings,
            disturbed: &self.learned.disturbed,
        }
    }

    fn differing(&self, test: usize) -> Option<Differing<'_>> {
        let TestResult { test, outcome: actual, .. } = &self.results[test];
        Some(Differing {
            test,
            expected: self.plan.reference.expected(test)?,
            actual,
            again: self.again.iter().rev().find_map(|record| record.result(test)),
        })
    }
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

//! `residue test`

use std::fs;
use std::path::Path;

use residue_graph::DependencyGraph;
use residue_model::{OutcomeKind, RunRecord, TestId, TestResult};
use residue_report::{
    CalledWith, Differing, FailedSpeculation, ParallelReport, SpeculationOutcome, junit_xml,
    parallel_json, parallel_text,
};
use residue_schedule::Planner;

use crate::args::{ExecArgs, TestArgs};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::parallel::{Learned, ParallelRun, Performed, affected};
use crate::plan::{SuitePlan, workers};
use crate::printer::Printer;
use crate::speculating::BestSchedule;
use crate::stand_ins::Speculated;
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
    let reports: Vec<_> = tested.iter().map(|one| one.report(&workbench.called_with)).collect();
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
    /// What came of values that stood in for tests, if that was asked for.
    speculated: Option<Speculated>,
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
        let best = BestSchedule::of(&plan, &graph, workers);
        // All workers run at once unless the user has set a limit.
        let jobs = args.exec.jobs.or(u16::try_from(workers).ok());
        let exec = ExecArgs { jobs, ..args.exec.clone() };
        let executor = workbench.executor(number, &exec)?;
        let limits = limits(&args.exec);
        let mut run = ParallelRun { workbench, number, plan: &plan, executor, limits };
        let performed = run.perform(&best, printer)?;
        let mut results = performed.results(&plan.tests);
        // A test that its worker never came to has nothing to explain.
        let ended = |result: &&TestResult| result.outcome.kind() != OutcomeKind::NotReached;
        let careful = plan.careful_workload(&graph);
        let planner = Planner::new(&careful);
        let differing = affected(&results, &plan.reference);
        let differing = differing.iter().map(|test| &results[*test]).filter(ended);
        let differing: Vec<&TestId> = differing.map(|result| &result.test).collect();
        let speculated = Speculated::judge(&performed, &best.speculation, &differing, &careful);
        run.replace_wrong(&mut results, &performed, &speculated, &planner, printer)?;
        let affected = affected(&results, &plan.reference);
        let in_worker: Vec<usize> =
            affected.iter().filter(|test| !speculated.wrong.contains(test)).copied().collect();
        let again = run.run_again(&in_worker, &planner, printer)?;
        let to_explain = in_worker.iter().map(|test| &results[*test]).filter(ended);
        let to_explain: Vec<TestId> = to_explain.map(|result| result.test.clone()).collect();
        let learned = match to_explain.as_slice() {
            [] => Learned::default(),
            some => run.learn(&performed, some, &speculated.with_values, args.learn, printer)?,
        };
        let ids = performed.lanes.iter().map(|lane| lane.answer.run.to_string());
        Ok(Self {
            workers,
            duplicates: best.schedule.duplicates(),
            runs: ids.collect(),
            reference: plan.runs.iter().map(|(run, _)| run.to_string()).collect(),
            plan,
            performed,
            results,
            affected,
            again,
            learned,
            speculated: args.plan.speculate.then_some(speculated),
        })
    }

    fn report<'a>(&'a self, called_with: &'a CalledWith) -> ParallelReport<'a> {
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
            speculation: self.speculated.as_ref().map(|speculated| self.speculation(speculated)),
            called_with,
        }
    }

    fn speculation<'a>(&'a self, speculated: &'a Speculated) -> SpeculationOutcome<'a> {
        let tests = &self.plan.tests;
        let failed = speculated.met.iter().filter_map(|met| {
            let doubt = met.doubt.as_ref()?;
            let (reader, writer) = (&tests[met.reader], &tests[met.writer]);
            Some(FailedSpeculation { reader, writer, doubt })
        });
        SpeculationOutcome {
            met: speculated.met.len(),
            failed: failed.collect(),
            again: speculated.wrong.iter().map(|test| &tests[*test]).collect(),
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

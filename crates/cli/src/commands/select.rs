//! `residue select`

use residue_lab::{Lab, Question};
use residue_model::{OutcomeKind, RunRequest, TestOrder};
use residue_report::{
    SelectReport, SelectedRun, select_gradle, select_json, select_order, select_surefire,
    select_text, selected_run_text,
};

use crate::args::{SelectArgs, SelectFormatArg};
use crate::changes::Since;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::printer::Printer;
use crate::selection::Selection;
use crate::tracking::TrackingRules;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

pub fn select(args: &SelectArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    // Before anything is built: a revision that is wrong is told at once.
    let since = args.changed_since.as_deref();
    let since = since.map(|revision| Since::read(&args.project.project, revision)).transpose()?;
    let mut workbench = Workbench::open(&args.project, Some(&args.exec), printer)?;
    workbench.track(rules);
    let mut selections = Vec::new();
    for number in 0..workbench.suites.len() {
        if !workbench.suites[number].suite.tests.is_empty() {
            let since = since.as_ref();
            selections.push(Selection::of(args, &mut workbench, number, since, printer)?);
        }
    }
    let reports: Vec<_> = selections.iter().map(Selection::report).collect();
    print(args, &reports, printer)?;
    let mut code = ExitCode::Clean;
    if args.run {
        for selection in selections.iter().filter(|selection| !selection.selected.is_empty()) {
            code = worse(code, run(args, &mut workbench, selection, printer)?);
        }
    }
    Ok(code)
}

fn print(
    args: &SelectArgs,
    reports: &[SelectReport<'_>],
    printer: &mut Printer,
) -> Result<(), CliError> {
    let text = match args.format {
        SelectFormatArg::Text => reports.iter().map(select_text).collect::<Vec<_>>().join("\n"),
        SelectFormatArg::Order => select_order(reports),
        SelectFormatArg::Surefire => select_surefire(reports),
        SelectFormatArg::Gradle => select_gradle(reports),
    };
    if owns_stdout(args.json.as_deref()) {
        printer.status(text.trim_end());
    } else {
        printer.data(&text);
    }
    match &args.json {
        Some(path) => write_document(path, &select_json(reports), printer),
        None => Ok(()),
    }
}

/// Runs the selected tests in default order in one JVM.
fn run(
    args: &SelectArgs,
    workbench: &mut Workbench,
    selection: &Selection,
    printer: &mut Printer,
) -> Result<ExitCode, CliError> {
    let tests = selection.selected.keys().map(|test| selection.tests[*test].clone()).collect();
    let request = RunRequest { order: TestOrder::new(tests)?, limits: limits(&args.exec) };
    let question = Question { request, repetitions: 1, fresh: true };
    let key = workbench.suites[selection.number].key;
    let mut executor = workbench.executor(selection.number, &args.exec)?;
    let mut watch = Watch::new(printer, &selection.suite);
    let mut lab = Lab::new(&mut workbench.store, key, &mut executor);
    let answer = lab.ask(&[question], &mut watch)?.swap_remove(0).swap_remove(0);
    drop(watch);
    let run = SelectedRun {
        id: &answer.run.to_string(),
        suite: &selection.suite,
        record: &answer.record,
        differences: selection.reference.differences(&answer.record),
        reference: &selection.reference_runs,
        reference_is_current: selection.basis_is_current,
        called_with: &workbench.called_with,
    };
    let text = selected_run_text(&run);
    if owns_stdout(args.json.as_deref()) {
        printer.status(text.trim_end());
    } else {
        printer.data(&format!("\n{text}"));
    }
    let quiet = |kind| matches!(kind, OutcomeKind::Passed | OutcomeKind::Skipped);
    let failures = answer.record.results.iter().any(|result| !quiet(result.outcome.kind()));
    // What changed is why they differ, if the reference is of older code.
    let differs = selection.basis_is_current && !run.differences.is_empty();
    Ok(match (failures, differs) {
        (true, _) => ExitCode::Failures,
        (false, true) => ExitCode::Findings,
        (false, false) => ExitCode::Clean,
    })
}

/// Of the outcomes of two suites.
fn worse(one: ExitCode, other: ExitCode) -> ExitCode {
    let of = |code| (one == code || other == code).then_some(code);
    of(ExitCode::Failures).or(of(ExitCode::Findings)).unwrap_or(ExitCode::Clean)
}

//! Runs of a suite together with the reference they are measured by.

use std::path::Path;

use residue_detect::Reference;
use residue_lab::{Answer, Lab, Question};
use residue_model::{OutcomeKind, RunRecord, RunRequest, TestOrder};
use residue_report::{CalledWith, RunReport, captured_output_text, run_json, run_text};
use residue_store::RunId;

use crate::args::ExecArgs;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::printer::Printer;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

/// What shall be run of a suite.
pub struct Wanted<'a> {
    /// How the order came about, in words.
    pub description: String,
    pub repetitions: usize,
    pub fresh: bool,
    pub exec: &'a ExecArgs,
}

/// One run with what the runs of the default order say about it.
pub struct Judged {
    suite: String,
    description: String,
    answer: Answer,
    reference: Reference,
    reference_runs: Vec<String>,
    called_with: CalledWith,
}

impl Wanted<'_> {
    /// Runs an order of the suite with this number, and its default order too
    /// if nothing is known of that yet.
    pub fn run(
        &self,
        workbench: &mut Workbench,
        number: usize,
        order: TestOrder,
        printer: &mut Printer,
    ) -> Result<Vec<Judged>, CliError> {
        let open = &workbench.suites[number];
        let (key, suite) = (open.key, open.spec.name.clone());
        let default_order = open.suite.default_order()?;
        let question = |order, repetitions, fresh| Question {
            request: RunRequest { order, limits: limits(self.exec) },
            repetitions,
            fresh,
        };
        let needs_reference = order != default_order && workbench.store.reference(key)?.is_empty();
        let mut questions = vec![question(order, self.repetitions, self.fresh)];
        if needs_reference {
            questions.push(question(default_order, 1, false));
        }
        let mut executor = workbench.executor(number, self.exec)?;
        let mut watch = Watch::new(printer, &suite);
        let mut lab = Lab::new(&mut workbench.store, key, &mut executor);
        let answers = lab.ask(&questions, &mut watch)?.swap_remove(0);
        drop(watch);

        let reference = workbench.reference(number)?;
        let called_with = &workbench.called_with;
        Ok(answers
            .into_iter()
            .map(|answer| self.judge(&suite, answer, &reference, called_with))
            .collect())
    }

    /// A run of the default order is measured by the other ones.
    fn judge(
        &self,
        suite: &str,
        answer: Answer,
        runs: &[(RunId, RunRecord)],
        called_with: &CalledWith,
    ) -> Judged {
        let others = || runs.iter().filter(|(run, _)| *run != answer.run);
        Judged {
            suite: suite.into(),
            description: self.description.clone(),
            reference: Reference::of(others().map(|(_, record)| record)),
            reference_runs: others().map(|(run, _)| run.to_string()).collect(),
            answer,
            called_with: called_with.clone(),
        }
    }
}

/// Prints the runs, writes them as JSON if asked, and says how the command ends.
pub fn conclude(
    judged: &[Judged],
    json: Option<&Path>,
    show_output: bool,
    printer: &mut Printer,
) -> Result<ExitCode, CliError> {
    let ids: Vec<String> = judged.iter().map(|judged| judged.answer.run.to_string()).collect();
    let reports: Vec<_> = judged.iter().zip(&ids).map(|(judged, id)| judged.report(id)).collect();
    for report in &reports {
        let text = run_text(report) + &outputs(report, show_output);
        if owns_stdout(json) { printer.status(text.trim_end()) } else { printer.data(&text) }
    }
    if let Some(path) = json {
        write_document(path, &run_json(&reports), printer)?;
    }
    let found = reports.iter().any(|report| !report.differences.is_empty());
    Ok(if found { ExitCode::Findings } else { ExitCode::Clean })
}

impl Judged {
    fn report<'a>(&'a self, id: &'a str) -> RunReport<'a> {
        RunReport {
            id,
            suite: &self.suite,
            order: &self.description,
            record: &self.answer.record,
            from_store: self.answer.from_store,
            differences: self.reference.differences(&self.answer.record),
            reference: &self.reference_runs,
            varying: self.reference.varying().len(),
            called_with: &self.called_with,
        }
    }
}

/// What tests wrote that did not pass.
fn outputs(report: &RunReport<'_>, wanted: bool) -> String {
    if !wanted {
        return String::new();
    }
    let quiet = |kind| matches!(kind, OutcomeKind::Passed | OutcomeKind::Skipped);
    let loud = report.record.results.iter().filter(|result| !quiet(result.outcome.kind()));
    loud.map(captured_output_text).collect()
}

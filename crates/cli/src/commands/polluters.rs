//! `residue polluters`

use std::path::Path;

use residue_detect::{Finding, Reference};
use residue_exec::Captures;
use residue_lab::{Answer, Lab, Question, Traced};
use residue_model::{RunRequest, TestId, TestOrder};
use residue_pollution::{Baseline, Facts, Polluted, rank};
use residue_report::{PollutersReport, polluters_diff, polluters_json, polluters_text};

use crate::args::{CaptureArg, PollutersArgs};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::order_source::OrderSource;
use crate::printer::Printer;
use crate::tracking::TrackingRules;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

pub fn polluters(args: &PollutersArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let source = OrderSource::read(&args.order)?;
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    let baseline = args.baseline.as_deref().map(read_baseline).transpose()?;
    let mut workbench = Workbench::open(&args.project, printer)?;
    workbench.track(rules);
    workbench.capture(match args.per {
        CaptureArg::Test => Captures::Tests,
        CaptureArg::Class => Captures::Classes,
    });
    let suites: Vec<_> = workbench.suites.iter().map(|open| &open.suite).collect();
    let orders = source.orders(&suites)?;
    let mut observed = Vec::new();
    for (number, order) in orders.into_iter().enumerate() {
        if let Some(order) = order {
            observed.push(observe(args, &mut workbench, number, order, printer)?);
        }
    }
    conclude(args, &source.describe(), &observed, baseline.as_ref(), printer)
}

/// An order of a suite with the agent and without, and what the store knows.
struct Observed {
    suite: String,
    traced: Traced,
    plain: Answer,
    proven: Vec<(TestId, TestId)>,
}

/// The plain run comes first: it shows whether the agent changed an outcome.
fn observe(
    args: &PollutersArgs,
    workbench: &mut Workbench,
    number: usize,
    order: TestOrder,
    printer: &mut Printer,
) -> Result<Observed, CliError> {
    let open = &workbench.suites[number];
    let (key, suite) = (open.key, open.spec.name.clone());
    let mut proven = Vec::new();
    for id in workbench.store.findings_of(key)? {
        let document = workbench.store.finding(id)?.document;
        let finding: Finding = serde_json::from_str(&document).map_err(CliError::Document)?;
        let sets = std::iter::once(&finding.partners).chain(&finding.other_partners);
        for test in sets.flat_map(|partners| &partners.tests) {
            proven.push((test.clone(), finding.test.clone()));
        }
    }
    let request = RunRequest { order, limits: limits(&args.exec) };
    let question = Question { request: request.clone(), repetitions: 1, fresh: false };
    let mut executor = workbench.executor(number, &args.exec)?;
    let settings = workbench.trace_settings();
    let mut watch = Watch::new(printer, &suite);
    let mut lab = Lab::new(&mut workbench.store, key, &mut executor);
    let plain = lab.ask(&[question], &mut watch)?.swap_remove(0).swap_remove(0);
    let traced = lab.trace(&request, &settings, args.fresh, &mut watch)?;
    drop(watch);
    Ok(Observed { suite, traced, plain, proven })
}

fn conclude(
    args: &PollutersArgs,
    order: &str,
    observed: &[Observed],
    baseline: Option<&Baseline>,
    printer: &mut Printer,
) -> Result<ExitCode, CliError> {
    let per_class = args.per == CaptureArg::Class;
    let runs: Vec<String> = observed.iter().map(|one| one.traced.run.to_string()).collect();
    let references: Vec<_> =
        observed.iter().map(|one| Reference::of([&one.plain.record])).collect();
    let ranking = |one| {
        let Observed { traced, proven, .. }: &Observed = one;
        let left_behind = &traced.record.left_behind;
        let new_roots = args.new_roots;
        rank(&Facts { trace: &traced.trace, left_behind, proven, new_roots, per_class })
    };
    let rankings: Vec<_> = observed.iter().map(ranking).collect();
    let mut reports = Vec::new();
    for (number, one) in observed.iter().enumerate() {
        reports.push(PollutersReport {
            run: &runs[number],
            suite: &one.suite,
            order,
            per_class,
            from_store: one.traced.from_store,
            duration: one.traced.record.duration,
            plain_duration: one.plain.record.duration,
            differences: references[number].differences(&one.traced.record),
            trace: &one.traced.trace,
            ranking: &rankings[number],
            baseline,
        });
    }
    print(args, &reports, printer)?;
    if let Some(path) = &args.json {
        write_document(path, &polluters_json(&reports), printer)?;
    }
    if let Some(path) = &args.write_baseline {
        let all = rankings.iter().flat_map(|ranking| &ranking.polluted);
        write_document(path, &Baseline::of(all.map(Polluted::key)).to_text(), printer)?;
    }
    let new: usize = reports.iter().map(PollutersReport::new_count).sum();
    Ok(if args.fail_on_new && new > 0 { ExitCode::Findings } else { ExitCode::Clean })
}

fn print(
    args: &PollutersArgs,
    reports: &[PollutersReport<'_>],
    printer: &mut Printer,
) -> Result<(), CliError> {
    let text: String = match &args.diff {
        None => reports.iter().map(|report| polluters_text(report, args.all)).collect(),
        Some(test) => {
            let trees: Vec<_> =
                reports.iter().filter_map(|report| polluters_diff(report, test)).collect();
            if trees.is_empty() {
                return Err(CliError::NoPolluter { test: test.clone() });
            }
            trees.concat()
        }
    };
    let documents = [args.json.as_deref(), args.write_baseline.as_deref()];
    if documents.into_iter().any(owns_stdout) {
        printer.status(text.trim_end());
    } else {
        printer.data(&text);
    }
    Ok(())
}

fn read_baseline(path: &Path) -> Result<Baseline, CliError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| CliError::UnreadableBaseline { path: path.into(), source })?;
    Baseline::parse(&text).map_err(|source| CliError::BadBaseline { path: path.into(), source })
}

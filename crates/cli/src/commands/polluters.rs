//! `residue polluters`

use std::path::Path;

use residue_detect::Finding;
use residue_exec::Captures;
use residue_model::TestId;
use residue_pollution::{Baseline, Facts, Polluted, rank};
use residue_report::{CalledWith, PollutersReport, polluters_diff, polluters_json, polluters_text};

use crate::args::{CaptureArg, PollutersArgs};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::observed::Observed;
use crate::order_source::OrderSource;
use crate::printer::Printer;
use crate::tracking::TrackingRules;
use crate::workbench::Workbench;

pub fn polluters(args: &PollutersArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let source = OrderSource::read(&args.order)?;
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    let baseline = args.baseline.as_deref().map(read_baseline).transpose()?;
    let mut workbench = Workbench::open(&args.project, Some(&args.exec), printer)?;
    workbench.track(rules);
    workbench.capture(match args.per {
        CaptureArg::Test => Captures::Tests,
        CaptureArg::Class => Captures::Classes,
    });
    let observed = Observed::all(&source, &mut workbench, &args.exec, args.fresh, printer)?;
    let mut proven = Vec::new();
    for one in &observed {
        let findings = workbench.findings(one.number)?;
        proven.push(findings.iter().flat_map(proven_pairs).collect());
    }
    let order = source.describe();
    let observed: Vec<_> = observed.iter().zip(&proven).collect();
    conclude(args, &order, &observed, baseline.as_ref(), &workbench.called_with, printer)
}

/// Polluters with their victim.
fn proven_pairs(finding: &Finding) -> impl Iterator<Item = (TestId, TestId)> {
    finding.polluters().map(|polluter| (polluter.clone(), finding.test.clone()))
}

fn conclude<'a>(
    args: &PollutersArgs,
    order: &str,
    observed: &[(&'a Observed, &'a Vec<(TestId, TestId)>)],
    baseline: Option<&Baseline>,
    called_with: &CalledWith,
    printer: &mut Printer,
) -> Result<ExitCode, CliError> {
    let per_class = args.per == CaptureArg::Class;
    let runs: Vec<String> = observed.iter().map(|(one, _)| one.traced.run.to_string()).collect();
    let references: Vec<_> = observed.iter().map(|(one, _)| one.reference()).collect();
    let ranking = |(one, proven): &(&'a Observed, &'a Vec<(TestId, TestId)>)| {
        rank(&Facts {
            trace: &one.traced.trace,
            left_behind: &one.traced.record.left_behind,
            proven,
            new_roots: args.new_roots,
            per_class,
        })
    };
    let rankings: Vec<_> = observed.iter().map(ranking).collect();
    let mut reports = Vec::new();
    for (number, (one, _)) in observed.iter().enumerate() {
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
            called_with,
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

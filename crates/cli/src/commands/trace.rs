//! `residue trace`

use residue_graph::DependencyGraph;
use residue_report::{CalledWith, TraceReport, ignored_text, trace_json, trace_text};

use crate::args::TraceArgs;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::observed::Observed;
use crate::order_source::OrderSource;
use crate::printer::Printer;
use crate::tracking::TrackingRules;
use crate::workbench::Workbench;

pub fn trace(args: &TraceArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let source = OrderSource::read(&args.order)?;
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    let mut workbench = Workbench::open(&args.project, Some(&args.exec), printer)?;
    workbench.track(rules);
    let observed = Observed::all(&source, &mut workbench, &args.exec, args.fresh, printer)?;
    conclude(args, &source.describe(), &observed, &workbench.called_with, printer)?;
    Ok(ExitCode::Clean)
}

fn conclude(
    args: &TraceArgs,
    order: &str,
    observed: &[Observed],
    called_with: &CalledWith,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let runs: Vec<String> = observed.iter().map(|one| one.traced.run.to_string()).collect();
    let references: Vec<_> = observed.iter().map(Observed::reference).collect();
    let graphs: Vec<_> =
        observed.iter().map(|one| DependencyGraph::new(&one.traced.trace)).collect();
    let mut reports = Vec::new();
    for (number, one) in observed.iter().enumerate() {
        reports.push(TraceReport {
            run: &runs[number],
            suite: &one.suite,
            order,
            from_store: one.traced.from_store,
            duration: one.traced.record.duration,
            plain_duration: Some(one.plain.record.duration),
            differences: references[number].differences(&one.traced.record),
            graph: &graphs[number],
            called_with,
        });
    }
    let stdout_taken = owns_stdout(args.json.as_deref()) || owns_stdout(args.dot.as_deref());
    for report in &reports {
        let mut text = trace_text(report);
        if args.explain_ignored {
            text += &ignored_text(&report.graph.trace().ignored);
        }
        if stdout_taken { printer.status(text.trim_end()) } else { printer.data(&text) }
    }
    if let Some(path) = &args.json {
        write_document(path, &trace_json(&reports), printer)?;
    }
    if let Some(path) = &args.dot {
        let dots: String = graphs.iter().map(DependencyGraph::to_dot).collect();
        write_document(path, &dots, printer)?;
    }
    Ok(())
}

//! `residue trace`

use residue_detect::Reference;
use residue_graph::DependencyGraph;
use residue_lab::{Answer, Lab, Question, Traced};
use residue_model::{RunRequest, TestOrder};
use residue_report::{TraceReport, ignored_text, trace_json, trace_text};

use crate::args::TraceArgs;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::order_source::OrderSource;
use crate::printer::Printer;
use crate::tracking::TrackingRules;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

pub fn trace(args: &TraceArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let source = OrderSource::read(&args.order)?;
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    let mut workbench = Workbench::open(&args.project, Some(&args.exec), printer)?;
    workbench.track(rules);
    let suites: Vec<_> = workbench.suites.iter().map(|open| &open.suite).collect();
    let orders = source.orders(&suites)?;
    let mut observed = Vec::new();
    for (number, order) in orders.into_iter().enumerate() {
        if let Some(order) = order {
            observed.push(observe(args, &mut workbench, number, order, printer)?);
        }
    }
    conclude(args, &source.describe(), &observed, printer)?;
    Ok(ExitCode::Clean)
}

/// An order of a suite with the agent and without.
struct Observed {
    suite: String,
    traced: Traced,
    plain: Answer,
}

/// The plain run comes first: it shows whether the agent changed an outcome.
fn observe(
    args: &TraceArgs,
    workbench: &mut Workbench,
    number: usize,
    order: TestOrder,
    printer: &mut Printer,
) -> Result<Observed, CliError> {
    let open = &workbench.suites[number];
    let (key, suite) = (open.key, open.spec.name.clone());
    let request = RunRequest { order, limits: limits(&args.exec) };
    let question = Question { request: request.clone(), repetitions: 1, fresh: false };
    let mut executor = workbench.executor(number, &args.exec)?;
    let settings = workbench.trace_settings();
    let mut watch = Watch::new(printer, &suite);
    let mut lab = Lab::new(&mut workbench.store, key, &mut executor);
    let plain = lab.ask(&[question], &mut watch)?.swap_remove(0).swap_remove(0);
    let traced = lab.trace(&request, &settings, args.fresh, &mut watch)?;
    drop(watch);
    Ok(Observed { suite, traced, plain })
}

fn conclude(
    args: &TraceArgs,
    order: &str,
    observed: &[Observed],
    printer: &mut Printer,
) -> Result<(), CliError> {
    let runs: Vec<String> = observed.iter().map(|one| one.traced.run.to_string()).collect();
    let references: Vec<_> =
        observed.iter().map(|one| Reference::of([&one.plain.record])).collect();
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

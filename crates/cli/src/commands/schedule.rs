//! `residue schedule`

use std::collections::BTreeSet;
use std::time::Duration;

use residue_graph::{Columns, DependencyGraph, Granularity};
use residue_report::{
    Advice, CalledWith, ScheduleReport, ScheduleRow, ShardedSuite, SpeculationPlan, advice_text,
    schedule_json, schedule_svg, schedule_text, shards_github, shards_gradle, shards_json,
    shards_surefire,
};
use residue_schedule::{Algorithm, Bounds, Planner, Schedule, violations_with};

use crate::args::{GranularityArg, ScheduleArgs, ShardFormatArg};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::plan::{SuitePlan, workers};
use crate::printer::Printer;
use crate::speculating::BestSchedule;
use crate::tracking::TrackingRules;
use crate::workbench::Workbench;

/// Numbers of workers in the table, besides the one that is asked for.
const COMPARED: [usize; 3] = [2, 8, 32];

pub fn schedule(args: &ScheduleArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    let mut workbench = Workbench::open(&args.project, Some(&args.exec), printer)?;
    workbench.track(rules);
    let mut plans = Vec::new();
    for number in 0..workbench.suites.len() {
        if !workbench.suites[number].suite.tests.is_empty() {
            let plan = SuitePlan::prepare(&mut workbench, number, &args.plan, &args.exec, printer)?;
            plans.push(plan);
        }
    }
    match args.shards {
        Some(shards) => print_shards(args.format, shards.into(), &plans, &workbench, printer),
        None if args.advice => print_advice(&plans, args.all, &workbench, printer),
        None => report(args, plans, &workbench.called_with, printer)?,
    }
    Ok(ExitCode::Clean)
}

fn report(
    args: &ScheduleArgs,
    plans: Vec<SuitePlan>,
    called_with: &CalledWith,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let planned: Vec<_> = plans.into_iter().map(|plan| Planned::of(args, plan)).collect();
    let reports: Vec<_> = planned.iter().map(|one| one.report(called_with)).collect();
    let stdout_taken = owns_stdout(args.json.as_deref()) || owns_stdout(args.svg.as_deref());
    for report in &reports {
        let text = schedule_text(report);
        if stdout_taken { printer.status(text.trim_end()) } else { printer.data(&text) }
    }
    if let Some(path) = &args.json {
        write_document(path, &schedule_json(&reports), printer)?;
    }
    if let Some(path) = &args.svg {
        write_document(path, &schedule_svg(&reports), printer)?;
    }
    Ok(())
}

fn print_shards(
    format: ShardFormatArg,
    shards: usize,
    plans: &[SuitePlan],
    workbench: &Workbench,
    printer: &mut Printer,
) {
    let schedules: Vec<Schedule> = plans
        .iter()
        .map(|plan| {
            let graph = DependencyGraph::new(&plan.traced.trace);
            plan.schedule(&Planner::new(&plan.workload_of_shards(&graph)), shards)
        })
        .collect();
    let suites: Vec<ShardedSuite<'_>> = plans
        .iter()
        .zip(&schedules)
        .map(|(plan, schedule)| ShardedSuite { suite: &plan.suite, tests: &plan.tests, schedule })
        .collect();
    printer.data(&match format {
        ShardFormatArg::Surefire => shards_surefire(&suites),
        ShardFormatArg::Gradle => shards_gradle(&suites),
        ShardFormatArg::Github => shards_github(&suites, workbench.build_tool),
        ShardFormatArg::Json => shards_json(&suites),
    });
}

fn print_advice(plans: &[SuitePlan], all: bool, workbench: &Workbench, printer: &mut Printer) {
    for plan in plans {
        let graph = DependencyGraph::new(&plan.traced.trace);
        let workload = plan.workload(&graph);
        let needs = (0..workload.tests())
            .flat_map(|test| workload.may_need(test).map(move |needed| (test, needed)))
            .collect();
        let open = workbench.suites.iter().find(|open| open.spec.name == plan.suite);
        let tests = open.map_or(&[][..], |open| &open.suite.tests);
        printer.data(&advice_text(&Advice {
            suite: &plan.suite,
            tests,
            needs,
            graph: &graph,
            all,
            called_with: &workbench.called_with,
        }));
    }
}

/// One suite with its schedules.
struct Planned {
    plan: SuitePlan,
    timed: String,
    traced: String,
    granularity: &'static str,
    columns: Columns,
    rows: Vec<ScheduleRow>,
    schedule: Schedule,
    bounds: Bounds,
    longest_way: Vec<usize>,
    unsettled: usize,
    speculation: Option<SpeculationPlan>,
}

impl Planned {
    fn of(args: &ScheduleArgs, plan: SuitePlan) -> Self {
        let graph = DependencyGraph::new(&plan.traced.trace);
        let workload = plan.workload(&graph);
        let planner = Planner::new(&workload);
        let wanted = workers(&args.plan);
        let best = BestSchedule::of(&plan, &graph, wanted);
        let compared: BTreeSet<usize> = COMPARED.into_iter().chain([wanted]).collect();
        let rows = compared.into_iter().map(|workers| {
            let speculates = args.plan.speculate;
            let best = speculates.then(|| BestSchedule::of(&plan, &graph, workers));
            row(&planner, workers, best.map(|best| best.schedule.makespan()))
        });
        let rows = rows.collect();
        let unsettled = violations_with(&best.schedule, &graph, &best.speculation);
        let unsettled: BTreeSet<usize> = unsettled.iter().map(|violation| violation.test).collect();
        let speculation = args.plan.speculate.then(|| SpeculationPlan {
            simple: plan.speculation.len(),
            obstacles: plan.speculation.obstacles().into_iter().collect(),
            met: best.met_by_values(),
            without: best.without,
        });
        let relied_on = plan.workload_with(&graph, &best.speculation);
        let (granularity, columns) = match args.plan.granularity {
            GranularityArg::Method => ("method", graph.columns(Granularity::Methods)),
            GranularityArg::Class => ("class", graph.columns(Granularity::Classes)),
        };
        Self {
            timed: plan.runs.last().map(|(run, _)| run.to_string()).unwrap_or_default(),
            traced: plan.traced.run.to_string(),
            granularity,
            columns,
            rows,
            bounds: Planner::new(&relied_on).bounds(wanted),
            longest_way: Planner::new(&relied_on).longest_way(),
            schedule: best.schedule,
            unsettled: unsettled.len(),
            speculation,
            plan,
        }
    }

    fn report<'a>(&'a self, called_with: &'a CalledWith) -> ScheduleReport<'a> {
        ScheduleReport {
            suite: &self.plan.suite,
            tests: &self.plan.tests,
            granularity: self.granularity,
            respected: self.plan.respected(),
            timed: &self.timed,
            traced: &self.traced,
            columns: self.columns,
            rows: self.rows.clone(),
            schedule: &self.schedule,
            bounds: self.bounds,
            longest_way: &self.longest_way,
            unsettled: self.unsettled,
            overhead: self.plan.overhead(),
            speculation: self.speculation.clone(),
            called_with,
        }
    }
}

fn row(planner: &Planner<'_>, workers: usize, speculative: Option<Duration>) -> ScheduleRow {
    let makespan = |algorithm| planner.schedule(algorithm, workers).makespan();
    ScheduleRow {
        workers,
        naive: makespan(Algorithm::Naive),
        greedy: makespan(Algorithm::Greedy),
        ours: makespan(Algorithm::Critical),
        speculative,
        bounds: planner.bounds(workers),
    }
}

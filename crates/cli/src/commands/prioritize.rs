//! `residue prioritize`

use residue_detect::shuffled;
use residue_graph::DependencyGraph;
use residue_lab::{Answer, Lab, Question, coverage};
use residue_model::{Coverage, RunRequest, TestId, TestOrder};
use residue_report::{
    CalledWith, PriorityReport, ProposedOrder, Respected, RunReport, priority_json, priority_text,
};
use residue_schedule::{Bonds, Worth, order_violations, prioritized};

use crate::args::{GranularityArg, PlanArgs, PrioritizeArgs, RespectArg, TechniqueArg};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::json_file::{owns_stdout, write_document};
use crate::plan::SuitePlan;
use crate::printer::Printer;
use crate::tracking::TrackingRules;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

pub fn prioritize(args: &PrioritizeArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let rules = TrackingRules::read(&args.project.project, &args.tracking)?;
    let mut workbench = Workbench::open(&args.project, Some(&args.exec), printer)?;
    workbench.track(rules);
    let mut prioritized = Vec::new();
    for number in 0..workbench.suites.len() {
        if !workbench.suites[number].suite.tests.is_empty() {
            prioritized.push(Prioritized::make(args, &mut workbench, number, printer)?);
        }
    }
    conclude(args, &prioritized, &workbench.called_with, printer)
}

fn conclude(
    args: &PrioritizeArgs,
    prioritized: &[Prioritized],
    called_with: &CalledWith,
    printer: &mut Printer,
) -> Result<ExitCode, CliError> {
    let reports: Vec<_> = prioritized.iter().map(|one| one.report(args, called_with)).collect();
    let stdout_taken = owns_stdout(args.json.as_deref()) || owns_stdout(args.order_file.as_deref());
    for report in &reports {
        let text = priority_text(report);
        if stdout_taken { printer.status(text.trim_end()) } else { printer.data(&text) }
    }
    if let Some(path) = &args.json {
        write_document(path, &priority_json(&reports), printer)?;
    }
    let to_use = || reports.iter().filter_map(|report| report.orders.last());
    if let Some(path) = &args.order_file {
        let lines: String =
            to_use().flat_map(|order| &order.tests).map(|test| format!("{test}\n")).collect();
        write_document(path, &lines, printer)?;
    }
    let changes = |order: &ProposedOrder<'_>| {
        order.run.as_ref().is_some_and(|run| !run.differences.is_empty())
    };
    Ok(if to_use().any(changes) { ExitCode::Findings } else { ExitCode::Clean })
}

/// One suite with its orders.
struct Prioritized {
    plan: SuitePlan,
    traced: String,
    reference_runs: Vec<String>,
    /// By test what the technique counts.
    items: Vec<Vec<u32>>,
    covered: (usize, usize),
    orders: Vec<Made>,
}

/// An order that was made, and run if that was wanted.
struct Made {
    respected: Respected,
    order: Vec<usize>,
    unsettled: usize,
    answer: Option<(String, Answer)>,
}

impl Prioritized {
    fn make(
        args: &PrioritizeArgs,
        workbench: &mut Workbench,
        number: usize,
        printer: &mut Printer,
    ) -> Result<Self, CliError> {
        let (workers, granularity) = (None, GranularityArg::Method);
        let wanted = PlanArgs { workers, granularity, respect: args.respect, speculate: false };
        let plan = SuitePlan::prepare(workbench, number, &wanted, &args.exec, printer)?;
        let coverage = match args.technique.item() {
            Some(_) => Some(
                coverage(&workbench.store, plan.traced.run)?
                    .ok_or_else(|| CliError::NoCoverage { suite: plan.suite.clone() })?,
            ),
            None => None,
        };
        let items = coverage.as_ref().map_or_else(Vec::new, |all| items(args.technique, all));
        let mut made = orders(args, &plan, &items);
        if !args.dry_run {
            run(args, workbench, number, &plan, &mut made, printer)?;
        }
        Ok(Self {
            traced: plan.traced.run.to_string(),
            reference_runs: plan.runs.iter().map(|(run, _)| run.to_string()).collect(),
            items,
            covered: coverage.as_ref().map_or((0, 0), covered),
            orders: made,
            plan,
        })
    }

    fn report<'a>(
        &'a self,
        args: &PrioritizeArgs,
        called_with: &'a CalledWith,
    ) -> PriorityReport<'a> {
        PriorityReport {
            suite: &self.plan.suite,
            technique: args.technique.label(),
            by: match args.technique {
                TechniqueArg::Random => format!("chance, seed {}", args.seed),
                TechniqueArg::Statements => "statements they run".into(),
                TechniqueArg::AdditionalStatements => "statements not yet run".into(),
                TechniqueArg::Methods => "methods they run".into(),
                TechniqueArg::AdditionalMethods => "methods not yet run".into(),
            },
            item: args.technique.item(),
            covered: self.covered,
            traced: &self.traced,
            orders: self.orders.iter().map(|made| self.proposed(made, called_with)).collect(),
        }
    }

    fn proposed<'a>(&'a self, made: &'a Made, called_with: &'a CalledWith) -> ProposedOrder<'a> {
        let worth = made.order.iter().filter_map(|test| self.items.get(*test).map(Vec::len));
        ProposedOrder {
            respected: made.respected,
            tests: made.order.iter().map(|test| &self.plan.tests[*test]).collect(),
            worth: worth.collect(),
            unsettled: made.unsettled,
            run: made.answer.as_ref().map(|(id, answer)| RunReport {
                id,
                suite: &self.plan.suite,
                order: "prioritized",
                record: &answer.record,
                from_store: answer.from_store,
                differences: self.plan.reference.differences(&answer.record),
                reference: &self.reference_runs,
                varying: self.plan.reference.varying().len(),
                called_with,
            }),
        }
    }
}

/// What the technique counts, by test.
fn items(technique: TechniqueArg, coverage: &Coverage) -> Vec<Vec<u32>> {
    let by_method = matches!(technique, TechniqueArg::Methods | TechniqueArg::AdditionalMethods);
    let tests = coverage.tests.iter();
    tests.map(|test| if by_method { test.units.clone() } else { test.statements.clone() }).collect()
}

/// How many statements and methods any test runs.
fn covered(coverage: &Coverage) -> (usize, usize) {
    let count = |lists: Vec<&Vec<u32>>| {
        let mut all: Vec<u32> = lists.into_iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let tests = || coverage.tests.iter();
    (
        count(tests().map(|test| &test.statements).collect()),
        count(tests().map(|test| &test.units).collect()),
    )
}

/// The technique as published and, unless nothing is to be kept, kept safe.
fn orders(args: &PrioritizeArgs, plan: &SuitePlan, items: &[Vec<u32>]) -> Vec<Made> {
    let graph = DependencyGraph::new(&plan.traced.trace);
    let worth = || match args.technique {
        TechniqueArg::Random => Worth::of_order(&random_order(&plan.tests, args.seed)),
        TechniqueArg::Statements | TechniqueArg::Methods => Worth::total(items),
        TechniqueArg::AdditionalStatements | TechniqueArg::AdditionalMethods => {
            Worth::additional(items.to_vec())
        }
    };
    let made = |respected, bonds: &Bonds| {
        let order = prioritized(worth(), bonds);
        let mut unsettled: Vec<usize> =
            order_violations(&order, &graph).iter().map(|violation| violation.test).collect();
        unsettled.sort_unstable();
        unsettled.dedup();
        Made { respected, order, unsettled: unsettled.len(), answer: None }
    };
    let mut orders = vec![made(Respected::Nothing, &Bonds::none(plan.tests.len()))];
    if args.respect != RespectArg::Nothing {
        orders.push(made(plan.respected(), &plan.bonds(&graph)));
    }
    orders
}

fn random_order(tests: &[TestId], seed: u64) -> Vec<usize> {
    let Ok(default) = TestOrder::new(tests.to_vec()) else { return Vec::new() };
    let positions: std::collections::HashMap<&TestId, usize> = tests.iter().zip(0..).collect();
    shuffled(&default, seed).tests().iter().map(|test| positions[test]).collect()
}

/// Runs the orders, as far as the store does not have them.
fn run(
    args: &PrioritizeArgs,
    workbench: &mut Workbench,
    number: usize,
    plan: &SuitePlan,
    made: &mut [Made],
    printer: &mut Printer,
) -> Result<(), CliError> {
    let question = |made: &Made| -> Result<Question, CliError> {
        let tests = made.order.iter().map(|test| plan.tests[*test].clone()).collect();
        let request = RunRequest { order: TestOrder::new(tests)?, limits: limits(&args.exec) };
        Ok(Question { request, repetitions: 1, fresh: false })
    };
    let questions = made.iter().map(question).collect::<Result<Vec<_>, _>>()?;
    let key = workbench.suites[number].key;
    let mut executor = workbench.executor(number, &args.exec)?;
    let mut watch = Watch::new(printer, &plan.suite);
    let mut lab = Lab::new(&mut workbench.store, key, &mut executor);
    let answers = lab.ask(&questions, &mut watch)?;
    drop(watch);
    for (made, mut answers) in made.iter_mut().zip(answers) {
        made.answer = answers.pop().map(|answer| (answer.run.to_string(), answer));
    }
    Ok(())
}

//! On what footing the runs of a detection stand. Where tests share files or
//! ports with other runs of their suite, each order must start from the same
//! files and run by itself: else an earlier run decides what a test does, and
//! the test looks as if it failed by chance.

use std::time::{Duration, Instant};

use residue_lab::Lab;
use residue_model::RunRequest;
use residue_schedule::SharedWithRuns;

use crate::args::{DetectArgs, ExecArgs};
use crate::error::CliError;
use crate::printer::Printer;
use crate::tracking::TrackingRules;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

const TEMP_OPTION: &str = "-Djava.io.tmpdir=";

/// A project and what its runs share.
pub struct Footing {
    pub workbench: Workbench,
    pub shared: SharedWithRuns,
    /// How long it took to look at each suite.
    pub looked: Vec<Duration>,
}

/// Opens the project, looks at a traced run of the default order for what runs
/// share, and adapts `args` to that. What that run did to files is undone.
pub fn find(
    args: &mut DetectArgs,
    rules: TrackingRules,
    printer: &mut Printer,
) -> Result<Footing, CliError> {
    let mut workbench = Workbench::open(&args.project, Some(&args.exec), printer)?;
    workbench.track(rules.clone());
    let mut shared = SharedWithRuns::default();
    let mut looked = vec![Duration::ZERO; workbench.suites.len()];
    if is_settled(args) {
        return Ok(Footing { workbench, shared, looked });
    }
    let exec = ExecArgs { restore: true, ..args.exec.clone() };
    for (number, looked) in looked.iter_mut().enumerate() {
        let began = Instant::now();
        look(&mut workbench, number, &exec, args.fresh, &mut shared, printer)?;
        *looked = began.elapsed();
    }
    if !shared.left.is_empty() {
        printer.status("tests share files with other runs: they are put back after each run");
        args.exec = exec;
        workbench = Workbench::open(&args.project, Some(&args.exec), printer)?;
        workbench.track(rules);
    } else if !shared.used.is_empty() && args.exec.jobs.is_none() {
        printer.status("tests share files or ports with runs beside theirs: one run at a time");
        args.exec.jobs = Some(1);
    }
    Ok(Footing { workbench, shared, looked })
}

/// Whether the user has said how it is to be, or nothing will be traced.
fn is_settled(args: &DetectArgs) -> bool {
    let is_traced = args.algorithms.is_empty() && !args.no_trace;
    !is_traced || args.no_restore || args.exec.restore || args.exec.before_run.is_some()
}

fn look(
    workbench: &mut Workbench,
    number: usize,
    exec: &ExecArgs,
    fresh: bool,
    shared: &mut SharedWithRuns,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let settings = workbench.trace_settings();
    let mut executor = workbench.executor(number, exec)?;
    let open = &workbench.suites[number];
    if open.suite.tests.is_empty() {
        return Ok(());
    }
    let own_temp = !open.spec.launch.jvm_args.iter().any(|arg| arg.starts_with(TEMP_OPTION));
    let request = RunRequest { order: open.suite.default_order()?, limits: limits(exec) };
    let mut watch = Watch::new(printer, &open.spec.name);
    let mut lab = Lab::new(&mut workbench.store, open.key, &mut executor);
    let traced = lab.trace(&request, &settings, fresh, &mut watch)?;
    shared.add(&traced.trace, own_temp);
    Ok(())
}

//! A traced run of the default order, which many commands build on.

use residue_lab::{Lab, Question, Traced};
use residue_model::RunRequest;

use crate::args::ExecArgs;
use crate::error::CliError;
use crate::printer::Printer;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

/// The newest there is of the code as it is now. What is missing is run: the
/// default order as it is, to compare with, and traced.
pub fn default_trace(
    workbench: &mut Workbench,
    number: usize,
    exec: &ExecArgs,
    printer: &mut Printer,
) -> Result<Traced, CliError> {
    let settings = workbench.trace_settings();
    let mut executor = workbench.executor(number, exec)?;
    let open = &workbench.suites[number];
    let request = RunRequest { order: open.suite.default_order()?, limits: limits(exec) };
    let mut watch = Watch::new(printer, &open.spec.name);
    let mut lab = Lab::new(&mut workbench.store, open.key, &mut executor);
    let question = Question { request: request.clone(), repetitions: 1, fresh: false };
    lab.ask(&[question], &mut watch)?;
    Ok(lab.trace(&request, &settings, false, &mut watch)?)
}

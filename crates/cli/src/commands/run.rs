//! `residue run`

use crate::args::RunArgs;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::judged::{Wanted, conclude};
use crate::order_source::OrderSource;
use crate::printer::Printer;
use crate::workbench::Workbench;

pub fn run(args: &RunArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let source = OrderSource::read(&args.order)?;
    let mut workbench = Workbench::open(&args.project, Some(&args.exec), printer)?;
    let suites: Vec<_> = workbench.suites.iter().map(|open| &open.suite).collect();
    let orders = source.orders(&suites)?;
    let wanted = Wanted {
        description: source.describe(),
        repetitions: args.repeat as usize,
        fresh: args.fresh,
        exec: &args.exec,
    };
    let mut judged = Vec::new();
    for (number, order) in orders.into_iter().enumerate() {
        if let Some(order) = order {
            judged.extend(wanted.run(&mut workbench, number, order, printer)?);
        }
    }
    conclude(&judged, args.json.as_deref(), args.show_output, printer)
}

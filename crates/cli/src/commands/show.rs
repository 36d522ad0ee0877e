//! `residue show`

use residue_model::TestId;
use residue_report::{order_text, record_text, result_text};
use residue_store::RunId;

use crate::args::ShowArgs;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::printer::Printer;
use crate::workbench::open_store;

pub fn show(args: &ShowArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let run: RunId = args.run.parse()?;
    let store = open_store(&args.project)?;
    let record = store.load(run)?;
    let text = match &args.test {
        None if args.order => order_text(&record.order),
        None => record_text(&run.to_string(), &store.run_info(run)?.summary.suite_name, &record),
        Some(test) => {
            let test = TestId::parse(test)?;
            let missing = || CliError::NotInRun { run: run.to_string(), test: test.to_string() };
            result_text(record.result(&test).ok_or_else(missing)?)
        }
    };
    printer.data(&text);
    Ok(ExitCode::Clean)
}

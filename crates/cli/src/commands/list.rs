//! `residue list`

use residue_report::{ListedSuite, list_json, list_text};

use crate::args::ListArgs;
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::printer::Printer;
use crate::workbench::Workbench;

pub fn list(args: &ListArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    let workbench = Workbench::open(&args.project, None, printer)?;
    let listed: Vec<_> = workbench
        .suites
        .iter()
        .map(|open| ListedSuite { spec: &open.spec, suite: &open.suite })
        .collect();
    printer.data(&if args.json { list_json(&listed) } else { list_text(&listed) });
    Ok(ExitCode::Clean)
}

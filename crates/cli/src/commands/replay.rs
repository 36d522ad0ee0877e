//! `residue replay`

use residue_store::RunId;

use super::replay_finding::replay_finding;
use crate::args::{ExecArgs, ReplayArgs};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::judged::{Wanted, conclude};
use crate::printer::Printer;
use crate::workbench::{Workbench, open_store};

pub fn replay(args: &ReplayArgs, printer: &mut Printer) -> Result<ExitCode, CliError> {
    if let Ok(finding) = args.what.parse() {
        return replay_finding(finding, args, printer);
    }
    let run: RunId = args.what.parse()?;
    let info = open_store(&args.project.project)?.run_info(run)?;
    let suite = info.summary.suite_name;
    let mut project = args.project.clone();
    project.suites = vec![suite.clone()];
    let mut workbench = Workbench::open(&project, Some(&args.exec), printer)?;
    let order = info.request.order;
    workbench.suites[0].suite.resolve(&order).map_err(|unknown| CliError::Outdated {
        run: run.to_string(),
        suite,
        test: unknown.test.to_string(),
    })?;
    if workbench.suites[0].key != info.summary.suite {
        printer.warn(&format!("the project has changed since {run}: outcomes may differ"));
    }
    if info.summary.stood_in {
        printer.warn(&format!(
            "values stood in for tests in {run}: its order runs without them now, so outcomes may \
             differ"
        ));
    }
    let wanted = Wanted {
        description: format!("order of {run} again"),
        repetitions: 1,
        fresh: true,
        exec: &ExecArgs {
            test_timeout: info.request.limits.per_test,
            run_timeout: info.request.limits.per_run,
            ..args.exec.clone()
        },
    };
    let judged = wanted.run(&mut workbench, 0, order, printer)?;
    conclude(&judged, args.json.as_deref(), args.show_output, printer)
}

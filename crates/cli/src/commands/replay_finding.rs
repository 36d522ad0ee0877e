//! `residue replay FINDING`: both orders of a finding, live.

use residue_detect::{Finding, Witness};
use residue_lab::{Lab, Question};
use residue_model::RunRequest;
use residue_report::replayed_text;
use residue_store::FindingId;

use crate::args::{ExecArgs, ReplayArgs};
use crate::error::CliError;
use crate::exit_code::ExitCode;
use crate::printer::Printer;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits, open_store};

pub fn replay_finding(
    id: FindingId,
    args: &ReplayArgs,
    printer: &mut Printer,
) -> Result<ExitCode, CliError> {
    let stored = open_store(&args.project.project)?.finding(id)?;
    let finding: Finding = serde_json::from_str(&stored.document).map_err(CliError::Document)?;
    let (mut workbench, exec) =
        Workbench::open_for((id, &stored), &args.project, &args.exec, printer)?;
    let witnesses = [&finding.alone, &finding.partners.together];
    let mut reproduced = true;
    printer.data(&format!("{id} {} {}\n", finding.role.as_str(), finding.test));
    for witness in witnesses {
        reproduced &= replay(witness, &finding, &exec, &mut workbench, printer)?;
    }
    let verdict = if reproduced { "reproduced" } else { "not reproduced this time" };
    printer.data(&format!("{verdict}\n"));
    Ok(if reproduced { ExitCode::Findings } else { ExitCode::Clean })
}

/// Runs one order of the finding again; whether its last test ended as then.
fn replay(
    witness: &Witness,
    finding: &Finding,
    exec: &ExecArgs,
    workbench: &mut Workbench,
    printer: &mut Printer,
) -> Result<bool, CliError> {
    let request = RunRequest { order: witness.order.clone(), limits: limits(exec) };
    let question = Question { request, repetitions: 1, fresh: true };
    let mut executor = workbench.executor(0, exec)?;
    let open = &workbench.suites[0];
    let (key, suite) = (open.key, open.spec.name.clone());
    let mut watch = Watch::new(printer, &suite);
    let mut lab = Lab::new(&mut workbench.store, key, &mut executor);
    let answers = lab.ask(&[question], &mut watch)?;
    drop(watch);
    let Some(result) = answers[0].first().and_then(|a| a.record.result(&finding.test)) else {
        return Ok(false);
    };
    let same = finding.comparison.same(&result.outcome, &witness.outcome, &finding.test);
    printer.data(&replayed_text(witness, result, same));
    Ok(same)
}

//! The causes of what a detection found: of each group of findings with the same
//! partners, that of the one which stands for it.

use std::collections::HashMap;

use residue_report::{Cause, CauseTally, Numbered, ProvedCause, examples};

use super::{Effort, Inquiry, Spent, Unanswered};
use crate::args::ExecArgs;
use crate::deadline::Deadline;
use crate::error::CliError;
use crate::printer::Printer;
use crate::workbench::Workbench;

/// What is known of the causes of findings.
#[derive(Debug, Default)]
pub struct Causes {
    /// By the numbers of the findings.
    pub proved: HashMap<String, ProvedCause>,
    /// Nothing if nobody looked for them.
    pub tally: Option<CauseTally>,
}

/// Looks for causes as long as there is time, those of the largest groups first.
pub fn of_groups(
    findings: &[Numbered],
    suite: usize,
    exec: &ExecArgs,
    deadline: &Deadline,
    workbench: &mut Workbench,
    printer: &mut Printer,
) -> Result<Causes, CliError> {
    let (mut proved, mut tally) = (HashMap::new(), CauseTally::default());
    for (id, finding) in examples(findings) {
        let is_too_late = |time| deadline.comes_within(time);
        let mut inquiry = Inquiry {
            finding,
            id,
            suite,
            exec,
            workbench,
            printer,
            effort: Effort::Little(&is_too_late),
            spent: Spent::default(),
        };
        let explained = inquiry.explain();
        tally.runs += inquiry.spent.runs;
        tally.test_executions += inquiry.spent.test_executions;
        match explained {
            Ok(explained) if matches!(explained.cause, Cause::Open { .. }) => tally.open += 1,
            Ok(explained) => {
                let called_with = &workbench.called_with;
                let cause = explained.told((id, finding), false, called_with, ProvedCause::of);
                proved.extend(cause.map(|cause| (id.clone(), cause)));
                tally.proved += 1;
            }
            Err(Unanswered::OutOfTime) => tally.out_of_time += 1,
            Err(Unanswered::Failed(error)) => return Err(error),
        }
    }
    Ok(Causes { proved, tally: Some(tally) })
}

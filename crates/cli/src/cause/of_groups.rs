//! The causes of what a detection found: of each group of findings with the same
//! partners, that of the one which stands for it.

use std::collections::HashMap;

use residue_report::{Cause, CauseTally, Numbered, ProvedCause, examples};

use super::{Inquiry, Means, Unanswered};
use crate::error::CliError;

/// What is known of the causes of findings.
#[derive(Debug, Default)]
pub struct Causes {
    /// By the numbers of the findings.
    pub proved: HashMap<String, ProvedCause>,
    /// Nothing if nobody looked for them.
    pub tally: Option<CauseTally>,
    /// Why not all were looked for.
    pub failure: Option<CliError>,
}

impl Causes {
    /// Looks for causes as long as the means allow, those of the largest groups
    /// first.
    pub fn of_groups(findings: &[Numbered], means: Result<Means<'_>, CliError>) -> Self {
        let mut causes = Self { tally: Some(CauseTally::default()), ..Self::default() };
        let outcome = means.and_then(|means| causes.look_for(findings, means));
        causes.failure = outcome.err();
        causes
    }

    fn look_for(&mut self, findings: &[Numbered], mut means: Means<'_>) -> Result<(), CliError> {
        let tally = self.tally.get_or_insert_default();
        for (id, finding) in examples(findings) {
            let explained = Inquiry { id, finding, means: &mut means }.explain();
            tally.runs = means.spent.runs;
            tally.test_executions = means.spent.test_executions;
            match explained {
                Ok(explained) if matches!(explained.cause, Cause::Open { .. }) => tally.open += 1,
                Ok(explained) => {
                    let called_with = &means.workbench.called_with;
                    let cause = explained.told((id, finding), false, called_with, ProvedCause::of);
                    self.proved.extend(cause.map(|cause| (id.clone(), cause)));
                    tally.proved += 1;
                }
                Err(Unanswered::OutOfTime) => tally.out_of_time += 1,
                Err(Unanswered::Failed(error)) => return Err(error),
            }
        }
        Ok(())
    }
}

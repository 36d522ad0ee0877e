//! A detection around a change of the code: what the change touches, and what
//! was decided before it.

use std::collections::BTreeSet;

use residue_change::Touched;
use residue_model::TestId;
use residue_report::{Numbered, SinceReport};
use residue_store::{Store, SuiteKey};

use crate::args::DetectArgs;
use crate::changes::{Basis, Since, Touching};
use crate::commands::save_findings;
use crate::error::CliError;
use crate::known_findings::{Earlier, StoredFinding};
use crate::printer::Printer;
use crate::workbench::Workbench;

/// What a change leaves to be decided of one suite.
pub struct AroundChange {
    revision: String,
    changed: usize,
    tests: Vec<TestId>,
    touched: Touched,
    earlier: Earlier,
    /// Findings of before as they are shown: unchanged ones.
    known: Vec<Numbered>,
    /// Findings of before that were decided again and not found.
    gone: Vec<Numbered>,
}

impl AroundChange {
    /// Traces the default order as the code is now, if the store has no such
    /// trace, and looks up findings of before.
    pub fn of(
        args: &DetectArgs,
        workbench: &mut Workbench,
        number: usize,
        since: &Since,
        printer: &mut Printer,
    ) -> Result<Self, CliError> {
        let tests = workbench.suites[number].suite.default_order()?.tests().to_vec();
        let basis = Basis::of_now(workbench, number, &args.exec, printer)?;
        let Touching { touched, .. } =
            Touching::of(workbench, number, &tests, &basis, Some(since))?;
        let ids = ids(&tests, &touched);
        let earlier = Earlier::of(workbench, number, &basis, &ids)?;
        let (revision, changed) = (since.revision.clone(), since.files.len());
        let (known, gone) = (Vec::new(), Vec::new());
        Ok(Self { revision, changed, tests, touched, earlier, known, gone })
    }

    /// The tests to which the detection is restricted; nothing if everything
    /// counts as touched.
    pub fn restriction(&self) -> Option<BTreeSet<TestId>> {
        self.touched.everything.is_empty().then(|| ids(&self.tests, &self.touched))
    }

    /// Sorts findings of before by what the detection found. Unchanged ones
    /// hold for this state of the suite too.
    pub fn settle(
        &mut self,
        store: &mut Store,
        suite: SuiteKey,
        found: &[Numbered],
    ) -> Result<(), CliError> {
        let again = |stored: &StoredFinding| {
            found.iter().any(|(_, finding)| finding.test == stored.finding.test)
        };
        for stored in self.earlier.unchanged.iter().filter(|stored| !again(stored)) {
            let numbered = if stored.suite == suite {
                vec![(stored.id.to_string(), stored.finding.clone())]
            } else {
                save_findings(store, suite, vec![stored.finding.clone()])?
            };
            self.known.extend(numbered);
        }
        let touched = self.earlier.touched.iter().filter(|stored| !again(stored));
        self.gone.extend(touched.map(|s| (s.id.to_string(), s.finding.clone())));
        Ok(())
    }

    pub fn report(&self) -> SinceReport<'_> {
        SinceReport {
            revision: &self.revision,
            changed: self.changed,
            touched: &self.touched,
            tests: &self.tests,
            known: &self.known,
            gone: &self.gone,
        }
    }
}

fn ids(tests: &[TestId], touched: &Touched) -> BTreeSet<TestId> {
    touched.reasons.keys().map(|test| tests[*test].clone()).collect()
}

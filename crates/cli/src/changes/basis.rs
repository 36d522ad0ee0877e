//! The traced run that tells what tests execute and what they need.

use std::collections::BTreeSet;

use residue_detect::Reference;
use residue_lab::{Traced, coverage, traced};
use residue_model::{Coverage, TestId};
use residue_store::SuiteKey;

use crate::args::ExecArgs;
use crate::default_trace::default_trace;
use crate::error::CliError;
use crate::printer::Printer;
use crate::workbench::Workbench;

/// A traced run of the default order, of the code as it is or as it was.
pub struct Basis {
    /// The suite in the state that was traced.
    pub key: SuiteKey,
    pub traced: Traced,
    pub coverage: Coverage,
    /// Tests that end otherwise when traced: what they do then proves nothing.
    pub perturbed: BTreeSet<TestId>,
    /// Whether that is the state it is in now.
    pub is_current: bool,
}

impl Basis {
    /// The newest that the store has, of the code as it is now if possible; what
    /// is needed of a state to be compared with must be there. If there is none,
    /// the default order is run and traced now.
    pub fn newest(
        workbench: &mut Workbench,
        number: usize,
        exec: &ExecArgs,
        printer: &mut Printer,
    ) -> Result<Self, CliError> {
        let open = &workbench.suites[number];
        let (now, suite) = (open.key, open.spec.name.clone());
        let settings = workbench.trace_settings();
        let mut runs = workbench.store.traced_runs(&suite, &settings)?;
        runs.sort_by_key(|(_, key)| *key != now);
        for (run, key) in runs {
            let Some(listing) = workbench.store.listing(key)? else { continue };
            let order = workbench.store.run_info(run)?.request.order;
            let comparable = key == now || workbench.store.inventory(key)?.is_some();
            if order != listing.default_order()? || !comparable {
                continue;
            }
            if let Some(coverage) = coverage(&workbench.store, run)? {
                let traced = traced(&workbench.store, run)?;
                return Self::new(workbench, key, traced, coverage, key == now);
            }
        }
        Self::of_now(workbench, number, exec, printer)
    }

    /// A traced run of the code as it is now, made if it is not there.
    pub fn of_now(
        workbench: &mut Workbench,
        number: usize,
        exec: &ExecArgs,
        printer: &mut Printer,
    ) -> Result<Self, CliError> {
        let open = &workbench.suites[number];
        let (key, suite) = (open.key, open.spec.name.clone());
        let traced = default_trace(workbench, number, exec, printer)?;
        let coverage = coverage(&workbench.store, traced.run)?;
        let coverage = coverage.ok_or(CliError::NoCoverage { suite })?;
        Self::new(workbench, key, traced, coverage, true)
    }

    fn new(
        workbench: &Workbench,
        key: SuiteKey,
        traced: Traced,
        coverage: Coverage,
        is_current: bool,
    ) -> Result<Self, CliError> {
        let runs = workbench.runs_of_default_order(key)?;
        let reference = Reference::of(runs.iter().map(|(_, record)| record));
        let differences = reference.differences(&traced.record);
        let perturbed = differences.into_iter().map(|differs| differs.test.clone()).collect();
        Ok(Self { key, traced, coverage, perturbed, is_current })
    }
}

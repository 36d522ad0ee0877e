//! An order of a suite run twice: with the agent and without.

use residue_detect::Reference;
use residue_lab::{Answer, Lab, Question, Traced};
use residue_model::{RunRequest, TestOrder};

use crate::args::ExecArgs;
use crate::error::CliError;
use crate::order_source::OrderSource;
use crate::printer::Printer;
use crate::watch::Watch;
use crate::workbench::{Workbench, limits};

/// Both runs of an order.
pub struct Observed {
    /// Position of the suite in the workbench.
    pub number: usize,
    pub suite: String,
    pub traced: Traced,
    pub plain: Answer,
}

impl Observed {
    /// The order of every suite that has one.
    pub fn all(
        source: &OrderSource,
        workbench: &mut Workbench,
        exec: &ExecArgs,
        fresh: bool,
        printer: &mut Printer,
    ) -> Result<Vec<Self>, CliError> {
        let suites: Vec<_> = workbench.suites.iter().map(|open| &open.suite).collect();
        let orders = source.orders(&suites)?;
        let mut observed = Vec::new();
        for (number, order) in orders.into_iter().enumerate() {
            if let Some(order) = order {
                observed.push(Self::one(workbench, number, order, exec, fresh, printer)?);
            }
        }
        Ok(observed)
    }

    /// The plain run comes first: it shows whether the agent changed an outcome.
    fn one(
        workbench: &mut Workbench,
        number: usize,
        order: TestOrder,
        exec: &ExecArgs,
        fresh: bool,
        printer: &mut Printer,
    ) -> Result<Self, CliError> {
        let open = &workbench.suites[number];
        let (key, suite) = (open.key, open.spec.name.clone());
        let request = RunRequest { order, limits: limits(exec) };
        let question = Question { request: request.clone(), repetitions: 1, fresh: false };
        let mut executor = workbench.executor(number, exec)?;
        let settings = workbench.trace_settings();
        let mut watch = Watch::new(printer, &suite);
        let mut lab = Lab::new(&mut workbench.store, key, &mut executor);
        let plain = lab.ask(&[question], &mut watch)?.swap_remove(0).swap_remove(0);
        let traced = lab.trace(&request, &settings, fresh, &mut watch)?;
        drop(watch);
        Ok(Self { number, suite, traced, plain })
    }

    /// What the traced run is compared with.
    pub fn reference(&self) -> Reference {
        Reference::of([&self.plain.record])
    }
}

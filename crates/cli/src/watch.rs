//! Shows the lab at work.

use residue_lab::Observer;
use residue_model::OutcomeKind;
use residue_report::count;

use crate::printer::Printer;

/// Turns what the lab does into progress on the terminal.
pub struct Watch<'a> {
    printer: &'a mut Printer,
    what: String,
}

impl<'a> Watch<'a> {
    pub fn new(printer: &'a mut Printer, suite: &str) -> Self {
        Self::about(printer, format!("suite {suite}"))
    }

    /// Says what the runs are for.
    pub fn about(printer: &'a mut Printer, what: String) -> Self {
        Self { printer, what }
    }
}

impl Observer for Watch<'_> {
    fn starting(&mut self, runs: usize, tests: usize) {
        let label = format!("{}, {}", self.what, count(runs, "run"));
        self.printer.begin_progress(&label, tests);
    }

    fn test_ended(&mut self, _kind: OutcomeKind) {
        self.printer.test_ended();
    }

    fn warned(&mut self, text: &str) {
        self.printer.warn(text);
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.printer.end_progress();
    }
}

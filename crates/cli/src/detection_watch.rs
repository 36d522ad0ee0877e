//! Shows a detection at work.

use residue_detect::Detection;
use residue_lab::{Answer, DetectionObserver};
use residue_model::OutcomeKind;
use residue_report::{BAD, count, most_fail_warning, paint};

use crate::deadline::Deadline;
use crate::pace::time_left;
use crate::printer::Printer;

/// Tells findings as they are confirmed, and what is going on in between.
pub struct DetectionWatch<'a> {
    printer: &'a mut Printer,
    deadline: &'a Deadline,
    told: usize,
    /// Whether a run of the default order was seen: the first of all.
    seen_default_order: bool,
}

impl<'a> DetectionWatch<'a> {
    pub fn new(printer: &'a mut Printer, deadline: &'a Deadline) -> Self {
        printer.begin_activity();
        Self { printer, deadline, told: 0, seen_default_order: false }
    }
}

impl DetectionObserver for DetectionWatch<'_> {
    fn test_ended(&mut self, _kind: OutcomeKind) {
        self.printer.tick();
    }

    fn warned(&mut self, text: &str) {
        self.printer.warn(text);
    }

    fn answered(&mut self, detection: &Detection, answer: &Answer) {
        if !std::mem::replace(&mut self.seen_default_order, true)
            && let Some(warning) = most_fail_warning(&answer.record)
        {
            self.printer.warn(&warning);
        }
        if let Some(took) = detection.suite_took() {
            self.deadline.suite_took(took);
        }
        if detection.finding_count() > self.told {
            self.deadline.found_something();
            for finding in &detection.findings()[self.told..] {
                let partners: Vec<_> =
                    finding.partners.tests.iter().map(ToString::to_string).collect();
                let relation = finding.partners.role.as_str();
                let found = paint(BAD, finding.role.as_str());
                let line = format!("{found} {} ({relation} {})", finding.test, partners.join(", "));
                self.printer.status(&line);
                self.told += 1;
            }
        }
        let status = detection.status();
        let left = self.deadline.left().map(time_left);
        self.printer.activity(&format!(
            "{}; {}, {}{}",
            status.activity,
            count(status.runs as usize, "run"),
            count(status.findings, "finding"),
            left.unwrap_or_default()
        ));
    }
}

impl Drop for DetectionWatch<'_> {
    fn drop(&mut self) {
        self.printer.end_progress();
    }
}

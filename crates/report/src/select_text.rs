//! A selection as text: how much is left to run, and why each test is.

use std::collections::BTreeMap;

use residue_change::Reason;
use residue_schedule::Why;

use crate::run_text::in_suite;
use crate::schedule_report::Respected;
use crate::select_report::{Compared, SelectReport};
use crate::style::{DIM, GOOD, HEADING, NAME, WARN, paint};
use crate::units::{count, duration, grouped};

/// Tests told one by one for each reason; `--json` has the rest.
const SHOWN_TESTS: usize = 10;
/// Reasons that are told.
const SHOWN_REASONS: usize = 20;
/// Changed files that are named.
const SHOWN_FILES: usize = 5;

/// Which tests to run after a change.
pub fn select_text(report: &SelectReport<'_>) -> String {
    let mut text = headline(report);
    text += &basis(report);
    text += &everything(report);
    text += &reasons(report);
    text + &remarks(report)
}

fn headline(report: &SelectReport<'_>) -> String {
    let all = count(report.tests.len(), "test");
    let verdict = match report.selected.len() {
        0 => format!("none of {all} needs to run"),
        some => format!(
            "{} of {all}, {} of {}: {:.0}% of the time saved",
            grouped(some),
            duration(report.selected_time()),
            duration(report.whole_time()),
            report.saved() * 100.0
        ),
    };
    // Nobody knows how long they take.
    let uncounted = if new_tests(report) > 0 { ", new tests not counted" } else { "" };
    let title = paint(HEADING, "selected");
    format!("{title}: {}{}{uncounted}\n", in_suite(report.suite), paint(GOOD, verdict))
}

fn new_tests(report: &SelectReport<'_>) -> usize {
    report.touched.reasons.values().filter(|reason| **reason == Reason::New).count()
}

fn basis(report: &SelectReport<'_>) -> String {
    let SelectReport { basis, changed, .. } = report;
    let since = match report.compared {
        Compared::Revision(revision) => format!("since {revision}"),
        Compared::Basis => format!("since run {basis}"),
    };
    let what = match (changed.len(), report.compared) {
        (0, _) => format!("nothing changed {since}"),
        (1, Compared::Revision(_)) => format!("1 file changed {since}"),
        (many, Compared::Revision(_)) => format!("{} files changed {since}", grouped(many)),
        (1, Compared::Basis) => format!("1 class, file or setting changed {since}"),
        (many, Compared::Basis) => {
            format!("{} classes, files or settings changed {since}", grouped(many))
        }
    };
    let mut text = format!("  {what}\n");
    for (name, how) in changed.iter().take(SHOWN_FILES) {
        text += &format!("     {name} {}\n", paint(DIM, how));
    }
    if changed.len() > SHOWN_FILES {
        text += &format!("     and {} more\n", grouped(changed.len() - SHOWN_FILES));
    }
    let state = if report.basis_is_current { "as the code is now" } else { "before the change" };
    let kept = match report.respected {
        Respected::All { .. } => "all dependencies are kept",
        _ => "dependencies of findings are kept",
    };
    text + &format!("  what tests run and read is known from run {basis}, {state}; {kept}\n")
}

fn everything(report: &SelectReport<'_>) -> String {
    let reasons = &report.touched.everything;
    let Some(first) = reasons.first() else { return String::new() };
    let more = match reasons.len() {
        1 => String::new(),
        many => format!(", and {} more", count(many - 1, "such reason")),
    };
    format!("  {} {first}{more}\n", paint(WARN, "everything counts as touched:"))
}

/// Tests by reason: what the change touches first, then what comes with it.
fn reasons(report: &SelectReport<'_>) -> String {
    let mut groups: BTreeMap<(u8, String), Vec<usize>> = BTreeMap::new();
    for (&test, why) in report.selected {
        let rank = match (why, report.reason(test)) {
            // Told once, above.
            (Why::Wanted, Some(Reason::Everything(_))) => continue,
            (Why::Wanted, Some(Reason::New)) => 0,
            (Why::Wanted, _) => 1,
            (Why::Downstream(_), _) => 2,
            (Why::NeededBy(_), _) => 3,
            (Why::Together(_), _) => 4,
        };
        groups.entry((rank, report.why(test))).or_default().push(test);
    }
    let mut text = String::new();
    for ((_, why), tests) in groups.iter().take(SHOWN_REASONS) {
        text += &format!("\n   {why}\n");
        for test in tests.iter().take(SHOWN_TESTS) {
            text += &format!("      {}\n", paint(NAME, &report.tests[*test]));
        }
        if tests.len() > SHOWN_TESTS {
            text += &format!("      and {} more\n", grouped(tests.len() - SHOWN_TESTS));
        }
    }
    if groups.len() > SHOWN_REASONS {
        let hidden = groups.len() - SHOWN_REASONS;
        text += &format!("\n   and {}: --json tells them all\n", count(hidden, "more reason"));
    }
    text
}

fn remarks(report: &SelectReport<'_>) -> String {
    let mut remarks = Vec::new();
    let new = new_tests(report);
    if new > 0 {
        let what = if new == 1 { "it needs" } else { "they need" };
        remarks.push(format!(
            "{}: what {what} of other tests is not known before `residue trace`",
            count(new, "new test")
        ));
    }
    let touched = report.count(|why| *why == Why::Wanted);
    if touched > 0 && touched < report.tests.len() {
        remarks.push(
            "what changed code leaves for tests that are not selected: `residue detect --since`"
                .into(),
        );
    }
    if remarks.is_empty() {
        return String::new();
    }
    let lines = remarks.iter().map(|remark| format!("  {} {remark}\n", paint(WARN, "note:")));
    format!("\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use residue_change::{Cause, ChangedClass, How, Touched};
    use residue_model::TestId;

    use super::*;

    fn test_ids() -> Vec<TestId> {
        let ids = ["a.ATest#sets", "a.BTest#runs", "a.CTest#reads", "a.DTest#x", "a.NewTest#y"];
        ids.iter().map(|id| TestId::parse(id).unwrap()).collect()
    }

    fn touched() -> Touched {
        let changed = |cause| ChangedClass { file: "B.java".into(), how: How::Modified, cause };
        let runs = Reason::Runs { class: "a.B".into(), changed: changed(Cause::Itself) };
        Touched { reasons: BTreeMap::from([(1, runs), (4, Reason::New)]), everything: vec![] }
    }

    #[test]
    fn every_test_is_told_once_with_its_reason() {
        let (tests, touched) = (test_ids(), touched());
        let selected = BTreeMap::from([
            (0, Why::NeededBy(1)),
            (1, Why::Wanted),
            (2, Why::Downstream(1)),
            (4, Why::Wanted),
        ]);
        let report = SelectReport {
            suite: ".",
            compared: Compared::Revision("main"),
            changed: vec![("src/a/B.java".into(), "changed")],
            tests: &tests,
            touched: &touched,
            selected: &selected,
            durations: &[1, 1, 1, 3, 0].map(Duration::from_secs),
            basis: "r7",
            basis_is_current: false,
            respected: Respected::All { findings: 0 },
        };
        let text = anstream::adapter::strip_str(&select_text(&report)).to_string();
        let expected = "\
selected: 4 of 5 tests, 3.00 s of 6.00 s: 50% of the time saved, new tests not counted
  1 file changed since main
     src/a/B.java changed
  what tests run and read is known from run r7, before the change; all dependencies are kept

   new
      a.NewTest#y

   runs B.java: changed
      a.BTest#runs

   reads what a.BTest#runs leaves
      a.CTest#reads

   sets up what a.BTest#runs reads
      a.ATest#sets

  note: 1 new test: what it needs of other tests is not known before `residue trace`
  note: what changed code leaves for tests that are not selected: `residue detect --since`
";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_touches_everything_is_told_instead_of_every_test() {
        let tests = test_ids();
        let why = "pom.xml changed".to_owned();
        let reasons = (0..5).map(|test| (test, Reason::Everything(why.clone()))).collect();
        let touched = Touched { reasons, everything: vec![why] };
        let selected = (0..5).map(|test| (test, Why::Wanted)).collect();
        let report = SelectReport {
            suite: "core",
            compared: Compared::Basis,
            changed: vec![("jar x.jar".into(), "changed")],
            tests: &tests,
            touched: &touched,
            selected: &selected,
            durations: &[Duration::from_secs(1); 5],
            basis: "r7",
            basis_is_current: false,
            respected: Respected::Manifest { findings: 0 },
        };
        let text = anstream::adapter::strip_str(&select_text(&report)).to_string();
        assert!(text.starts_with("selected: suite core, 5 of 5 tests, 5.00 s of 5.00 s: 0% of"));
        assert!(text.contains("everything counts as touched: pom.xml changed\n"), "{text}");
        assert!(!text.contains("a.ATest"), "{text}");
    }
}

//! Tests that fail whatever comes before them.

use std::collections::HashMap;

use residue_model::{Failure, OutcomeKind, RunRecord};

use crate::run_text::first_line;
use crate::style::{DIM, WARN, paint};
use crate::units::{count, grouped};

/// A suite of which one in so many tests fails anyway deserves a warning.
const MUCH: usize = 10;

/// And if it is one in so many, most likely something is wrong with how they run.
const TOO_MUCH: usize = 2;

/// Where much fails anyway, little can be seen to depend on the order.
pub(crate) fn failing_text(failing: usize, all: usize) -> String {
    if failing == 0 {
        return String::new();
    }
    let verb = if failing == 1 { "does" } else { "do" };
    let tests = count(all, "test");
    let note = format!("{} of {tests} {verb} not pass in the default order", grouped(failing));
    let style = if failing * MUCH >= all { WARN } else { DIM };
    format!("   {}\n", paint(style, note))
}

/// Told as soon as a run of the default order shows that not much will be found,
/// with the reason that most of its failing tests have.
pub fn most_fail_warning(record: &RunRecord) -> Option<String> {
    let fails = |kind| {
        !matches!(kind, OutcomeKind::Passed | OutcomeKind::Skipped | OutcomeKind::NotReached)
    };
    let failing: Vec<_> =
        record.results.iter().map(|result| &result.outcome).filter(|o| fails(o.kind())).collect();
    if failing.is_empty() || failing.len() * TOO_MUCH < record.results.len() {
        return None;
    }
    let mut reasons: HashMap<String, usize> = HashMap::new();
    for outcome in &failing {
        let reason = outcome.failure().map_or_else(|| outcome.headline(), root_cause);
        *reasons.entry(first_line(&reason)).or_default() += 1;
    }
    let (reason, times) =
        reasons.into_iter().max_by_key(|(reason, times)| (*times, reason.clone()))?;
    Some(format!(
        "{} of {} fail in the default order, {} of them because of `{reason}`: what fails in every \
         order shows no dependence, so see first that the build's own run is green",
        grouped(failing.len()),
        count(record.results.len(), "test"),
        grouped(times),
    ))
}

fn root_cause(failure: &Failure) -> String {
    let mut failure = failure;
    while let Some(cause) = &failure.cause {
        failure = cause;
    }
    failure.headline()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use residue_model::{CapturedOutput, Outcome, TestId, TestOrder, TestResult};

    use super::*;

    fn record(outcomes: Vec<Outcome>) -> RunRecord {
        let test = |number: usize| TestId::parse(&format!("a.T#t{number}")).unwrap();
        let result = |(number, outcome): (usize, Outcome)| TestResult {
            test: test(number),
            outcome,
            duration: Duration::ZERO,
            output: CapturedOutput::default(),
        };
        let results: Vec<_> = outcomes.into_iter().enumerate().map(result).collect();
        RunRecord {
            order: TestOrder::new(results.iter().map(|one| one.test.clone()).collect()).unwrap(),
            results,
            deviated: None,
            unrequested: vec![],
            fixture_failures: vec![],
            left_behind: vec![],
            started_at: 0,
            duration: Duration::ZERO,
        }
    }

    fn thrown(exception: &str, cause: Option<&str>) -> Outcome {
        let failure = |exception: &str, cause| Failure {
            exception: exception.into(),
            message: None,
            frames: vec![],
            cause,
        };
        let cause = cause.map(|cause| Box::new(failure(cause, None)));
        Outcome::Errored(failure(exception, cause))
    }

    #[test]
    fn where_most_tests_fail_the_root_of_most_failures_is_told_at_once() {
        let no_context = || thrown("a.NoContext", Some("b.NoClass"));
        let failing = vec![no_context(), thrown("c.Other", None), no_context(), Outcome::Passed];
        let warning = most_fail_warning(&record(failing)).unwrap();
        assert!(
            warning.starts_with(
                "3 of 4 tests fail in the default order, 2 of them because of `b.NoClass`: "
            ),
            "{warning}"
        );
        let few = vec![no_context(), Outcome::Passed, Outcome::Passed, Outcome::Skipped(None)];
        assert_eq!(most_fail_warning(&record(few)), None);
        assert_eq!(most_fail_warning(&record(vec![])), None);
    }

    #[test]
    fn a_suite_of_which_much_fails_in_the_default_order_says_so() {
        let told =
            |failing, all| anstream::adapter::strip_str(&failing_text(failing, all)).to_string();
        assert_eq!(told(474, 850), "   474 of 850 tests do not pass in the default order\n");
        assert_eq!(told(1, 850), "   1 of 850 tests does not pass in the default order\n");
        assert_eq!(told(0, 850), "");
        assert_ne!(failing_text(1, 850), failing_text(1, 5).replace("of 5", "of 850"), "quietly");
    }
}

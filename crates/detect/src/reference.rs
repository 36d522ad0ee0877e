//! What the tests do in the default order, and how another run differs.

use std::collections::HashMap;

use residue_model::{Outcome, OutcomeKind, RunRecord, TestId};

/// The outcomes of one or more runs of the default order.
#[derive(Debug, Clone, Default)]
pub struct Reference {
    outcomes: HashMap<TestId, Expected>,
}

#[derive(Debug, Clone)]
enum Expected {
    /// The same in every reference run so far.
    Steady(Outcome),
    /// Not the same in all of them: no evidence for or against an order.
    Varying,
}

/// A test that ended otherwise than in the default order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference<'a> {
    /// The test.
    pub test: &'a TestId,
    /// How it ends in the default order.
    pub expected: &'a Outcome,
    /// How it ended in this run.
    pub actual: &'a Outcome,
}

impl Reference {
    /// What these runs of the default order agree on.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a RunRecord>) -> Self {
        let mut reference = Self::default();
        for result in records.into_iter().flat_map(|record| &record.results) {
            reference.add(&result.test, &result.outcome);
        }
        reference
    }

    fn add(&mut self, test: &TestId, outcome: &Outcome) {
        match self.outcomes.get_mut(test) {
            None => {
                self.outcomes.insert(test.clone(), Expected::Steady(outcome.clone()));
            }
            Some(expected) => {
                if let Expected::Steady(earlier) = expected
                    && !earlier.same_as(outcome, test)
                {
                    *expected = Expected::Varying;
                }
            }
        }
    }

    /// Whether any run of the default order is known.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// Tests whose outcome varies in the default order itself, sorted.
    pub fn varying(&self) -> Vec<&TestId> {
        let varies = |(test, expected)| matches!(expected, &Expected::Varying).then_some(test);
        let mut tests: Vec<_> = self.outcomes.iter().filter_map(varies).collect();
        tests.sort();
        tests
    }

    /// Tests of this run that ended otherwise than in the default order.
    /// Tests that vary anyway, and tests that were never reached on either
    /// side, say nothing.
    pub fn differences<'a>(&'a self, record: &'a RunRecord) -> Vec<Difference<'a>> {
        let differs = |expected: &Outcome, actual: &Outcome, test: &TestId| {
            expected.kind() != OutcomeKind::NotReached
                && actual.kind() != OutcomeKind::NotReached
                && !actual.same_as(expected, test)
        };
        let compared =
            record.results.iter().filter_map(|result| match self.outcomes.get(&result.test) {
                Some(Expected::Steady(expected))
                    if differs(expected, &result.outcome, &result.test) =>
                {
                    Some(Difference { test: &result.test, expected, actual: &result.outcome })
                }
                _ => None,
            });
        compared.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use residue_model::{CapturedOutput, Failure, TestOrder, TestResult};

    use super::*;

    fn failed(exception: &str) -> Outcome {
        let exception = exception.into();
        Outcome::Failed(Failure { exception, message: None, frames: vec![], cause: None })
    }

    fn record(outcomes: &[(&str, Outcome)]) -> RunRecord {
        let result = |(test, outcome): &(&str, Outcome)| TestResult {
            test: TestId::parse(test).unwrap(),
            outcome: outcome.clone(),
            duration: Duration::ZERO,
            output: CapturedOutput::default(),
        };
        let results: Vec<_> = outcomes.iter().map(result).collect();
        RunRecord {
            order: TestOrder::new(results.iter().map(|r| r.test.clone()).collect()).unwrap(),
            results,
            deviated: None,
            unrequested: vec![],
            fixture_failures: vec![],
            left_behind: vec![],
            started_at: 0,
            duration: Duration::ZERO,
        }
    }

    #[test]
    fn only_steady_tests_that_ended_otherwise_are_differences() {
        let reference = Reference::of([
            &record(&[("A#flaky", Outcome::Passed), ("A#steady", Outcome::Passed)]),
            &record(&[("A#flaky", failed("E")), ("A#steady", Outcome::Passed)]),
        ]);
        let other = record(&[("A#steady", failed("E")), ("A#flaky", failed("F"))]);
        let differences = reference.differences(&other);
        assert_eq!(differences.len(), 1);
        assert_eq!(differences[0].test.as_str(), "A#steady");
        assert_eq!(reference.varying(), [&TestId::parse("A#flaky").unwrap()]);
    }

    #[test]
    fn a_test_never_reached_says_nothing() {
        let reference = Reference::of([&record(&[("A#x", Outcome::Passed)])]);
        assert!(reference.differences(&record(&[("A#x", Outcome::NotReached)])).is_empty());
    }

    #[test]
    fn another_exception_is_a_difference() {
        let reference = Reference::of([&record(&[("A#x", failed("E"))])]);
        assert!(reference.differences(&record(&[("A#x", failed("E"))])).is_empty());
        assert_eq!(reference.differences(&record(&[("A#x", failed("F"))])).len(), 1);
    }
}

//! What the tests do in the default order, and how another run differs.

use std::collections::HashMap;

use residue_model::{Outcome, OutcomeKind, RunRecord, TestId};

use crate::Comparison;

/// The outcomes of one or more runs of the default order.
#[derive(Debug, Clone, Default)]
pub struct Reference {
    comparison: Comparison,
    outcomes: HashMap<TestId, Expected>,
}

#[derive(Debug, Clone)]
enum Expected {
    /// The same in every reference run so far.
    Steady(Outcome),
    /// Not the same in all of them: no evidence for or against an order.
    Varying(Vec<Outcome>),
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

    pub(crate) fn comparing(comparison: Comparison) -> Self {
        Self { comparison, outcomes: HashMap::new() }
    }

    /// Takes in how a test ended in the default order. A test that was never
    /// reached did not end.
    pub(crate) fn add(&mut self, test: &TestId, outcome: &Outcome) {
        if outcome.kind() == OutcomeKind::NotReached {
            return;
        }
        let comparison = self.comparison;
        let same = |earlier: &Outcome| comparison.same(earlier, outcome, test);
        match self.outcomes.get_mut(test) {
            None => {
                self.outcomes.insert(test.clone(), Expected::Steady(outcome.clone()));
            }
            Some(Expected::Varying(seen)) => {
                if !seen.iter().any(same) {
                    seen.push(outcome.clone());
                }
            }
            Some(expected) => {
                if let Expected::Steady(earlier) = expected
                    && !same(earlier)
                {
                    *expected = Expected::Varying(vec![earlier.clone(), outcome.clone()]);
                }
            }
        }
    }

    /// Whether any run of the default order is known.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// How the test ends in the default order; `None` if it varies there or
    /// was never reached.
    pub fn expected(&self, test: &TestId) -> Option<&Outcome> {
        match self.outcomes.get(test) {
            Some(Expected::Steady(outcome)) => Some(outcome),
            _ => None,
        }
    }

    /// The different outcomes of a test that varies in the default order;
    /// empty for one that does not.
    pub fn variants(&self, test: &TestId) -> &[Outcome] {
        match self.outcomes.get(test) {
            Some(Expected::Varying(outcomes)) => outcomes,
            _ => &[],
        }
    }

    /// Tests whose outcome varies in the default order itself, sorted.
    pub fn varying(&self) -> Vec<&TestId> {
        let varies = |(test, expected)| matches!(expected, &Expected::Varying(_)).then_some(test);
        let mut tests: Vec<_> = self.outcomes.iter().filter_map(varies).collect();
        tests.sort();
        tests
    }

    /// The difference that this outcome makes, if any. Tests that vary anyway,
    /// and tests that were never reached on either side, say nothing.
    pub(crate) fn difference<'a>(
        &'a self,
        test: &'a TestId,
        actual: &'a Outcome,
    ) -> Option<Difference<'a>> {
        let expected = self.expected(test)?;
        let differs = actual.kind() != OutcomeKind::NotReached
            && !self.comparison.same(actual, expected, test);
        differs.then_some(Difference { test, expected, actual })
    }

    /// Tests of this run that ended otherwise than in the default order.
    /// Tests that vary anyway, and tests that were never reached on either
    /// side, say nothing.
    pub fn differences<'a>(&'a self, record: &'a RunRecord) -> Vec<Difference<'a>> {
        let compared = record.results.iter();
        compared.filter_map(|result| self.difference(&result.test, &result.outcome)).collect()
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
        let flaky = TestId::parse("A#flaky").unwrap();
        assert_eq!(reference.varying(), [&flaky]);
        assert_eq!(reference.variants(&flaky), [Outcome::Passed, failed("E")]);
        assert_eq!(reference.expected(&flaky), None);
    }

    #[test]
    fn a_test_never_reached_says_nothing() {
        let reference = Reference::of([&record(&[("A#x", Outcome::Passed)])]);
        assert!(reference.differences(&record(&[("A#x", Outcome::NotReached)])).is_empty());
    }

    #[test]
    fn a_reference_run_that_ended_early_makes_no_test_vary() {
        let reference = Reference::of([
            &record(&[("A#x", Outcome::NotReached)]),
            &record(&[("A#x", Outcome::Passed)]),
            &record(&[("A#x", Outcome::NotReached)]),
        ]);
        let test = TestId::parse("A#x").unwrap();
        assert!(reference.varying().is_empty());
        assert_eq!(reference.expected(&test), Some(&Outcome::Passed));
    }

    #[test]
    fn another_exception_is_a_difference() {
        let reference = Reference::of([&record(&[("A#x", failed("E"))])]);
        assert!(reference.differences(&record(&[("A#x", failed("E"))])).is_empty());
        assert_eq!(reference.differences(&record(&[("A#x", failed("F"))])).len(), 1);
    }
}

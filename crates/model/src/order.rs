//! A sequence of tests to run.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::TestId;

/// Tests in the order in which they are to run, each at most once.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<TestId>", into = "Vec<TestId>")]
pub struct TestOrder(Vec<TestId>);

/// Why a list of tests is not an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// One JVM runs a test once; twice the same test is almost always a slip.
    #[error("test `{test}` is listed twice, at positions {first} and {second}")]
    ListedTwice {
        /// The repeated test.
        test: TestId,
        /// One-based position of the first mention.
        first: usize,
        /// One-based position of the second mention.
        second: usize,
    },
}

impl TestOrder {
    /// Makes an order, refusing a test that is listed twice.
    pub fn new(tests: Vec<TestId>) -> Result<Self, OrderError> {
        let mut seen = HashSet::with_capacity(tests.len());
        let repeated = tests.iter().position(|test| !seen.insert(test));
        match repeated {
            None => Ok(Self(tests)),
            Some(second) => {
                let test = tests[second].clone();
                let first = tests.iter().position(|t| *t == test).unwrap_or(second);
                Err(OrderError::ListedTwice { test, first: first + 1, second: second + 1 })
            }
        }
    }

    /// The tests, first to run first.
    pub fn tests(&self) -> &[TestId] {
        &self.0
    }

    /// How many tests.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same tests, last first.
    pub fn reversed(&self) -> Self {
        Self(self.0.iter().rev().cloned().collect())
    }
}

impl TryFrom<Vec<TestId>> for TestOrder {
    type Error = OrderError;
    fn try_from(tests: Vec<TestId>) -> Result<Self, OrderError> {
        Self::new(tests)
    }
}

impl From<TestOrder> for Vec<TestId> {
    fn from(order: TestOrder) -> Self {
        order.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(texts: &[&str]) -> Vec<TestId> {
        texts.iter().map(|t| TestId::parse(t).unwrap()).collect()
    }

    #[test]
    fn a_test_listed_twice_is_named_with_both_positions() {
        let error = TestOrder::new(ids(&["A#x", "A#y", "A#x"])).unwrap_err();
        assert_eq!(error.to_string(), "test `A#x` is listed twice, at positions 1 and 3");
    }

    #[test]
    fn reversing_twice_gives_the_same_order() {
        let order = TestOrder::new(ids(&["A#x", "B#y", "A#z"])).unwrap();
        assert_eq!(order.reversed().tests(), ids(&["A#z", "B#y", "A#x"]));
        assert_eq!(order.reversed().reversed(), order);
    }
}

//! The tests a build would run.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{Failure, OrderError, TestId, TestOrder};

/// Which framework runs a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Framework {
    /// `junit.framework`: test cases and `suite()` methods.
    JUnit3,
    /// `org.junit`: annotated methods and runners.
    JUnit4,
    /// An engine of the JUnit Platform: Jupiter, or any other but Vintage.
    Platform,
    /// TestNG.
    TestNg,
}

impl Framework {
    /// The name people use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::JUnit3 => "JUnit 3",
            Self::JUnit4 => "JUnit 4",
            Self::Platform => "JUnit Platform",
            Self::TestNg => "TestNG",
        }
    }
}

/// One runnable test as the runner listed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCase {
    /// Its name.
    pub id: TestId,
    /// Who runs it.
    pub framework: Framework,
    /// How the runner finds it again. Written and read by the runner alone.
    pub locator: String,
}

/// A class that was selected but could not be asked for its tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unlistable {
    /// Binary class name.
    pub class: String,
    /// What it threw.
    pub failure: Failure,
}

/// All tests of one suite in the order in which the build would run them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suite {
    /// The tests, in default order.
    pub tests: Vec<TestCase>,
    /// Selected classes that yielded no tests because they failed to load.
    pub unlistable: Vec<Unlistable>,
}

/// An order names a test that the suite does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the suite has no test `{test}`{}", hint(nearest))]
pub struct UnknownTest {
    /// The unknown test.
    pub test: TestId,
    /// Tests of the suite with a similar name.
    pub nearest: Vec<TestId>,
}

fn hint(nearest: &[TestId]) -> String {
    match nearest {
        [] => String::new(),
        some => {
            let names: Vec<_> = some.iter().map(|id| format!("`{id}`")).collect();
            format!("; did you mean {}?", names.join(" or "))
        }
    }
}

impl Suite {
    /// The order in which the build runs the tests.
    pub fn default_order(&self) -> Result<TestOrder, OrderError> {
        TestOrder::new(self.tests.iter().map(|test| test.id.clone()).collect())
    }

    /// The test cases of an order, or the first test the suite does not have.
    pub fn resolve(&self, order: &TestOrder) -> Result<Vec<&TestCase>, UnknownTest> {
        let by_id: HashMap<&TestId, &TestCase> =
            self.tests.iter().map(|test| (&test.id, test)).collect();
        order
            .tests()
            .iter()
            .map(|id| by_id.get(id).copied().ok_or_else(|| self.unknown(id)))
            .collect()
    }

    fn unknown(&self, test: &TestId) -> UnknownTest {
        let simple_class = |id: &TestId| id.class().rsplit(['.', '$']).next().map(str::to_owned);
        let alike = |candidate: &&TestCase| {
            let same_class = simple_class(&candidate.id) == simple_class(test);
            let same_method = candidate.id.method().eq_ignore_ascii_case(test.method());
            same_method && (same_class || candidate.id.class() == test.class())
        };
        let nearest = self.tests.iter().filter(alike).take(2).map(|t| t.id.clone()).collect();
        UnknownTest { test: test.clone(), nearest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(ids: &[&str]) -> Suite {
        let case = |id: &&str| TestCase {
            id: TestId::parse(id).unwrap(),
            framework: Framework::JUnit4,
            locator: String::new(),
        };
        Suite { tests: ids.iter().map(case).collect(), unlistable: vec![] }
    }

    #[test]
    fn an_unknown_test_is_named_with_what_was_probably_meant() {
        let suite = suite(&["a.FooTest#adds", "a.BarTest#adds"]);
        let order = TestOrder::new(vec![TestId::parse("b.FooTest#adds").unwrap()]).unwrap();
        assert_eq!(
            suite.resolve(&order).unwrap_err().to_string(),
            "the suite has no test `b.FooTest#adds`; did you mean `a.FooTest#adds`?"
        );
    }

    #[test]
    fn an_order_resolves_to_its_cases_in_its_own_order() {
        let suite = suite(&["a.T#x", "a.T#y"]);
        let order = suite.default_order().unwrap().reversed();
        let ids: Vec<_> = suite.resolve(&order).unwrap().iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["a.T#y", "a.T#x"]);
    }
}

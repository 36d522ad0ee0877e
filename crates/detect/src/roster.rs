//! Tests by number: small integers in the default order stand for long names.

use std::collections::HashMap;
use std::rc::Rc;

use residue_model::{OrderError, Suite, TestId, TestOrder};

/// A test's position in the default order.
pub(crate) type TestNumber = u32;

/// A sequence of tests by number, shared and never changed.
pub(crate) type Order = Rc<[TestNumber]>;

/// The tests of a suite and the classes they belong to.
#[derive(Debug)]
pub(crate) struct Roster {
    tests: Vec<TestId>,
    numbers: HashMap<TestId, TestNumber>,
    class_of: Vec<usize>,
    classes: Vec<Vec<TestNumber>>,
    /// By class itself, nested classes for themselves: whose fixture runs.
    fixture_of: Vec<usize>,
    fixtures: Vec<Vec<TestNumber>>,
}

impl Roster {
    pub(crate) fn new(suite: &Suite) -> Result<Self, OrderError> {
        let tests: Vec<TestId> = suite.default_order()?.into();
        let mut class_numbers: HashMap<&str, usize> = HashMap::new();
        let mut class_of = Vec::with_capacity(tests.len());
        let mut classes: Vec<Vec<TestNumber>> = Vec::new();
        let mut numbers = HashMap::with_capacity(tests.len());
        let mut fixture_numbers: HashMap<&str, usize> = HashMap::new();
        let mut fixture_of = Vec::with_capacity(tests.len());
        let mut fixtures: Vec<Vec<TestNumber>> = Vec::new();
        for (number, test) in (0..).zip(&tests) {
            let class = *class_numbers.entry(test.top_level_class()).or_insert(classes.len());
            if class == classes.len() {
                classes.push(Vec::new());
            }
            classes[class].push(number);
            class_of.push(class);
            let fixture = *fixture_numbers.entry(test.class()).or_insert(fixtures.len());
            if fixture == fixtures.len() {
                fixtures.push(Vec::new());
            }
            fixtures[fixture].push(number);
            fixture_of.push(fixture);
            numbers.insert(test.clone(), number);
        }
        Ok(Self { tests, numbers, class_of, classes, fixture_of, fixtures })
    }

    pub(crate) fn len(&self) -> usize {
        self.tests.len()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = TestNumber> + use<> {
        0..self.tests.len() as TestNumber
    }

    pub(crate) fn id(&self, test: TestNumber) -> &TestId {
        &self.tests[test as usize]
    }

    pub(crate) fn number(&self, test: &TestId) -> Option<TestNumber> {
        self.numbers.get(test).copied()
    }

    /// The class by number; nested classes belong to their outermost class.
    pub(crate) fn class_of(&self, test: TestNumber) -> usize {
        self.class_of[test as usize]
    }

    /// The tests of each class, classes by first appearance.
    pub(crate) fn classes(&self) -> &[Vec<TestNumber>] {
        &self.classes
    }

    /// The class fixture that runs before the test, by number.
    pub(crate) fn fixture_of(&self, test: TestNumber) -> usize {
        self.fixture_of[test as usize]
    }

    /// The tests that each class fixture is for.
    pub(crate) fn fixtures(&self) -> &[Vec<TestNumber>] {
        &self.fixtures
    }

    pub(crate) fn ids(&self, tests: &[TestNumber]) -> Vec<TestId> {
        tests.iter().map(|&test| self.id(test).clone()).collect()
    }

    /// The same order by name.
    ///
    /// # Panics
    /// If a test is listed twice, which no order in this crate may do.
    pub(crate) fn order(&self, tests: &[TestNumber]) -> TestOrder {
        TestOrder::new(self.ids(tests)).unwrap_or_else(|error| panic!("{error}"))
    }
}

#[cfg(test)]
pub(crate) fn roster(ids: &[&str]) -> Roster {
    use residue_model::{Framework, TestCase};
    let case = |id: &&str| TestCase {
        id: TestId::parse(id).unwrap(),
        framework: Framework::JUnit4,
        locator: String::new(),
    };
    let tests = ids.iter().map(case).collect();
    Roster::new(&Suite { tests, unlistable: vec![] }).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_classes_belong_to_their_outermost_class() {
        let roster = roster(&["a.T#x", "a.U#y", "a.T$In#z"]);
        assert_eq!(roster.classes(), [vec![0, 2], vec![1]]);
        assert_eq!(roster.class_of(2), roster.class_of(0));
    }
}

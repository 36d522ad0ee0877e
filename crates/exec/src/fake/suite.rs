//! A suite of closures.

use std::collections::HashMap;
use std::fmt;

use residue_model::{Framework, Suite, TestCase, TestId};

use super::world::{Ending, World};

pub(super) type Body = Box<dyn Fn(&mut World) -> Ending + Send>;
pub(super) type Fixture = Box<dyn Fn(&mut World) + Send>;

/// Tests that share a [`World`] in each run.
///
/// ```
/// use residue_exec::fake::FakeSuite;
/// let suite = FakeSuite::new()
///     .test("a.CacheTest#fills", |world| Ok(world.set("cache", 1)))
///     .test("a.CacheTest#startsEmpty", |world| world.expect("cache", 0));
/// assert_eq!(suite.listed().tests.len(), 2);
/// ```
#[derive(Default)]
pub struct FakeSuite {
    names: Vec<TestId>,
    bodies: HashMap<TestId, Body>,
    fixtures: HashMap<String, Fixture>,
    closing_fixtures: HashMap<String, Fixture>,
}

impl FakeSuite {
    /// A suite without tests.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a test at the end of the default order.
    ///
    /// # Panics
    /// If the name is no test id or is taken: a slip in the caller's own test.
    #[must_use]
    pub fn test(mut self, id: &str, body: impl Fn(&mut World) -> Ending + Send + 'static) -> Self {
        let id = TestId::parse(id).unwrap_or_else(|error| panic!("{error}"));
        let taken = self.bodies.insert(id.clone(), Box::new(body)).is_some();
        assert!(!taken, "the fake suite has two tests `{id}`");
        self.names.push(id);
        self
    }

    /// Adds a class fixture: it runs before the first test of every group of
    /// neighbours that belong to this class.
    #[must_use]
    pub fn before_class(mut self, class: &str, body: impl Fn(&mut World) + Send + 'static) -> Self {
        self.fixtures.insert(class.to_owned(), Box::new(body));
        self
    }

    /// Adds a class fixture that runs after the last test of every such group.
    #[must_use]
    pub fn after_class(mut self, class: &str, body: impl Fn(&mut World) + Send + 'static) -> Self {
        self.closing_fixtures.insert(class.to_owned(), Box::new(body));
        self
    }

    /// The suite as a runner would list it.
    pub fn listed(&self) -> Suite {
        let case = |id: &TestId| TestCase {
            id: id.clone(),
            framework: Framework::JUnit4,
            locator: id.as_str().into(),
        };
        Suite { tests: self.names.iter().map(case).collect(), unlistable: vec![] }
    }

    pub(super) fn body(&self, test: &TestId) -> Option<&Body> {
        self.bodies.get(test)
    }

    pub(super) fn fixture(&self, class: &str) -> Option<&Fixture> {
        self.fixtures.get(class)
    }

    pub(super) fn closing_fixture(&self, class: &str) -> Option<&Fixture> {
        self.closing_fixtures.get(class)
    }
}

impl fmt::Debug for FakeSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FakeSuite").field(&self.names).finish()
    }
}

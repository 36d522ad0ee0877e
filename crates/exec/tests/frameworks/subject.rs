//! A fixture compiled against framework versions, and the checks that hold for
//! all of them.

use std::collections::BTreeSet;

use residue_exec::{Executor, LocalExecutor, LocalOptions, Ticket};
use residue_model::{FixturePhase, RunRecord, Suite, TestId, TestOrder};
use residue_test_support::{Expectations, Fixture};

use crate::common::{listed, options, request_for, wait};
use crate::versions::{Version, compile};

/// A suite, what its sources expect, and an executor to ask.
pub(crate) struct Subject {
    pub(crate) suite: Suite,
    expectations: Expectations,
    executor: LocalExecutor,
    _fixture: Fixture,
}

impl Subject {
    /// Source folders below `fixtures` for one version.
    pub(crate) fn new(folders: &[&str], version: &Version) -> Self {
        let parts: Vec<(&str, &Version)> = folders.iter().map(|&one| (one, version)).collect();
        Self::mixed(&parts, &[version])
    }

    /// Source folders with the version that decides what to expect of each, and
    /// all versions on the class path.
    pub(crate) fn mixed(parts: &[(&str, &Version)], class_path: &[&Version]) -> Self {
        let folders: Vec<&str> = parts.iter().map(|part| part.0).collect();
        let mut fixture = compile(&folders, class_path);
        // Builds select test classes by name; this one has tests, but they come
        // from a factory.
        fixture.spec.selection.classes.retain(|class| !class.ends_with(".Product"));
        let expectations = parts.iter().fold(Expectations::default(), |all, (folder, version)| {
            all.and(Expectations::of_version(folder, version.number))
        });
        let suite = listed(&fixture);
        // Each order is waited for, so a JVM started ahead would mostly be in the way.
        let options = LocalOptions { start_ahead: false, ..options() };
        let executor = LocalExecutor::new(&fixture.spec, suite.clone(), &options).unwrap();
        Self { suite, expectations, executor, _fixture: fixture }
    }

    /// Lists what the sources say, then runs it forwards, backwards, shuffled
    /// and in part.
    pub(crate) fn check(&mut self) {
        self.check_listing();
        let whole = self.suite.default_order().unwrap();
        self.check_order("the default order", &whole);
        self.check_order("the reversed order", &whole.reversed());
        for seed in [1, 2] {
            self.check_order(&format!("shuffle {seed}"), &shuffled(&whole, seed));
        }
        let third = whole.tests().iter().step_by(3).cloned().collect();
        self.check_order("every third test", &TestOrder::new(third).unwrap());
    }

    fn check_listing(&self) {
        assert_eq!(self.suite.unlistable, [], "unlistable classes");
        let listed: BTreeSet<&str> = self.suite.tests.iter().map(|test| test.id.as_str()).collect();
        assert_eq!(listed.len(), self.suite.tests.len(), "a test is listed twice");
        assert_eq!(listed, self.expectations.tests().collect());
    }

    /// Runs an order and compares with what the sources expect.
    pub(crate) fn check_order(&mut self, name: &str, order: &TestOrder) -> RunRecord {
        let record = self.run(order);
        assert_eq!(record.deviated, None, "{name} did not begin as asked");
        assert_eq!(record.unrequested, [], "{name} ran more than asked");
        let in_default_order = name == "the default order";
        let answered: Vec<&TestId> = record.results.iter().map(|result| &result.test).collect();
        assert_eq!(answered, order.tests().iter().collect::<Vec<_>>(), "{name}");
        for result in &record.results {
            let test = result.test.as_str();
            if in_default_order || self.expectations.holds_in_every_order(test) {
                let (got, expected) = (result.outcome.kind(), self.expectations.of(test));
                assert_eq!(got, expected, "{test} in {name}: {:?}", result.outcome);
            }
        }
        if order.len() == self.suite.tests.len() {
            let failed = record.fixture_failures.iter();
            let failed = failed.map(|one| in_words(&one.class, one.phase)).collect();
            let expected = self.expectations.fixture_failures();
            let expected: BTreeSet<String> =
                expected.map(|(class, phase)| in_words(class, phase)).collect();
            assert_eq!(expected, failed, "class fixtures in {name}");
        }
        record
    }

    /// Runs an order and waits for its record.
    pub(crate) fn run(&mut self, order: &TestOrder) -> RunRecord {
        self.executor.start(Ticket(0), request_for(order.clone()));
        wait(&mut self.executor).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs these tests, which print how often their class fixture has run, and
    /// compares that number. Tests without one need not print.
    pub(crate) fn check_fixtures(&mut self, tests: &[(&str, Option<u32>)]) {
        let ids = tests.iter().map(|(test, _)| TestId::parse(test).unwrap()).collect();
        let record = self.run(&TestOrder::new(ids).unwrap());
        assert_eq!(record.deviated, None);
        assert_eq!(record.unrequested, []);
        for (result, (test, fixtures)) in record.results.iter().zip(tests) {
            if let Some(number) = fixtures {
                assert_eq!(result.output.stdout, format!("{number}\n"), "{test} in {tests:?}");
            }
        }
    }

    /// The class of each listed test, without repeating a class that goes on.
    pub(crate) fn classes(&self) -> Vec<&str> {
        let mut classes: Vec<&str> = self.suite.tests.iter().map(|test| test.id.class()).collect();
        classes.dedup();
        classes
    }

    /// What follows the `#` in the ids of this class, as listed.
    pub(crate) fn tests_of(&self, class: &str) -> Vec<&str> {
        let ids = self.suite.tests.iter().map(|test| test.id.as_str());
        ids.filter_map(|id| id.split_once('#').filter(|it| it.0 == class).map(|it| it.1)).collect()
    }

    /// JUnit sorts methods by the hash codes of their names, since 4.11.
    pub(crate) fn check_sorted_by_hash(&self, class: &str) {
        let tests = self.tests_of(class);
        assert!(tests.len() > 2, "{class} has too few tests: {tests:?}");
        assert!(tests.is_sorted_by_key(|name| java_hash(name)), "{class}: {tests:?}");
    }
}

fn in_words(class: &str, phase: FixturePhase) -> String {
    format!("{class} {phase:?}")
}

/// `String.hashCode` of a name that is plain ASCII.
fn java_hash(name: &str) -> i32 {
    name.bytes().fold(0, |hash: i32, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
}

fn shuffled(order: &TestOrder, seed: u64) -> TestOrder {
    let mut tests = order.tests().to_vec();
    let mut state = seed;
    for end in (1..tests.len()).rev() {
        // A linear congruential generator; its high bits are random enough.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let bound = u64::try_from(end + 1).unwrap();
        tests.swap(end, usize::try_from((state >> 33) % bound).unwrap());
    }
    TestOrder::new(tests).unwrap()
}

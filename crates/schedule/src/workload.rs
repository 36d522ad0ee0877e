//! What is to be scheduled: tests, what each takes, and what each needs.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::time::Duration;

/// Tests in reference order with all that binds them to each other.
#[derive(Debug, Clone)]
pub struct Workload {
    pub(crate) durations: Vec<Duration>,
    /// Of each test the number of its unit, which is never torn apart.
    pub(crate) unit_of: Vec<usize>,
    pub(crate) needs: Vec<Vec<usize>>,
    pub(crate) remedies: Vec<Remedy>,
    pub(crate) confined: Vec<Vec<usize>>,
    pub(crate) postponed: BTreeSet<usize>,
}

impl Workload {
    /// Tests that need nothing of each other, each a unit of its own.
    pub fn new(durations: Vec<Duration>) -> Self {
        let tests = durations.len();
        // A test without a measurable duration still takes its turn.
        let least = Duration::from_micros(1);
        let whole = |duration: Duration| Duration::from_micros(duration.as_micros() as u64);
        Self {
            durations: durations.into_iter().map(|duration| whole(duration).max(least)).collect(),
            unit_of: (0..tests).collect(),
            needs: vec![Vec::new(); tests],
            remedies: Vec::new(),
            confined: Vec::new(),
            postponed: BTreeSet::new(),
        }
    }

    /// How many tests there are.
    pub fn tests(&self) -> usize {
        self.durations.len()
    }

    /// Makes one unit of all tests with the same key.
    pub fn keep_together<K: Hash + Eq>(&mut self, key: impl Fn(usize) -> K) {
        let mut numbers = HashMap::new();
        for test in 0..self.tests() {
            let next = numbers.len();
            self.unit_of[test] = *numbers.entry(key(test)).or_insert(next);
        }
    }

    /// Has a test run only where others ran before it in the same worker.
    pub fn require(&mut self, test: usize, needed: impl IntoIterator<Item = usize>) {
        self.needs[test].extend(needed.into_iter().filter(|other| *other != test));
    }

    /// Has a test run behind some others only where more tests run too.
    pub fn remedy(&mut self, remedy: Remedy) {
        self.remedies.push(remedy);
    }

    /// Keeps tests in one worker and never runs them twice: they share
    /// something that workers do not have each for itself, such as a file.
    pub fn confine(&mut self, tests: Vec<usize>) {
        self.confined.push(tests);
    }

    /// Runs a test, and all that need it, when every worker is done: something
    /// in other workers disturbs it.
    pub fn postpone(&mut self, test: usize) {
        self.postponed.insert(test);
    }

    /// On which tests each test directly depends.
    pub fn needs(&self, test: usize) -> &[usize] {
        &self.needs[test]
    }

    /// The same with those that it needs only behind certain others.
    pub fn may_need(&self, test: usize) -> impl Iterator<Item = usize> + '_ {
        let remedies = self.remedies.iter().filter(move |remedy| remedy.test == test);
        self.needs[test].iter().chain(remedies.flat_map(|remedy| &remedy.needs)).copied()
    }
}

/// What a test needs only because of others before it: they spoil something
/// for it, and somebody must undo that. In a worker without one of them it
/// needs nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remedy {
    /// The test.
    pub test: usize,
    /// Those that spoil it together, all before it.
    pub behind: Vec<usize>,
    /// Who must run too, all before it.
    pub needs: Vec<usize>,
}

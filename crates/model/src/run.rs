//! What is asked of an executor, and what happened.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Failure, Outcome, TestId, TestOrder};

/// One order to run in one fresh JVM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRequest {
    /// The tests, first to run first.
    pub order: TestOrder,
    /// When to give up.
    pub limits: RunLimits,
}

/// Bounds on a run. They are part of the question: with another time-out the
/// answer may be another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RunLimits {
    /// Longest time for one test, its class fixture included.
    pub per_test: Duration,
    /// Longest time for the whole order.
    pub per_run: Duration,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self { per_test: Duration::from_secs(60), per_run: Duration::from_secs(3600) }
    }
}

/// What happened when an order ran. Never changed once made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRecord {
    /// What was asked.
    pub order: TestOrder,
    /// One result for each test of the order, in the order asked.
    pub results: Vec<TestResult>,
    /// Positions in the order as they really began, when a framework did not
    /// keep to it. Such a run says nothing about the order that was asked.
    pub deviated: Option<Vec<usize>>,
    /// Tests that ran although nobody asked for them.
    pub unrequested: Vec<Unrequested>,
    /// Class fixtures that failed where no single test is to blame.
    pub fixture_failures: Vec<FixtureFailure>,
    /// What outlived the tests.
    pub left_behind: Vec<LeftBehind>,
    /// Milliseconds since 1970, by the host's clock.
    pub started_at: u64,
    /// From the order being handed to the JVM until the JVM was gone.
    pub duration: Duration,
}

/// One test in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    /// Which test.
    pub test: TestId,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took by the JVM's clock; zero if it never began.
    pub duration: Duration,
    /// What was written to the standard streams while it ran.
    pub output: CapturedOutput,
}

/// Output of one test, cut at a limit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedOutput {
    /// The beginning of standard output.
    pub stdout: String,
    /// The beginning of standard error.
    pub stderr: String,
    /// Bytes beyond the limit that were thrown away.
    pub dropped: u64,
}

impl CapturedOutput {
    /// Whether the test was silent.
    pub fn is_empty(&self) -> bool {
        self.stdout.is_empty() && self.stderr.is_empty() && self.dropped == 0
    }
}

/// A test that ran although the order does not name it: a dynamic test that
/// was not there when the suite was listed, or a class that runs only whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unrequested {
    /// Its name.
    pub test: TestId,
    /// How it ended.
    pub outcome: Outcome,
}

/// When a class fixture failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FixturePhase {
    /// Before the first test of the class; its tests count as errored.
    BeforeClass,
    /// After the last test of the class; its tests keep their outcomes.
    AfterClass,
}

/// A class fixture that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixtureFailure {
    /// The class.
    pub class: String,
    /// When.
    pub phase: FixturePhase,
    /// What was thrown.
    pub failure: Failure,
}

/// Something a test left that outlived it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftBehind {
    /// A running non-daemon thread, which would have kept the JVM alive.
    Thread {
        /// The test during which it started.
        test: TestId,
        /// Thread name.
        name: String,
    },
    /// A file below the working directory that was made, changed or deleted.
    File {
        /// The test during which it changed, where its time stamp tells.
        test: Option<TestId>,
        /// Path relative to the working directory.
        path: String,
        /// What happened to it.
        change: FileChange,
    },
    /// The JVM did not end by itself after the last test and was killed.
    HungAtExit,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileChange {
    /// It is new.
    Created,
    /// Its size or time stamp changed.
    Modified,
    /// It is gone.
    Deleted,
}

impl RunRecord {
    /// The result of one test, if the order has it.
    pub fn result(&self, test: &TestId) -> Option<&TestResult> {
        self.results.iter().find(|result| result.test == *test)
    }
}

//! What a fake test can do.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use residue_model::{Crash, Failure, Frame, Outcome, TestId};

use super::random::Random;
use super::trace::Watch;

/// How a fake test ends: `Ok` is passed, anything else ends it early. An
/// `Err(Outcome::Passed)` passes too.
pub type Ending = Result<(), Outcome>;

/// The state that the tests of one run share, as one of them sees it.
#[derive(Debug)]
pub struct World {
    pub(super) values: BTreeMap<String, i64>,
    pub(super) test: TestId,
    pub(super) random: Random,
    pub(super) time_limit: Duration,
    pub(super) watch: RefCell<Watch>,
}

impl World {
    /// Reads a shared value; zero unless a test has set it.
    pub fn get(&self, key: &str) -> i64 {
        let value = self.values.get(key).copied().unwrap_or(0);
        self.watch.borrow_mut().read(key, value);
        value
    }

    /// Writes a shared value.
    pub fn set(&mut self, key: &str, value: i64) {
        let before = self.values.insert(key.to_owned(), value).unwrap_or(0);
        self.watch.get_mut().wrote(key, before, value);
    }

    /// Fails at a line that belongs to this key if the value is another.
    pub fn expect(&self, key: &str, value: i64) -> Ending {
        if self.get(key) == value { Ok(()) } else { Err(self.failed_at(line_of(key))) }
    }

    /// True in about so many of a hundred runs, decided by the executor's
    /// seed, the number of the run and the position in it.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.random.next() % 100 < percent
    }

    /// An assertion that fails at this line of the test.
    pub fn failed_at(&self, line: i32) -> Outcome {
        Outcome::Failed(self.thrown("java.lang.AssertionError", line))
    }

    /// An exception thrown at this line of the test.
    pub fn errored_at(&self, line: i32) -> Outcome {
        Outcome::Errored(self.thrown("java.lang.IllegalStateException", line))
    }

    /// `System.exit`: the run ends here.
    pub fn exited(&self, code: i32) -> Outcome {
        Outcome::Crashed(Crash::Exit { code, caller: self.thrown("", 1).frames })
    }

    /// An endless loop: the run ends here.
    pub fn hung(&self) -> Outcome {
        Outcome::TimedOut(self.time_limit)
    }

    fn thrown(&self, exception: &str, line: i32) -> Failure {
        let class = self.test.class().to_owned();
        let simple = self.test.top_level_class().rsplit('.').next().unwrap_or_default();
        let frame = Frame {
            class,
            method: self.test.method().to_owned(),
            file: Some(format!("{simple}.java")),
            line: Some(line),
        };
        Failure { exception: exception.into(), message: None, frames: vec![frame], cause: None }
    }
}

/// Failures over different keys are different failures.
fn line_of(key: &str) -> i32 {
    let sum = key.bytes().fold(0_u16, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    i32::from(sum) + 1
}

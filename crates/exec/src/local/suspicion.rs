//! Whether a crash may be the doing of the archive rather than of a test.
//!
//! Archives are written by a part of the JVM that has had its faults, and what
//! is left out of them (`class_list.rs`) is only what we know of. So a crash of
//! a JVM that used one is no outcome until the order has run without.

use std::collections::HashSet;

use residue_model::{Crash, Outcome, RunRecord, TestId};
use rustix::process::Signal;

/// By which a JVM ends that can no longer go on. Others come from outside.
const CRASHES: [Signal; 5] = [Signal::ABORT, Signal::SEGV, Signal::BUS, Signal::ILL, Signal::FPE];

/// Said once to the user.
pub(super) const GIVEN_UP: &str = "a JVM crashed that used the class-data archive, and did not \
    without it: the archive is deleted and not made again until the suite changes, so JVMs start \
    more slowly";

/// Tests that end the JVM also without an archive.
#[derive(Debug, Default)]
pub(super) struct Crashers(HashSet<TestId>);

impl Crashers {
    /// Whether the order should run again without the archive that it used.
    pub(super) fn leave_doubt(&self, record: &RunRecord) -> bool {
        crashed(record).is_some_and(|test| !self.0.contains(test))
    }

    /// Takes note of a run without an archive. Returns whether the archive is
    /// to blame for what happened with it.
    pub(super) fn learn(&mut self, without_archive: &RunRecord) -> bool {
        let crashed = crashed(without_archive);
        self.0.extend(crashed.cloned());
        crashed.is_none()
    }
}

/// The test in which the JVM crashed.
fn crashed(record: &RunRecord) -> Option<&TestId> {
    let is_crash = |outcome: &Outcome| match outcome {
        Outcome::Crashed(Crash::Signal { signal }) => {
            CRASHES.iter().any(|crash| crash.as_raw() == *signal)
        }
        _ => false,
    };
    record.results.iter().find(|result| is_crash(&result.outcome)).map(|result| &result.test)
}

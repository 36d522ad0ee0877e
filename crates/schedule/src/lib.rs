//! Parallel schedules of a suite, one JVM a worker, and orders that run the
//! most worthwhile tests first.
//!
//! Workers share no heap: a test finds what earlier tests of its own worker
//! left, and nothing else. So a schedule is sound when every worker is whole in
//! this sense: with a test it runs the tests whose writes that test reads, and
//! all of them in the order of the reference run. Then nobody can have
//! written in between who did not in the reference run, and write-after-read
//! and write-after-write pairs are in order wherever they meet in one worker.
//! Where only findings bind tests, a victim may instead be kept apart from what
//! spoils it: it needs those who undo that only in a worker where both run.
//! `soundness` says the same by definition, test by test, and every algorithm
//! is tested against it.
//!
//! As nobody waits for another worker, the length of a schedule is the load of
//! its fullest worker: scheduling is packing. What is packed are tests nobody
//! else needs, each with all it needs; what two workers need runs in both, and
//! all but one of these executions are duplicates that no report shows.
//!
//! Invariants:
//! - Tests are positions in the reference order.
//! - Every test has exactly one original among its executions.
//! - No algorithm is ever slower than chains.
//! - Pure: no IO, no clock, no randomness.

mod algorithm;
mod bits;
mod chains;
mod critical;
mod data_needs;
mod exact;
mod greedy;
mod last_writers;
mod machine;
mod manifest;
mod other_runs;
mod packing;
mod planner;
mod priority;
mod refine;
mod schedule;
mod selection;
mod soundness;
mod speculation;
mod spread;
mod units;
mod workload;

pub use algorithm::Algorithm;
pub use data_needs::{data_needs, data_needs_without};
pub use machine::machine_sharing;
pub use manifest::{Manifest, Traced};
pub use other_runs::SharedWithRuns;
pub use planner::{Bounds, Planner};
pub use priority::{Bonds, Worth, prioritized};
pub use schedule::{Lane, Schedule, Slot};
pub use selection::{Why, select};
pub use soundness::{Violation, order_violations, violations, violations_with};
pub use speculation::{KnownValue, MetByValues, Obstacle, SettableFields, Speculation};
pub use workload::{Remedy, Workload};

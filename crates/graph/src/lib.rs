//! From a trace to dependencies between tests.
//!
//! A test depends on another when it reads what the other was the last to
//! write (read after write). Beside these data dependencies there are
//! anti-dependencies, a write to what another test read before (write after
//! read), and output dependencies (write after write).
//!
//! Invariants:
//! - A test never depends on itself, and accesses of its fixtures are its own.
//! - A class fixture runs again with any test of its class, so between it and
//!   the tests of the same consecutive group there is no dependency.
//! - What was there before the first epoch makes no dependency, and neither
//!   does a write that is undone by the end of its epoch.
//! - Tests are positions in the trace's order. Pure: no IO, no clock.

mod accesses;
mod chain;
mod columns;
mod components;
mod conflicts;
mod coverage;
mod dependency;
mod dot;
mod epochs;
mod graph;
mod groups;
mod sharing;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod testing;

pub use accesses::TestAccesses;
pub use columns::{Columns, Granularity};
pub use conflicts::DependencyKind;
pub use dependency::{Dependency, Flow, Side};
pub use epochs::{Openings, TestEpochs};
pub use graph::DependencyGraph;
pub use sharing::{Polluter, SharedLocation};

//! Runs test orders: the executor trait, local JVM processes, and a fake.
//!
//! Whoever asks for runs speaks to [`Executor`] only and cannot tell a real
//! JVM from [`fake::FakeExecutor`]. What goes wrong inside a run (a crash, a
//! time-out, an exit) is an outcome in its record; [`ExecError`] is left for
//! what kept the run from taking place at all.

mod error;
mod executor;
pub mod fake;
mod interrupt;
mod local;

pub use error::ExecError;
pub use executor::{ExecEvent, Executor, Ticket};
pub use interrupt::Interrupt;
pub use local::{Captures, Jit, LocalExecutor, LocalOptions, agent_digest, list};
/// What runs inside the JVM under test; part of what a run depends on.
pub use residue_java::RUNNER_JAR;

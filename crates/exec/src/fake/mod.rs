//! An executor without JVMs, for testing whoever asks for runs.
//!
//! A [`FakeSuite`] models tests as closures over shared numbers. A run starts
//! with nothing set, as a fresh JVM does. The same suite, seed and requests
//! give the same records, whatever order they complete in.

mod executor;
mod random;
mod suite;
mod trace;
mod world;

pub use executor::FakeExecutor;
pub use suite::FakeSuite;
pub use trace::{PartKind, TracedPart, TracedWrite};
pub use world::{Ending, World};

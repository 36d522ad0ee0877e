//! Which outcomes depend on the order: orders to try and outcomes to compare.
//!
//! Nothing here performs IO, starts a process, reads a clock or draws its own
//! seed: orders and records in, orders and differences out.

mod reference;
mod shuffle;

pub use reference::{Difference, Reference};
pub use shuffle::shuffled;

//! What tests leave changed, ranked by how likely it is to hurt.
//!
//! A traced run tells which state differs after a test from what it was before
//! ([`residue_model::trace::Pollution`]), and what was done outside the heap. Here
//! it is named, grouped over the parameter sets of a test, and ordered: first what another test reads, then
//! what can be reached through public classes, then the rest, and last caches,
//! counters, random number generators and loggers. Nothing here performs IO.

mod accesses;
mod baseline;
mod harmless;
mod outside;
mod place_names;
mod ranking;
#[cfg(test)]
mod ranking_tests;
mod stable_names;

pub use baseline::{BadBaseline, Baseline};
pub use harmless::{HARMLESS_RULES, Harmless};
pub use outside::Fate;
pub use place_names::name;
pub use ranking::{Facts, Left, Polluted, Rank, Ranking, rank};

//! The runner over real framework versions.
//!
//! The fixtures say in their sources what each test does; here every version
//! must list exactly those tests and run them so in any order. What a framework
//! does not allow is a test of its own, named after the limit.

#![allow(clippy::unwrap_used)] // a test panics where it fails

#[path = "../common/mod.rs"]
mod common;

mod junit3;
mod junit4;
mod jupiter;
mod limits;
mod listeners;
mod mixed;
mod subject;
mod testng;
mod versions;

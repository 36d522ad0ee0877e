//! Preloaded into the JVM and its children: it stands in front of the C
//! library's calls for files, folders, sockets, the environment and programs,
//! lets the real call do its work and logs what another test may notice.
//!
//! Invariants:
//! - The caller gets what the real call gave, `errno` included. No panic gets out.
//! - Nothing is allocated, no lock is taken and no call is made that could come
//!   back here: these calls happen in signal handlers, between `fork` and
//!   `exec`, and before `main`. The one exception is the stack of Java code,
//!   which the agent takes, see [`stacks`].
//! - Without a log in the environment the library does nothing at all.
//! - A process does not see us in its environment; the programs it starts get
//!   us all the same, see [`calls::programs`].

#![allow(unsafe_code)] // the C library is a C interface
#![allow(clippy::missing_safety_doc)] // the contracts are those of the C library
#![cfg_attr(test, allow(dead_code, reason = "tests call the C library itself"))]

#[macro_use]
mod real;

mod calls;
mod descriptors;
mod errno;
mod kernel;
mod log;
mod lookups;
mod notes;
mod paths;
mod saving;
mod seen;
mod stacks;
mod start;

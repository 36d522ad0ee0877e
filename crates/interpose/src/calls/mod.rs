//! The calls of the C library that are interposed, by what they are about.
//!
//! Variadic calls are declared with the one argument they may have: it is
//! passed as any other, on the machines we know.

mod content;
mod descriptors;
mod folders;
mod looking;
mod metadata;
mod names;
mod opening;
pub(crate) mod programs;
mod sockets;
mod streams;
mod variables;

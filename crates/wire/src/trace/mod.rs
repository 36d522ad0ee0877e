//! The trace file: what the agent saw in one run.
//!
//! The file starts with [`PREAMBLE`], then carries records: one kind byte, the
//! payload's length, the payload. Numbers are LEB128 varints, signed ones
//! zigzag. A text is written once as a record of its own and named by its
//! number from then on; frames and stacks likewise.
//!
//! Every tracked location is a *cell*, a number that the agent gives. Static
//! fields, objects and arrays are described once, at their first mention.
//! Accesses follow the record of the epoch they belong to, as runs of
//! neighbouring cells in ascending order; then what it left in objects that it
//! made, as digests that are the same in all runs, and which blocks of the
//! project's code ran.
//!
//! A record is whole or not there: a file that ends anywhere, because the JVM
//! died, is read up to there. A complete file has an end mark. What happened
//! outside the heap the host adds afterwards, see [`with_outside`]. Nothing here
//! performs IO.

mod assemble;
mod cells;
mod code;
mod codec;
mod layout;
mod outside;
mod parse;
mod pollution;
mod property_table;
mod reader;
mod record;
mod writer;

#[cfg(test)]
mod tests;

pub use codec::TraceError;
pub use outside::with_outside;
pub use pollution::NewPollution;
pub use reader::TraceReader;
pub use record::{PREAMBLE, TRACE_VERSION};
pub use writer::{Content, Found, Holds, SlotName, TraceWriter};

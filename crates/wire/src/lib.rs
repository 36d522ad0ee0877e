//! The protocol between the host and the runner inside the JVM under test, and
//! the file in which the agent tells what the tests did ([`trace`]).
//!
//! Both directions start with [`PREAMBLE`], then carry frames: a big-endian
//! `u32` length, one kind byte, and a payload of that length less one. Numbers
//! are big-endian; a text is a `u32` byte count and UTF-8; an optional value is
//! a `u8` 0 or 1 and, after 1, the value; a list is a `u32` count and its
//! items. The Java side is `residue.runner.wire`.
//!
//! Nothing here performs IO: bytes in, values out, and malformed bytes are an
//! error, never a panic.

mod bytes;
mod command;
mod event;
mod frames;
mod stand_in;
pub mod trace;

pub use bytes::Malformed;
pub use command::{Command, Configuration, RunItem};
pub use event::{Event, TestEnd};
pub use frames::{FrameDecoder, PREAMBLE, PROTOCOL_VERSION};

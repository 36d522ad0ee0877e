//! Parses and rewrites class files, bytes to bytes.
//!
//! [`ClassFile::parse`] reads a class once; [`ClassFile::summary`] tells what it
//! declares and [`ClassFile::rewrite`] inserts calls of the hook class before
//! accesses to fields and array elements and, if asked, where code begins that
//! runs as a whole. Nothing here knows a JVM.
//!
//! Invariants:
//! - Every byte outside the `Code` attributes of changed methods is copied, and
//!   constants are only appended, so that indices keep their meaning.
//! - A class or method that cannot be rewritten safely is left as it is, with a
//!   reason ([`Decline`], [`MethodDecline`]). Input of any kind, well formed or
//!   not, ends in a value: no panic, no endless loop, no memory beyond a small
//!   multiple of the input.
//! - Inserted code is free of branches and leaves the stack as it was, so it
//!   needs no stack map frame of its own.

mod access;
mod annotations;
mod attributes;
mod blocks;
mod bytes;
mod class_file;
mod code;
mod constructor;
mod decline;
mod descriptor;
mod edits;
mod emit;
mod extension;
mod facts;
mod frame_relocation;
mod frame_states;
mod frames;
mod hook;
mod hook_code;
mod interest;
mod layout;
mod machine;
mod mentions;
mod method;
mod name;
mod opcode;
mod plan;
mod pool;
mod references;
mod rewriter;
mod rewritten;
mod shape;
mod subroutines;
mod summary;
mod tables;
mod type_annotations;
mod values;

pub use blocks::Block;
pub use class_file::{ClassFile, rewrite, summarize};
pub use decline::{Decline, MethodDecline};
pub use hook::Hook;
pub use name::text;
pub use plan::{
    BadEntry, BadReplacement, Entry, EntryTable, FieldIds, FieldReference, Plan, Replacement,
    ReplacementTable,
};
pub use rewritten::{DeclinedMethod, MethodCode, Rewritten};
pub use summary::{ClassSummary, FieldSummary, MethodSummary};

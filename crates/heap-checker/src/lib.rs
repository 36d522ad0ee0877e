//! An independent check of what the tracing agent says tests have written.
//!
//! A second, small JVMTI agent is loaded into the same JVM. It knows nothing of
//! rewritten code, marks or cells: between two tests it walks over everything
//! that static fields and threads lead to, field by field, and notes what is not
//! as it was before ([`changes`]). [`comparison`] holds that against the writes
//! of a trace. If asked, it also compares all that was there before a test with
//! all that is there after it, up to isomorphism; that is held against the
//! pollution of a trace.
//!
//! It is for tests of residue, never part of the command.

mod agent;
pub mod changes;
mod classes;
pub mod comparison;
mod heap;
mod isomorphism;
mod jvm;
mod slot;
mod snapshot;
mod standstill;

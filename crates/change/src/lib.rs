//! What a change of the code touches.
//!
//! Files that changed (`diff`, `inventory`) become classes that count as
//! changed and files that tests may read (`impact`); with what each test ran
//! and read (`executed`) those become touched tests, each with its reason
//! (`touched`). `docs/design/changes.md` says why this misses nothing, and what
//! it cannot know.
//!
//! Invariants:
//! - Pure: who asks git, reads class folders and traces runs is elsewhere.
//! - What cannot be placed touches everything, and is named.
//! - Every touched test has a reason that fits on one line.

mod code_base;
mod diff;
mod executed;
mod impact;
mod inventory;
mod kind;
mod source_text;
#[cfg(test)]
mod testing;
mod touched;

pub use code_base::{ClassFacts, CodeBase};
pub use diff::{BadDiff, ChangedFile, How, parse_diff, parse_untracked};
pub use executed::{Executed, FileRead, TestCode};
pub use impact::{Cause, ChangedClass, FileChange, Impact, Sources, impact};
pub use inventory::{ChangedEntry, Entry, compare};
pub use kind::{Kind, kind_of};
pub use touched::{Reason, Touched, touched};

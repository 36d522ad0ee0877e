//! Ids and plain values of residue: tests, orders, outcomes, runs.
//!
//! Nothing here performs IO, reads a clock or starts a process. Every other
//! crate speaks in these types, so a word of the glossary is defined once.

mod coverage;
mod failure;
mod launch;
mod order;
mod outcome;
mod run;
mod stand_in;
mod state_path;
mod suite;
mod test_id;
pub mod trace;

pub use coverage::{CodeClass, CodeUnit, Coverage, TestCoverage};
pub use failure::{Failure, Frame};
pub use launch::{BuildTool, LaunchSpec, Project, Provider, Selection, SuiteSpec};
pub use order::{OrderError, TestOrder};
pub use outcome::{Crash, Outcome, OutcomeKind};
pub use run::{
    CapturedOutput, FileChange, FixtureFailure, FixturePhase, LeftBehind, RunLimits, RunRecord,
    RunRequest, TestResult, Unrequested,
};
pub use stand_in::{
    FieldContent, FieldType, FieldValue, Primitive, PutBack, StandIn, StandInAccount, StandIns,
    StaticField, WatchedField,
};
pub use state_path::StatePath;
pub use suite::{Framework, Suite, TestCase, UnknownTest, Unlistable};
pub use test_id::{BadTestId, TestId};

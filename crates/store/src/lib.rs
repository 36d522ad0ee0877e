//! Every run that ever happened, in one SQLite file.
//!
//! A project under test has one store, `.residue/residue.db`. It keeps the
//! listing of each suite and each run record, so that a killed analysis goes
//! on where it was and a question once answered is not run again.
//!
//! Invariants:
//! - A run record is written in one transaction and never changed: a run is in
//!   the store whole or not at all, at whatever moment the process ends.
//! - A suite is told apart by its name and [`Fingerprint`]: runs of another
//!   state of the project never answer a question.
//! - A file of a newer version, or of somebody else, is refused untouched.
//! - A traced run, or one in which values stood in for tests, is kept beside the
//!   plain ones and never answers in their place.
//! - An error never costs what is already stored.
//!
//! Times are kept in microseconds. The file is plain SQLite with text columns
//! and views (`run_summary`, `run_results`, `stack_frames`, `dependent_tests`,
//! `trace_dependencies`) for curious people.

mod connect;
mod digest_cache;
mod disturbed;
mod error;
mod explanation;
mod findings;
mod fingerprint;
mod inventories;
mod listing;
mod load;
mod numbers;
mod put_back;
mod query;
mod question;
mod record;
mod schema;
mod stand_ins;
mod store;
#[cfg(test)]
mod testing;
mod trace_rows;
mod traces;
mod values;

pub use error::StoreError;
pub use findings::StoredFinding;
pub use fingerprint::{
    Digest, DigestCache, Fingerprint, FingerprintError, Learned, NoCache, Surroundings,
    content_digest, digest, fingerprint,
};
pub use inventories::Inventory;
pub use numbers::{BadFindingId, BadRunId, FindingId, RunId};
pub use query::{OutcomeCounts, RunFilter, RunInfo, RunSummary, SuiteInfo};
pub use stand_ins::Refutation;
pub use store::{Store, SuiteKey};
pub use traces::{NewTrace, StoredTrace};

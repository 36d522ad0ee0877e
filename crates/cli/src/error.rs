//! Everything that can end a command, and the exit status it ends with.

use std::io;
use std::path::PathBuf;

use residue_discover::DiscoverError;
use residue_exec::ExecError;
use residue_lab::LabError;
use residue_store::{BadRunId, FingerprintError, StoreError};

use crate::changes::GitError;
use crate::exit_code::ExitCode;
use crate::order_source::OrderSourceError;

/// Why a command ended without an answer.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    #[error(transparent)]
    Exec(#[from] ExecError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Fingerprint(#[from] FingerprintError),
    #[error(transparent)]
    Order(#[from] OrderSourceError),
    #[error(transparent)]
    BadRun(#[from] BadRunId),
    #[error(transparent)]
    Detection(#[from] residue_detect::SetupError),
    #[error(
        "a finding in the store is not in this version's format ({0}): run `residue detect` again"
    )]
    Document(serde_json::Error),
    #[error(transparent)]
    Settings(#[from] crate::settings::SettingsError),
    #[error(transparent)]
    Rule(#[from] residue_ignore::BadRule),
    #[error("the trace of a run cannot be read: {0}; trace again with `residue trace --fresh`")]
    Trace(#[from] residue_wire::trace::TraceError),
    #[error(
        "it is not known which code the tests of suite `{suite}` run: none of its classes come \
         from a folder of the class path"
    )]
    NoCoverage { suite: String },
    #[error("orders are run by something that cannot trace them")]
    CannotTrace,
    #[error(
        "orders are run by something that cannot put values into fields; leave out --speculate"
    )]
    CannotStandIn,
    #[error("no finding is about the test `{test}`: `residue detect` looks for them")]
    NoFinding { test: String },
    #[error(
        "`{partner}` is not known to change how `{test}` ends; known to do so: {}; \
         `residue detect --all-polluters` looks for more",
        quoted(known)
    )]
    NoPartner { test: String, partner: String, known: Vec<String> },
    #[error("no traced run has the test `{test}`: `residue trace` makes one")]
    NotTraced { test: String },
    #[error(transparent)]
    BadTest(#[from] residue_model::BadTestId),
    #[error(transparent)]
    DefaultOrder(#[from] residue_model::OrderError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error("cannot listen for signals: {0}")]
    Signals(io::Error),
    #[error(
        "{} has no `.residue` folder, so nothing was run there yet: `residue run` makes it",
        project.display()
    )]
    NoStore { project: PathBuf },
    #[error(
        "interrupted; every finished run is in the store, and the same command goes on from there"
    )]
    Interrupted,
    #[error("the project has no suite `{wanted}`; it has {}", quoted(there))]
    NoSuchSuite { wanted: String, there: Vec<String> },
    #[error(
        "the selected suites have no tests: {} with test classes, but no test in them",
        quoted(suites)
    )]
    NoTests { suites: Vec<String> },
    #[error(
        "run {run} is of another state of the project: classes, class path or settings of suite \
         `{suite}` have changed since, and it no longer has the test `{test}`"
    )]
    Outdated { run: String, suite: String, test: String },
    #[error("run {run} has no test `{test}`; `residue show {run} --order` lists its tests")]
    NotInRun { run: String, test: String },
    #[error("cannot read the baseline {}: {source}", path.display())]
    UnreadableBaseline { path: PathBuf, source: io::Error },
    #[error("{} is no baseline: {source}", path.display())]
    BadBaseline { path: PathBuf, source: residue_pollution::BadBaseline },
    #[error("`{test}` leaves nothing changed in this run; without --diff all polluters are listed")]
    NoPolluter { test: String },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

fn quoted(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

impl CliError {
    /// The exit status for this error.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Discover(
                DiscoverError::BuildToolMissing { .. } | DiscoverError::NoJdk { .. },
            ) => ExitCode::Environment,
            Self::Discover(_)
            | Self::Fingerprint(_)
            | Self::NoTests { .. }
            | Self::NoCoverage { .. } => ExitCode::Project,
            Self::Exec(ExecError::UnknownTest(_)) => ExitCode::Usage,
            Self::Exec(ExecError::Interrupted) => ExitCode::Interrupted,
            Self::Store(
                StoreError::NoSuchRun { .. }
                | StoreError::NoSuchFinding { .. }
                | StoreError::NoSuchTrace { .. },
            ) => ExitCode::Usage,
            Self::Exec(ExecError::CannotTrace { .. }) | Self::CannotTrace | Self::CannotStandIn => {
                ExitCode::Environment
            }
            Self::Store(_)
            | Self::Trace(_)
            | Self::Document(_)
            | Self::Write { .. }
            | Self::Exec(ExecError::Scratch { .. }) => ExitCode::Store,
            Self::Git(GitError::NoRepository { .. } | GitError::UnknownRevision { .. }) => {
                ExitCode::Usage
            }
            Self::Exec(_) | Self::Signals(_) | Self::Git(_) => ExitCode::Environment,
            Self::Order(_)
            | Self::DefaultOrder(_)
            | Self::Detection(_)
            | Self::Settings(_)
            | Self::Rule(_)
            | Self::NotTraced { .. }
            | Self::UnreadableBaseline { .. }
            | Self::BadBaseline { .. }
            | Self::NoPolluter { .. }
            | Self::NoFinding { .. }
            | Self::NoPartner { .. }
            | Self::NoStore { .. }
            | Self::BadRun(_)
            | Self::BadTest(_)
            | Self::NoSuchSuite { .. }
            | Self::Outdated { .. }
            | Self::NotInRun { .. } => ExitCode::Usage,
            Self::Interrupted => ExitCode::Interrupted,
        }
    }
}

impl From<LabError> for CliError {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Store(error) => Self::Store(error),
            LabError::Exec(error) => Self::Exec(error),
            LabError::Trace(error) => Self::Trace(error),
            LabError::CannotTrace => Self::CannotTrace,
            LabError::CannotStandIn => Self::CannotStandIn,
            LabError::Interrupted => Self::Interrupted,
        }
    }
}

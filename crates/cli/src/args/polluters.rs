//! Options of `residue polluters`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{ExecArgs, OrderArgs, ProjectArgs, TrackingArgs};

/// `residue polluters`
#[derive(Debug, Args)]
pub struct PollutersArgs {
    #[command(flatten)]
    pub project: ProjectArgs,

    #[command(flatten)]
    pub order: OrderArgs,

    /// After what the state is compared with what it was before: a test with its set-up and
    /// tear-down, or a class with its fixtures
    #[arg(long, value_name = "UNIT", value_enum, default_value_t = CaptureArg::Test)]
    pub per: CaptureArg,

    /// Count state of classes that the test itself was the first to load, too
    #[arg(long)]
    pub new_roots: bool,

    /// Show what this test (or class, with --per class) leaves changed as trees, before and after
    #[arg(long, value_name = "TEST")]
    pub diff: Option<String>,

    /// Show all, not only the first of each rank
    #[arg(long)]
    pub all: bool,

    /// Pollution that is accepted: a file written by --write-baseline
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub baseline: Option<PathBuf>,

    /// Accept all pollution found now
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub write_baseline: Option<PathBuf>,

    /// End with status 1 if there is pollution that the baseline does not have
    #[arg(long, requires = "baseline", help_heading = "Baseline")]
    pub fail_on_new: bool,

    #[command(flatten)]
    pub tracking: TrackingArgs,

    /// Run again even if the store already has the answer
    #[arg(long)]
    pub fresh: bool,

    /// Write the polluters as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub exec: ExecArgs,
}

/// After what state is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CaptureArg {
    /// Each test
    Test,
    /// Each class
    Class,
}

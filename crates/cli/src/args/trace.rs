//! Options of `residue trace` and `residue deps`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{ExecArgs, OrderArgs, ProjectArgs, TrackingArgs};

/// `residue trace`
#[derive(Debug, Args)]
pub struct TraceArgs {
    #[command(flatten)]
    pub project: ProjectArgs,

    #[command(flatten)]
    pub order: OrderArgs,

    #[command(flatten)]
    pub tracking: TrackingArgs,

    /// Show which fields were not tracked, and by which rule
    #[arg(long)]
    pub explain_ignored: bool,

    /// Trace again even if the store already has a trace of the order
    #[arg(long)]
    pub fresh: bool,

    /// Write the dependencies as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write the dependencies as a Graphviz graph to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,

    #[command(flatten)]
    pub exec: ExecArgs,
}

/// `residue deps`
#[derive(Debug, Args)]
pub struct DepsArgs {
    /// The test, as `residue list` shows it
    pub test: String,

    /// Folder of the project
    #[arg(default_value = ".")]
    pub project: PathBuf,

    /// A traced run, for example r12 [default: the newest one of the default order, or else the
    /// newest with this test]
    #[arg(long, value_name = "RUN")]
    pub run: Option<String>,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

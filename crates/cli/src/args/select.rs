//! Options of `residue select`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{ExecArgs, ProjectArgs, TrackingArgs};

/// `residue select`
#[derive(Debug, Args)]
pub struct SelectArgs {
    #[command(flatten)]
    pub project: ProjectArgs,

    /// Compare with this git revision: a commit, branch or tag [default: with the code of the last
    /// traced run]
    #[arg(long, value_name = "REV", help_heading = "Selection")]
    pub changed_since: Option<String>,

    /// Which dependencies are kept
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = KeepArg::All, help_heading = "Selection")]
    pub respect: KeepArg,

    /// How the selected tests are written
    #[arg(long, value_name = "FORM", value_enum, default_value_t = SelectFormatArg::Text, help_heading = "Selection")]
    pub format: SelectFormatArg,

    /// Run the selected tests, and compare with the default order before the change
    #[arg(long, conflicts_with = "format")]
    pub run: bool,

    /// Write the selection as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub tracking: TrackingArgs,

    #[command(flatten)]
    pub exec: ExecArgs,
}

/// Which dependencies a selection keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeepArg {
    /// All that a trace shows, and those of findings
    All,
    /// Those of findings: shown to change an outcome by `residue detect` or `residue test`
    Manifest,
}

/// How selected tests are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SelectFormatArg {
    /// With the reason of each, for people
    Text,
    /// One test a line, for `residue run --order`
    Order,
    /// The value of Surefire's `-Dtest`; nothing if no test is selected
    Surefire,
    /// `--tests` arguments of Gradle; nothing if no test is selected
    Gradle,
}

//! Options of `residue schedule` and `residue test`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::duration::parse_duration;
use super::shared::{ExecArgs, GranularityArg, ProjectArgs, TrackingArgs};

/// What a schedule is made of.
#[derive(Debug, Clone, Args)]
pub struct PlanArgs {
    /// How many JVMs run at the same time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Schedule")]
    pub workers: Option<u16>,

    /// What is never torn apart
    #[arg(long, value_name = "UNIT", value_enum, default_value_t = GranularityArg::Method, help_heading = "Schedule")]
    pub granularity: GranularityArg,

    /// Which dependencies are kept
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = RespectArg::All, help_heading = "Schedule")]
    pub respect: RespectArg,

    /// Put values into static fields in place of the tests that leave them there, where that is faster; `residue test` checks them
    #[arg(long, help_heading = "Schedule")]
    pub speculate: bool,
}

/// Which dependencies a schedule keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RespectArg {
    /// All that a trace shows, and those of findings
    All,
    /// Those of findings: shown to change an outcome by `residue detect` or `residue test`
    Manifest,
    /// None, and not the order either: unsound, to see what would break
    Nothing,
}

/// How lists of tests for CI jobs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShardFormatArg {
    /// One line a job: the value of Surefire's `-Dtest`
    Surefire,
    /// One line a job: `--tests` arguments of Gradle
    Gradle,
    /// The matrix of a GitHub Actions job, on one line
    Github,
    /// JSON with the ids of the tests
    Json,
}

/// `residue schedule`
#[derive(Debug, Args)]
pub struct ScheduleArgs {
    #[command(flatten)]
    pub project: ProjectArgs,

    #[command(flatten)]
    pub plan: PlanArgs,

    /// Write the schedules as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write the schedules as a picture to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Split the tests into lists for this many CI jobs, and print those
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), conflicts_with_all = ["workers", "json", "svg", "advice", "speculate"], help_heading = "CI")]
    pub shards: Option<u16>,

    /// How the lists are written
    #[arg(long, value_name = "FORM", value_enum, default_value_t = ShardFormatArg::Surefire, requires = "shards", help_heading = "CI")]
    pub format: ShardFormatArg,

    /// Print annotations that keep the dependencies when the build runs tests in parallel itself
    #[arg(long, conflicts_with_all = ["json", "svg", "speculate"], help_heading = "CI")]
    pub advice: bool,

    /// All of the advice, not only the first of each kind
    #[arg(long, requires = "advice", help_heading = "CI")]
    pub all: bool,

    #[command(flatten)]
    pub tracking: TrackingArgs,

    #[command(flatten)]
    pub exec: ExecArgs,
}

/// `residue test`
#[derive(Debug, Args)]
pub struct TestArgs {
    #[command(flatten)]
    pub project: ProjectArgs,

    #[command(flatten)]
    pub plan: PlanArgs,

    /// Write JUnit XML reports, one file a class, into this folder
    #[arg(long, value_name = "FOLDER")]
    pub xml: Option<PathBuf>,

    /// Write what happened as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// How long to look for the cause when an outcome differs
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = parse_duration)]
    pub learn: Duration,

    #[command(flatten)]
    pub tracking: TrackingArgs,

    #[command(flatten)]
    pub exec: ExecArgs,
}

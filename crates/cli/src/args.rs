//! The command line, and nothing else.

mod budget;
mod detect;
mod duration;
mod polluters;
mod prioritize;
mod schedule;
mod select;
mod shared;
mod trace;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use detect::{AlgorithmArg, DetectArgs, ExplainArgs, ReferenceArg, SelectionArg};
pub use polluters::{CaptureArg, PollutersArgs};
pub use prioritize::{PrioritizeArgs, TechniqueArg};
pub use schedule::{PlanArgs, RespectArg, ScheduleArgs, ShardFormatArg, TestArgs};
pub use select::{KeepArg, SelectArgs, SelectFormatArg};
pub use shared::{ExecArgs, GranularityArg, OrderArgs, ProjectArgs, TrackingArgs};
pub use trace::{DepsArgs, TraceArgs};

/// Finds, proves and explains dependencies between tests.
#[derive(Debug, Parser)]
#[command(name = "residue", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the tests of a project in the order in which its build runs them
    List(ListArgs),
    /// Run the tests in any order and say what differs from the default order
    Run(RunArgs),
    /// Find the tests whose outcome depends on the order, prove it and say why
    Detect(DetectArgs),
    /// Explain a finding: through which state it happens, written and read where in the code
    Explain(ExplainArgs),
    /// Trace in one run which test reads what another one wrote
    Trace(TraceArgs),
    /// Show what one test depends on: on whom, through which state, and where in the code
    Deps(DepsArgs),
    /// Find the tests that leave shared state changed, most important first
    Polluters(PollutersArgs),
    /// Plan a parallel run in which every test still finds what it finds in the default order
    Schedule(ScheduleArgs),
    /// Run the tests in parallel by such a schedule, and check the outcomes
    Test(TestArgs),
    /// Run the most worthwhile tests first, and say which outcomes that changes
    Prioritize(PrioritizeArgs),
    /// Select the tests that a change of the code touches, with all they depend on
    Select(SelectArgs),
    /// Run the order of a stored run again, or both orders of a finding
    Replay(ReplayArgs),
    /// Show the stored runs of a project
    Runs(RunsArgs),
    /// Show one stored run: outcomes, stack traces and output of its tests
    Show(ShowArgs),
}

/// `residue list`
#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub project: ProjectArgs,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// `residue run`
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub project: ProjectArgs,

    #[command(flatten)]
    pub order: OrderArgs,

    /// Have this many runs of the order in the end; stored ones count
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,

    /// Run even if the store already has the answer
    #[arg(long)]
    pub fresh: bool,

    /// Write the runs as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Also print what failing and differing tests wrote
    #[arg(long)]
    pub show_output: bool,

    #[command(flatten)]
    pub exec: ExecArgs,
}

/// `residue replay`
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The run or finding, for example r12 or f3
    #[arg(value_name = "RUN|FINDING")]
    pub what: String,

    #[command(flatten)]
    pub project: ProjectArgs,

    /// Write the new run as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Also print what failing and differing tests wrote
    #[arg(long)]
    pub show_output: bool,

    #[command(flatten)]
    pub exec: ExecArgs,
}

/// `residue runs`
#[derive(Debug, Args)]
pub struct RunsArgs {
    /// Folder of the project
    #[arg(default_value = ".")]
    pub project: PathBuf,

    /// Show at most this many, newest first
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub newest: u32,
}

/// `residue show`
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The run, for example r12
    pub run: String,

    /// Folder of the project
    #[arg(default_value = ".")]
    pub project: PathBuf,

    /// Only this test, with its stack trace and output
    #[arg(long, value_name = "TEST")]
    pub test: Option<String>,

    /// Print the order as an order file and nothing else
    #[arg(long, conflicts_with = "test")]
    pub order: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}

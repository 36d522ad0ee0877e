//! Options of `residue detect` and `residue explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use residue_detect::Budget;

use super::budget::parse_budget;
use super::shared::{ExecArgs, GranularityArg, ProjectArgs, TrackingArgs};

/// `residue detect`
#[derive(Debug, Clone, Args)]
pub struct DetectArgs {
    #[command(flatten)]
    pub project: ProjectArgs,

    /// How orders are chosen; may be repeated [default: as traces tell which orders can show
    /// something new]
    #[arg(
        long = "algorithm",
        value_name = "NAME",
        value_enum,
        value_delimiter = ',',
        help_heading = "Search"
    )]
    pub algorithms: Vec<AlgorithmArg>,

    /// Decide only what a change of the code touched: whatever involves a test that ran code that
    /// differs from this git revision
    #[arg(
        long,
        value_name = "REV",
        conflicts_with_all = ["algorithms", "no_trace"],
        help_heading = "Search"
    )]
    pub since: Option<String>,

    /// How long to look: a time, or so many times as long as the suite takes; what was found by
    /// then is reported, and more than the default also tries more [default: 15x, at least 3m]
    #[arg(long, value_name = "TIME|TIMES", value_parser = parse_budget, help_heading = "Search")]
    pub budget: Option<Budget>,

    /// Stop after this many runs; stored ones count
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub max_runs: Option<u64>,

    /// What is moved around
    #[arg(long, value_name = "UNIT", value_enum, default_value_t = GranularityArg::Method, help_heading = "Search")]
    pub granularity: GranularityArg,

    /// Where random orders begin; the same seed gives the same orders
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search")]
    pub seed: u64,

    /// Seeds that `random` tries
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Search")]
    pub trials: u32,

    /// Length of the sequences that `exhaustive` and `dependence-aware` try
    #[arg(short, value_name = "K", default_value_t = 2, help_heading = "Search")]
    pub k: usize,

    /// Trace no run: try cheap orders first, then more and more
    #[arg(long, conflicts_with = "algorithms", help_heading = "Search")]
    pub no_trace: bool,

    /// Which data dependency `pradet` tries next
    #[arg(long, value_name = "HOW", value_enum, default_value_t = SelectionArg::SourceFirst, help_heading = "Search")]
    pub pradet_selection: SelectionArg,

    /// Where the data dependencies of `pradet` come from
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = ReferenceArg::Default, help_heading = "Search")]
    pub pradet_reference: ReferenceArg,

    #[command(flatten)]
    pub tracking: TrackingArgs,

    /// Runs of the default order before anything is compared with it
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Proof")]
    pub reference_runs: u32,

    /// How often each witness of a finding is run again
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Proof")]
    pub confirmations: u32,

    /// Two failures of a test are the same, whatever was thrown and where
    #[arg(long, help_heading = "Proof")]
    pub pass_fail_only: bool,

    /// Find every test that flips a dependent one, not only the first
    #[arg(long, help_heading = "Proof")]
    pub all_polluters: bool,

    /// Find the tests that undo a polluter
    #[arg(long, help_heading = "Proof")]
    pub cleaners: bool,

    /// Do not look for the state through which tests depend on each other. It is not looked for
    /// either with --no-trace and --max-runs
    #[arg(long, help_heading = "Proof")]
    pub no_causes: bool,

    /// Use neither runs nor findings from before
    #[arg(long)]
    pub fresh: bool,

    /// Leave what runs do to files as it is. By default it is undone, as with --restore, if a trace
    /// shows that tests share files
    #[arg(long, conflicts_with = "restore", help_heading = "Execution")]
    pub no_restore: bool,

    /// Write the findings as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub exec: ExecArgs,
}

/// The algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmArg {
    /// The default order from its end; also classes from the last
    Reverse,
    /// Shuffles by seed, with classes kept together and torn apart
    Random,
    /// Each test alone
    Isolate,
    /// Few orders in which every test directly follows every other one
    Pairs,
    /// The sequences of k tests in which one reads what another wrote, by a trace
    DependenceAware,
    /// PraDeT: each data dependency of a trace violated on its own
    Pradet,
    /// Every sequence of k tests
    Exhaustive,
}

/// Which data dependency PraDeT tries next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SelectionArg {
    /// Of the reader that ran last, the writer that ran last
    SourceFirst,
    /// As the seed has it
    Random,
}

/// Where PraDeT's data dependencies come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReferenceArg {
    /// A trace of the default order
    Default,
    /// A trace of the reversed order
    Reversed,
    /// Both, one after the other
    Both,
}

/// `residue explain`
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The finding, for example f3, or the test it is about
    #[arg(value_name = "FINDING|TEST")]
    pub what: String,

    /// Explain why it also ends so after this test, one that `residue detect` lists as `also`
    #[arg(long, value_name = "TEST")]
    pub after: Option<String>,

    /// Tell of all locations, not only of the cause or the most suspicious ones
    #[arg(long)]
    pub all: bool,

    /// Write all that is known of it as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub project: ProjectArgs,

    #[command(flatten)]
    pub tracking: TrackingArgs,

    #[command(flatten)]
    pub exec: ExecArgs,
}

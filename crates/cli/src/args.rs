//! The command line, and nothing else.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

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
    /// Run the order of a stored run again, or both orders of a finding
    Replay(ReplayArgs),
    /// Show the stored runs of a project
    Runs(RunsArgs),
    /// Show one stored run: outcomes, stack traces and output of its tests
    Show(ShowArgs),
}

/// Which project, and how its build is asked.
#[derive(Debug, Clone, Args)]
pub struct ProjectArgs {
    /// Folder with a Maven or Gradle build
    #[arg(default_value = ".")]
    pub project: PathBuf,

    /// Look only at this suite (a module's path, as `residue list` shows it); may be repeated
    #[arg(long = "suite", value_name = "NAME")]
    pub suites: Vec<String>,

    /// Class path of a project without a build; needs --test-classes
    #[arg(long, value_name = "PATHS", requires = "test_classes", help_heading = "Build")]
    pub classpath: Option<String>,

    /// Folder with compiled test classes of a project without a build; may be repeated
    #[arg(long, value_name = "FOLDER", requires = "classpath", help_heading = "Build")]
    pub test_classes: Vec<PathBuf>,

    /// Extra argument for Maven or Gradle, for example --build-arg=-Pfast; may be repeated
    #[arg(
        long = "build-arg",
        value_name = "ARG",
        allow_hyphen_values = true,
        help_heading = "Build"
    )]
    pub build_args: Vec<String>,

    /// JDK that builds and runs the tests instead of the one in JAVA_HOME
    #[arg(long, value_name = "FOLDER", help_heading = "Build")]
    pub java_home: Option<PathBuf>,

    /// Ask the build again even if nothing seems to have changed
    #[arg(long, help_heading = "Build")]
    pub refresh: bool,
}

/// How JVMs are run.
#[derive(Debug, Clone, Args)]
pub struct ExecArgs {
    /// How many JVMs run at the same time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Execution")]
    pub jobs: Option<u16>,

    /// Longest time for one test, its class fixture included
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration, help_heading = "Execution")]
    pub test_timeout: Duration,

    /// Longest time for one run
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = parse_duration, help_heading = "Execution")]
    pub run_timeout: Duration,

    /// Undo after each run what it did to files in the project; orders run one after the other
    #[arg(long, help_heading = "Execution")]
    pub restore: bool,

    /// Shell command to run before each order, for example to reset a database; orders run one
    /// after the other
    #[arg(long, value_name = "COMMAND", help_heading = "Execution")]
    pub before_run: Option<String>,

    /// Do not speed up JVM starts with a class-data archive
    #[arg(long, help_heading = "Execution")]
    pub no_cds: bool,
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

/// Which order to run; the default order if nothing is given.
#[derive(Debug, Clone, Args)]
#[group(multiple = false)]
pub struct OrderArgs {
    /// File with one test a line, `-` for standard input
    #[arg(long, value_name = "FILE", help_heading = "Order")]
    pub order: Option<PathBuf>,

    /// Tests or classes to run, in this order, separated by commas
    #[arg(long, value_name = "LIST", help_heading = "Order")]
    pub tests: Option<String>,

    /// The default order from its end to its start
    #[arg(long, help_heading = "Order")]
    pub reverse: bool,

    /// A random order of all tests; the same seed gives the same order
    #[arg(long, value_name = "SEED", help_heading = "Order")]
    pub shuffle: Option<u64>,
}

/// `residue detect`
#[derive(Debug, Args)]
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

    /// How long to look; what was found by then is reported
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_duration, help_heading = "Search")]
    pub budget: Duration,

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

    /// Do not use runs from before
    #[arg(long)]
    pub fresh: bool,

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

/// What is moved around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GranularityArg {
    /// Single tests
    Method,
    /// Whole classes
    Class,
}

/// What traced runs track.
#[derive(Debug, Clone, Args)]
pub struct TrackingArgs {
    /// State not to track: a class, package or field, for example org.acme.Metrics,
    /// org.acme.cache.**, org.acme.Clock#now or @org.acme.Shared, or something outside the heap,
    /// for example file:/var/log/**, variable:CI or port:8080; may be repeated
    #[arg(long, value_name = "WHAT", help_heading = "Tracing")]
    pub ignore: Vec<String>,

    /// State to track although the defaults or residue.toml ignore it; may be repeated
    #[arg(long, value_name = "WHAT", help_heading = "Tracing")]
    pub track: Vec<String>,
}

/// `residue explain`
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The finding, for example f3, or the test it is about
    #[arg(value_name = "FINDING|TEST")]
    pub what: String,

    #[command(flatten)]
    pub project: ProjectArgs,

    #[command(flatten)]
    pub tracking: TrackingArgs,

    #[command(flatten)]
    pub exec: ExecArgs,
}

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

    /// A traced run, for example r12 [default: the newest one with this test]
    #[arg(long, value_name = "RUN")]
    pub run: Option<String>,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), conflicts_with_all = ["workers", "json", "svg", "advice"], help_heading = "CI")]
    pub shards: Option<u16>,

    /// How the lists are written
    #[arg(long, value_name = "FORM", value_enum, default_value_t = ShardFormatArg::Surefire, requires = "shards", help_heading = "CI")]
    pub format: ShardFormatArg,

    /// Print annotations that keep the dependencies when the build runs tests in parallel itself
    #[arg(long, conflicts_with_all = ["json", "svg"], help_heading = "CI")]
    pub advice: bool,

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

/// `90s`, `5m`, `1h30m`, `250ms`; a bare number is seconds.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time: write for example 90s, 5m or 1h30m");
    if let Ok(seconds) = text.parse::<u64>() {
        return positive(Duration::from_secs(seconds)).ok_or_else(wrong);
    }
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let number: u32 = rest[..digits].parse().map_err(|_| wrong())?;
        rest = &rest[digits..];
        let letters = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let unit = match &rest[..letters] {
            "ms" => Duration::from_millis(1),
            "s" => Duration::from_secs(1),
            "m" => Duration::from_secs(60),
            "h" => Duration::from_secs(3600),
            _ => return Err(wrong()),
        };
        total += unit * number;
        rest = &rest[letters..];
    }
    positive(total).ok_or_else(wrong)
}

fn positive(duration: Duration) -> Option<Duration> {
    (!duration.is_zero()).then_some(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        assert_eq!(parse_duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("1h30m"), Ok(Duration::from_secs(5_400)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "0", "0s", "5x", "m5", "5m3", "-1s"] {
            assert!(parse_duration(wrong).is_err(), "{wrong:?} was accepted");
        }
    }
}

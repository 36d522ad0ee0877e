//! Options that several commands take.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::duration::parse_duration;

const TEST_TIMEOUT: &str = "60s";
const RUN_TIMEOUT: &str = "1h";

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
    #[arg(long, value_name = "TIME", default_value = TEST_TIMEOUT, value_parser = parse_duration, help_heading = "Execution")]
    pub test_timeout: Duration,

    /// Longest time for one run
    #[arg(long, value_name = "TIME", default_value = RUN_TIMEOUT, value_parser = parse_duration, help_heading = "Execution")]
    pub run_timeout: Duration,

    /// Undo after each run what it did to files in the project and the temporary folder; orders run
    /// one after the other
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

impl ExecArgs {
    /// Options that set another limit than the default, with their values.
    pub fn changed_limits(&self) -> impl Iterator<Item = (&'static str, String)> {
        let limits = [
            ("test-timeout", self.test_timeout, TEST_TIMEOUT),
            ("run-timeout", self.run_timeout, RUN_TIMEOUT),
        ];
        let changed = limits
            .into_iter()
            .filter(|(_, limit, usual)| parse_duration(usual).is_ok_and(|usual| usual != *limit));
        changed.map(|(option, limit, _)| (option, format!("{}ms", limit.as_millis())))
    }
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

/// What is moved around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GranularityArg {
    /// Single tests
    Method,
    /// Whole classes
    Class,
}

//! What may be chosen about local execution.

use std::path::PathBuf;
use std::time::Duration;

use crate::Interrupt;

/// How JVMs are started and watched. None of this changes what is asked, only
/// how fast the answer comes and how much of it is kept.
#[derive(Debug, Clone)]
pub struct LocalOptions {
    /// How many orders run at once.
    pub jobs: usize,
    /// Where things worth keeping between calls go: the runner jar and the
    /// class data archive. `None` keeps nothing.
    pub cache: Option<PathBuf>,
    /// Where private folders for JVMs are made.
    pub scratch: PathBuf,
    /// Whether to make and use a class data archive (needs `cache`, JDK 11).
    pub archive: bool,
    /// Whether to start JVMs before their order is known.
    pub start_ahead: bool,
    /// What to do about the just-in-time compiler.
    pub jit: Jit,
    /// What traced runs do not track, beyond the defaults: the text of rules
    /// as `residue_ignore` reads them.
    pub trace_rules: String,
    /// Whether traced runs also watch what happens outside the heap. Off only
    /// to find out what that costs.
    pub outside: bool,
    /// What traced runs do not watch outside the heap, beyond the defaults: the
    /// text of rules as `residue_outside` reads them.
    pub outside_rules: String,
    /// Whether traced runs also look for what is left changed, and after what.
    pub captures: Option<Captures>,
    /// Whether to undo, after each run, what it did to files in the project.
    /// Orders then run one after the other.
    pub restore: bool,
    /// A shell command to run before each order, for what cannot be undone.
    /// Orders then run one after the other.
    pub before_run: Option<String>,
    /// Longest output kept for one test, for each of its two streams.
    pub output_per_test: usize,
    /// Longest output kept for one run, all tests and both streams together.
    pub output_per_run: usize,
    /// How long a JVM may take to get ready for its order.
    pub start_limit: Duration,
    /// How long listing a suite may take.
    pub list_limit: Duration,
    /// How long a JVM may take to end after its last test. Surefire waits
    /// 30 s too.
    pub exit_grace: Duration,
    /// Stops everything when raised.
    pub interrupt: Option<Interrupt>,
}

/// After what the state is compared with what it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captures {
    /// Each test, its set-up and tear-down included.
    Tests,
    /// Each class, its fixtures included.
    Classes,
}

impl Captures {
    /// The agent's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tests => "test",
            Self::Classes => "class",
        }
    }
}

/// Which compilers a JVM gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jit {
    /// Only the quick one (`-XX:TieredStopAtLevel=1`) for orders that should
    /// take less than ten seconds, and only for hot code
    /// (`-XX:CompileThresholdScaling`) where they should take less than half a
    /// second, unless the build chooses compilers itself. The optimising
    /// compiler would hardly get to work in them, and its profiling costs more
    /// than it gains. What code computes is the same.
    SuitedToLength,
    /// Always what the build says.
    AsBuild,
}

impl LocalOptions {
    /// What one run does to files would disturb another.
    pub(super) fn is_serial(&self) -> bool {
        self.restore || self.before_run.is_some()
    }

    /// JVMs run in another folder than we do.
    pub(super) fn with_full_paths(&self) -> Self {
        let full = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Self { cache: self.cache.as_ref().map(full), scratch: full(&self.scratch), ..self.clone() }
    }
}

impl Default for LocalOptions {
    fn default() -> Self {
        Self {
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            cache: None,
            scratch: std::env::temp_dir(),
            archive: true,
            start_ahead: true,
            jit: Jit::SuitedToLength,
            trace_rules: String::new(),
            outside: true,
            outside_rules: String::new(),
            captures: None,
            restore: false,
            before_run: None,
            output_per_test: 64 << 10,
            output_per_run: 16 << 20,
            start_limit: Duration::from_secs(60),
            list_limit: Duration::from_secs(300),
            exit_grace: Duration::from_secs(30),
            interrupt: None,
        }
    }
}

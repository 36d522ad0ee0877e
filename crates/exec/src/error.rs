//! Why a run could not take place.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use residue_model::{BadTestId, Failure, TestId, UnknownTest};
use residue_wire::Malformed;

/// What kept an order from being run or a suite from being listed. Each text
/// says what happened, to what, and what to do next.
#[derive(Debug, thiserror::Error)]
pub enum ExecError {
    /// The order does not fit the suite.
    #[error("{0}; `residue list` shows the tests there are")]
    UnknownTest(#[from] UnknownTest),
    /// There is no such Java.
    #[error(
        "there is no java executable at `{}`; install the JDK that the build uses or point \
         JAVA_HOME to one", java.display()
    )]
    JavaMissing {
        /// Where it was looked for.
        java: PathBuf,
    },
    /// No agent for such a VM.
    #[error(
        "`{}` cannot be traced: that takes a HotSpot VM of JDK 11 or newer, and it is of Java \
         {feature}; choose another with --java-home", java.display()
    )]
    CannotTrace {
        /// The executable.
        java: PathBuf,
        /// Its feature version.
        feature: u32,
    },
    /// The user's command before a run failed.
    #[error(
        "the command of --before-run failed ({ending}), so the order was not run; correct it: \
         {command}\n{output}"
    )]
    BeforeRun {
        /// The command.
        command: String,
        /// How it ended.
        ending: String,
        /// What it said.
        output: String,
    },
    /// A run's changes could not be undone.
    #[error(
        "`{}` could not be put back to what it was before the run: {source}; put it back by hand, \
         and run without --restore if that happens again", path.display()
    )]
    Restore {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A rule about state outside the heap cannot be used.
    #[error(transparent)]
    OutsideRule(#[from] residue_outside::BadRule),
    /// The operating system refused to start the JVM.
    #[error("could not start `{}`: {source}; check that it is a java executable for this machine \
             and that memory and process limits allow another JVM", java.display())]
    CannotStart {
        /// The executable.
        java: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder in which the build runs its tests cannot be entered.
    #[error("the tests run in `{}`, which cannot be used: {source}; build the project first or \
             correct the build's working directory", dir.display())]
    WorkingDir {
        /// The folder.
        dir: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A jar or folder of the class path cannot be read.
    #[error("the class path entry `{}` cannot be read: {source}; build the project again, or \
             correct the class path or the file's permissions", path.display())]
    ClassPathEntry {
        /// The entry.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A class path that the JVM would take apart at the wrong places.
    #[error("the class path entry `{}` holds a `:`, which java takes for a separator; move the \
             project to a folder without one", path.display())]
    ClassPathSeparator {
        /// The entry.
        path: PathBuf,
    },
    /// Our own files could not be written.
    #[error("could not write `{}`: {source}; free some space there, or set TMPDIR to a folder \
             with more room", path.display())]
    Scratch {
        /// Which file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The JVM ended before the runner inside it was ready.
    #[error("the JVM `{}` ended before it could run tests ({ending}); check the build's JVM \
             arguments{}", java.display(), said(output))]
    RunnerDied {
        /// The executable.
        java: PathBuf,
        /// Exit status or signal.
        ending: String,
        /// What it wrote.
        output: String,
    },
    /// The JVM started, but its runner never got ready.
    #[error("the JVM `{}` was not ready to run tests after {}s; if the machine is very busy, use \
             fewer jobs{}", java.display(), after.as_secs(), said(output))]
    RunnerSilent {
        /// The executable.
        java: PathBuf,
        /// How long was waited.
        after: Duration,
        /// What it wrote.
        output: String,
    },
    /// The runner itself failed.
    #[error("the runner failed while {activity}; this is a bug in residue or a framework version \
             it does not support, please report it:\n{}", failure.stack_trace())]
    RunnerFailed {
        /// What it was doing.
        activity: String,
        /// What was thrown.
        failure: Failure,
    },
    /// The runner said something the protocol does not allow.
    #[error(
        "{0}; something in the suite may write to file descriptors that are not its own, \
             otherwise please report this bug"
    )]
    Protocol(#[from] Malformed),
    /// The runner named a test in a way we cannot write down.
    #[error("the runner found a test whose name cannot be used: {0}; please report this bug")]
    UnusableTestName(#[from] BadTestId),
    /// The runner says it is done but left a test out.
    #[error("the runner ended without saying what became of `{test}`; please report this bug")]
    TestForgotten {
        /// The test.
        test: TestId,
    },
    /// The JVM ended while it was listing tests.
    #[error(
        "the JVM ended while listing tests ({ending}); a static initialiser, a `suite()` \
             method or a parameter source of the suite probably ends it{}",
        said(output)
    )]
    ListingDied {
        /// Exit status or signal.
        ending: String,
        /// What it wrote.
        output: String,
    },
    /// Listing took too long.
    #[error("listing the tests took longer than {}s and was given up; the thread dump below shows \
             which class was being asked{}", after.as_secs(), said(output))]
    ListingTimedOut {
        /// How long was waited.
        after: Duration,
        /// What it wrote, with a thread dump.
        output: String,
    },
    /// Something the operating system never should refuse.
    #[error(
        "could not {activity}: {source}; the machine may be out of memory, threads or open \
             files (see `ulimit -a`)"
    )]
    System {
        /// What was tried.
        activity: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// The tail of an error text: what the JVM wrote, if anything.
fn said(output: &str) -> String {
    match output.trim_end() {
        "" => String::new(),
        text => format!("; it wrote:\n{text}"),
    }
}

//! What the exit status says. Documented in `docs/reference.md`.

use std::process;

/// Why the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// Everything asked was done and nothing was found.
    Clean = 0,
    /// Everything asked was done, and an outcome depends on the order, or
    /// differed and is not explained yet; or there is pollution that the
    /// baseline does not have.
    Findings = 1,
    /// The arguments, an order file, a test or a run named in them is wrong.
    Usage = 2,
    /// The project cannot be built or has no tests.
    Project = 3,
    /// A tool that is needed is missing or does not start: JDK, Maven, Gradle.
    Environment = 4,
    /// The store cannot be read or written.
    Store = 5,
    /// Everything asked was done, and tests fail, whatever the order.
    Failures = 6,
    /// Stopped by Ctrl-C or a termination signal; what was finished is stored.
    Interrupted = 130,
}

impl From<ExitCode> for process::ExitCode {
    fn from(code: ExitCode) -> Self {
        // Every code above fits.
        Self::from(code as u8)
    }
}

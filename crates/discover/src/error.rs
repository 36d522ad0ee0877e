//! Everything that can keep a project's suites from being found.

use std::path::PathBuf;

/// Why a project's suites could not be found.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// The project folder is not a folder.
    #[error(
        "{} is not a project folder: {reason}\n  Give the folder that holds the project's pom.xml or Gradle build.",
        path.display()
    )]
    NotAFolder {
        /// What was given.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// No build that residue knows.
    #[error(
        "no build found in {}: there is no pom.xml, settings.gradle(.kts) or build.gradle(.kts)\n  Give the project's folder, or the class path by hand with --classpath and --test-classes.",
        project.display()
    )]
    NoBuildFile {
        /// Where it was looked for.
        project: PathBuf,
    },
    /// The build tool is not installed.
    #[error(
        "{} needs {tool} and neither {wrapper} nor `{command}` on the PATH could be started: {reason}\n  Install it (Debian/Ubuntu: apt-get install {package}) or add the project's wrapper.",
        project.display()
    )]
    BuildToolMissing {
        /// The project.
        project: PathBuf,
        /// `Maven` or `Gradle`.
        tool: &'static str,
        /// The wrapper script that would do too.
        wrapper: &'static str,
        /// The command that was tried.
        command: &'static str,
        /// Debian package that has it.
        package: &'static str,
        /// What the system said.
        reason: String,
    },
    /// There is no JDK, or only a JRE.
    #[error(
        "no JDK found: {reason}\n  Install one (Debian/Ubuntu: apt-get install openjdk-17-jdk-headless) and set JAVA_HOME to it."
    )]
    NoJdk {
        /// Where it was looked for and what was found.
        reason: String,
    },
    /// The build did not get as far as the tests.
    #[error(
        "the build of {} failed before its tests: `{command}` ended with {status}\n{output}\n  Make that command succeed first; options it needs can be given with --build-arg.",
        project.display()
    )]
    BuildFailed {
        /// The folder it was started in.
        project: PathBuf,
        /// The command as one could type it.
        command: String,
        /// How it ended.
        status: String,
        /// Its error lines, or its last lines when it marked none.
        output: String,
    },
    /// The probe inside the build tool wrote something unexpected.
    #[error(
        "{tool} ran, but what residue's probe inside it reported cannot be read: {reason}\n  This is a bug in residue or an unsupported version of {tool}; please report it with the version."
    )]
    ProbeOutput {
        /// `Maven` or `Gradle`.
        tool: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A class path entry is missing or unreadable.
    #[error(
        "the class path of suite `{suite}` has an entry that cannot be read: {}: {reason}\n  Build the project again, or take the entry off the class path.",
        entry.display()
    )]
    ClassPathEntry {
        /// The suite.
        suite: String,
        /// The entry.
        entry: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The build has no test classes.
    #[error("no tests found in {}{}\n  Check that the build runs tests there and does not skip them.", project.display(), indented(warnings))]
    NoTests {
        /// The project.
        project: PathBuf,
        /// What else was noticed.
        warnings: Vec<String>,
    },
    /// Modules that were asked for are not there or have no tests.
    #[error(
        "no module of {} with tests is called `{module}`; there are: {}",
        project.display(),
        known.join(", ")
    )]
    UnknownModule {
        /// The project.
        project: PathBuf,
        /// The module that was asked for.
        module: String,
        /// Modules that have tests.
        known: Vec<String>,
    },
    /// A value in the build's settings makes no sense.
    #[error("{setting} of {} cannot be used: {reason}\n  Correct it in the build: `{value}`", project.display())]
    BadSetting {
        /// The module.
        project: PathBuf,
        /// Which setting.
        setting: &'static str,
        /// Its value.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of residue's own could not be written or read.
    #[error("cannot use {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

fn indented(warnings: &[String]) -> String {
    warnings.iter().map(|warning| format!("\n  {warning}")).collect()
}

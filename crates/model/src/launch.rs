//! How the project's own build would start its tests.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What kind of build a project has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BuildTool {
    /// A folder with a `pom.xml`.
    Maven,
    /// A folder with a Gradle build.
    Gradle,
    /// A class path given by hand.
    Plain,
}

/// A project and the suites its build runs: one per module and test execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// The folder that was asked for.
    pub root: PathBuf,
    /// Who builds it.
    pub build_tool: BuildTool,
    /// Suites in build order. A suite without test classes is left out.
    pub suites: Vec<SuiteSpec>,
}

/// One suite before its tests are listed: a JVM recipe and a class selection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteSpec {
    /// Unique in the project and stable: the module's path below the root
    /// (`.` for the root itself), with `@execution` when a module has several.
    pub name: String,
    /// How to start the JVM.
    pub launch: LaunchSpec,
    /// Which tests to look for.
    pub selection: Selection,
    /// Whether Maven runs it with a Surefire that can be told on the command
    /// line in which order.
    pub surefire_takes_orders: bool,
    /// Whether the build starts a JVM for each class, so that only tests of one
    /// class ever share one.
    pub jvm_per_class: bool,
}

/// The JVM as the build would start it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// The `java` executable.
    pub java: PathBuf,
    /// Jars and folders, in order.
    pub class_path: Vec<PathBuf>,
    /// Arguments for the JVM itself (`-Xmx…`, `-D…`, `--add-opens …`).
    pub jvm_args: Vec<String>,
    /// Properties the build sets inside the running JVM before the first test,
    /// as Surefire does: later than `-D`, so the VM's own start never sees them.
    pub system_properties: Vec<(String, String)>,
    /// Changes to the inherited environment; `None` removes a variable.
    pub environment: Vec<(String, Option<String>)>,
    /// Working directory of the JVM.
    pub working_dir: PathBuf,
}

/// Which classes and tests belong to the suite.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// Binary names of candidate classes in the build's order. Classes without
    /// tests among them are no error.
    pub classes: Vec<String>,
    /// Groups, tags or categories to include, in the build tool's syntax.
    pub groups: Option<String>,
    /// Groups, tags or categories to leave out.
    pub excluded_groups: Option<String>,
    /// Who runs the tests, as far as the build says.
    pub provider: Provider,
    /// Configuration parameters for the JUnit Platform.
    pub platform_parameters: Vec<(String, String)>,
    /// Classes of listeners that the build adds to JUnit 4 or TestNG.
    #[serde(default)]
    pub listeners: Vec<String>,
    /// TestNG suite files that replace the class selection.
    pub testng_suites: Vec<PathBuf>,
}

/// Which framework adapters may run tests of a suite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Whatever the class path offers, as Surefire chooses: TestNG and the
    /// JUnit Platform when present; JUnit 3 and 4 unless the Platform is there
    /// without its Vintage engine.
    #[default]
    Auto,
    /// JUnit 3 and 4 only.
    JUnit4,
    /// The JUnit Platform, and JUnit 3 and 4 when Vintage is present.
    Platform,
    /// TestNG, and JUnit tests that TestNG would run.
    TestNg,
}

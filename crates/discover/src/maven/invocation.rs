//! Starting Maven with the probe.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use tempfile::TempDir;

use super::{MavenRun, recipe};
use crate::build_output::{BuildOutput, shown};
use crate::{DiscoverError, DiscoverRequest, wrapper};

/// Where Maven is started and which modules it looks at.
pub(super) struct Scope {
    folder: PathBuf,
    arguments: Vec<String>,
}

impl Scope {
    /// The build in `root`, or some of its modules and what they need.
    pub(super) fn of_modules(root: &Path, modules: &[String]) -> Self {
        let arguments = match modules {
            [] => vec![],
            some => vec!["-pl".into(), some.join(","), "-am".into()],
        };
        Self { folder: root.to_path_buf(), arguments }
    }

    /// One module of the build in `reactor`, and what it needs.
    pub(super) fn of_module_in(reactor: &Path, module: &Path) -> Self {
        let below = module.strip_prefix(reactor).unwrap_or(module).display().to_string();
        let arguments = match super::reactor::modules(&module.join("pom.xml")) {
            modules if modules.is_empty() => vec!["-pl".into(), below, "-am".into()],
            // Naming an aggregator leaves its modules out, so all are built.
            _ => vec![],
        };
        Self { folder: reactor.to_path_buf(), arguments }
    }
}

/// A Maven to start, with the probe ready for it.
pub(super) struct Maven<'a> {
    request: &'a DiscoverRequest,
    wrapper: Option<PathBuf>,
    scratch: TempDir,
    /// What the user should know about the choice of Maven.
    pub(super) warnings: Vec<String>,
}

impl<'a> Maven<'a> {
    pub(super) fn new(request: &'a DiscoverRequest, root: &Path) -> Result<Self, DiscoverError> {
        let scratch = TempDir::with_prefix("residue-maven-")
            .map_err(|source| DiscoverError::Io { path: std::env::temp_dir(), source })?;
        let jar = scratch.path().join("probe.jar");
        fs::write(&jar, residue_java::MAVEN_PROBE_JAR)
            .map_err(|source| DiscoverError::Io { path: jar, source })?;
        let wrapper = wrapper::find(root, "mvnw");
        Ok(Self { request, wrapper, scratch, warnings: Vec::new() })
    }

    /// Runs the build up to the tests. The project's wrapper is preferred; one
    /// that cannot get its Maven gives way to the `mvn` of the search path.
    pub(super) fn test(
        &mut self,
        scope: &Scope,
        progress: &mut dyn FnMut(&str),
    ) -> Result<MavenRun, DiscoverError> {
        if let Some(script) = &self.wrapper {
            let reason = match self.start(wrapper::command(script), scope, progress) {
                Ok(run) if reached_maven(&run) => return Ok(run),
                Ok(run) => run.output.excerpt(|_| None),
                Err(error) => error.to_string(),
            };
            self.warnings.push(wrapper::warning(script, "mvn", &reason));
            self.wrapper = None;
        }
        self.start(Command::new("mvn"), scope, progress).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => {
                DiscoverError::ProbeOutput { tool: "Maven", reason: error.to_string() }
            }
            _ => DiscoverError::BuildToolMissing {
                project: scope.folder.clone(),
                tool: "Maven",
                wrapper: "./mvnw",
                command: "mvn",
                package: "maven",
                reason: error.to_string(),
            },
        })
    }

    fn start(
        &self,
        mut command: Command,
        scope: &Scope,
        progress: &mut dyn FnMut(&str),
    ) -> io::Result<MavenRun> {
        let documents = self.scratch.path().join("surefire.jsonl");
        let _ = fs::remove_file(&documents);
        // Goes on after a failed module, so that the others are not lost.
        command.current_dir(&scope.folder).args(["-B", "-fae"]);
        command.args(self.request.offline.then_some("-o"));
        command.args(&scope.arguments).args(&self.request.build_args);
        command.arg("test");
        if let Some(home) = &self.request.java_home {
            command.env("JAVA_HOME", home);
        }
        // What the user could type does not need the probe.
        let typed = shown(&command);
        command.arg(format!(
            "-Dmaven.ext.class.path={}",
            self.scratch.path().join("probe.jar").display()
        ));
        command.arg(format!("-Dresidue.probe.out={}", documents.display()));
        progress(&format!("asking Maven: {typed}"));
        let output = BuildOutput::of(command, &mut |line| {
            if let Some(step) = step(line) {
                progress(step);
            }
        })?;
        let documents = match fs::read_to_string(&documents) {
            Ok(text) => recipe::parse(&text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        Ok(MavenRun { folder: scope.folder.clone(), command: typed, output, documents })
    }
}

/// Maven marks its lines; a wrapper that fails to download Maven does not.
fn reached_maven(run: &MavenRun) -> bool {
    let marks = ["[INFO] Scanning", "[INFO] BUILD", "[ERROR]", "[FATAL]"];
    run.output.status.success() || marks.iter().any(|mark| run.output.contains(mark))
}

/// The part of a line of Maven's log that tells where it is. Downloads are
/// hundreds of lines, and the step they belong to has been told.
fn step(line: &str) -> Option<&str> {
    let text = line.strip_prefix("[INFO] ").unwrap_or(line);
    let told = text.starts_with("Building ") || text.starts_with("Compiling ");
    told.then_some(text)
}

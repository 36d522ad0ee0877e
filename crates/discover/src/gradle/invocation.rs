//! Starting Gradle with the init script.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use tempfile::TempDir;

use super::recipe::Document;
use crate::build_output::{BuildOutput, shown};
use crate::{DiscoverError, DiscoverRequest, wrapper};

const INIT_SCRIPT: &str = include_str!("probe.init.gradle");

/// A Gradle to start, with the probe ready for it.
pub(super) struct Gradle<'a> {
    request: &'a DiscoverRequest,
    root: &'a Path,
    scratch: TempDir,
    /// What the user should know about the choice of Gradle.
    pub(super) warnings: Vec<String>,
}

/// One run of Gradle.
pub(super) struct GradleRun {
    pub(super) command: String,
    pub(super) output: BuildOutput,
    pub(super) documents: Vec<Document>,
}

impl<'a> Gradle<'a> {
    pub(super) fn new(request: &'a DiscoverRequest, root: &'a Path) -> Result<Self, DiscoverError> {
        let scratch = TempDir::with_prefix("residue-gradle-")
            .map_err(|source| DiscoverError::Io { path: std::env::temp_dir(), source })?;
        let script = scratch.path().join("probe.gradle");
        fs::write(&script, INIT_SCRIPT)
            .map_err(|source| DiscoverError::Io { path: script, source })?;
        Ok(Self { request, root, scratch, warnings: Vec::new() })
    }

    /// Runs the probe. The project's wrapper is preferred; one that cannot get
    /// its Gradle gives way to the `gradle` of the search path.
    pub(super) fn probe(
        &mut self,
        progress: &mut dyn FnMut(&str),
    ) -> Result<GradleRun, DiscoverError> {
        if let Some(script) = wrapper::find(self.root, "gradlew") {
            let reason = match self.start(wrapper::command(&script), progress) {
                Ok(run) if reached_gradle(&run) => return Ok(run),
                Ok(run) => run.output.excerpt(|_| None),
                Err(error) => error.to_string(),
            };
            self.warnings.push(wrapper::warning(&script, "gradle", &reason));
        }
        self.start(Command::new("gradle"), progress).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => {
                DiscoverError::ProbeOutput { tool: "Gradle", reason: error.to_string() }
            }
            _ => DiscoverError::BuildToolMissing {
                project: self.root.to_path_buf(),
                tool: "Gradle",
                wrapper: "./gradlew",
                command: "gradle",
                package: "gradle",
                reason: error.to_string(),
            },
        })
    }

    fn start(&self, mut command: Command, progress: &mut dyn FnMut(&str)) -> io::Result<GradleRun> {
        let documents = self.scratch.path().join("tests");
        let _ = fs::remove_dir_all(&documents);
        command.current_dir(self.root).args(["--console=plain", "--continue"]);
        command.args(self.request.offline.then_some("--offline"));
        command.args(&self.request.build_args);
        if let Some(home) = &self.request.java_home {
            command.env("JAVA_HOME", home);
        }
        // What the user could type to see the same failure.
        let typed = format!("{} testClasses", shown(&command));
        command.arg("--init-script").arg(self.scratch.path().join("probe.gradle"));
        command.arg(format!("-Dresidue.probe.out={}", documents.display()));
        // The probe looks at live tasks. Given as properties, since versions
        // without this cache do not know the option that switches it off.
        command.arg("-Dorg.gradle.configuration-cache=false");
        command.arg("-Dorg.gradle.unsafe.configuration-cache=false");
        command.arg("residueProbeTests");
        progress(&format!("asking Gradle: {typed}"));
        let output = BuildOutput::of(command, &mut |line| {
            let step = line.strip_prefix("> Task ").unwrap_or(line);
            if step.starts_with(':') || step.starts_with("Download") {
                progress(step);
            }
        })?;
        Ok(GradleRun { command: typed, output, documents: read_all(&documents)? })
    }
}

fn read_all(folder: &Path) -> io::Result<Vec<Document>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let paths: io::Result<Vec<PathBuf>> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect();
    paths?
        .iter()
        .map(|path| serde_json::from_slice(&fs::read(path)?).map_err(io::Error::from))
        .collect()
}

/// A wrapper that fails to download Gradle never gets to a verdict on the build.
fn reached_gradle(run: &GradleRun) -> bool {
    run.output.status.success()
        || run.output.contains("FAILURE: Build")
        || run.output.contains("BUILD FAILED")
}

//! A run of the agent with the walk over the heap beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use residue_heap_checker::changes::Changes;
use residue_model::trace::Trace;
use residue_store::Store;
use residue_wire::trace::TraceReader;
use serde_json::Value;

/// What the walk looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Walk {
    /// What has changed, for `residue trace`.
    Changes,
    /// What is not the same as a whole either, for `residue polluters`.
    Left,
}

impl Walk {
    /// What stands behind the folder in the options of the library.
    fn option(self) -> &'static str {
        if self == Self::Left { ",left" } else { "" }
    }

    /// Where the command's document has its runs.
    fn runs(self) -> &'static str {
        if self == Self::Left { "suites" } else { "traces" }
    }
}

/// One suite, as the agent saw it and as the walk did.
#[derive(Debug)]
pub(crate) struct WalkedRun {
    pub(crate) suite: String,
    pub(crate) trace: Trace,
    pub(crate) changes: Changes,
}

/// Runs a command of residue on a project with the walk in its JVMs.
pub(crate) fn walk(
    mut command: Command,
    project: &Path,
    walk: Walk,
) -> Result<Vec<WalkedRun>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let (library, into, option) = (library()?, folder.path().display(), walk.option());
    // The walk cannot tell what the JDK's machinery has done for itself.
    let options = format!("-Dresidue.tell=all \"-agentpath:{}={into}{option}\"", library.display());
    command.env("JDK_JAVA_OPTIONS", options);
    let output = command
        .args(["--fresh", "--json", "-"])
        .output()
        .map_err(|error| format!("residue cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("residue ended with {}: {said}", output.status));
    }
    let document: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("what residue said cannot be read: {error}"))?;
    let runs = document[walk.runs()].as_array().map_or(&[][..], Vec::as_slice);
    let files = files_by_age(folder.path())?;
    if runs.len() != files.len() {
        let (runs, files) = (runs.len(), files.len());
        return Err(format!("{runs} runs were traced, but {files} were walked"));
    }
    let store = Store::open(&project.join(".residue")).map_err(|error| error.to_string())?;
    runs.iter().zip(&files).map(|(run, file)| read(&store, run, file)).collect()
}

/// The library that cargo has built for this program.
fn library() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let file = "libresidue_heap_checker.so";
    let near = program.ancestors().skip(1).take(2);
    let candidates = near.flat_map(|folder| [folder.join(file), folder.join("deps").join(file)]);
    let mut found = candidates.filter(|library| library.is_file());
    found.next().ok_or_else(|| format!("{file} is not beside {}", program.display()))
}

/// JVMs run one after another, so the oldest file is of the first suite.
fn files_by_age(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut files: Vec<_> = entries
        .flatten()
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

fn read(store: &Store, run: &Value, file: &Path) -> Result<WalkedRun, String> {
    let suite = run["suite"].as_str().unwrap_or_default().to_owned();
    let number = run["run"].as_str().unwrap_or_default();
    let number = number.parse().map_err(|_| format!("`{number}` is no number of a run"))?;
    let record = store.load(number).map_err(|error| error.to_string())?;
    let stored = store.load_trace(number).map_err(|error| error.to_string())?;
    let trace = TraceReader::new(&stored.file)
        .with_property_table()
        .read(record.order.tests())
        .map_err(|error| error.to_string())?;
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let changes = Changes::read(&text).map_err(|error| error.to_string())?;
    Ok(WalkedRun { suite, trace, changes })
}

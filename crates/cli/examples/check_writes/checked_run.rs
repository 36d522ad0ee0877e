//! A traced run with the walk over the heap beside it, and how the two compare.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use residue_heap_checker::changes::Changes;
use residue_heap_checker::comparison::Comparison;
use residue_store::Store;
use residue_wire::trace::TraceReader;
use serde_json::Value;

/// One suite.
#[derive(Debug)]
pub(crate) struct CheckedRun {
    pub(crate) suite: String,
    pub(crate) tests: usize,
    pub(crate) comparison: Comparison,
}

/// Runs `residue trace …` on a project with the walk in its JVMs.
pub(crate) fn check(mut trace: Command, project: &Path) -> Result<Vec<CheckedRun>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let walk = format!("\"-agentpath:{}={}\"", library()?.display(), folder.path().display());
    trace.env("JDK_JAVA_OPTIONS", walk);
    let output = trace
        .args(["--fresh", "--json", "-"])
        .output()
        .map_err(|error| format!("residue cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("residue ended with {}: {said}", output.status));
    }
    let document: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("what residue said cannot be read: {error}"))?;
    let traces = document["traces"].as_array().map_or(&[][..], Vec::as_slice);
    let files = files_by_age(folder.path())?;
    if traces.len() != files.len() {
        let (traces, files) = (traces.len(), files.len());
        return Err(format!("{traces} runs were traced, but {files} were walked"));
    }
    let store = Store::open(&project.join(".residue")).map_err(|error| error.to_string())?;
    traces.iter().zip(&files).map(|(trace, file)| compare(&store, trace, file)).collect()
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

fn compare(store: &Store, trace: &Value, file: &Path) -> Result<CheckedRun, String> {
    let run = trace["run"].as_str().unwrap_or_default();
    let run = run.parse().map_err(|_| format!("`{run}` is no number of a run"))?;
    let record = store.load(run).map_err(|error| error.to_string())?;
    let stored = store.load_trace(run).map_err(|error| error.to_string())?;
    let trace_of_run = TraceReader::new(&stored.file)
        .read(record.order.tests())
        .map_err(|error| error.to_string())?;
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let changes = Changes::read(&text).map_err(|error| error.to_string())?;
    Ok(CheckedRun {
        suite: trace["suite"].as_str().unwrap_or_default().to_owned(),
        tests: record.order.len(),
        comparison: Comparison::of(&trace_of_run, &changes),
    })
}

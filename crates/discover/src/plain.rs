//! A class path given by hand.

use std::path::{Path, PathBuf};

use residue_model::{BuildTool, LaunchSpec, Project, Selection, SuiteSpec};

use crate::class_folder::{FoundClass, classes};
use crate::{Answer, DiscoverError, DiscoverRequest, Discovered, PlainClassPath, jdk, readable};

const SUITE: &str = ".";

pub(crate) fn discover(
    request: &DiscoverRequest,
    given: &PlainClassPath,
    root: &Path,
) -> Result<Answer, DiscoverError> {
    let folders = readable_all(root, &given.test_classes)?;
    let mut class_path = readable_all(root, &given.class_path)?;
    let off_the_path = |folder: &&PathBuf| !class_path.contains(folder);
    let added: Vec<PathBuf> = folders.iter().filter(off_the_path).cloned().collect();
    class_path.splice(0..0, added);

    let mut candidates = Vec::new();
    for folder in &folders {
        let found = classes(folder).map_err(|error| unreadable(folder, &error))?;
        // Frameworks reach nested classes through the class around them.
        candidates.extend(found.into_iter().filter(|class| !class.looks_nested()));
    }
    candidates.sort();
    let mut candidates: Vec<String> =
        candidates.into_iter().map(|FoundClass { name, .. }| name).collect();
    candidates.dedup();

    let suites = if candidates.is_empty() {
        vec![]
    } else {
        vec![SuiteSpec {
            name: SUITE.into(),
            launch: LaunchSpec {
                java: jdk::java(request.java_home.as_deref())?,
                class_path,
                jvm_args: vec!["-ea".into()],
                system_properties: vec![],
                environment: vec![],
                working_dir: root.to_path_buf(),
            },
            selection: Selection { classes: candidates, ..Selection::default() },
            surefire_takes_orders: false,
            jvm_per_class: false,
        }]
    };
    let project = Project { root: root.to_path_buf(), build_tool: BuildTool::Plain, suites };
    Ok(Answer { discovered: Discovered { project, warnings: vec![] }, complete: true })
}

/// Entries made absolute. Given by hand, each of them has to be there.
fn readable_all(root: &Path, entries: &[PathBuf]) -> Result<Vec<PathBuf>, DiscoverError> {
    let base = std::env::current_dir().unwrap_or_else(|_| root.to_path_buf());
    let check = |entry: &PathBuf| {
        let entry = base.join(entry);
        readable(&entry).map_err(|error| unreadable(&entry, &error))?;
        Ok(entry)
    };
    entries.iter().filter(|entry| !entry.as_os_str().is_empty()).map(check).collect()
}

fn unreadable(entry: &Path, error: &std::io::Error) -> DiscoverError {
    DiscoverError::ClassPathEntry {
        suite: SUITE.into(),
        entry: entry.to_path_buf(),
        reason: error.to_string(),
    }
}

//! Small real projects in temporary folders.
#![allow(dead_code, clippy::unwrap_used)] // helpers of tests; each program uses its own part

use std::fs;
use std::path::{Path, PathBuf};

use residue_discover::{DiscoverError, DiscoverRequest, Discovered, discover};
use residue_model::SuiteSpec;
use tempfile::TempDir;

/// A project in a folder of its own.
pub(crate) struct TestProject {
    dir: TempDir,
}

impl TestProject {
    pub(crate) fn new() -> Self {
        Self { dir: TempDir::with_prefix("residue-discover-test-").unwrap() }
    }

    /// The folder as discovery names it.
    pub(crate) fn root(&self) -> PathBuf {
        fs::canonicalize(self.dir.path()).unwrap()
    }

    pub(crate) fn file(self, path: &str, text: &str) -> Self {
        self.write(path, text);
        self
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn request(&self) -> DiscoverRequest {
        DiscoverRequest { project: self.dir.path().into(), ..DiscoverRequest::default() }
    }

    pub(crate) fn discover(&self) -> Result<Discovered, DiscoverError> {
        discover(&self.request(), &mut |_| {})
    }
}

/// A class with one JUnit 4 test.
pub(crate) fn junit4_class(package: &str, name: &str) -> String {
    format!("package {package}; public class {name} {{ @org.junit.Test public void works() {{}} }}")
}

pub(crate) fn names(suites: &[SuiteSpec]) -> Vec<&str> {
    suites.iter().map(|suite| suite.name.as_str()).collect()
}

pub(crate) fn sorted_classes(suite: &SuiteSpec) -> Vec<&str> {
    let mut classes: Vec<_> = suite.selection.classes.iter().map(String::as_str).collect();
    classes.sort_unstable();
    classes
}

pub(crate) fn has_jar(suite: &SuiteSpec, prefix: &str) -> bool {
    let starts = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
    };
    suite.launch.class_path.iter().any(starts)
}

pub(crate) fn property<'a>(suite: &'a SuiteSpec, key: &str) -> Option<&'a str> {
    let found = suite.launch.system_properties.iter().find(|(name, _)| name == key);
    found.map(|(_, value)| value.as_str())
}

pub(crate) fn variable<'a>(suite: &'a SuiteSpec, name: &str) -> Option<Option<&'a str>> {
    let found = suite.launch.environment.iter().find(|(set, _)| set == name);
    found.map(|(_, value)| value.as_deref())
}

pub(crate) fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o111 != 0)
}

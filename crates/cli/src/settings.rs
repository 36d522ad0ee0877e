//! What a project says in its `residue.toml`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Name of the file, in the project's folder.
const FILE: &str = "residue.toml";

/// The whole file. Every part may be missing, and so may the file.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    #[serde(default)]
    pub build: BuildSettings,
    #[serde(default)]
    pub trace: TraceSettings,
}

/// `[build]`
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildSettings {
    /// Arguments that Maven or Gradle always needs.
    #[serde(default)]
    pub args: Vec<String>,
}

/// `[trace]`
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceSettings {
    /// Patterns of state that is not tracked.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Patterns of state that is tracked although the defaults ignore it.
    #[serde(default)]
    pub track: Vec<String>,
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("cannot read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{} is not as it should be (docs/reference.md lists what it may hold):\n{source}", path.display())]
    Malformed { path: PathBuf, source: Box<toml::de::Error> },
}

impl Settings {
    /// Reads the settings of the project in this folder.
    pub fn read(project: &Path) -> Result<Self, SettingsError> {
        let path = project.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text)
                .map_err(|source| SettingsError::Malformed { path, source: Box::new(source) }),
            Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(SettingsError::Unreadable { path, source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, SettingsError> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), text).unwrap();
        Settings::read(folder.path())
    }

    #[test]
    fn a_project_without_the_file_has_no_settings() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Settings::read(folder.path()).unwrap(), Settings::default());
    }

    #[test]
    fn patterns_are_taken_as_written() {
        let settings = read("[trace]\nignore = [\"com.acme.metrics.*\"]\n").unwrap();
        assert_eq!(settings.trace.ignore, ["com.acme.metrics.*"]);
        assert!(settings.trace.track.is_empty());
    }

    #[test]
    fn arguments_of_the_build_are_taken_as_written() {
        let settings = read("[build]\nargs = [\"-Pfast\", \"-Dname=a b\"]\n").unwrap();
        assert_eq!(settings.build.args, ["-Pfast", "-Dname=a b"]);
    }

    #[test]
    fn a_word_nobody_knows_is_named_with_its_line() {
        let error = read("[trace]\nignored = []\n").unwrap_err().to_string();
        assert!(error.contains("residue.toml"), "{error}");
        assert!(error.contains("line 2") && error.contains("ignored"), "{error}");
    }
}

//! The `java` for suites whose build does not name one.

use std::env;
use std::path::{Path, PathBuf};

use crate::DiscoverError;

/// `bin/java` of the JDK asked for, else of `JAVA_HOME`, else the one on the
/// search path.
pub(crate) fn java(asked_for: Option<&Path>) -> Result<PathBuf, DiscoverError> {
    if let Some(home) = asked_for {
        return in_home(home).ok_or_else(|| DiscoverError::NoJdk {
            reason: format!("{} has no bin/java", home.display()),
        });
    }
    let java_home = env::var_os("JAVA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    java_home.as_deref().and_then(in_home).or_else(|| on_search_path("java")).ok_or_else(|| {
        let looked_in_home = match java_home {
            Some(home) => format!("JAVA_HOME ({}) has no bin/java", home.display()),
            None => "JAVA_HOME is not set".to_owned(),
        };
        DiscoverError::NoJdk {
            reason: format!("{looked_in_home} and there is no java on the PATH"),
        }
    })
}

fn in_home(home: &Path) -> Option<PathBuf> {
    Some(home.join("bin").join("java")).filter(|java| java.is_file())
}

/// The first file of that name in the folders of `PATH`.
pub(crate) fn on_search_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_without_java_is_named() {
        let empty = tempfile::tempdir().unwrap();
        let error = java(Some(empty.path())).unwrap_err().to_string();
        assert!(error.contains(&empty.path().display().to_string()), "{error}");
        assert!(error.contains("JAVA_HOME"), "{error}");
    }
}

//! Which Java this is, without starting it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ExecError;

/// A JDK as its `release` file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Jdk {
    /// The executable, wherever the JVM is to run: with a full path, but with
    /// links as they are, since a wrapper may care under which name it is
    /// called.
    pub(super) java: PathBuf,
    /// 8, 11, 17 ...; 8 if nothing tells, since it has the fewest options.
    pub(super) feature: u32,
    /// Whether it is HotSpot, whose options we know.
    pub(super) hotspot: bool,
    /// Changes when the JDK is replaced by another.
    pub(super) identity: String,
}

impl Jdk {
    pub(super) fn of(java: &Path) -> Result<Self, ExecError> {
        let missing = || ExecError::JavaMissing { java: java.into() };
        let found = find(java).ok_or_else(missing)?;
        let executable = fs::canonicalize(&found).map_err(|_| missing())?;
        // `bin/java` of the JDK, or `jre/bin/java` inside an old one.
        let release = executable
            .ancestors()
            .skip(2)
            .take(2)
            .find_map(|home| fs::read_to_string(home.join("release")).ok());
        let described = release.as_deref().map_or(Self::unknown(), Self::parse);
        let identity = format!("{}\n{}", executable.display(), described.identity);
        Ok(Self { java: found, identity, ..described })
    }

    fn unknown() -> Self {
        Self { java: PathBuf::new(), feature: 8, hotspot: false, identity: String::new() }
    }

    fn parse(release: &str) -> Self {
        let value = |name: &str| {
            release
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
                .map(|value| value.trim().trim_matches('"'))
        };
        let Some(version) = value("JAVA_VERSION") else { return Self::unknown() };
        let mut numbers = version.split(['.', '-', '_', '+']).map_while(|part| part.parse().ok());
        let feature = match (numbers.next(), numbers.next()) {
            (Some(1), Some(feature)) | (Some(feature), _) => feature,
            _ => 8,
        };
        // Only other VMs name themselves in every version.
        let hotspot = value("JVM_VARIANT").is_none_or(|variant| {
            ["hotspot", "server", "client"].contains(&variant.to_lowercase().as_str())
        });
        Self { feature, hotspot, identity: release.to_owned(), ..Self::unknown() }
    }
}

/// A bare name is looked up in PATH.
fn find(java: &Path) -> Option<PathBuf> {
    if java.components().count() > 1 {
        return std::path::absolute(java).ok().filter(|found| found.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter_map(|folder| std::path::absolute(folder.join(java)).ok())
        .find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_old_and_new_are_understood() {
        let feature = |version: &str| Jdk::parse(&format!("JAVA_VERSION=\"{version}\"\n")).feature;
        assert_eq!(feature("1.8.0_412"), 8);
        assert_eq!(feature("11.0.22"), 11);
        assert_eq!(feature("25"), 25);
        assert_eq!(feature("26-ea"), 26);
    }

    #[test]
    fn another_vm_gets_none_of_our_options() {
        assert!(!Jdk::parse("JAVA_VERSION=\"17\"\nJVM_VARIANT=\"Openj9\"\n").hotspot);
        assert!(Jdk::parse("JAVA_VERSION=\"17\"\nJVM_VARIANT=\"Hotspot\"\n").hotspot);
        assert!(!Jdk::parse("nothing of use").hotspot);
    }

    #[test]
    fn a_java_that_is_not_there_is_named() {
        let error = Jdk::of(Path::new("/no/such/java")).unwrap_err();
        assert!(error.to_string().contains("/no/such/java"), "{error}");
    }
}

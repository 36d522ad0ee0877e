//! Which JDK a `java` executable belongs to.

use std::fs;
use std::path::Path;

use super::FingerprintError;

/// The content of the JDK's `release` file, which names its vendor, version and
/// build. A JDK without one is known by its launcher.
pub(super) fn identity(java: &Path) -> Result<String, FingerprintError> {
    let unknown = |source| FingerprintError::UnknownJdk { java: java.to_path_buf(), source };
    // Alternatives and version managers link to the real place.
    let launcher = java.canonicalize().map_err(unknown)?;
    // `bin/java` of a JDK; one folder deeper in the `jre` of JDK 8.
    let release = launcher
        .ancestors()
        .skip(2)
        .take(2)
        .find_map(|home| fs::read_to_string(home.join("release")).ok());
    match release {
        Some(release) => Ok(release),
        None => {
            let content = fs::read(&launcher).map_err(unknown)?;
            Ok(format!("{} {}", launcher.display(), blake3::hash(&content).to_hex()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_file_is_found_through_links_and_above_a_jre() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("jdk8");
        fs::create_dir_all(home.join("jre/bin")).unwrap();
        fs::write(home.join("jre/bin/java"), "launcher").unwrap();
        fs::write(home.join("release"), "JAVA_VERSION=1.8").unwrap();
        let link = folder.path().join("java");
        std::os::unix::fs::symlink(home.join("jre/bin/java"), &link).unwrap();
        assert_eq!(identity(&link).unwrap(), "JAVA_VERSION=1.8");
    }

    #[test]
    fn a_jdk_without_a_release_file_is_known_by_its_launcher() {
        let folder = tempfile::tempdir().unwrap();
        let java = folder.path().join("home/bin/java");
        fs::create_dir_all(java.parent().unwrap()).unwrap();
        fs::write(&java, "one").unwrap();
        let before = identity(&java).unwrap();
        fs::write(&java, "two").unwrap();
        assert_ne!(identity(&java).unwrap(), before);
    }

    #[test]
    fn a_missing_jdk_is_named() {
        let error = identity(Path::new("/no/such/bin/java")).unwrap_err();
        assert!(error.to_string().contains("/no/such/bin/java"), "{error}");
    }
}

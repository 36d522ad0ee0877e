//! Framework jars by their Maven coordinates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// JUnit 4 with what it needs.
pub const JUNIT4: &[&str] = &["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"];

/// JUnit 5 with its launcher and what they need.
pub const JUNIT5: &[&str] = &[
    "org.junit.jupiter:junit-jupiter-api:5.11.4",
    "org.junit.jupiter:junit-jupiter-engine:5.11.4",
    "org.junit.jupiter:junit-jupiter-params:5.11.4",
    "org.junit.platform:junit-platform-launcher:1.11.4",
    "org.junit.platform:junit-platform-engine:1.11.4",
    "org.junit.platform:junit-platform-commons:1.11.4",
    "org.opentest4j:opentest4j:1.3.0",
    "org.apiguardian:apiguardian-api:1.1.2",
];

/// Maven cannot be trusted to share its repository with itself.
static ONE_MAVEN: Mutex<()> = Mutex::new(());

/// The jar with these coordinates (`group:artifact:version`), fetched by Maven
/// once and kept in `target/fixture-libs`.
///
/// # Panics
/// If Maven cannot get it.
pub fn jar(coordinates: &str) -> PathBuf {
    let parts: Vec<&str> = coordinates.split(':').collect();
    let &[_, artifact, version] = parts.as_slice() else {
        panic!("`{coordinates}` is not group:artifact:version");
    };
    let folder = target_folder().join("fixture-libs").join(coordinates.replace(':', "+"));
    let jar = folder.join(format!("{artifact}-{version}.jar"));
    let _guard = ONE_MAVEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if !jar.is_file() {
        fetch(coordinates, &folder);
        assert!(jar.is_file(), "maven did not bring {}", jar.display());
    }
    jar
}

fn fetch(coordinates: &str, folder: &Path) {
    let parent = folder.parent().expect("a folder below target");
    fs::create_dir_all(parent).expect("target can be written");
    let fresh = tempfile::tempdir_in(parent).expect("target can be written");
    let mut command = Command::new("mvn");
    command.args(["-q", "-B", "dependency:copy"]);
    command.arg(format!("-Dartifact={coordinates}"));
    command.arg(format!("-DoutputDirectory={}", fresh.path().display()));
    command.current_dir(fresh.path());
    let output = command.output().expect("tests need Maven (mvn) to fetch test frameworks");
    assert!(
        output.status.success(),
        "mvn could not fetch {coordinates}:\n{}",
        String::from_utf8_lossy(&output.stdout)
    );
    // Another process may have been quicker, which is as good.
    let _ = fs::rename(fresh.path(), folder);
}

pub(crate) fn target_folder() -> PathBuf {
    let default = || workspace().join("target");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(default, PathBuf::from)
}

pub(crate) fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("crates/test-support is two levels deep").to_path_buf()
}

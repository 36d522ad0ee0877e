//! From a Maven, Gradle or plain class-path project to the suites it would run.
//!
//! The user's build is never edited: Maven is watched by a core extension,
//! Gradle by an init script. Both compile what is out of date, as `mvn test`
//! and `gradle test` would, and stop where the first test would start.
//!
//! What the build says about running tests *in parallel* (`parallel`,
//! `forkCount`, `reuseForks`, `maxParallelForks`, `forkEvery`) is left out on
//! purpose: which tests share a JVM, and in which order, is what residue varies.

mod arg_line;
mod build_output;
mod cache;
mod class_file;
mod class_folder;
mod error;
mod gradle;
mod jdk;
mod maven;
mod modules;
mod plain;
mod stamp;
mod wrapper;

use std::path::{Path, PathBuf};

use residue_model::Project;

pub use error::DiscoverError;
use modules::chosen;

/// What to look at and how.
#[derive(Debug, Clone, Default)]
pub struct DiscoverRequest {
    /// The project folder.
    pub project: PathBuf,
    /// A class path given by hand; the folder's build, if any, is not asked.
    pub plain: Option<PlainClassPath>,
    /// Modules to keep, as paths below the project folder; all when empty.
    pub modules: Vec<String>,
    /// Extra arguments for Maven or Gradle, such as `-Pprofile`.
    pub build_args: Vec<String>,
    /// The JDK to use instead of `JAVA_HOME` or the one on the search path.
    pub java_home: Option<PathBuf>,
    /// Whether the build tool may use the network.
    pub offline: bool,
    /// Where results are kept between calls; nothing is kept without it.
    pub cache_dir: Option<PathBuf>,
    /// Ask the build even if nothing changed since the last time.
    pub refresh: bool,
}

/// A class path given by hand.
#[derive(Debug, Clone, Default)]
pub struct PlainClassPath {
    /// Jars and folders, in order.
    pub class_path: Vec<PathBuf>,
    /// Folders whose classes may hold tests; put on the class path if they are
    /// not there already.
    pub test_classes: Vec<PathBuf>,
}

/// A project's suites, and what its user should know about how they were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovered {
    /// The suites.
    pub project: Project,
    /// What could not be found out or done, in whole sentences. Shown every
    /// time, also when the answer comes from the cache.
    pub warnings: Vec<String>,
}

/// Finds the suites of a project. `progress` gets short lines on what the build
/// tool is doing.
pub fn discover(
    request: &DiscoverRequest,
    progress: &mut dyn FnMut(&str),
) -> Result<Discovered, DiscoverError> {
    let root = absolute(&request.project)?;
    let (Some(cache_dir), None) = (&request.cache_dir, &request.plain) else {
        return Ok(ask(request, &root, progress)?.discovered);
    };
    let cache = cache::Cache::new(cache_dir, request, &root);
    if !request.refresh
        && let Some(found) = cache.load()
    {
        return Ok(found);
    }
    let answer = ask(request, &root, progress)?;
    if answer.complete && is_built_below(&root, &answer.discovered.project) {
        cache.store(&answer.discovered);
    }
    Ok(answer.discovered)
}

/// Whether all compiled folders belong to the project: changes to the sources of
/// others, such as a module beside it, would go unnoticed by the cache.
fn is_built_below(root: &Path, project: &Project) -> bool {
    let entries = project.suites.iter().flat_map(|suite| &suite.launch.class_path);
    entries.filter(|entry| entry.is_dir()).all(|folder| folder.starts_with(root))
}

/// What a build tool said.
struct Answer {
    discovered: Discovered,
    /// Whether the build went through; only then is the answer worth keeping.
    complete: bool,
}

fn ask(
    request: &DiscoverRequest,
    root: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Answer, DiscoverError> {
    let answer = match (&request.plain, build_file(root)) {
        (Some(given), _) => plain::discover(request, given, root)?,
        (None, Some(BuildFile::Maven)) => maven::discover(request, root, progress)?,
        (None, Some(BuildFile::Gradle)) => gradle::discover(request, root, progress)?,
        (None, None) => return Err(DiscoverError::NoBuildFile { project: root.into() }),
    };
    if answer.discovered.project.suites.is_empty() {
        return Err(DiscoverError::NoTests {
            project: root.to_path_buf(),
            warnings: answer.discovered.warnings,
        });
    }
    check_class_paths(&answer.discovered.project)?;
    Ok(answer)
}

fn absolute(project: &Path) -> Result<PathBuf, DiscoverError> {
    match std::fs::canonicalize(project) {
        Ok(root) if root.is_dir() => Ok(root),
        Ok(root) => Err(DiscoverError::NotAFolder { path: root, reason: "it is a file".into() }),
        Err(error) => {
            Err(DiscoverError::NotAFolder { path: project.into(), reason: error.to_string() })
        }
    }
}

const GRADLE_FILES: [&str; 4] =
    ["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"];

enum BuildFile {
    Maven,
    Gradle,
}

/// Maven first: projects that keep both usually test with Maven.
fn build_file(root: &Path) -> Option<BuildFile> {
    let has = |name: &&str| root.join(name).is_file();
    if has(&"pom.xml") {
        Some(BuildFile::Maven)
    } else {
        GRADLE_FILES.iter().any(has).then_some(BuildFile::Gradle)
    }
}

/// An entry of the class path that the JVM would silently ignore.
///
/// Folders may be missing, since a module without main classes has none; a jar
/// may not, since then some test would fail for a reason outside the project.
fn check_class_paths(project: &Project) -> Result<(), DiscoverError> {
    for suite in &project.suites {
        for entry in &suite.launch.class_path {
            let is_jar = entry.extension().is_some_and(|extension| extension == "jar");
            if let Err(error) = readable(entry)
                && (is_jar || entry.exists())
            {
                return Err(DiscoverError::ClassPathEntry {
                    suite: suite.name.clone(),
                    entry: entry.clone(),
                    reason: error.to_string(),
                });
            }
        }
    }
    Ok(())
}

fn readable(entry: &Path) -> std::io::Result<()> {
    if entry.is_dir() {
        std::fs::read_dir(entry).map(drop)
    } else {
        std::fs::File::open(entry).map(drop)
    }
}

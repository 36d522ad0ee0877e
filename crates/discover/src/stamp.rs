//! Whether anything changed that a build's answer depends on.
//!
//! Files are compared by path, size and time, not by content: that is enough
//! for what people and build tools do, and quick on a large project.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::time::UNIX_EPOCH;
use std::{env, fs};

use residue_model::Project;
use walkdir::{DirEntry, WalkDir};

use crate::{DiscoverRequest, GRADLE_FILES, jdk};

/// Everything a build reads: its sources and settings, and who builds it.
pub(crate) fn of_inputs(request: &DiscoverRequest, root: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    (root, &request.modules, &request.build_args, &request.java_home).hash(&mut hasher);
    for variable in ["JAVA_HOME", "MAVEN_OPTS", "MAVEN_ARGS", "GRADLE_OPTS", "JAVA_OPTS"] {
        env::var_os(variable).hash(&mut hasher);
    }
    for tool in ["mvn", "gradle", "java"] {
        let tool = jdk::on_search_path(tool).and_then(|path| fs::canonicalize(path).ok());
        tool.inspect(|path| file(path, &mut hasher));
    }
    if let Some(home) = env::home_dir() {
        for settings in [".m2/settings.xml", ".m2/toolchains.xml", ".gradle/gradle.properties"] {
            file(&home.join(settings), &mut hasher);
        }
    }
    for above in root.ancestors().skip(1) {
        file(&above.join("pom.xml"), &mut hasher);
        tree(&above.join(".mvn"), &mut hasher);
    }
    tree(&root.join(".mvn"), &mut hasher);
    tree(root, &mut hasher);
    hasher.finish()
}

/// Everything a build writes that a test JVM reads: the class paths.
pub(crate) fn of_outputs(project: &Project) -> u64 {
    let mut hasher = DefaultHasher::new();
    for suite in &project.suites {
        file(&suite.launch.java, &mut hasher);
        for entry in suite.launch.class_path.iter().chain(&suite.selection.testng_suites) {
            if entry.is_dir() {
                every_file(entry, &mut hasher);
            } else {
                file(entry, &mut hasher);
            }
        }
    }
    hasher.finish()
}

fn tree(folder: &Path, hasher: &mut DefaultHasher) {
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || is_input(entry)).flatten() {
        if !entry.file_type().is_dir() {
            file(entry.path(), hasher);
        }
    }
}

fn every_file(folder: &Path, hasher: &mut DefaultHasher) {
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().flatten() {
        if !entry.file_type().is_dir() {
            file(entry.path(), hasher);
        }
    }
}

fn is_input(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let hidden = name.to_string_lossy().starts_with('.');
    let is_folder = entry.file_type().is_dir();
    !hidden && !(is_folder && (name == "node_modules" || is_build_output(entry.path(), name)))
}

/// `target` and `build` are also names of packages, so they only count beside
/// the file that tells what is built.
fn is_build_output(path: &Path, name: &OsStr) -> bool {
    let beside = |file: &str| path.with_file_name(file).is_file();
    match name.to_str() {
        Some("target") => beside("pom.xml"),
        Some("build") => GRADLE_FILES.iter().any(|file| beside(file)),
        _ => false,
    }
}

fn file(path: &Path, hasher: &mut DefaultHasher) {
    path.hash(hasher);
    if let Ok(data) = fs::metadata(path) {
        data.len().hash(hasher);
        let time = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        time.hash(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn sources_count_and_build_output_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        put(root, "pom.xml", "<project/>");
        put(root, "src/main/java/target/A.java", "class A {}");
        let request = DiscoverRequest { project: root.into(), ..DiscoverRequest::default() };
        let before = of_inputs(&request, root);

        put(root, "target/classes/A.class", "");
        put(root, ".git/index", "");
        put(root, ".residue/x.db", "");
        put(root, "node_modules/a/b.js", "");
        assert_eq!(of_inputs(&request, root), before);

        put(root, "src/main/java/target/A.java", "class A { int x; }");
        let edited = of_inputs(&request, root);
        assert_ne!(edited, before, "a package may be called target");

        put(root, ".mvn/maven.config", "-Pfast");
        assert_ne!(of_inputs(&request, root), edited);

        let other = DiscoverRequest { build_args: vec!["-Px".into()], ..request.clone() };
        assert_ne!(of_inputs(&other, root), of_inputs(&request, root));
    }
}

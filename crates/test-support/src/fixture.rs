//! Compiling a fixture.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use residue_model::{LaunchSpec, Selection, SuiteSpec};
use tempfile::TempDir;

use crate::jars::{jars, workspace};

/// What old suites run on.
const OLDEST_RELEASE: u32 = 8;

/// A compiled fixture. Its folders are removed when it is dropped.
#[derive(Debug)]
pub struct Fixture {
    /// The suite: all classes that have a source file of their own, in the
    /// order of their names.
    pub spec: SuiteSpec,
    sources: Vec<PathBuf>,
    _folder: TempDir,
}

impl Fixture {
    /// Compiles `fixtures/NAME/src` to release 8 byte code against these jars
    /// (see [`jars`]).
    ///
    /// # Panics
    /// If it does not compile.
    pub fn compile(name: &str, coordinates: &[&str]) -> Self {
        Self::compile_folders(name, &[format!("{name}/src")], coordinates)
    }

    /// The same for sources that need a newer Java than most fixtures.
    ///
    /// # Panics
    /// If it does not compile.
    pub fn compile_for_release(release: u32, name: &str, coordinates: &[&str]) -> Self {
        Self::compile_all(release, name, vec![fixture_folder(format!("{name}/src"))], coordinates)
    }

    /// The same for several source folders below `fixtures`, as one suite.
    ///
    /// # Panics
    /// If they do not compile.
    pub fn compile_folders<F: AsRef<Path>, C: AsRef<str>>(
        name: &str,
        folders: &[F],
        coordinates: &[C],
    ) -> Self {
        Self::compile_all(
            OLDEST_RELEASE,
            name,
            folders.iter().map(fixture_folder).collect(),
            coordinates,
        )
    }

    /// The same for sources anywhere, for example ones a test has generated.
    ///
    /// # Panics
    /// If they do not compile.
    pub fn compile_sources(name: &str, sources: &Path, coordinates: &[&str]) -> Self {
        Self::compile_all(OLDEST_RELEASE, name, vec![sources.into()], coordinates)
    }

    fn compile_all<C: AsRef<str>>(
        release: u32,
        name: &str,
        sources: Vec<PathBuf>,
        coordinates: &[C],
    ) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let classes = folder.path().join("classes");
        let working_dir = folder.path().join("work");
        fs::create_dir(&classes).expect("the folder is ours");
        fs::create_dir(&working_dir).expect("the folder is ours");
        let jars = jars(coordinates);
        let files: Vec<PathBuf> = sources.iter().flat_map(|root| java_files(root)).collect();
        javac(release, &files, &jars, &classes);
        let class_path = std::iter::once(classes).chain(jars).collect();
        let mut names: Vec<String> = sources.iter().flat_map(|root| class_names(root)).collect();
        names.sort();
        let spec = SuiteSpec {
            name: name.into(),
            launch: LaunchSpec {
                java: jdk_tool("java"),
                class_path,
                jvm_args: vec![],
                system_properties: vec![],
                environment: vec![],
                working_dir,
            },
            selection: Selection { classes: names, ..Selection::default() },
            surefire_takes_orders: false,
            jvm_per_class: false,
        };
        Self { spec, sources, _folder: folder }
    }

    /// Where the sources are.
    pub fn sources(&self) -> &[PathBuf] {
        &self.sources
    }

    /// The folder in which the tests run.
    pub fn working_dir(&self) -> &Path {
        &self.spec.launch.working_dir
    }
}

fn javac(release: u32, files: &[PathBuf], jars: &[PathBuf], classes: &Path) {
    assert!(!files.is_empty(), "a fixture without sources");
    let class_path = std::env::join_paths(jars).expect("jars have no colon in their names");
    let mut command = Command::new(jdk_tool("javac"));
    // It is gone before the optimising compiler would pay.
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    command.arg("--release").arg(release.to_string());
    command.args(["-Xlint:-options", "-proc:none", "-g", "-encoding", "UTF-8"]);
    command.arg("-cp").arg(class_path).arg("-d").arg(classes).args(files);
    let output = command.output().expect("tests need a JDK (javac)");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "javac failed:\n{said}");
}

/// `JAVA_HOME` first, as every Java build does, then the search path.
fn jdk_tool(name: &str) -> PathBuf {
    let in_java_home = std::env::var_os("JAVA_HOME").map(|h| Path::new(&h).join("bin").join(name));
    in_java_home.filter(|tool| tool.is_file()).unwrap_or_else(|| name.into())
}

/// A folder given relative to `fixtures`.
pub(crate) fn fixture_folder(relative: impl AsRef<Path>) -> PathBuf {
    workspace().join("fixtures").join(relative)
}

fn class_names(sources: &Path) -> Vec<String> {
    java_files(sources).iter().map(|file| class_name(sources, file)).collect()
}

pub(crate) fn class_name(sources: &Path, file: &Path) -> String {
    let relative = file.strip_prefix(sources).expect("a file below the sources");
    relative.with_extension("").to_string_lossy().replace('/', ".")
}

pub(crate) fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "java") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

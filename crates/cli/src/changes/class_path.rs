//! What a suite finds on its class path: the code, and a digest of each thing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use residue_change::{ClassFacts, CodeBase};
use residue_model::{Selection, SuiteSpec};
use residue_store::{
    DigestCache, FingerprintError, Inventory, Surroundings, content_digest, digest, fingerprint,
};
use walkdir::WalkDir;

/// The class path of a suite, read.
#[derive(Debug, Default)]
pub struct ClassPath {
    pub code: CodeBase,
    pub inventory: Inventory,
}

impl ClassPath {
    /// Reads all of it. Jars inside the project's folder may be of its own
    /// making.
    pub fn read(
        spec: &SuiteSpec,
        project: &Path,
        surroundings: &Surroundings,
        cache: &mut dyn DigestCache,
    ) -> Result<Self, FingerprintError> {
        let naming = Naming::new(&spec.launch.working_dir);
        let project = real(project);
        let mut class_path = Self::default();
        for entry in &spec.launch.class_path {
            let entry = real(&spec.launch.working_dir.join(entry));
            if entry.is_dir() {
                class_path.add_folder(&entry, &naming)?;
            } else if entry.exists() {
                let digest = content_digest(&entry, cache)?.to_hex().to_string();
                let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
                class_path.inventory.insert(format!("jar {name}"), digest);
                if entry.starts_with(&project) {
                    class_path.code.add_own_jar(name);
                }
            }
        }
        let settings = fingerprint(&settings_of(spec), surroundings, cache)?.to_string();
        class_path.inventory.insert("settings".into(), settings);
        Ok(class_path)
    }

    fn add_folder(&mut self, folder: &Path, naming: &Naming) -> Result<(), FingerprintError> {
        for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
            let entry = entry.map_err(|error| {
                let path = error.path().unwrap_or(folder).to_path_buf();
                FingerprintError::Unreadable { path, source: io::Error::from(error) }
            })?;
            if !entry.file_type().is_file() {
                continue;
            }
            let path = entry.path();
            let bytes = fs::read(path)
                .map_err(|source| FingerprintError::Unreadable { path: path.into(), source })?;
            let digest = digest(&bytes).to_hex().to_string();
            let inside = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
            let key = match inside.strip_suffix(".class") {
                Some(name) => {
                    // What cannot be read no JVM can load.
                    if let Ok(facts) = ClassFacts::read(&bytes) {
                        self.code.add_class(facts);
                    }
                    format!("class {}", name.replace('/', "."))
                }
                None => {
                    let called = naming.called(path);
                    self.code.add_file(inside.into_owned(), called.clone());
                    format!("file {called}")
                }
            };
            // The first of a name counts, as for the JVM.
            self.inventory.entry(key).or_insert(digest);
        }
        Ok(())
    }
}

/// All that tests run with besides the class path. Which classes there are to
/// look for tests in is told by the class path too.
fn settings_of(spec: &SuiteSpec) -> SuiteSpec {
    let mut settings = spec.clone();
    settings.launch.class_path.clear();
    settings.selection = Selection { classes: Vec::new(), ..settings.selection };
    settings
}

/// How traces call files: from the folder in which the tests run, or else from
/// the user's home.
#[derive(Debug)]
pub struct Naming {
    folder: PathBuf,
    home: Option<PathBuf>,
}

impl Naming {
    pub fn new(working_dir: &Path) -> Self {
        Self { folder: real(working_dir), home: std::env::home_dir().map(|home| real(&home)) }
    }

    pub fn called(&self, path: &Path) -> String {
        if let Ok(rest) = path.strip_prefix(&self.folder) {
            return rest.to_string_lossy().into_owned();
        }
        let in_home = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        match in_home {
            Some(rest) => format!("~/{}", rest.to_string_lossy()),
            None => path.to_string_lossy().into_owned(),
        }
    }
}

pub fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

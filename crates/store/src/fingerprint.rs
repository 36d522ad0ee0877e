//! The state of a suite in 32 bytes: what its tests' outcomes depend on.
//!
//! Two suites with the same fingerprint run the same code on the same JVM with
//! the same flags. What is hashed: the content of the class path, of agents and
//! modules that JVM arguments name, the JDK, arguments, properties, environment,
//! working directory, selection, and residue's own runner. What is not: files
//! that tests read from outside the class path, and the rest of the machine.
//!
//! The project's own path is replaced by a placeholder and jars count by their
//! content, so that a moved project or another user's cache folder keeps its
//! answers.

mod code_arguments;
mod content;
mod jdk;
mod surroundings;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use residue_model::{LaunchSpec, Selection, SuiteSpec};

use crate::StoreError;
pub use content::{Digest, DigestCache, Learned, NoCache};
pub use surroundings::Surroundings;

use content::Contents;

/// Changes when this module hashes something else than before.
const RECIPE: &str = "residue fingerprint 1";

/// Identity of a suite's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(blake3::Hash);

impl Fingerprint {
    /// Reads the 64 digits that `Display` writes.
    pub fn from_hex(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(Self)
    }

    /// Enough digits for a person to tell two states apart.
    pub fn short(&self) -> String {
        self.0.to_hex()[..12].to_owned()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_hex())
    }
}

/// Why a suite's state could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum FingerprintError {
    /// Something that tests run with cannot be read.
    #[error(
        "cannot read {}, which the suite's tests run with: {source}; \
         make it readable or take it off the class path", path.display()
    )]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The JDK is not where the build says.
    #[error("cannot find out which JDK {} is: {source}; check the JDK's installation", java.display())]
    UnknownJdk {
        /// The `java` executable.
        java: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The cache of digests failed.
    #[error(transparent)]
    Cache(#[from] StoreError),
}

/// Takes the state of a suite. Jars that `cache` knows are not read again.
pub fn fingerprint(
    spec: &SuiteSpec,
    surroundings: &Surroundings,
    cache: &mut dyn DigestCache,
) -> Result<Fingerprint, FingerprintError> {
    // All fields by name, so that a new one cannot be forgotten here. The
    // suite's own name is not part of its state, nor is what the build would do.
    let SuiteSpec { name: _, launch, selection, surefire_takes_orders: _, jvm_per_class: _ } = spec;
    let mut facts = Facts::new(surroundings);
    let mut contents = Contents::new(cache);
    add_launch(&mut facts, launch, &mut contents)?;
    add_selection(&mut facts, selection, &mut contents)?;
    contents.remember()?;
    Ok(facts.finish())
}

/// The digest of a file or of a folder with all that is in it. Jars that
/// `cache` knows are not read again.
pub fn content_digest(
    path: &Path,
    cache: &mut dyn DigestCache,
) -> Result<Digest, FingerprintError> {
    let mut contents = Contents::new(cache);
    let digest = contents.of(path)?;
    contents.remember()?;
    Ok(digest)
}

/// The digest of these bytes.
pub fn digest(bytes: &[u8]) -> Digest {
    blake3::hash(bytes)
}

fn add_launch(
    facts: &mut Facts<'_>,
    launch: &LaunchSpec,
    contents: &mut Contents<'_>,
) -> Result<(), FingerprintError> {
    let LaunchSpec { java, class_path, jvm_args, system_properties, environment, working_dir } =
        launch;
    facts.text("jdk", &jdk::identity(java)?);
    for entry in class_path {
        facts.digest("class path", &contents.of(&working_dir.join(entry))?);
    }
    for argument in jvm_args {
        facts.path_text("jvm argument", argument);
    }
    for file in code_arguments::files(jvm_args) {
        facts.digest("code of a jvm argument", &contents.of(&working_dir.join(file))?);
    }
    for (key, value) in by_key(system_properties) {
        facts.text("property", key);
        facts.path_text("value", value);
    }
    for (key, value) in by_key(environment) {
        facts.text("variable", key);
        match value {
            Some(value) => facts.path_text("value", value),
            None => facts.text("removed", ""),
        }
    }
    facts.path_text("working directory", &working_dir.to_string_lossy());
    Ok(())
}

fn add_selection(
    facts: &mut Facts<'_>,
    selection: &Selection,
    contents: &mut Contents<'_>,
) -> Result<(), FingerprintError> {
    let Selection {
        classes,
        groups,
        excluded_groups,
        provider,
        platform_parameters,
        listeners,
        testng_suites,
    } = selection;
    for class in classes {
        facts.text("class", class);
    }
    for (label, groups) in [("groups", groups), ("excluded groups", excluded_groups)] {
        if let Some(groups) = groups {
            facts.text(label, groups);
        }
    }
    facts.text("provider", &format!("{provider:?}"));
    for (key, value) in by_key(platform_parameters) {
        facts.text("platform parameter", key);
        facts.path_text("value", value);
    }
    for listener in listeners {
        facts.text("listener", listener);
    }
    for file in testng_suites {
        facts.digest("testng suite", &contents.of(file)?);
    }
    Ok(())
}

/// Build tools give properties in no particular order. Of two with the same
/// key the later wins, so those must not change places.
fn by_key<V>(pairs: &[(String, V)]) -> Vec<&(String, V)> {
    let mut sorted: Vec<_> = pairs.iter().collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    sorted
}

/// A hash over labelled facts, where no fact can pass for its neighbour.
struct Facts<'a> {
    hasher: blake3::Hasher,
    surroundings: &'a Surroundings,
}

impl<'a> Facts<'a> {
    fn new(surroundings: &'a Surroundings) -> Self {
        let mut facts = Self { hasher: blake3::Hasher::new(), surroundings };
        facts.text("recipe", RECIPE);
        facts.text("runner", surroundings.runner());
        for (name, value) in surroundings.environment() {
            facts.text("inherited variable", name);
            facts.path_text("value", value);
        }
        facts
    }

    fn text(&mut self, label: &str, value: &str) {
        self.bytes(label.as_bytes());
        self.bytes(value.as_bytes());
    }

    /// A text that may hold the project's own path.
    fn path_text(&mut self, label: &str, value: &str) {
        self.text(label, &self.surroundings.without_project_path(value));
    }

    fn digest(&mut self, label: &str, digest: &Digest) {
        self.bytes(label.as_bytes());
        self.bytes(digest.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.hasher.update(&(bytes.len() as u64).to_le_bytes());
        self.hasher.update(bytes);
    }

    fn finish(self) -> Fingerprint {
        Fingerprint(self.hasher.finalize())
    }
}

fn unreadable(path: &Path, source: io::Error) -> FingerprintError {
    FingerprintError::Unreadable { path: path.to_path_buf(), source }
}

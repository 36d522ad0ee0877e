//! What changed since a revision, as git tells it.

use std::fs;
use std::path::{Path, PathBuf};

use residue_change::{ChangedFile, Sources};

use super::class_path::{Naming, real};
use super::git::{GitError, Repository};

/// The files that changed, and the sources around them.
#[derive(Debug)]
pub struct Since {
    /// As the user wrote it.
    pub revision: String,
    pub files: Vec<ChangedFile>,
    repository: Repository,
    /// The project's folder, from the root of the repository.
    project: String,
    sources: Vec<String>,
}

impl Since {
    /// Compares the work tree around a project with a revision.
    pub fn read(project: &Path, revision: &str) -> Result<Self, GitError> {
        let repository = Repository::since(project, revision)?;
        let inside = real(project);
        let inside = inside.strip_prefix(real(repository.root())).unwrap_or(Path::new(""));
        Ok(Self {
            revision: revision.into(),
            files: repository.changed()?,
            project: inside.to_string_lossy().into_owned(),
            sources: repository.sources()?,
            repository,
        })
    }

    fn path(&self, path: &str) -> PathBuf {
        self.repository.root().join(path)
    }
}

/// Sources as a suite sees them that runs in this folder. Without git there is
/// nothing to look at: then class files were compared, which tell more.
pub struct SuiteSources<'a> {
    pub since: Option<&'a Since>,
    pub naming: Naming,
}

impl Sources for SuiteSources<'_> {
    fn paths(&self) -> Vec<String> {
        self.since.map_or(Vec::new(), |since| since.sources.clone())
    }

    fn text(&self, path: &str) -> Option<String> {
        let bytes = fs::read(self.since?.path(path)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn old_text(&self, path: &str) -> Option<String> {
        self.since?.repository.old_text(path)
    }

    fn called(&self, path: &str) -> String {
        self.since.map_or_else(|| path.into(), |since| self.naming.called(&since.path(path)))
    }

    fn project(&self) -> String {
        self.since.map_or_else(String::new, |since| since.project.clone())
    }
}

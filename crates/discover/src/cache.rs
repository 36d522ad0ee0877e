//! Keeps a build's answer between calls, since asking takes seconds.
//!
//! A cache that cannot be read, is of another version or is out of date counts
//! as none, and one that cannot be written is not an error: the answer is the
//! same without it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use residue_model::Project;
use serde::{Deserialize, Serialize};

use crate::{DiscoverRequest, Discovered, stamp};

const MAGIC: &str = "residue-discovered";
const VERSION: u32 = 3;

#[derive(Serialize, Deserialize)]
struct CacheFile {
    magic: String,
    version: u32,
    /// Binary that wrote it: another one may find other suites.
    program: String,
    inputs: u64,
    outputs: u64,
    warnings: Vec<String>,
    project: Project,
}

pub(crate) struct Cache<'a> {
    folder: &'a Path,
    request: &'a DiscoverRequest,
    root: &'a Path,
}

impl<'a> Cache<'a> {
    pub(crate) fn new(folder: &'a Path, request: &'a DiscoverRequest, root: &'a Path) -> Self {
        Self { folder, request, root }
    }

    /// The kept answer, if nothing changed since.
    pub(crate) fn load(&self) -> Option<Discovered> {
        let kept: CacheFile = serde_json::from_slice(&fs::read(self.path()).ok()?).ok()?;
        let fresh = kept.magic == MAGIC
            && kept.version == VERSION
            && kept.program == env!("CARGO_PKG_VERSION")
            && kept.inputs == stamp::of_inputs(self.request, self.root)
            && kept.outputs == stamp::of_outputs(&kept.project);
        fresh.then_some(Discovered { project: kept.project, warnings: kept.warnings })
    }

    pub(crate) fn store(&self, found: &Discovered) {
        let kept = CacheFile {
            magic: MAGIC.into(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").into(),
            // Taken after the build, which may write below `src` itself.
            inputs: stamp::of_inputs(self.request, self.root),
            outputs: stamp::of_outputs(&found.project),
            warnings: found.warnings.clone(),
            project: found.project.clone(),
        };
        let _ = self.write(&kept);
    }

    fn write(&self, kept: &CacheFile) -> io::Result<()> {
        fs::create_dir_all(self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(self.folder)?;
        file.write_all(&serde_json::to_vec(kept)?)?;
        file.persist(self.path())?;
        Ok(())
    }

    fn path(&self) -> PathBuf {
        self.folder.join("discovered.json")
    }
}

#[cfg(test)]
mod tests {
    use residue_model::BuildTool;

    use super::*;

    #[test]
    fn an_answer_is_kept_until_something_changes() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::write(root.join("pom.xml"), "<project/>").unwrap();
        let request = DiscoverRequest { project: root.into(), ..DiscoverRequest::default() };
        let folder = root.join(".residue");
        let cache = Cache::new(&folder, &request, root);
        assert!(cache.load().is_none());
        let found = Discovered {
            project: Project { root: root.into(), build_tool: BuildTool::Maven, suites: vec![] },
            warnings: vec!["mind the gap".into()],
        };
        cache.store(&found);
        assert_eq!(cache.load().as_ref(), Some(&found));

        fs::write(root.join("pom.xml"), "<project><a/></project>").unwrap();
        assert!(cache.load().is_none(), "the pom changed");

        cache.store(&found);
        let text = fs::read_to_string(cache.path()).unwrap();
        fs::write(cache.path(), &text[..text.len() / 2]).unwrap();
        assert!(cache.load().is_none(), "the file is torn");
    }
}

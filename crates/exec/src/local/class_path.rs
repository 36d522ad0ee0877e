//! The class path of the JVM under test.
//!
//! HotSpot archives only classes from jars, and only if the class path at dump
//! time is a prefix of the one at run time without any folder in it. So jars
//! are moved before the folders where no lookup can tell the difference: only
//! a jar that shares no entry with any folder may overtake one, and jars keep
//! their order among themselves. The runner puts the build's own order back
//! into `java.class.path`.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::ExecError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClassPath {
    /// As the build has it.
    pub(super) original: Vec<PathBuf>,
    /// Jars that come first; these can be archived.
    pub(super) archivable: Vec<PathBuf>,
    /// Everything else, in the build's order.
    pub(super) rest: Vec<PathBuf>,
}

impl ClassPath {
    /// Checks that the entries can be read and finds out which may be moved.
    pub(super) fn arrange(original: &[PathBuf]) -> Result<Self, ExecError> {
        original.iter().try_for_each(|path| check(path))?;
        let folders: Vec<&PathBuf> = original.iter().filter(|path| path.is_dir()).collect();
        let in_folders = |name: &str| folders.iter().any(|folder| folder.join(name).exists());
        let archivable: Vec<PathBuf> = original
            .iter()
            .filter(|path| path.is_file())
            .take_while(|jar| is_movable(jar, &in_folders))
            .cloned()
            .collect();
        let moved: HashSet<&PathBuf> = archivable.iter().collect();
        let rest = original.iter().filter(|path| !moved.contains(path)).cloned().collect();
        Ok(Self { original: original.to_vec(), archivable, rest })
    }

    /// The argument of `-cp`, the runner first.
    pub(super) fn with_runner(&self, runner: &Path) -> OsString {
        let all = std::iter::once(runner)
            .chain(self.archivable.iter().chain(&self.rest).map(PathBuf::as_path));
        join(all)
    }

    /// The part of it that an archive may cover.
    pub(super) fn archivable_with_runner(&self, runner: &Path) -> OsString {
        join(std::iter::once(runner).chain(self.archivable.iter().map(PathBuf::as_path)))
    }

    /// What `java.class.path` shall say.
    pub(super) fn as_the_build_says(&self) -> String {
        join(self.original.iter().map(PathBuf::as_path)).to_string_lossy().into_owned()
    }
}

fn join<'a>(entries: impl Iterator<Item = &'a Path>) -> OsString {
    let mut joined = OsString::new();
    for (position, entry) in entries.enumerate() {
        if position > 0 {
            joined.push(":");
        }
        joined.push(entry);
    }
    joined
}

/// A folder that is missing is no error, since many modules have no main
/// classes; a missing jar never is what the build wants.
fn check(path: &Path) -> Result<(), ExecError> {
    if path.as_os_str().as_encoded_bytes().contains(&b':') {
        return Err(ExecError::ClassPathSeparator { path: path.into() });
    }
    let readable = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::read_dir(path).map(drop),
        Ok(_) => File::open(path).map(drop),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_jar_name(path) => Ok(()),
        Err(error) => Err(error),
    };
    readable.map_err(|source| ExecError::ClassPathEntry { path: path.into(), source })
}

fn is_jar_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jar"))
}

/// Whether no folder has any entry of this jar. A jar that names further jars
/// in its manifest, or that we cannot read, stays where it is.
fn is_movable(jar: &Path, in_folders: &impl Fn(&str) -> bool) -> bool {
    let Ok(file) = File::open(jar) else { return false };
    let Ok(mut archive) = zip::ZipArchive::new(io::BufReader::new(file)) else { return false };
    let clashes = archive.file_names().any(|name| match name {
        // A folder name is in everything and is hardly ever looked up.
        Ok(name) => !name.ends_with('/') && in_folders(without_version(&name)),
        Err(_) => true,
    });
    !clashes && !names_further_jars(&mut archive)
}

/// `META-INF/versions/11/a/B.class` answers a lookup of `a/B.class`.
fn without_version(name: &str) -> &str {
    name.strip_prefix("META-INF/versions/")
        .and_then(|rest| rest.split_once('/'))
        .map_or(name, |(_, versioned)| versioned)
}

fn names_further_jars<R: Read + io::Seek>(archive: &mut zip::ZipArchive<R>) -> bool {
    let Ok(mut manifest) = archive.by_name("META-INF/MANIFEST.MF") else { return false };
    let mut text = Vec::new();
    if manifest.read_to_end(&mut text).is_err() {
        return true;
    }
    let text = String::from_utf8_lossy(&text).to_lowercase();
    text.lines().any(|line| line.starts_with("class-path:"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn jar(folder: &Path, name: &str, entries: &[(&str, &str)]) -> PathBuf {
        let path = folder.join(name);
        let mut writer = zip::ZipWriter::new(File::create(&path).unwrap());
        for (entry, text) in entries {
            writer.start_file(*entry, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        path
    }

    #[test]
    fn a_jar_overtakes_folders_only_if_no_lookup_can_tell() {
        let scratch = tempfile::tempdir().unwrap();
        let classes = scratch.path().join("classes");
        fs::create_dir_all(classes.join("app")).unwrap();
        fs::write(classes.join("app/Own.class"), "").unwrap();
        fs::write(classes.join("settings.xml"), "").unwrap();
        let free = jar(scratch.path(), "free.jar", &[("lib/A.class", "")]);
        let manifest = "Manifest-Version: 1.0\r\nClass-Path: other.jar\r\n";
        let further = jar(scratch.path(), "further.jar", &[("META-INF/MANIFEST.MF", manifest)]);
        let same = jar(scratch.path(), "same.jar", &[("settings.xml", "")]);
        let versioned =
            jar(scratch.path(), "mr.jar", &[("META-INF/versions/11/app/Own.class", "")]);

        for blocking in [&further, &same, &versioned] {
            let original = [classes.clone(), free.clone(), blocking.clone()];
            let arranged = ClassPath::arrange(&original).unwrap();
            assert_eq!(arranged.archivable, std::slice::from_ref(&free), "{}", blocking.display());
            assert_eq!(arranged.rest, [classes.clone(), blocking.clone()]);
        }
        let blocked = ClassPath::arrange(&[classes, same, free]).unwrap();
        assert!(blocked.archivable.is_empty(), "jars must not overtake each other");
    }

    #[test]
    fn a_missing_folder_is_fine_and_a_missing_jar_is_not() {
        assert!(ClassPath::arrange(&["/no/such/classes".into()]).is_ok());
        let error = ClassPath::arrange(&["/no/such.jar".into()]).unwrap_err();
        assert!(error.to_string().contains("/no/such.jar"), "{error}");
        assert!(ClassPath::arrange(&["/a:b".into()]).is_err());
    }
}

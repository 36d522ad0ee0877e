//! The class path of the JVM under test.
//!
//! HotSpot archives only classes from jars, and only if the class path at dump
//! time is a prefix of the one at run time without any folder in it. So jars
//! are moved before the folders where no lookup can tell the difference: only
//! a jar that shares no entry with any folder, nor with a jar that stays behind
//! the folders, may overtake these. The runner puts the build's own order back
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
    /// Just as the build has it.
    pub(super) fn as_it_is(original: &[PathBuf]) -> Result<Self, ExecError> {
        original.iter().try_for_each(|path| check(path))?;
        Ok(Self { original: original.to_vec(), archivable: Vec::new(), rest: original.to_vec() })
    }

    /// Checks that the entries can be read and finds out which may be moved.
    pub(super) fn arrange(original: &[PathBuf]) -> Result<Self, ExecError> {
        original.iter().try_for_each(|path| check(path))?;
        let folders: Vec<&PathBuf> = original.iter().filter(|path| path.is_dir()).collect();
        let in_folders = |name: &str| folders.iter().any(|folder| folder.join(name).exists());
        let mut archivable = Vec::new();
        let mut overtaken = HashSet::new();
        for path in original.iter().filter(|path| path.is_file()) {
            let Some(jar) = Entries::of(path) else {
                // Nobody knows what is in it.
                break;
            };
            if jar.may_move && !jar.any(in_folders) && !jar.any(|name| overtaken.contains(name)) {
                archivable.push(path.clone());
            } else {
                overtaken.extend(jar.names);
            }
        }
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

/// The names that a jar answers to, those aside that hardly anybody looks up.
struct Entries {
    names: Vec<String>,
    may_move: bool,
}

impl Entries {
    /// None if the jar cannot be read.
    fn of(jar: &Path) -> Option<Self> {
        let file = File::open(jar).ok()?;
        let mut archive = zip::ZipArchive::new(io::BufReader::new(file)).ok()?;
        let mut entries = Self { names: Vec::new(), may_move: true };
        for name in archive.file_names() {
            let name = name.ok()?;
            let name = without_version(&name);
            // The folder of a version answers where somebody asks for the root of the
            // class path, as many tests do to find their own folder.
            entries.may_move &= !name.is_empty();
            if !is_hardly_looked_up(name) {
                entries.names.push(name.to_owned());
            }
        }
        // A jar that names further jars in its manifest stays where it is.
        entries.may_move &= !names_further_jars(&mut archive);
        Some(entries)
    }

    fn any(&self, is_there: impl Fn(&str) -> bool) -> bool {
        self.names.iter().any(|name| is_there(name))
    }
}

/// Folders, and what nearly every jar has; our own, which comes first of all, too.
fn is_hardly_looked_up(name: &str) -> bool {
    let is_legal_text = ["META-INF/LICENSE", "META-INF/NOTICE"].into_iter().any(|common| {
        name.strip_prefix(common).is_some_and(|rest| ["", ".txt", ".md"].contains(&rest))
    });
    let is_everywhere = ["META-INF/MANIFEST.MF", "module-info.class"].contains(&name);
    name.ends_with('/') || is_everywhere || is_legal_text
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
    fn a_jar_overtakes_folders_and_jars_only_if_no_lookup_can_tell() {
        let scratch = tempfile::tempdir().unwrap();
        let classes = scratch.path().join("classes");
        fs::create_dir_all(classes.join("app")).unwrap();
        fs::write(classes.join("app/Own.class"), "").unwrap();
        fs::write(classes.join("settings.xml"), "").unwrap();
        let jar = |name: &str, entries: &[(&str, &str)]| jar(scratch.path(), name, entries);
        let manifest = "Manifest-Version: 1.0\r\nClass-Path: other.jar\r\n";
        let plain = ("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n");
        let notice = ("META-INF/LICENSE.txt", "");
        let shared = ("lib/Shared.class", "");
        let blocking = [
            jar("further.jar", &[("META-INF/MANIFEST.MF", manifest), notice, shared]),
            jar("same.jar", &[("settings.xml", ""), plain, notice, shared]),
            jar("mr.jar", &[("META-INF/versions/11/app/Own.class", ""), plain, notice, shared]),
            jar("root.jar", &[("META-INF/versions/9/", ""), plain, notice, shared]),
        ];
        let free = jar("free.jar", &[("lib/A.class", ""), plain, notice]);
        let overlapping = jar("overlapping.jar", &[shared, plain]);
        for blocking in &blocking {
            let original = [&classes, blocking, &free, &overlapping].map(PathBuf::clone);
            let arranged = ClassPath::arrange(&original).unwrap();
            assert_eq!(arranged.archivable, std::slice::from_ref(&free), "{}", blocking.display());
            assert_eq!(arranged.rest, [&classes, blocking, &overlapping].map(PathBuf::clone));
        }
        let broken = scratch.path().join("broken.jar");
        fs::write(&broken, "no jar").unwrap();
        let arranged = ClassPath::arrange(&[classes, broken, free]).unwrap();
        assert!(arranged.archivable.is_empty(), "nobody knows what is in it");
    }

    #[test]
    fn a_missing_folder_is_fine_and_a_missing_jar_is_not() {
        assert!(ClassPath::arrange(&["/no/such/classes".into()]).is_ok());
        let error = ClassPath::arrange(&["/no/such.jar".into()]).unwrap_err();
        assert!(error.to_string().contains("/no/such.jar"), "{error}");
        assert!(ClassPath::arrange(&["/a:b".into()]).is_err());
    }
}

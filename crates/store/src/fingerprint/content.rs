//! Digests of jars, folders and other files.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use walkdir::WalkDir;

use super::{FingerprintError, unreadable};
use crate::StoreError;

/// Digest of a content.
pub type Digest = blake3::Hash;

/// Our own folder changes with each run; a class path that holds the project's
/// root must not see it.
const OWN_FOLDER: &str = ".residue";

const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// Attributes of a manifest that hold the time of the build.
const TIMES: [&str; 4] = ["Bnd-LastModified:", "Build-Time:", "Build-Timestamp:", "Build-Date:"];

/// A file changed so recently could change again without its time stamp
/// showing it, so its digest is not kept.
const SETTLED: Duration = Duration::from_secs(2);

/// Remembers the digests of files that did not change since.
pub trait DigestCache {
    /// The digest of the file at `path`, if it was learned at this `stamp`.
    fn recall(&self, path: &str, stamp: &str) -> Result<Option<Digest>, StoreError>;
    /// Keeps digests for later.
    fn remember(&mut self, learned: &[Learned]) -> Result<(), StoreError>;
}

/// A digest to remember.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learned {
    /// Absolute path of the file.
    pub path: String,
    /// Changes whenever the file does.
    pub stamp: String,
    /// Digest of its content.
    pub digest: Digest,
}

/// Reads everything each time.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCache;

impl DigestCache for NoCache {
    fn recall(&self, _path: &str, _stamp: &str) -> Result<Option<Digest>, StoreError> {
        Ok(None)
    }
    fn remember(&mut self, _learned: &[Learned]) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Digests for one fingerprint.
pub(super) struct Contents<'a> {
    cache: &'a mut dyn DigestCache,
    learned: Vec<Learned>,
    known: HashMap<PathBuf, Digest>,
}

impl<'a> Contents<'a> {
    pub(super) fn new(cache: &'a mut dyn DigestCache) -> Self {
        Self { cache, learned: Vec::new(), known: HashMap::new() }
    }

    /// The digest of a file or of a folder with all that is in it. What does
    /// not exist has a digest too: the JVM passes over it without a word.
    pub(super) fn of(&mut self, path: &Path) -> Result<Digest, FingerprintError> {
        if let Some(digest) = self.known.get(path) {
            return Ok(*digest);
        }
        let digest = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => of_folder(path)?,
            Ok(metadata) => self.of_file(path, &metadata)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => blake3::hash(b"absent"),
            Err(error) => return Err(unreadable(path, error)),
        };
        self.known.insert(path.to_path_buf(), digest);
        Ok(digest)
    }

    /// Hands what was read to the cache.
    pub(super) fn remember(self) -> Result<(), FingerprintError> {
        if self.learned.is_empty() {
            return Ok(());
        }
        Ok(self.cache.remember(&self.learned)?)
    }

    fn of_file(&mut self, path: &Path, before: &Metadata) -> Result<Digest, FingerprintError> {
        let name = std::path::absolute(path).ok().and_then(|path| path.to_str().map(String::from));
        let stamp = stamp(before);
        if let Some(name) = &name
            && let Some(digest) = self.cache.recall(name, &stamp)?
        {
            return Ok(digest);
        }
        let digest = read(path)?;
        if let Some(path) = name
            && is_settled(before)
        {
            self.learned.push(Learned { path, stamp, digest });
        }
        Ok(digest)
    }
}

/// Class files are many, small and the first to change: they are read each time.
fn of_folder(folder: &Path) -> Result<Digest, FingerprintError> {
    let mut hasher = blake3::Hasher::new();
    let entries = WalkDir::new(folder)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != OWN_FOLDER);
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            // A link to a folder above it holds nothing new.
            Err(error) if error.loop_ancestor().is_some() => continue,
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_path_buf();
                return Err(FingerprintError::Unreadable { path, source: error.into() });
            }
        };
        // Sockets and pipes are no resources, and reading one may never end.
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let content = match name == Path::new(MANIFEST) {
                true => read_manifest(entry.path())?,
                false => read(entry.path())?,
            };
            let name = name.as_os_str().as_bytes();
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name);
            hasher.update(content.as_bytes());
        }
    }
    Ok(hasher.finalize())
}

/// Builds write it anew each time they are asked, with the time of the build.
fn read_manifest(path: &Path) -> Result<Digest, FingerprintError> {
    let text = fs::read(path).map_err(|error| unreadable(path, error))?;
    let is_time = |line: &[u8]| TIMES.iter().any(|name| line.starts_with(name.as_bytes()));
    let mut hasher = blake3::Hasher::new();
    for line in text.split_inclusive(|byte| *byte == b'\n').filter(|line| !is_time(line)) {
        hasher.update(line);
    }
    Ok(hasher.finalize())
}

fn read(path: &Path) -> Result<Digest, FingerprintError> {
    let mut hasher = blake3::Hasher::new();
    File::open(path)
        .and_then(|file| hasher.update_reader(file).map(drop))
        .map_err(|error| unreadable(path, error))?;
    Ok(hasher.finalize())
}

/// Size, identity and both times: a file put in place of another with the old
/// modification time still has another inode or time of change.
fn stamp(metadata: &Metadata) -> String {
    format!(
        "{} bytes, inode {}:{}, modified {}.{:09}, changed {}.{:09}",
        metadata.size(),
        metadata.dev(),
        metadata.ino(),
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ctime(),
        metadata.ctime_nsec()
    )
}

fn is_settled(metadata: &Metadata) -> bool {
    let seconds = u64::try_from(metadata.ctime()).unwrap_or(0);
    let nanoseconds = u32::try_from(metadata.ctime_nsec()).unwrap_or(0);
    let changed = UNIX_EPOCH + Duration::new(seconds, nanoseconds);
    SystemTime::now().duration_since(changed).is_ok_and(|age| age > SETTLED)
}

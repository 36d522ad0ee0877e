//! Files below the working directory that a run made, changed or deleted.
//!
//! Runs share the folder, so a change is told only where its time stamp falls
//! into one run alone. Where that is not so, where the tree is too large, or
//! where looking would cost more than it is worth, nothing is said.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use residue_model::FileChange;

/// Build output and tools' own folders: changed all the time, by no test.
const SKIPPED: [&str; 6] = ["target", "build", ".git", ".residue", ".gradle", "node_modules"];
const MOST_FILES: usize = 20_000;
/// Looking may cost this share of the time that runs take.
const LOOKING_SHARE: u32 = 20;
/// Kernels stamp files by a clock that ticks only so often.
pub(super) const CLOCK_TICK: Duration = Duration::from_millis(10);

/// Watches one folder for all runs of an executor.
#[derive(Debug)]
pub(super) struct FileWatch {
    root: PathBuf,
    /// `None` before the first look and after giving up.
    seen: Option<Snapshot>,
    given_up: bool,
    runs: Vec<Span>,
    next_run: u64,
    last_look: Instant,
    cost: Duration,
}

#[derive(Debug)]
struct Span {
    run: u64,
    began: SystemTime,
    ended: Option<SystemTime>,
    changes: Vec<Change>,
}

/// One change that belongs to a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) path: String,
    pub(super) change: FileChange,
    /// Unknown for a file that is gone.
    pub(super) at: Option<SystemTime>,
}

type Snapshot = HashMap<PathBuf, Stamp>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    size: u64,
    inode: u64,
    modified: (i64, i64),
    /// The kernel's own time of the last change, which nobody can set.
    changed: (i64, i64),
}

impl FileWatch {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.into(),
            seen: None,
            given_up: false,
            runs: Vec::new(),
            next_run: 0,
            last_look: Instant::now(),
            cost: Duration::ZERO,
        }
    }

    /// A run begins; its number is to be given back when it ends.
    pub(super) fn run_begins(&mut self) -> u64 {
        if self.seen.is_none() && !self.given_up {
            self.seen = self.look();
        }
        self.next_run += 1;
        let began = SystemTime::now();
        self.runs.push(Span { run: self.next_run, began, ended: None, changes: Vec::new() });
        self.next_run
    }

    /// A run has ended: what it changed.
    pub(super) fn run_ends(&mut self, run: u64) -> Vec<Change> {
        if self.last_look.elapsed() >= self.cost * LOOKING_SHARE {
            self.compare();
        }
        let now = SystemTime::now();
        let Some(at) = self.runs.iter().position(|span| span.run == run) else { return vec![] };
        self.runs[at].ended = Some(now);
        let changes = std::mem::take(&mut self.runs[at].changes);
        self.forget_old_runs();
        changes
    }

    /// Somebody else has changed files since the last run ended.
    pub(super) fn look_anew(&mut self) {
        self.seen = self.look();
    }

    /// A run that ended still matters while one that overlaps it goes on.
    fn forget_old_runs(&mut self) {
        let oldest = self.runs.iter().filter(|s| s.ended.is_none()).map(|s| s.began).min();
        self.runs.retain(|span| {
            span.ended.is_none_or(|ended| oldest.is_some_and(|oldest| ended >= oldest))
        });
    }

    fn compare(&mut self) {
        let Some(before) = self.seen.take() else { return };
        let Some(after) = self.look() else { return };
        let created_or_modified = after.iter().filter_map(|(path, stamp)| match before.get(path) {
            None => Some((path, FileChange::Created, Some(stamp.changed))),
            Some(old) if old.is_same_content(stamp) => None,
            Some(_) => Some((path, FileChange::Modified, Some(stamp.changed))),
        });
        let deleted = before
            .keys()
            .filter(|path| !after.contains_key(*path))
            .map(|path| (path, FileChange::Deleted, None));
        let changes: Vec<Change> = created_or_modified
            .chain(deleted)
            .map(|(path, change, at)| Change {
                path: path.to_string_lossy().into_owned(),
                change,
                at: at.and_then(system_time),
            })
            .collect();
        for change in changes {
            if let Some(span) = only_run_at(&mut self.runs, change.at) {
                span.changes.push(change);
            }
        }
        for span in &mut self.runs {
            span.changes.sort_by(|a, b| a.path.cmp(&b.path));
        }
        self.seen = Some(after);
    }

    fn look(&mut self) -> Option<Snapshot> {
        let begin = Instant::now();
        let snapshot = snapshot(&self.root);
        self.given_up = snapshot.is_none();
        self.last_look = Instant::now();
        self.cost = begin.elapsed();
        snapshot
    }
}

/// The one run that can have made a change at this time.
fn only_run_at(runs: &mut [Span], at: Option<SystemTime>) -> Option<&mut Span> {
    let possible = |span: &Span| match at {
        Some(at) => at + CLOCK_TICK >= span.began && span.ended.is_none_or(|ended| at <= ended),
        None => true,
    };
    let mut candidates = runs.iter_mut().filter(|span| possible(span));
    match (candidates.next(), candidates.next()) {
        (Some(only), None) if only.ended.is_none() => Some(only),
        _ => None,
    }
}

impl Stamp {
    fn is_same_content(&self, other: &Stamp) -> bool {
        (self.size, self.inode, self.modified) == (other.size, other.inode, other.modified)
    }
}

fn system_time((seconds, nanos): (i64, i64)) -> Option<SystemTime> {
    let since = Duration::new(u64::try_from(seconds).ok()?, u32::try_from(nanos).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(since)
}

/// All files, or `None` if there are too many. What cannot be read is left
/// out both before and after.
fn snapshot(root: &Path) -> Option<Snapshot> {
    let mut files = Snapshot::new();
    let mut folders = vec![PathBuf::new()];
    let mut looked_at = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries.flatten() {
            looked_at += 1;
            if looked_at > MOST_FILES {
                return None;
            }
            let Ok(kind) = entry.file_type() else { continue };
            let path = folder.join(entry.file_name());
            if kind.is_dir() {
                if !SKIPPED.iter().any(|skipped| entry.file_name() == *skipped) {
                    folders.push(path);
                }
            } else if let Ok(metadata) = entry.metadata() {
                files.insert(
                    path,
                    Stamp {
                        size: metadata.len(),
                        inode: metadata.ino(),
                        modified: (metadata.mtime(), metadata.mtime_nsec()),
                        changed: (metadata.ctime(), metadata.ctime_nsec()),
                    },
                );
            }
        }
    }
    Some(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pause() {
        std::thread::sleep(CLOCK_TICK * 2);
    }

    fn watch(root: &Path) -> FileWatch {
        FileWatch::new(root)
    }

    fn told(changes: &[Change]) -> Vec<(&str, FileChange)> {
        changes.iter().map(|change| (change.path.as_str(), change.change)).collect()
    }

    #[test]
    fn what_a_run_changed_is_told_and_build_output_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        };
        write("old");
        write("gone");
        let mut watch = watch(folder.path());
        let run = watch.run_begins();
        pause();
        write("sub/new");
        write("target/report");
        write("old");
        fs::remove_file(folder.path().join("gone")).unwrap();
        pause();
        let changes = watch.run_ends(run);
        use FileChange::{Created, Deleted, Modified};
        assert_eq!(told(&changes), [("gone", Deleted), ("old", Modified), ("sub/new", Created)]);
        let next = watch.run_begins();
        assert!(watch.run_ends(next).is_empty(), "a change is told once");
    }

    #[test]
    fn a_change_that_two_runs_can_have_made_is_not_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut watch = watch(folder.path());
        let first = watch.run_begins();
        pause();
        fs::write(folder.path().join("first"), "").unwrap();
        pause();
        let second = watch.run_begins();
        pause();
        fs::write(folder.path().join("both"), "").unwrap();
        pause();
        assert_eq!(told(&watch.run_ends(second)), []);
        assert_eq!(told(&watch.run_ends(first)), [("first", FileChange::Created)]);
    }

    #[test]
    fn a_tree_that_is_too_large_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        for index in 0..=MOST_FILES {
            fs::File::create(folder.path().join(index.to_string())).unwrap();
        }
        let mut watch = watch(folder.path());
        let run = watch.run_begins();
        fs::write(folder.path().join("new"), "").unwrap();
        assert!(watch.run_ends(run).is_empty());
    }
}

//! Which code of the project runs when.
//!
//! Watched code sets a flag for each block it comes to (`ResidueHook.reached`):
//! a byte outside the heap, so that setting it again costs one load and one
//! test. At the end of an epoch the flags are taken down, eight at a time, and
//! none that is set meanwhile is lost. So an end costs what the project is
//! large, but very little of it: a million blocks are a megabyte.
//!
//! What runs while a class is initialised is told apart, because it counts for
//! everyone who uses the class: see `residue_model::trace::Stretch`.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use residue_classfile::{ClassFile, ClassSummary, MethodCode as Code, text};
use residue_model::trace::{BlockCode, ClassCode, Counts, GapKind, MethodCode, Name};
use residue_wire::trace::TraceWriter;

use crate::gaps::Gaps;
use crate::memory::Region;
use crate::names::binary;

const MOST_BLOCKS: usize = 1 << 24;

/// The flags and all that they mean.
#[derive(Debug)]
pub(crate) struct Watching {
    flags: Region,
    /// Names of the project's classes, with slashes.
    project: HashSet<Box<[u8]>>,
    /// Numbers given so far.
    blocks: u32,
    /// Numbers of classes by name and a digest of the class file: one that is
    /// loaded again is the same.
    known: HashMap<(Box<[u8]>, u64), u32>,
    new_classes: Vec<ClassCode>,
    initialising: Vec<u32>,
    counts: Counts,
    current: Vec<Part>,
    ended: Vec<Part>,
}

/// What was reached between two looks at the flags.
#[derive(Debug)]
struct Part {
    counts: Counts,
    initialising: Vec<u32>,
    blocks: Vec<u32>,
}

/// A class that is about to be watched.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// For the class and its first block.
    pub(crate) number: u32,
    key: (Box<[u8]>, u64),
    is_known: bool,
}

impl Watching {
    pub(crate) fn new(folders: &[PathBuf]) -> Option<Self> {
        let mut project = HashSet::new();
        folders.iter().for_each(|folder| add_classes(folder, &mut Vec::new(), &mut project));
        Some(Self {
            flags: Region::reserve(MOST_BLOCKS, MOST_BLOCKS)?,
            project,
            blocks: 0,
            known: HashMap::new(),
            new_classes: Vec::new(),
            initialising: Vec::new(),
            counts: Counts::ForAll,
            current: Vec::new(),
            ended: Vec::new(),
        })
    }

    pub(crate) fn flags_base(&self) -> usize {
        self.flags.base()
    }

    /// Whether a class of this name, with slashes, is the project's own.
    pub(crate) fn is_of_project(&self, name: &[u8]) -> bool {
        self.project.contains(name)
    }

    /// A number for a class, if it is the project's own.
    pub(crate) fn candidate(
        &mut self,
        name: &[u8],
        bytes: &[u8],
        gaps: &mut Gaps,
    ) -> Option<Candidate> {
        if !self.is_of_project(name) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let key = (name.into(), hasher.finish());
        let known = self.known.get(&key).copied();
        // No class has more blocks than bytes.
        if known.is_none() && self.blocks as usize + bytes.len() > MOST_BLOCKS {
            self.add_unwatched(name, "the project has too many blocks", gaps);
            return None;
        }
        Some(Candidate { number: known.unwrap_or(self.blocks), key, is_known: known.is_some() })
    }

    /// The class is watched from now on.
    pub(crate) fn add(
        &mut self,
        candidate: Candidate,
        class: &ClassFile<'_>,
        summary: &ClassSummary<'_>,
        code: Vec<Code>,
        gaps: &mut Gaps,
    ) {
        if candidate.is_known {
            return;
        }
        let shown = binary(summary.name);
        for method in &code {
            if let Some(reason) = &method.unwatched {
                let detail = format!("{shown}.{}{}: {reason}", method.name, method.descriptor);
                gaps.add(GapKind::NotCovered, detail, 1);
            }
        }
        let count: usize = code.iter().map(|method| method.blocks.len()).sum();
        self.new_classes.push(ClassCode {
            name: shown.into(),
            source: class.source_file().map(|file| text(file).into()),
            superclass: summary.super_name.map(|name| binary(name).into()),
            interfaces: summary.interfaces.iter().map(|name| binary(name).into()).collect(),
            first_block: candidate.number,
            methods: self.methods(code),
            is_watched: true,
        });
        self.blocks += count as u32;
        self.known.insert(candidate.key, candidate.number);
    }

    /// Nobody will know when the code of this class runs, if it is the
    /// project's own.
    pub(crate) fn add_unwatched(&mut self, name: &[u8], why: &str, gaps: &mut Gaps) {
        if !self.is_of_project(name) {
            return;
        }
        let shown = binary(name);
        gaps.add(GapKind::NotCovered, format!("{shown}: {why}"), 1);
        self.new_classes.push(ClassCode {
            name: shown.into(),
            source: None,
            superclass: None,
            interfaces: Vec::new(),
            first_block: self.blocks,
            methods: Vec::new(),
            is_watched: false,
        });
    }

    /// Of the classes that blocks name only the project's own matter.
    fn methods(&self, code: Vec<Code>) -> Vec<MethodCode> {
        let is_own = |name: &&String| self.is_of_project(name.as_bytes());
        let block = |block: residue_classfile::Block| BlockCode {
            lines: block.lines.into_iter().map(u32::from).collect(),
            classes: block
                .classes
                .iter()
                .filter(is_own)
                .map(|name| Name::from(name.replace('/', ".")))
                .collect(),
        };
        let method = |method: Code| MethodCode {
            name: method.name.into(),
            descriptor: method.descriptor.into(),
            is_watched: method.unwatched.is_none(),
            blocks: method.blocks.into_iter().map(block).collect(),
        };
        code.into_iter().map(method).collect()
    }

    /// The initialiser of the class with this number begins. It may say so
    /// again.
    pub(crate) fn initialising(&mut self, class: u32) {
        self.take_down();
        if !self.initialising.contains(&class) {
            self.initialising.push(class);
        }
    }

    pub(crate) fn initialised(&mut self, class: u32) {
        self.take_down();
        self.initialising.retain(|other| *other != class);
    }

    /// What runs from now on counts for others than before.
    pub(crate) fn counts(&mut self, counts: Counts) {
        self.take_down();
        self.counts = counts;
    }

    pub(crate) fn epoch_begins(&mut self) {
        self.counts(Counts::ForEpoch);
    }

    pub(crate) fn epoch_ends(&mut self) {
        self.take_down();
        self.ended.append(&mut self.current);
    }

    /// Whether there is something to tell of an epoch that has ended.
    pub(crate) fn has_ended(&self) -> bool {
        !self.ended.is_empty()
    }

    /// Tells the writer of the epoch that has ended.
    pub(crate) fn write(&mut self, writer: &mut TraceWriter) {
        for class in self.new_classes.drain(..) {
            writer.class_code(&class);
        }
        for Part { counts, initialising, blocks } in self.ended.drain(..) {
            writer.reached(counts, &initialising, &blocks);
        }
    }

    fn take_down(&mut self) {
        let mut blocks = Vec::new();
        for offset in (0..self.blocks as usize).step_by(8) {
            let word = self.flags.u64(offset);
            if word.load(Ordering::Relaxed) != 0 {
                let flags = word.swap(0, Ordering::Relaxed).to_ne_bytes();
                let set = (offset as u32..).zip(flags).filter(|(_, flag)| *flag != 0);
                blocks.extend(set.map(|(block, _)| block));
            }
        }
        if !blocks.is_empty() {
            let (counts, initialising) = (self.counts, self.initialising.clone());
            self.current.push(Part { counts, initialising, blocks });
        }
    }
}

/// The names of all classes below a folder. What cannot be read has none.
fn add_classes(folder: &Path, name: &mut Vec<u8>, found: &mut HashSet<Box<[u8]>>) {
    use std::os::unix::ffi::OsStrExt as _;
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let length = name.len();
        if length > 0 {
            name.push(b'/');
        }
        let file = entry.file_name();
        if let Some(simple) = file.as_bytes().strip_suffix(b".class") {
            name.extend_from_slice(simple);
            found.insert(name.as_slice().into());
        } else if entry.path().is_dir() {
            name.extend_from_slice(file.as_bytes());
            add_classes(&entry.path(), name, found);
        }
        name.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_of_folders_are_the_projects_own() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a/b")).unwrap();
        for file in ["Top.class", "a/b/C$D.class", "a/b/notes.txt"] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let watching = Watching::new(&[folder.path().into(), "/nowhere".into()]).unwrap();
        assert!(watching.is_of_project(b"Top") && watching.is_of_project(b"a/b/C$D"));
        assert!(!watching.is_of_project(b"a/b/notes") && !watching.is_of_project(b"b/C$D"));
    }

    #[test]
    fn flags_are_taken_down_once_and_what_initialisers_reach_is_told_apart() {
        let mut watching = Watching::new(&[]).unwrap();
        watching.blocks = 20;
        let reach = |watching: &Watching, block: usize| {
            watching.flags.u8(block).store(1, Ordering::Relaxed);
        };
        reach(&watching, 3);
        watching.epoch_begins();
        reach(&watching, 3);
        watching.initialising(7);
        reach(&watching, 3);
        reach(&watching, 19);
        watching.initialising(7);
        watching.initialised(7);
        reach(&watching, 8);
        watching.epoch_ends();
        watching.epoch_ends();
        let told: Vec<_> = watching
            .ended
            .iter()
            .map(|part| (part.counts, part.initialising.clone(), part.blocks.clone()))
            .collect();
        let expected = [
            (Counts::ForAll, vec![], vec![3]),
            (Counts::ForEpoch, vec![], vec![3]),
            (Counts::ForEpoch, vec![7], vec![3, 19]),
            (Counts::ForEpoch, vec![], vec![8]),
        ];
        assert_eq!(told, expected);
    }
}

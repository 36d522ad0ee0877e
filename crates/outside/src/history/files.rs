//! Files and folders, by number, as long as they exist.

use std::collections::{BTreeSet, HashMap};

/// One file of a run, from when it was made, or first seen, until it is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FileId(usize);

/// Device and inode.
type Number = (u64, u64);

#[derive(Debug, Default)]
struct File {
    /// All names it was seen under.
    names: BTreeSet<String>,
    made_in: Option<u32>,
    gone_in: Option<u32>,
}

#[derive(Debug, Default)]
pub(super) struct Files {
    files: Vec<File>,
    existing: HashMap<Number, FileId>,
}

impl Files {
    /// A new file, whatever had its number before.
    pub(super) fn made(&mut self, number: Number, name: &str, epoch: u32) -> FileId {
        self.existing.remove(&number);
        let id = self.seen(number, name);
        self.files[id.0].made_in = Some(epoch);
        id
    }

    /// A file that is there, with this name among others.
    pub(super) fn seen(&mut self, number: Number, name: &str) -> FileId {
        let id = *self.existing.entry(number).or_insert_with(|| {
            self.files.push(File::default());
            FileId(self.files.len() - 1)
        });
        self.files[id.0].names.insert(name.into());
        id
    }

    pub(super) fn known(&self, number: Number) -> Option<FileId> {
        self.existing.get(&number).copied()
    }

    /// It has lost its last name; another file may get the number.
    pub(super) fn gone(&mut self, number: Number, epoch: u32) {
        if let Some(id) = self.existing.remove(&number) {
            self.files[id.0].gone_in = Some(epoch);
        }
    }

    /// Whether no other epoch can have met it.
    pub(super) fn was_there_only_for(&self, id: FileId, epoch: u32) -> bool {
        let file = &self.files[id.0];
        file.made_in == Some(epoch) && file.gone_in == Some(epoch)
    }

    pub(super) fn names(&self, id: FileId) -> impl Iterator<Item = &str> {
        self.files[id.0].names.iter().map(String::as_str)
    }
}

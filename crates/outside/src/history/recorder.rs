//! The first read and the writes of each epoch, by location.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use residue_model::trace::{
    EpochKind, Gap, GapKind, Outside, OutsideAccesses, OutsideEpoch, OutsideKind, OutsideRead,
    OutsideWrite, Value,
};

use crate::event::NOBODYS;

use super::files::{FileId, Files};
use super::naming::Names;

/// A location, as long as the names of files may still grow.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Content(FileId),
    Metadata(FileId),
    Name(String),
    Listing(String),
    Other(OutsideKind, String),
    /// A port that the system chose.
    ChosenPort(String),
    WorkingDirectory,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    Nothing,
    File(FileId),
    /// A file, but not known which.
    Something,
    Unknown,
}

/// Who did it.
#[derive(Debug, Clone, Copy)]
pub(super) struct By {
    pub(super) epoch: u32,
    pub(super) stack: u32,
    /// The JVM did it itself, so there may be Java code behind it.
    pub(super) in_jvm: bool,
}

impl By {
    fn stack(self) -> Option<u32> {
        (self.stack & !NOBODYS).checked_sub(1)
    }
}

/// What one epoch did to one location.
#[derive(Debug, Default)]
struct Access {
    read: Option<Option<u32>>,
    written: Option<Written>,
}

#[derive(Debug)]
struct Written {
    stack: Option<u32>,
    before: Binding,
    after: Binding,
    /// Of a listing: names that may have come or gone.
    names: BTreeSet<String>,
}

#[derive(Debug, Default)]
pub(super) struct Recorder {
    epochs: Vec<(EpochKind, usize)>,
    keys: Vec<Key>,
    numbers: HashMap<Key, usize>,
    /// By epoch, counted from 1, and location.
    accesses: BTreeMap<(u32, usize), Access>,
    /// Accesses of the JVM of which nobody knows the Java code, by location.
    without_stack: BTreeMap<usize, u64>,
}

impl Recorder {
    pub(super) fn begin_epoch(&mut self, kind: EpochKind, position: u64) {
        self.epochs.push((kind, position as usize));
    }

    /// Nothing for what happens before the first epoch.
    fn access(&mut self, key: Key, by: By) -> Option<&mut Access> {
        if by.epoch == 0 {
            return None;
        }
        let number = match self.numbers.get(&key) {
            Some(number) => *number,
            None => {
                self.keys.push(key.clone());
                self.numbers.insert(key, self.keys.len() - 1);
                self.keys.len() - 1
            }
        };
        // After the last epoch nobody asks for stacks.
        if by.in_jvm && by.stack == 0 && by.epoch as usize <= self.epochs.len() {
            *self.without_stack.entry(number).or_default() += 1;
        }
        Some(self.accesses.entry((by.epoch, number)).or_default())
    }

    /// What frameworks look at for themselves is nobody's doing.
    pub(super) fn read(&mut self, key: Key, by: By) {
        if by.stack & NOBODYS != 0 {
            return;
        }
        if let Some(access) = self.access(key, by)
            && access.written.is_none()
        {
            access.read.get_or_insert(by.stack());
        }
    }

    pub(super) fn write(&mut self, key: Key, by: By) {
        self.change(key, Binding::Unknown, Binding::Unknown, by);
    }

    /// A name stands for something else from now on.
    pub(super) fn rebind(&mut self, path: &str, before: Binding, after: Binding, by: By) {
        self.change(Key::Name(path.into()), before, after, by);
    }

    /// An address is taken, or free again; a folder's listing is there, or gone.
    pub(super) fn occupy(&mut self, key: Key, before: Binding, after: Binding, by: By) {
        self.change(key, before, after, by);
    }

    /// A name in a folder has changed.
    pub(super) fn relist(&mut self, folder: &str, name: &str, by: By) {
        if let Some(written) =
            self.change(Key::Listing(folder.into()), Binding::Unknown, Binding::Unknown, by)
        {
            written.names.insert(name.into());
        }
    }

    fn change(
        &mut self,
        key: Key,
        before: Binding,
        after: Binding,
        by: By,
    ) -> Option<&mut Written> {
        let access = self.access(key, by)?;
        let new = || Written { stack: by.stack(), before, after, names: BTreeSet::new() };
        let written = access.written.get_or_insert_with(new);
        written.after = after;
        Some(written)
    }

    pub(super) fn finish(self, files: &Files, names: &Names<'_>) -> OutsideAccesses {
        let mut epochs: Vec<OutsideEpoch> = self
            .epochs
            .iter()
            .map(|&(kind, test)| OutsideEpoch { kind, test, reads: vec![], writes: vec![] })
            .collect();
        for (&(epoch, location), access) in &self.accesses {
            if self.is_of_epoch_only(location, epoch, files) {
                continue;
            }
            let Some(into) = epochs.get_mut(epoch as usize - 1) else { continue };
            into.reads.extend(access.read.map(|stack| OutsideRead { location, stack }));
            into.writes.extend(access.written.as_ref().map(|written| {
                let (old, new) = self.values(epoch, written);
                OutsideWrite { location, stack: written.stack, old, new }
            }));
        }
        let locations: Vec<_> = self.keys.iter().map(|key| shown(key, files, names)).collect();
        let gaps = self.without_stack.iter().map(|(&location, &count)| {
            let detail = locations[location].to_string().into();
            Gap { kind: GapKind::UnknownCaller, detail, count }
        });
        OutsideAccesses { gaps: gaps.collect(), locations, epochs }
    }

    fn is_of_epoch_only(&self, location: usize, epoch: u32, files: &Files) -> bool {
        match self.keys[location] {
            Key::Content(file) | Key::Metadata(file) => files.was_there_only_for(file, epoch),
            _ => false,
        }
    }

    fn values(&self, epoch: u32, written: &Written) -> (Option<Value>, Option<Value>) {
        if !written.names.is_empty() {
            // Two equal values say that the listing is as it was.
            let same = written.names.iter().all(|name| self.is_there_as_before(epoch, name));
            let value = same.then_some(Value::Boolean(true));
            return (value.clone(), value);
        }
        let is_other_file = is_there(written.before) == Some(true)
            && is_there(written.after) == Some(true)
            && written.before != written.after;
        let value = |binding| is_there(binding).map(Value::Boolean);
        (value(written.before), value(written.after).filter(|_| !is_other_file))
    }

    fn is_there_as_before(&self, epoch: u32, name: &str) -> bool {
        let number = self.numbers.get(&Key::Name(name.into()));
        let access = number.and_then(|number| self.accesses.get(&(epoch, *number)));
        let written = access.and_then(|access| access.written.as_ref());
        written.is_some_and(|written| {
            let before = is_there(written.before);
            before.is_some() && before == is_there(written.after)
        })
    }
}

fn is_there(binding: Binding) -> Option<bool> {
    match binding {
        Binding::Nothing => Some(false),
        Binding::File(_) | Binding::Something => Some(true),
        Binding::Unknown => None,
    }
}

fn shown(key: &Key, files: &Files, names: &Names<'_>) -> Outside {
    let of_file = |kind, file| {
        let mut all: Vec<String> = files.names(file).map(|path| names.shown(path)).collect();
        all.sort_unstable();
        let mut all = all.into_iter();
        let name = all.next().unwrap_or_default();
        Outside { other_names: all.map(Into::into).collect(), ..Outside::new(kind, &name) }
    };
    match key {
        Key::Content(file) => of_file(OutsideKind::FileContent, *file),
        Key::Metadata(file) => of_file(OutsideKind::FileMetadata, *file),
        Key::Name(path) => Outside::new(OutsideKind::FileName, &names.shown(path)),
        Key::Listing(path) => Outside::new(OutsideKind::FolderListing, &names.shown(path)),
        Key::Other(kind, name) => Outside::new(*kind, name),
        Key::ChosenPort(number) => Outside::chosen_port(number),
        Key::WorkingDirectory => Outside::new(OutsideKind::WorkingDirectory, ""),
    }
}

//! From events to who read and wrote what.
//!
//! - A *name* is a place in a folder. To make, remove or rename something
//!   writes the name; to use it, or to find that it is not there, reads it. So a
//!   file that is deleted and made again is one location for those who go
//!   through its name.
//! - A *file* is what a name stands for, told by device and inode as long as it
//!   exists: numbers are used again. Whoever goes through another name, a hard
//!   or a symbolic link, meets the same content.
//! - A file that is made and gone within one epoch was never there for others,
//!   and a name that is back to what it was is not written.

mod files;
mod naming;
mod recorder;
mod sockets;

use residue_model::trace::{EpochKind, Gap, GapKind, OutsideAccesses, OutsideKind};

use crate::event::{Event, EventKind, flags};
use crate::log::Log;
use crate::rules::{Places, Rules};

use files::{FileId, Files};
pub use naming::FileSystem;
use naming::Names;
use recorder::{Binding, By, Key, Recorder};
use sockets::OwnPorts;

/// What the epochs of a run did outside the heap.
pub fn accesses(
    log: &Log<'_>,
    rules: &Rules,
    places: &Places,
    file_system: &mut dyn FileSystem,
) -> OutsideAccesses {
    let mut history = History {
        jvm: log.jvm(),
        rules,
        names: Names::new(places, file_system),
        files: Files::default(),
        recorder: Recorder::default(),
        ports: OwnPorts::of(log),
        gaps: Vec::new(),
    };
    for event in log.events() {
        history.take(&event);
    }
    if log.lost() > 0 {
        let detail = "accesses to files and sockets that found no room in the log";
        let gap = Gap { kind: GapKind::Other, detail: detail.into(), count: log.lost() };
        history.gaps.push(gap);
    }
    history.finish()
}

struct History<'a> {
    jvm: Option<u32>,
    rules: &'a Rules,
    names: Names<'a>,
    files: Files,
    recorder: Recorder,
    ports: OwnPorts,
    gaps: Vec<Gap>,
}

impl History<'_> {
    fn take(&mut self, event: &Event<'_>) {
        let in_jvm = Some(event.process) == self.jvm;
        let by = By { epoch: event.epoch, stack: event.stack, in_jvm };
        match event.kind {
            EventKind::Epoch => self.recorder.begin_epoch(kind_of_epoch(event.flags), event.file.1),
            EventKind::Open => self.open(event, by),
            EventKind::Missing => _ = self.use_name(event, &event.text, by),
            EventKind::Look => self.look(event, by),
            EventKind::ReadContent => self.content(event, by, false),
            EventKind::WriteContent => self.content(event, by, true),
            EventKind::Remove => self.remove(event, by),
            EventKind::Rename => self.rename(event, by),
            EventKind::Make => self.make(event, by),
            EventKind::Link => self.link(event, by),
            EventKind::List => self.list(event, by),
            EventKind::WriteMetadata => self.metadata(event, by, true),
            EventKind::ReadMetadata => self.metadata(event, by, false),
            EventKind::Bind | EventKind::CannotBind | EventKind::Unbind | EventKind::Connect => {
                self.socket(event, by)
            }
            EventKind::ReadVariable => self.variable(event, by, false),
            EventKind::WriteVariable => self.variable(event, by, true),
            EventKind::ChangeFolder => {
                if Some(event.process) == self.jvm {
                    self.recorder.write(Key::WorkingDirectory, by);
                }
            }
            EventKind::UnseenProgram => self.unseen_program(event),
            // Not the test's doing but ours.
            EventKind::Saved | EventKind::SavedLink | EventKind::SavedMetadata => {}
        }
    }

    /// The name as everybody writes it, if it matters.
    fn watched(&mut self, path: &[u8]) -> Option<String> {
        let path = self.names.settled(path);
        self.rules.watches(OutsideKind::FileName, &path).then_some(path)
    }

    /// Somebody goes through a name; what it stands for shows whether it, and
    /// every folder on the way, is there.
    fn use_name(&mut self, event: &Event<'_>, path: &[u8], by: By) -> Option<String> {
        let path = self.watched(path)?;
        self.look_up(event, &path, by);
        self.recorder.read(Key::Name(path.clone()), by);
        if !event.has(flags::OF_LINK)
            && let Some(target) = self.names.link_target(&path)
        {
            self.recorder.read(Key::Name(target), by);
        }
        Some(path)
    }

    /// The way to a name, without the name itself.
    fn look_up(&mut self, event: &Event<'_>, path: &str, by: By) {
        for folder in self.names.folders_on_the_way(path) {
            self.recorder.read(Key::Name(folder), by);
        }
        if event.has(flags::RELATIVE) && Some(event.process) == self.jvm {
            self.recorder.read(Key::WorkingDirectory, by);
        }
    }

    fn change_name(&mut self, path: &str, before: Binding, after: Binding, by: By) {
        self.recorder.rebind(path, before, after, by);
        if let Some((folder, _)) = path.rsplit_once('/') {
            self.recorder.relist(folder, path, by);
        }
    }

    fn open(&mut self, event: &Event<'_>, by: By) {
        let Some(path) = self.watched(&event.text) else { return };
        if event.has(flags::NAME_MATTERS) {
            self.use_name(event, &event.text, by);
        } else {
            self.look_up(event, &path, by);
        }
        let file = if event.has(flags::MADE) {
            let file = self.files.made(event.file, &path, by.epoch);
            self.change_name(&path, Binding::Nothing, Binding::File(file), by);
            file
        } else {
            self.files.seen(event.file, &path)
        };
        if event.has(flags::MADE) || event.has(flags::EMPTIED) {
            self.written(file, by);
        }
    }

    fn written(&mut self, file: FileId, by: By) {
        self.recorder.write(Key::Content(file), by);
        self.recorder.write(Key::Metadata(file), by);
    }

    fn look(&mut self, event: &Event<'_>, by: By) {
        let Some(path) = self.use_name(event, &event.text, by) else { return };
        let file = self.files.seen(event.file, &path);
        self.recorder.read(Key::Metadata(file), by);
    }

    fn content(&mut self, event: &Event<'_>, by: By, is_write: bool) {
        // Without a name nobody else can get at it.
        let Some(file) = self.files.known(event.file) else { return };
        if is_write {
            self.written(file, by);
        } else {
            self.recorder.read(Key::Content(file), by);
        }
    }

    fn remove(&mut self, event: &Event<'_>, by: By) {
        let Some(path) = self.use_name(event, &event.text, by) else { return };
        let file = self.files.seen(event.file, &path);
        self.change_name(&path, Binding::File(file), Binding::Nothing, by);
        self.change_listing(event, &path, Binding::Something, Binding::Nothing, by);
        if event.has(flags::LAST_NAME) || event.has(flags::FOLDER) {
            self.files.gone(event.file, by.epoch);
        }
    }

    /// With a folder its listing comes and goes.
    fn change_listing(
        &mut self,
        event: &Event<'_>,
        path: &str,
        before: Binding,
        after: Binding,
        by: By,
    ) {
        if event.has(flags::FOLDER) {
            self.recorder.occupy(Key::Listing(path.into()), before, after, by);
        }
    }

    fn rename(&mut self, event: &Event<'_>, by: By) {
        let from = self.use_name(event, &event.text, by);
        let to = self.watched(&event.second);
        let (Some(from), Some(to)) = (&from, &to) else {
            // Into or out of what nobody watches.
            for path in from.iter().chain(&to) {
                self.change_name(path, Binding::Unknown, Binding::Unknown, by);
            }
            return;
        };
        self.look_up(event, to, by);
        let file = self.files.seen(event.file, from);
        self.files.seen(event.file, to);
        let exchanged = event.has(flags::EXCHANGED);
        let left = if exchanged { Binding::Unknown } else { Binding::Nothing };
        let replaced = exchanged || event.has(flags::REPLACED);
        let before = if replaced { Binding::Something } else { Binding::Nothing };
        self.change_name(from, Binding::File(file), left, by);
        self.change_name(to, before, Binding::File(file), by);
        self.change_listing(event, from, Binding::Something, left, by);
        self.change_listing(event, to, before, Binding::Something, by);
    }

    fn make(&mut self, event: &Event<'_>, by: By) {
        let Some(path) = self.use_name(event, &event.text, by) else { return };
        let file = self.files.made(event.file, &path, by.epoch);
        self.change_name(&path, Binding::Nothing, Binding::File(file), by);
        self.change_listing(event, &path, Binding::Nothing, Binding::Something, by);
        if !event.second.is_empty() {
            self.names.add_link(&path, &event.second);
        }
    }

    fn link(&mut self, event: &Event<'_>, by: By) {
        let from = self.use_name(event, &event.text, by);
        let Some(to) = self.watched(&event.second) else { return };
        self.look_up(event, &to, by);
        let file = self.files.seen(event.file, from.as_deref().unwrap_or(&to));
        self.files.seen(event.file, &to);
        self.change_name(&to, Binding::Nothing, Binding::File(file), by);
    }

    fn list(&mut self, event: &Event<'_>, by: By) {
        if let Some(path) = self.use_name(event, &event.text, by) {
            self.recorder.read(Key::Listing(path), by);
        }
    }

    fn metadata(&mut self, event: &Event<'_>, by: By, is_write: bool) {
        let file = if event.text.is_empty() {
            self.files.known(event.file)
        } else {
            let path = self.use_name(event, &event.text, by);
            path.map(|path| self.files.seen(event.file, &path))
        };
        match file {
            Some(file) if is_write => self.recorder.write(Key::Metadata(file), by),
            Some(file) => self.recorder.read(Key::Metadata(file), by),
            None => {}
        }
    }

    fn variable(&mut self, event: &Event<'_>, by: By, is_write: bool) {
        let name = String::from_utf8_lossy(&event.text).into_owned();
        if Some(event.process) != self.jvm || !self.rules.watches(OutsideKind::Variable, &name) {
            return;
        }
        let key = Key::Other(OutsideKind::Variable, name);
        if is_write { self.recorder.write(key, by) } else { self.recorder.read(key, by) }
    }

    fn unseen_program(&mut self, event: &Event<'_>) {
        let program = String::from_utf8_lossy(&event.text);
        let why = String::from_utf8_lossy(&event.second);
        let detail = format!("{program}: {why}");
        match self.gaps.iter_mut().find(|gap| *gap.detail == *detail) {
            Some(gap) => gap.count += 1,
            None => {
                let kind = GapKind::UnseenProgram;
                self.gaps.push(Gap { kind, detail: detail.into(), count: 1 });
            }
        }
    }

    fn finish(self) -> OutsideAccesses {
        let Self { recorder, files, names, gaps, .. } = self;
        let mut accesses = recorder.finish(&files, &names);
        accesses.gaps.extend(gaps);
        accesses.gaps.sort_unstable();
        accesses
    }
}

fn kind_of_epoch(code: u16) -> EpochKind {
    match code {
        0 => EpochKind::BeforeClass,
        2 => EpochKind::AfterClass,
        _ => EpochKind::Test,
    }
}

#[cfg(test)]
mod tests;

//! What tests leave changed outside the heap: files, folders, ports, variables.
//!
//! The trace has every write to such a location, and of names and addresses it
//! knows whether they were there before and after. What a file says is not
//! compared: who has written it has left it written.
//!
//! To make one file writes its name, its content, its metadata and the listing
//! of its folder. A reader wants to hear of one file, so locations are put
//! together by the name, and what a test makes or removes with a whole folder is
//! part of that folder.

use std::collections::{BTreeMap, HashMap};

use residue_model::trace::{
    EpochIndex, EpochKind, LocationId, LocationName, Outside, OutsideKind, Trace, Value, Write,
};
use serde::Serialize;

use crate::accesses::Written;
use crate::stable_names::without_random;

/// What has become of something outside the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It was not there before.
    Made,
    /// It has been written to.
    Written,
    /// Something else has its name.
    Replaced,
    /// It is gone.
    Removed,
    /// Permissions, owner or times are others.
    Metadata,
    /// A port or socket was taken and not given back.
    LeftOpen,
    /// A port or socket that was there before is closed.
    Closed,
    /// A variable, or the working directory, has another value.
    Set,
}

impl Fate {
    /// The words for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Written => "written",
            Self::Replaced => "another in its place",
            Self::Removed => "removed",
            Self::Metadata => "other permissions, owner or times",
            Self::LeftOpen => "left open",
            Self::Closed => "closed",
            Self::Set => "set",
        }
    }
}

/// One thing outside the heap that a test, or a class, left changed.
#[derive(Debug)]
pub(crate) struct LeftOutside {
    /// The same in every run.
    pub(crate) name: String,
    /// Whether it was made up, so that no other test can know it.
    pub(crate) has_random_name: bool,
    pub(crate) fate: Fate,
    /// Names in a folder that were made or removed with it.
    pub(crate) inside: usize,
    /// Whether it is a log, as far as the name tells.
    pub(crate) is_log: bool,
    since: EpochIndex,
    epoch: EpochIndex,
    locations: Vec<LocationId>,
}

impl LeftOutside {
    pub(crate) fn written(&self) -> Written<'_> {
        Written { since: self.since, epoch: self.epoch, locations: &self.locations }
    }
}

/// All that tests left, or classes, in the order of time.
pub(crate) fn left_outside(trace: &Trace, per_class: bool) -> Vec<LeftOutside> {
    let captures = captures(trace, per_class);
    captures
        .into_iter()
        .flat_map(|(since, epoch)| Capture::new(trace, since, epoch).left())
        .collect()
}

/// Names of files that the trace knows to have been touched by a test.
pub(crate) fn is_known_file(trace: &Trace, path: &str) -> bool {
    trace.locations.iter().any(|location| match &location.name {
        LocationName::Outside(outside) => {
            is_file(outside.kind) && names(outside).any(|name| name == path)
        }
        _ => false,
    })
}

/// The first and the last epoch of what is compared: a test, or all of a class.
fn captures(trace: &Trace, per_class: bool) -> Vec<(EpochIndex, EpochIndex)> {
    let class = |at: &EpochIndex| trace.test_of(*at).top_level_class();
    let all: Vec<_> = (0..trace.epochs.len() as u32).map(EpochIndex).collect();
    if per_class {
        let of_class = all.chunk_by(|one, other| class(one) == class(other));
        return of_class.map(|epochs| (epochs[0], epochs[epochs.len() - 1])).collect();
    }
    let tests = all.into_iter().filter(|at| trace.epoch(*at).kind == EpochKind::Test);
    tests.map(|at| (at, at)).collect()
}

fn is_file(kind: OutsideKind) -> bool {
    matches!(
        kind,
        OutsideKind::FileContent
            | OutsideKind::FileName
            | OutsideKind::FileMetadata
            | OutsideKind::FolderListing
    )
}

fn names(outside: &Outside) -> impl Iterator<Item = &str> {
    std::iter::once(&outside.name).chain(&outside.other_names).map(|name| &**name)
}

/// The value before the first and after the last write of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Net {
    old: Option<bool>,
    new: Option<bool>,
}

impl Net {
    fn is_undone(self) -> bool {
        self.old.is_some() && self.old == self.new
    }
}

/// Everything outside the heap that one test, or class, has written.
struct Capture<'t> {
    since: EpochIndex,
    epoch: EpochIndex,
    nets: BTreeMap<LocationId, (&'t Outside, Net)>,
}

/// What is known of one name.
#[derive(Debug, Default)]
struct File {
    name: Option<Net>,
    content: bool,
    metadata: bool,
    locations: Vec<LocationId>,
}

impl<'t> Capture<'t> {
    fn new(trace: &'t Trace, since: EpochIndex, epoch: EpochIndex) -> Self {
        let mut nets: BTreeMap<LocationId, (&Outside, Net)> = BTreeMap::new();
        let value = |value: &Option<Value>| match value {
            Some(Value::Boolean(value)) => Some(*value),
            _ => None,
        };
        for Write { location, old, new, .. } in
            trace.epochs[since.index()..=epoch.index()].iter().flat_map(|epoch| &epoch.writes)
        {
            if let LocationName::Outside(outside) = &trace.location(*location).name {
                let first = Net { old: value(old), new: None };
                nets.entry(*location).or_insert((outside, first)).1.new = value(new);
            }
        }
        Self { since, epoch, nets }
    }

    fn left(&self) -> Vec<LeftOutside> {
        let mut left = self.files();
        for (&location, &(outside, net)) in &self.nets {
            let fate = match (outside.kind, net.old, net.new) {
                (OutsideKind::Port | OutsideKind::UnixSocket, Some(false), Some(true)) => {
                    Fate::LeftOpen
                }
                (OutsideKind::Port | OutsideKind::UnixSocket, Some(true), Some(false)) => {
                    Fate::Closed
                }
                (OutsideKind::Variable | OutsideKind::WorkingDirectory, ..) => Fate::Set,
                // What a server was told cannot be compared.
                _ => continue,
            };
            let has_random_name = outside.is_chosen_port();
            let name = match has_random_name {
                true => "port that the system chose".into(),
                false => outside.to_string(),
            };
            let thing = self.thing(name, fate, vec![location]);
            left.push(LeftOutside { has_random_name, ..thing });
        }
        left
    }

    fn thing(&self, name: String, fate: Fate, locations: Vec<LocationId>) -> LeftOutside {
        let stable_name = without_random(&name);
        LeftOutside {
            has_random_name: name != stable_name,
            is_log: name.ends_with(".log"),
            name: stable_name,
            fate,
            inside: 0,
            since: self.since,
            epoch: self.epoch,
            locations,
        }
    }

    fn files(&self) -> Vec<LeftOutside> {
        let files = self.by_name();
        let fates: BTreeMap<&str, Fate> =
            files.iter().filter_map(|(name, file)| Some((*name, file.fate()?))).collect();
        let mut left: Vec<LeftOutside> = Vec::new();
        let mut tops: HashMap<&str, usize> = HashMap::new();
        for (&path, &fate) in &fates {
            let locations = &files[path].locations;
            match top_folder(path, fate, &fates).and_then(|top| tops.get(top)) {
                Some(&top) => {
                    left[top].inside += 1;
                    left[top].locations.extend(locations);
                }
                None => {
                    tops.insert(path, left.len());
                    let title = if self.is_folder(path) { "folder" } else { "file" };
                    left.push(self.thing(format!("{title} {path}"), fate, locations.clone()));
                }
            }
        }
        left
    }

    /// Locations by the name that readers know them under. What is in a file,
    /// and who can see that it is there, belongs to the file.
    fn by_name(&self) -> BTreeMap<&'t str, File> {
        let of_names: HashMap<&str, Net> = self
            .nets
            .values()
            .filter(|(outside, _)| outside.kind == OutsideKind::FileName)
            .map(|(outside, net)| (&*outside.name, *net))
            .collect();
        let mut files: BTreeMap<&str, File> = BTreeMap::new();
        for (&location, &(outside, net)) in &self.nets {
            match outside.kind {
                OutsideKind::FileName if !net.is_undone() => {
                    let file = files.entry(&outside.name).or_default();
                    file.name = Some(net);
                    file.locations.insert(0, location);
                }
                OutsideKind::FileContent | OutsideKind::FileMetadata => {
                    let changed = names(outside).find_map(|name| Some((name, of_names.get(name)?)));
                    // It was there only in between.
                    if changed.is_some_and(|(_, net)| net.old == Some(false) && net.is_undone()) {
                        continue;
                    }
                    let file = files.entry(changed.map_or(&outside.name, |(name, _)| name));
                    let file = file.or_default();
                    file.content |= outside.kind == OutsideKind::FileContent;
                    file.metadata |= outside.kind == OutsideKind::FileMetadata;
                    file.locations.push(location);
                }
                _ => {}
            }
        }
        for (&location, &(outside, net)) in &self.nets {
            if outside.kind == OutsideKind::FolderListing && !net.is_undone() {
                let inside = files.iter_mut().filter(|(name, file)| {
                    file.name.is_some() && parent(name) == Some(&*outside.name)
                });
                inside.for_each(|(_, file)| file.locations.push(location));
            }
        }
        files
    }

    /// Whoever makes or removes a folder writes its listing.
    fn is_folder(&self, path: &str) -> bool {
        let mut written = self.nets.values();
        written.any(|(outside, _)| {
            outside.kind == OutsideKind::FolderListing && &*outside.name == path
        })
    }
}

impl File {
    fn fate(&self) -> Option<Fate> {
        match self.name {
            Some(Net { old: Some(false), new: Some(true) }) => Some(Fate::Made),
            Some(Net { old: Some(true), new: Some(false) }) => Some(Fate::Removed),
            Some(_) => Some(Fate::Replaced),
            None if self.content => Some(Fate::Written),
            None if self.metadata => Some(Fate::Metadata),
            None => None,
        }
    }
}

/// The outermost folder around a path that was made, or removed, like it.
fn top_folder<'a>(path: &'a str, fate: Fate, fates: &BTreeMap<&str, Fate>) -> Option<&'a str> {
    let whole = matches!(fate, Fate::Made | Fate::Removed);
    let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    folders.find(|folder| whole && fates.get(folder) == Some(&fate))
}

fn parent(path: &str) -> Option<&str> {
    // Names in the project are given without it.
    path.rsplit_once('/').map(|(folder, _)| folder).or(Some("."))
}

#[cfg(test)]
mod tests {
    use residue_model::trace::{Epoch, Location};

    use super::*;
    use OutsideKind::{
        FileContent, FileMetadata, FileName, FolderListing, Peer, Port, Variable, WorkingDirectory,
    };

    type Told<'a> = (OutsideKind, &'a str, Option<bool>, Option<bool>);

    const MADE: (Option<bool>, Option<bool>) = (Some(false), Some(true));
    const GONE: (Option<bool>, Option<bool>) = (Some(true), Some(false));

    /// Each test, `CLASS#METHOD`, with what it writes.
    fn trace(tests: &[(&str, &[Told<'_>])]) -> Trace {
        let mut trace = Trace::default();
        for (test, (id, writes)) in tests.iter().enumerate() {
            trace.order.push(id.parse().unwrap());
            let mut write = |&(kind, name, old, new): &Told<'_>| {
                let name = LocationName::Outside(Outside::new(kind, name));
                let known = trace.locations.iter().position(|location| location.name == name);
                let location = known.unwrap_or_else(|| {
                    trace.locations.push(Location { name, creator: None });
                    trace.locations.len() - 1
                });
                let location = LocationId(location as u32);
                let [old, new] = [old, new].map(|value| value.map(Value::Boolean));
                Write { location, stack: None, old, new }
            };
            let writes = writes.iter().map(&mut write).collect();
            trace.epochs.push(Epoch { kind: EpochKind::Test, test, reads: vec![], writes });
        }
        trace
    }

    fn shown(trace: &Trace, per_class: bool) -> Vec<String> {
        let left = left_outside(trace, per_class).into_iter();
        left.map(|one| format!("{} {} ({})", one.name, one.fate.as_str(), one.inside)).collect()
    }

    #[test]
    fn a_file_is_one_thing_and_a_folder_is_one_with_all_that_is_in_it() {
        let trace = trace(&[(
            "a.T#x",
            &[
                (FileName, "a.txt", MADE.0, MADE.1),
                (FileContent, "a.txt", None, None),
                (FileMetadata, "a.txt", None, None),
                (FolderListing, ".", None, None),
                (FileName, "sub", MADE.0, MADE.1),
                (FolderListing, "sub", None, None),
                (FileName, "sub/b.txt", MADE.0, MADE.1),
                (FileContent, "sub/b.txt", None, None),
            ],
        )]);
        assert_eq!(shown(&trace, false), ["file a.txt made (0)", "folder sub made (1)"]);
        let left = left_outside(&trace, false);
        assert_eq!(left[0].written().locations.len(), 4, "who lists the folder sees it too");
        assert_eq!(left[1].written().locations.len(), 5);
    }

    #[test]
    fn what_is_put_back_is_not_left_and_the_rest_says_what_became_of_it() {
        let trace = trace(&[(
            "a.T#x",
            &[
                (FileName, "back", Some(true), Some(true)),
                (FileName, "gone", GONE.0, GONE.1),
                (FileName, "other", Some(true), None),
                (FileContent, "written", None, None),
                (FileMetadata, "written", None, None),
                (FileMetadata, "touched", None, None),
                (Port, "8080", MADE.0, MADE.1),
                (Port, "8081", Some(false), Some(false)),
                (Peer, "db:5432", None, None),
                (Variable, "HOME", None, None),
                (WorkingDirectory, "", None, None),
            ],
        )]);
        assert_eq!(
            shown(&trace, false),
            [
                "file gone removed (0)",
                "file other another in its place (0)",
                "file touched other permissions, owner or times (0)",
                "file written written (0)",
                "port 8080 left open (0)",
                "environment variable HOME set (0)",
                "working directory set (0)",
            ]
        );
    }

    #[test]
    fn a_class_leaves_what_its_last_test_leaves() {
        let (made, gone) = ((FileName, "f", MADE.0, MADE.1), (FileName, "f", GONE.0, GONE.1));
        let content = (FileContent, "f", None, None);
        let trace = trace(&[("a.T#x", &[made, content]), ("a.T#y", &[gone]), ("a.U#x", &[made])]);
        let by_test = ["file f made (0)", "file f removed (0)", "file f made (0)"];
        assert_eq!(shown(&trace, false), by_test);
        assert_eq!(shown(&trace, true), ["file f made (0)"], "only of the other class");
    }

    #[test]
    fn made_up_names_are_the_same_in_every_run() {
        let port = Outside::chosen_port("40123");
        let trace = trace(&[(
            "a.T#x",
            &[
                (FileName, "<tmp>/junit8137420914", MADE.0, MADE.1),
                (Port, &port.name, MADE.0, MADE.1),
                (Port, "40124", MADE.0, MADE.1),
            ],
        )]);
        let left = left_outside(&trace, false);
        let names: Vec<_> = left.iter().map(|one| (&*one.name, one.has_random_name)).collect();
        let expected = [
            ("file <tmp>/junit*", true),
            ("port that the system chose", true),
            ("port 40124", false),
        ];
        assert_eq!(names, expected);
    }
}

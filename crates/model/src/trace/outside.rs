//! State outside the heap: files, sockets, environment.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{EpochKind, Gap, Name, Value};

/// A piece of state outside the heap.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outside {
    /// What it is.
    pub kind: OutsideKind,
    /// Which one. A file has the first of its names, by the alphabet. Files in
    /// the project are named from there, and those in the temporary folder
    /// from `<tmp>`: the same in every run.
    pub name: Name,
    /// Other names under which the same file was used: links, or names that it
    /// had before or after.
    pub other_names: Box<[Name]>,
}

/// Kinds of state outside the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutsideKind {
    /// What is in a file.
    FileContent,
    /// Whether there is something with this name, and which file it is.
    FileName,
    /// Size, times, permissions and owner of a file.
    FileMetadata,
    /// Which names are in a folder.
    FolderListing,
    /// Who has a port of this machine.
    Port,
    /// Whoever answers at an address, for example a database.
    Peer,
    /// Who has a Unix socket.
    UnixSocket,
    /// An environment variable.
    Variable,
    /// The working directory of the JVM.
    WorkingDirectory,
}

impl OutsideKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::FileContent,
        Self::FileName,
        Self::FileMetadata,
        Self::FolderListing,
        Self::Port,
        Self::Peer,
        Self::UnixSocket,
        Self::Variable,
        Self::WorkingDirectory,
    ];

    /// The word for it, as serialised.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FileContent => "file-content",
            Self::FileName => "file-name",
            Self::FileMetadata => "file-metadata",
            Self::FolderListing => "folder-listing",
            Self::Port => "port",
            Self::Peer => "peer",
            Self::UnixSocket => "unix-socket",
            Self::Variable => "variable",
            Self::WorkingDirectory => "working-directory",
        }
    }

    /// What a person calls it, before the name.
    fn title(self) -> &'static str {
        match self {
            Self::FileContent => "file",
            Self::FileName => "existence of",
            Self::FileMetadata => "metadata of",
            Self::FolderListing => "listing of",
            Self::Port => "port",
            Self::Peer => "peer",
            Self::UnixSocket => "socket",
            Self::Variable => "environment variable",
            Self::WorkingDirectory => "working directory",
        }
    }
}

/// Behind the number of a port.
const CHOSEN: &str = ", chosen by the system";

impl Outside {
    /// A port that the system chose, so that it is another one in every run.
    pub fn chosen_port(number: &str) -> Self {
        Self::new(OutsideKind::Port, &format!("{number}{CHOSEN}"))
    }

    /// Whether it is such a port.
    pub fn is_chosen_port(&self) -> bool {
        self.kind == OutsideKind::Port && self.name.ends_with(CHOSEN)
    }

    /// What it means that something is there, or is not.
    pub fn state(&self, is_there: bool) -> &'static str {
        match (self.kind, is_there) {
            (OutsideKind::Port | OutsideKind::UnixSocket, true) => "taken",
            (OutsideKind::Port | OutsideKind::UnixSocket, false) => "free",
            (_, true) => "there",
            (_, false) => "missing",
        }
    }

    /// Something with one name.
    pub fn new(kind: OutsideKind, name: &str) -> Self {
        Self { kind, name: name.into(), other_names: Box::default() }
    }

    /// The same in every run: kind and name, without the names that a file
    /// happens to have besides.
    pub fn identity(&self) -> String {
        format!("{} {}", self.kind.as_str(), self.name)
    }
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.title())?;
        if !self.name.is_empty() {
            write!(f, " {}", self.name)?;
        }
        if let [first, rest @ ..] = &*self.other_names {
            write!(f, " (also {first}")?;
            rest.iter().try_for_each(|name| write!(f, ", {name}"))?;
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// What the epochs of a run did outside the heap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutsideAccesses {
    /// What was touched.
    pub locations: Vec<Outside>,
    /// The epochs, first to run first and none left out.
    pub epochs: Vec<OutsideEpoch>,
    /// What could not be observed.
    pub gaps: Vec<Gap>,
}

/// What one epoch did outside the heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideEpoch {
    /// What ran.
    pub kind: EpochKind,
    /// Position in the order of the test it belongs to.
    pub test: usize,
    /// What it read before it wrote it, each once.
    pub reads: Vec<OutsideRead>,
    /// What it wrote, each once.
    pub writes: Vec<OutsideWrite>,
}

/// The first read of something outside the heap in an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutsideRead {
    /// Position in [`OutsideAccesses::locations`].
    pub location: usize,
    /// Position of the stack in the trace, if it was taken.
    pub stack: Option<u32>,
}

/// The writes of an epoch to something outside the heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideWrite {
    /// Position in [`OutsideAccesses::locations`].
    pub location: usize,
    /// Position of the stack in the trace, if it was taken.
    pub stack: Option<u32>,
    /// The value before, if it is one that can be told.
    pub old: Option<Value>,
    /// The value at the end of the epoch.
    pub new: Option<Value>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_shows_all_its_names_but_is_known_by_one() {
        let other_names = ["link".into(), "old".into()].into();
        let file = Outside { other_names, ..Outside::new(OutsideKind::FileContent, "data.txt") };
        assert_eq!(file.to_string(), "file data.txt (also link, old)");
        assert_eq!(file.identity(), "file-content data.txt");
        assert_eq!(
            Outside::new(OutsideKind::WorkingDirectory, "").to_string(),
            "working directory"
        );
    }

    #[test]
    fn a_port_tells_who_chose_it() {
        let chosen = Outside::chosen_port("40123");
        assert_eq!(chosen.to_string(), "port 40123, chosen by the system");
        assert!(chosen.is_chosen_port());
        assert!(!Outside::new(OutsideKind::Port, "40123").is_chosen_port());
    }

    #[test]
    fn every_kind_has_its_own_word() {
        let words: std::collections::BTreeSet<_> =
            OutsideKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(words.len(), OutsideKind::ALL.len());
    }
}

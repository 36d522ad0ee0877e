//! What a process did that other tests may notice.

use std::borrow::Cow;

/// Kinds of events. The numbers stand in logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum EventKind {
    /// An epoch begins: `device` is its number, `inode` the position of its
    /// test, `flags` its kind.
    Epoch = 1,
    /// A file was opened, or made by opening it.
    Open = 2,
    /// Somebody looked for a name that is not there.
    Missing = 3,
    /// A file was read through a descriptor.
    ReadContent = 4,
    /// A file was written through a descriptor.
    WriteContent = 5,
    /// Somebody looked at a name and the metadata of its file.
    Look = 6,
    /// A name was removed; the file is the one it stood for.
    Remove = 7,
    /// A name was given to a file that had the other one.
    Rename = 8,
    /// A folder, symbolic link, pipe or device was made. The second text is
    /// where a symbolic link points to.
    Make = 9,
    /// A file got a second name.
    Link = 10,
    /// The names in a folder were read.
    List = 11,
    /// Permissions, owner or times were changed.
    WriteMetadata = 12,
    /// They, or the size, were looked at through a descriptor.
    ReadMetadata = 13,
    /// A socket got an address. The text is a `sockaddr`.
    Bind = 14,
    /// It could not have it.
    CannotBind = 15,
    /// The socket with that address is closed.
    Unbind = 16,
    /// A socket was connected to an address.
    Connect = 17,
    /// An environment variable was read.
    ReadVariable = 18,
    /// It was set or removed; without a name, all were.
    WriteVariable = 19,
    /// The working directory was changed.
    ChangeFolder = 20,
    /// A program was started that cannot be watched; the second text says why.
    UnseenProgram = 21,
    /// Before a file was changed, a copy was made; the second text is its name.
    Saved = 22,
    /// A symbolic link is about to go; the second text is where it points to.
    SavedLink = 23,
    /// Permissions or times are about to change, or a folder to go; the second
    /// text is a [`Metadata`](crate::Metadata).
    SavedMetadata = 24,
}

impl EventKind {
    const ALL: [Self; 24] = [
        Self::Epoch,
        Self::Open,
        Self::Missing,
        Self::ReadContent,
        Self::WriteContent,
        Self::Look,
        Self::Remove,
        Self::Rename,
        Self::Make,
        Self::Link,
        Self::List,
        Self::WriteMetadata,
        Self::ReadMetadata,
        Self::Bind,
        Self::CannotBind,
        Self::Unbind,
        Self::Connect,
        Self::ReadVariable,
        Self::WriteVariable,
        Self::ChangeFolder,
        Self::UnseenProgram,
        Self::Saved,
        Self::SavedLink,
        Self::SavedMetadata,
    ];

    pub(crate) fn of_code(code: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u16 == code)
    }
}

/// Details of events.
pub mod flags {
    /// `Open`: the file was not there before.
    pub const MADE: u16 = 1;
    /// `Open`: what was in the file is gone.
    pub const EMPTIED: u16 = 2;
    /// `Open`: whether the name was there decided what happened.
    pub const NAME_MATTERS: u16 = 4;
    /// `Rename`: the name stood for another file before.
    pub const REPLACED: u16 = 8;
    /// `Rename`: the two names changed places.
    pub const EXCHANGED: u16 = 16;
    /// `Look`, `Remove`, `WriteMetadata`: of the link itself, if the name is one.
    pub const OF_LINK: u16 = 32;
    /// The name stands for a folder.
    pub const FOLDER: u16 = 64;
    /// `Bind`, `Connect`: datagrams.
    pub const DATAGRAM: u16 = 128;
    /// `Connect`: nobody was there.
    pub const REFUSED: u16 = 256;
    /// `Bind`: the kernel chose the port.
    pub const ANY_PORT: u16 = 512;
    /// The name was given from the working directory on.
    pub const RELATIVE: u16 = 1024;
    /// `Remove`: the file had no other name.
    pub const LAST_NAME: u16 = 2048;
}

/// Set in the number of a stack on which there is no test, only the JDK and
/// frameworks.
pub const NOBODYS: u32 = 1 << 31;

/// One event of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<'a> {
    /// What happened.
    pub kind: EventKind,
    /// Details, see [`flags`].
    pub flags: u16,
    /// In which epoch, counted from 1; 0 is before the first.
    pub epoch: u32,
    /// In which process.
    pub process: u32,
    /// Where in the code: one more than the number of a stack in the trace,
    /// perhaps with [`NOBODYS`]; 0 if nobody knows.
    pub stack: u32,
    /// Device and inode of the file; zero where there is none.
    pub file: (u64, u64),
    /// A path, a socket address or the name of a variable.
    pub text: Cow<'a, [u8]>,
    /// A second path, or a reason.
    pub second: Cow<'a, [u8]>,
}

impl Event<'_> {
    /// Whether a detail is set.
    pub fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }
}

//! Where things stand in the log, which many processes write at once.
//!
//! A log is a sparse file of [`CAPACITY`] bytes that each process maps into its
//! memory: no descriptor has to stay open, which a test could count or close.
//! It starts with a header of [`RECORDS`] bytes that the host fills in:
//!
//! ```text
//!  0  magic and version
//!  8  end of the records       (u64, grows)
//! 16  number of the epoch      (u32, set by the agent; 0 before the first)
//! 20  process of the JVM       (u32, set by the JVM itself)
//! 24  records that found no room (u64)
//! 64  places not to look at    (paths, each ended by a zero byte; an empty one ends the list)
//! 32 KiB  a folder for copies of what will be changed, the places to which that
//!         does not apply (each behind a `!`) and those to which it does, as a list of
//!         the same form
//! ```
//!
//! A process takes room for a record by moving the end, writes the record's
//! size there, then the rest, then the size again with [`WHOLE`]. A process
//! that is killed in between leaves a hole that a reader steps over.

use crate::event::EventKind;

/// Bytes of a log. The file is sparse: it takes only what is written.
pub const CAPACITY: usize = 256 << 20;
/// First bytes of a log.
pub const MAGIC: [u8; 8] = *b"RSDOUT\x00\x01";
/// Offset of the end of the records.
pub const END: usize = 8;
/// Offset of the number of the epoch.
pub const EPOCH: usize = 16;
/// Offset of the number of the JVM's process.
pub const JVM: usize = 20;
/// Offset of the number of records that found no room.
pub const LOST: usize = 24;
/// Offset of the places not to look at.
pub const UNWATCHED: usize = 64;
/// Offset of the folder for copies and the places it is for.
pub const SAVING: usize = 32 << 10;
/// Before a place whose files are not saved.
pub const EXCEPT: char = '!';
/// Offset of the first record.
pub const RECORDS: usize = 64 << 10;

/// Number of the epoch when all tests are done.
pub const AFTER_THE_LAST_EPOCH: u32 = u32::MAX - 1;

/// Set in the size of a record that is all there.
pub const WHOLE: u32 = 1 << 31;
/// Bytes of a record before its texts.
pub const FIXED: usize = 40;
/// Every record starts at a multiple of this.
pub const ALIGNMENT: usize = 8;
/// Texts are cut here.
pub const LONGEST_TEXT: usize = 4096;

/// A record as it is written: everything but the two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixed {
    /// What happened.
    pub kind: EventKind,
    /// Details, see [`crate::flags`].
    pub flags: u16,
    /// In which epoch.
    pub epoch: u32,
    /// In which process.
    pub process: u32,
    /// Where in the code; see [`crate::Event::stack`].
    pub stack: u32,
    /// Device of the file, or 0.
    pub device: u64,
    /// Inode of the file, or 0.
    pub inode: u64,
}

/// Bytes that a record with texts of these lengths takes.
pub fn record_size(first: usize, second: usize) -> usize {
    (FIXED + first + second).next_multiple_of(ALIGNMENT)
}

/// A record without its size word, which comes last. `into` has as many bytes
/// as [`record_size`] says.
pub fn put(into: &mut [u8], fixed: &Fixed, first: &[u8], second: &[u8]) {
    let mut at = 4;
    let mut add = |bytes: &[u8]| {
        into[at..at + bytes.len()].copy_from_slice(bytes);
        at += bytes.len();
    };
    add(&fixed.epoch.to_le_bytes());
    add(&fixed.process.to_le_bytes());
    add(&fixed.stack.to_le_bytes());
    add(&fixed.device.to_le_bytes());
    add(&fixed.inode.to_le_bytes());
    add(&(fixed.kind as u16).to_le_bytes());
    add(&fixed.flags.to_le_bytes());
    add(&(first.len() as u16).to_le_bytes());
    add(&(second.len() as u16).to_le_bytes());
    add(first);
    add(second);
}

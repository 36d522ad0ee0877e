//! Reading a log, and making an empty one.

use std::borrow::Cow;

use crate::event::{Event, EventKind};
use crate::layout::{
    ALIGNMENT, END, EXCEPT, FIXED, JVM, LOST, MAGIC, RECORDS, SAVING, UNWATCHED, WHOLE, record_size,
};

/// Why bytes are no log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the log of file and socket accesses does not start as one should")]
pub struct NotALog;

/// Files that are kept as they were before the run changes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Saving {
    /// Where the copies go.
    pub folder: String,
    /// Which files; those in folders if it ends with a slash.
    pub places: Vec<String>,
    /// Which of these not, in the same way.
    pub except: Vec<String>,
}

/// The header of an empty log. Places that find no room in it are looked at,
/// which costs time but loses nothing.
pub fn empty_log(unwatched: &[String], saving: Option<&Saving>) -> Vec<u8> {
    let mut header = vec![0; RECORDS];
    header[..MAGIC.len()].copy_from_slice(&MAGIC);
    header[END..END + 8].copy_from_slice(&(RECORDS as u64).to_le_bytes());
    put_texts(&mut header[UNWATCHED..SAVING], unwatched.iter());
    if let Some(Saving { folder, places, except }) = saving {
        let except: Vec<String> = except.iter().map(|place| format!("{EXCEPT}{place}")).collect();
        // What finds no room would be saved in vain, or not at all.
        put_texts(&mut header[SAVING..], [folder].into_iter().chain(&except).chain(places));
    }
    header
}

fn put_texts<'a>(into: &mut [u8], texts: impl Iterator<Item = &'a String>) {
    let mut at = 0;
    for text in texts.filter(|text| !text.is_empty()) {
        let end = at + text.len();
        // One zero ends the text, another one the list.
        if end + 2 <= into.len() {
            into[at..end].copy_from_slice(text.as_bytes());
            at = end + 1;
        }
    }
}

/// A log that nobody writes any more.
#[derive(Debug, Clone, Copy)]
pub struct Log<'a> {
    bytes: &'a [u8],
    end: usize,
}

impl<'a> Log<'a> {
    /// Takes the bytes of a log, or as many of them as there are records.
    pub fn new(bytes: &'a [u8]) -> Result<Self, NotALog> {
        if bytes.len() < RECORDS || bytes[..MAGIC.len()] != MAGIC {
            return Err(NotALog);
        }
        let end = usize::try_from(long(bytes, END)).unwrap_or(usize::MAX).min(bytes.len());
        Ok(Self { bytes, end })
    }

    /// How many bytes of the file are in use, by its header.
    pub fn used(header: &[u8]) -> Option<u64> {
        (header.len() >= RECORDS).then(|| long(header, END))
    }

    /// The process of the JVM, if it got so far.
    pub fn jvm(&self) -> Option<u32> {
        Some(word(self.bytes, JVM)).filter(|process| *process != 0)
    }

    /// How many events found no room.
    pub fn lost(&self) -> u64 {
        long(self.bytes, LOST)
    }

    /// What happened, in the order of time.
    pub fn events(&self) -> impl Iterator<Item = Event<'a>> + use<'a> {
        let (bytes, end) = (self.bytes, self.end);
        let mut at = RECORDS;
        std::iter::from_fn(move || {
            while at + FIXED <= end {
                let size = word(bytes, at);
                let length = (size & !WHOLE) as usize;
                if length < FIXED || at + length > end {
                    // A hole: room that was taken but not written.
                    at += ALIGNMENT;
                    continue;
                }
                let record = &bytes[at..at + length];
                at += length;
                if size & WHOLE != 0
                    && let Some(event) = event(record)
                {
                    return Some(event);
                }
            }
            None
        })
    }
}

fn event(record: &[u8]) -> Option<Event<'_>> {
    let short = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
    let (first, second) = (usize::from(short(36)), usize::from(short(38)));
    if record_size(first, second) != record.len() {
        return None;
    }
    let texts = &record[FIXED..];
    Some(Event {
        kind: EventKind::of_code(short(32))?,
        flags: short(34),
        epoch: word(record, 4),
        process: word(record, 8),
        stack: word(record, 12),
        file: (long(record, 16), long(record, 24)),
        text: Cow::Borrowed(&texts[..first]),
        second: Cow::Borrowed(&texts[first..first + second]),
    })
}

fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

fn long(bytes: &[u8], at: usize) -> u64 {
    let mut long = [0; 8];
    long.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(long)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Fixed, put};

    fn fixed(kind: EventKind) -> Fixed {
        Fixed { kind, flags: 3, epoch: 7, process: 8, stack: 9, device: 10, inode: 11 }
    }

    fn record(kind: EventKind, first: &str, second: &str, whole: bool) -> Vec<u8> {
        let mut bytes = vec![0; record_size(first.len(), second.len())];
        put(&mut bytes, &fixed(kind), first.as_bytes(), second.as_bytes());
        let size = bytes.len() as u32 | if whole { WHOLE } else { 0 };
        bytes[..4].copy_from_slice(&size.to_le_bytes());
        bytes
    }

    fn log(records: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = empty_log(&["/proc/".into(), "/sys/".into()], None);
        bytes.extend(records.concat());
        let end = bytes.len() as u64;
        bytes[END..END + 8].copy_from_slice(&end.to_le_bytes());
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = log(&[record(EventKind::Rename, "/a/b", "/c", true)]);
        let event = Log::new(&bytes).unwrap().events().next().unwrap();
        assert_eq!((event.kind, event.epoch, event.stack), (EventKind::Rename, 7, 9));
        assert_eq!((event.process, event.file), (8, (10, 11)));
        assert_eq!((&*event.text, &*event.second), (&b"/a/b"[..], &b"/c"[..]));
        assert!(event.has(1) && event.has(2) && !event.has(4));
    }

    #[test]
    fn a_process_that_was_killed_while_it_wrote_costs_only_its_own_record() {
        let untouched = vec![0; 64];
        let half = record(EventKind::Open, "/half", "", false);
        let bytes = log(&[untouched, half, record(EventKind::Open, "/whole", "", true)]);
        let seen: Vec<_> = Log::new(&bytes).unwrap().events().map(|event| event.text).collect();
        assert_eq!(seen, [&b"/whole"[..]]);
    }

    #[test]
    fn other_bytes_are_no_log() {
        assert_eq!(Log::new(b"RSDOUT").unwrap_err(), NotALog);
        assert_eq!(Log::new(&vec![1; RECORDS]).unwrap_err(), NotALog);
    }
}

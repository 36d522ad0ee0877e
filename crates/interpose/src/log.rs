//! The log in shared memory.

use std::ops::Range;
use std::ptr::{copy_nonoverlapping, null_mut};
use std::slice;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use residue_outside::layout::{
    CAPACITY, END, EPOCH, EXCEPT, Fixed, JVM, LONGEST_TEXT, LOST, RECORDS, SAVING, UNWATCHED,
    WHOLE, put, record_size,
};

/// A record, texts and all, is made here before it goes into the log.
const LONGEST_RECORD: usize = 2 * LONGEST_TEXT + 64;

/// Null without a log.
static BASE: AtomicPtr<u8> = AtomicPtr::new(null_mut());
/// The epoch that started this process; in the JVM itself, none.
static OWN_EPOCH: AtomicU32 = AtomicU32::new(u32::MAX);
static PROCESS: AtomicU32 = AtomicU32::new(0);

pub(crate) fn is_on() -> bool {
    !base().is_null()
}

fn base() -> *mut u8 {
    BASE.load(Ordering::Acquire)
}

/// Starts to log into memory of [`CAPACITY`] bytes.
pub(crate) fn attach(memory: *mut u8, started_by: Option<u32>, process: u32) {
    OWN_EPOCH.store(started_by.unwrap_or(u32::MAX), Ordering::Relaxed);
    PROCESS.store(process, Ordering::Relaxed);
    BASE.store(memory, Ordering::Release);
    if started_by.is_none() {
        let _ = header_word(JVM).compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// After a fork.
pub(crate) fn set_process(process: u32) {
    PROCESS.store(process, Ordering::Relaxed);
}

/// The process whose memory this is; a child of `vfork` borrows it.
pub(crate) fn process() -> u32 {
    PROCESS.load(Ordering::Relaxed)
}

/// After a failure of our own: better no log than a failing test.
pub(crate) fn give_up() {
    let base = BASE.swap(null_mut(), Ordering::AcqRel);
    if !base.is_null() {
        // SAFETY: the mapping stays for good, and this place is a counter.
        unsafe { &*base.add(LOST).cast::<AtomicU64>() }.fetch_add(1, Ordering::Relaxed);
    }
}

/// Only while the log is on.
fn header_word(offset: usize) -> &'static AtomicU32 {
    // SAFETY: the mapping stays for good, is aligned, and this place is a number.
    unsafe { &*base().add(offset).cast::<AtomicU32>() }
}

fn header_long(offset: usize) -> &'static AtomicU64 {
    // SAFETY: as above.
    unsafe { &*base().add(offset).cast::<AtomicU64>() }
}

/// The epoch that this process works for.
pub(crate) fn epoch() -> u32 {
    match OWN_EPOCH.load(Ordering::Relaxed) {
        u32::MAX => header_word(EPOCH).load(Ordering::Relaxed),
        own => own,
    }
}

pub(crate) fn set_epoch(number: u32) {
    header_word(EPOCH).store(number, Ordering::Relaxed);
}

pub(crate) fn is_jvm() -> bool {
    OWN_EPOCH.load(Ordering::Relaxed) == u32::MAX
}

/// Whether a path lies in one of the places that nobody wants to know about.
pub(crate) fn is_unwatched(path: &[u8]) -> bool {
    texts(UNWATCHED..SAVING).any(|place| is_at(path, place))
}

/// The folder for copies of what will be changed, if such are wanted.
pub(crate) fn saving_folder() -> Option<&'static [u8]> {
    texts(SAVING..RECORDS).next()
}

/// Whether a path lies in a place that will be put back as it was.
pub(crate) fn is_saved_place(path: &[u8]) -> bool {
    let deciding = texts(SAVING..RECORDS).skip(1).find(|place| is_at(path, without_sign(place)));
    deciding.is_some_and(|place| without_sign(place) == place)
}

fn without_sign(place: &'static [u8]) -> &'static [u8] {
    place.strip_prefix(&[EXCEPT as u8]).unwrap_or(place)
}

fn is_at(path: &[u8], place: &[u8]) -> bool {
    path == place || path.starts_with(place) && place.ends_with(b"/")
}

/// A list in the header.
fn texts(range: Range<usize>) -> impl Iterator<Item = &'static [u8]> {
    // SAFETY: the header is part of the mapping, and nobody writes this part any more.
    let texts = unsafe { slice::from_raw_parts(base().add(range.start), range.len()) };
    texts.split(|byte| *byte == 0).take_while(|text| !text.is_empty())
}

pub(crate) fn append(fixed: &Fixed, first: &[u8], second: &[u8]) {
    let first = &first[..first.len().min(LONGEST_TEXT)];
    let second = &second[..second.len().min(LONGEST_TEXT)];
    let size = record_size(first.len(), second.len());
    let mut record = [0; LONGEST_RECORD];
    put(&mut record[..size], fixed, first, second);
    let end = header_long(END);
    let at = end.fetch_add(size as u64, Ordering::Relaxed) as usize;
    if at + size > CAPACITY {
        end.fetch_sub(size as u64, Ordering::Relaxed);
        header_long(LOST).fetch_add(1, Ordering::Relaxed);
        return;
    }
    // SAFETY: the room is ours alone, inside the mapping, and aligned.
    unsafe {
        let place = base().add(at);
        let word = &*place.cast::<AtomicU32>();
        word.store(size as u32, Ordering::Relaxed);
        copy_nonoverlapping(record.as_ptr().add(4), place.add(4), size - 4);
        word.store(size as u32 | WHOLE, Ordering::Release);
    }
}

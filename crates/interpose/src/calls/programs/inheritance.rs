//! An environment with what a program needs to load us.

use std::ffi::{CStr, c_char};
use std::io::Write;
use std::slice;

use residue_outside::environment::{EPOCH, PRELOAD};

use crate::kernel;
use crate::start::{self, is_called};

use super::Texts;

/// Room for the number of an epoch, its name and the zero byte.
const EPOCH_ROOM: usize = EPOCH.len() + 16;

/// A list of texts in memory of its own, since nothing may be allocated here.
pub(super) struct Enriched {
    memory: *mut u8,
    bytes: usize,
}

impl Enriched {
    /// # Safety
    /// The list must be null, or one of texts that ends with a null, and stay.
    pub(super) unsafe fn of(environment: Texts, epoch: u32) -> Option<Self> {
        let ours = start::inheritance()?;
        // SAFETY: by contract.
        let (count, theirs) = unsafe { looked_through(environment) };
        let places = (count + 4) * size_of::<*const c_char>();
        let preload_room = PRELOAD.len() + ours.library.len() + theirs.len() + 3;
        let bytes = places + EPOCH_ROOM + preload_room;
        let enriched = Self { memory: kernel::map_private(bytes)?, bytes };
        // SAFETY: the memory is as large as just computed, and zero.
        unsafe {
            let list: *mut *const c_char = enriched.memory.cast();
            let epoch_text = enriched.memory.add(places);
            let preload_text = epoch_text.add(EPOCH_ROOM);
            let mut into = slice::from_raw_parts_mut(epoch_text, EPOCH_ROOM - 1);
            write!(into, "{EPOCH}={epoch}").ok()?;
            let mut into = slice::from_raw_parts_mut(preload_text, preload_room - 1);
            for part in [PRELOAD.as_bytes(), b"=", ours.library] {
                into.write_all(part).ok()?;
            }
            if !theirs.is_empty() {
                into.write_all(b":").ok()?;
                into.write_all(theirs).ok()?;
            }
            let mut at = 0;
            for index in 0..count {
                let text = *environment.add(index);
                if !is_called(text, PRELOAD) {
                    list.add(at).write(text);
                    at += 1;
                }
            }
            for text in [ours.log_entry, epoch_text.cast(), preload_text.cast()] {
                list.add(at).write(text);
                at += 1;
            }
        }
        Some(enriched)
    }

    pub(super) fn texts(&self) -> Texts {
        self.memory.cast()
    }
}

impl Drop for Enriched {
    fn drop(&mut self) {
        // SAFETY: it is the memory that was mapped, and nobody else has it.
        unsafe { kernel::unmap(self.memory, self.bytes) };
    }
}

/// How many texts there are, and what is to be preloaded already.
///
/// # Safety
/// As for [`Enriched::of`].
unsafe fn looked_through<'a>(environment: Texts) -> (usize, &'a [u8]) {
    let (mut count, mut preload): (usize, &[u8]) = (0, b"");
    // SAFETY: by contract.
    unsafe {
        while !environment.is_null() && !(*environment.add(count)).is_null() {
            let text = *environment.add(count);
            if is_called(text, PRELOAD) {
                preload = &CStr::from_ptr(text).to_bytes()[PRELOAD.len() + 1..];
            }
            count += 1;
        }
    }
    (count, preload)
}

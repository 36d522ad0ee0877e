//! What is known of open descriptors: which ones are files, and what the
//! current epoch has done to them already.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering};

use residue_outside::EventKind;

use crate::{kernel, log, notes};

const ENTRIES: usize = 1 << 16;

/// Upper half: the epoch that the lower bits are about.
static STATES: [AtomicU64; ENTRIES] = [const { AtomicU64::new(0) }; ENTRIES];

const FILE: u64 = 1;
const READ: u64 = 2;
const WRITTEN: u64 = 4;
const LOOKED_AT: u64 = 8;
/// Nobody has looked at it since it was opened.
const FRESH: u64 = 16;
const BOUND: u64 = 32;

const KIND: u64 = FILE | BOUND | FRESH;

fn state(descriptor: c_int) -> Option<&'static AtomicU64> {
    STATES.get(usize::try_from(descriptor).ok()?)
}

pub(crate) fn is_file(descriptor: c_int) {
    set(descriptor, FILE | FRESH);
}

pub(crate) fn is_bound_socket(descriptor: c_int) {
    set(descriptor, BOUND);
}

/// Whether a socket has an address that closing it gives back. A child of
/// `vfork` closes its own descriptor, but looks into its parent's memory.
pub(crate) fn has_address(descriptor: c_int) -> bool {
    state(descriptor).is_some_and(|state| state.load(Ordering::Relaxed) & BOUND != 0)
        && log::process() == kernel::process()
}

/// It is closed, or something that is of no interest.
pub(crate) fn forget(descriptor: c_int) {
    if let Some(state) = state(descriptor)
        && state.load(Ordering::Relaxed) != 0
        && log::process() == kernel::process()
    {
        state.store(0, Ordering::Relaxed);
    }
}

/// One descriptor stands for what another one does.
pub(crate) fn copy(from: c_int, to: c_int) {
    let known = state(from).map_or(0, |state| state.load(Ordering::Relaxed));
    set(to, known);
}

fn set(descriptor: c_int, to: u64) {
    if let Some(state) = state(descriptor) {
        state.store(to, Ordering::Relaxed);
    }
}

pub(crate) fn read(descriptor: c_int) {
    touched(descriptor, READ, EventKind::ReadContent);
}

pub(crate) fn written(descriptor: c_int) {
    touched(descriptor, WRITTEN, EventKind::WriteContent);
}

/// Programs, and the JDK with each file, look once what they have opened. That
/// is no interest in the metadata.
pub(crate) fn looked_at(descriptor: c_int) {
    let Some(state) = state(descriptor) else { return };
    let known = state.load(Ordering::Relaxed);
    if known & FRESH != 0 {
        state.store(known & !FRESH, Ordering::Relaxed);
    } else {
        touched(descriptor, LOOKED_AT, EventKind::ReadMetadata);
    }
}

fn touched(descriptor: c_int, how: u64, kind: EventKind) {
    let Some(state) = state(descriptor) else { return };
    let known = state.load(Ordering::Relaxed);
    if known & FILE == 0 || !log::is_on() {
        return;
    }
    let epoch = u64::from(log::epoch());
    let current = if known >> 32 == epoch { known } else { known & KIND | epoch << 32 };
    if current & how != 0 {
        return;
    }
    crate::errno::quietly((), || match kernel::of_descriptor(descriptor) {
        Some(file) if file.is_regular() => {
            state.store(current | how, Ordering::Relaxed);
            notes::of_file(kind, 0, file);
        }
        // Closed behind our back, and now something else.
        _ => state.store(0, Ordering::Relaxed),
    });
}

/// What a process was given when it started. The C library uses these without
/// a call that we could see, so they count as used in all the ways they can be.
pub(crate) fn inherit() {
    for descriptor in 0..3 {
        if kernel::of_descriptor(descriptor).is_some_and(kernel::File::is_regular) {
            set(descriptor, FILE);
            let (reads, writes) = kernel::ways_to_use(descriptor);
            if reads {
                read(descriptor);
            }
            if writes {
                written(descriptor);
            }
        }
    }
}

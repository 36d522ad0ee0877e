//! The table of thread stacks that the hook looks into, see `ResidueStacks`.

use std::sync::atomic::Ordering;

use crate::memory::Region;
use crate::shadow::STACK_ENTRIES;

const ENTRY_BYTES: usize = 24;
const PROBES: usize = 8;
/// No thread is there; a zero would do too, but a freed entry must not match.
const FREED: u64 = 1;

fn entries(table: Region, thread: u64) -> impl Iterator<Item = Region> {
    let first = (thread >> 6 ^ thread >> 18) as usize;
    (0..PROBES).map(move |probe| {
        let index = (first + probe) & (STACK_ENTRIES - 1);
        table.part(index * ENTRY_BYTES, ENTRY_BYTES)
    })
}

/// Enters the current thread, if its entries are not all taken.
pub(crate) fn register(table: Region, thread: u64) {
    let Some((low, high)) = own_stack() else { return };
    for entry in entries(table, thread) {
        let owner = entry.u64(0);
        let free = owner.load(Ordering::Acquire);
        // Claimed with a value that matches no thread until the bounds are there.
        if free <= FREED
            && owner.compare_exchange(free, 2, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        {
            entry.u64(8).store(low, Ordering::Relaxed);
            entry.u64(16).store(high, Ordering::Relaxed);
            owner.store(thread, Ordering::Release);
            return;
        }
    }
}

/// Takes a thread out that is about to end.
pub(crate) fn remove(table: Region, thread: u64) {
    if thread == 0 {
        return;
    }
    for entry in entries(table, thread) {
        let _ = entry.u64(0).compare_exchange(thread, FREED, Ordering::AcqRel, Ordering::Relaxed);
    }
}

fn own_stack() -> Option<(u64, u64)> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut base, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are filled in by the first call, only read by the second if that went
    // well, and destroyed then.
    let found = unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let code = libc::pthread_attr_getstack(attributes.as_ptr(), &mut base, &mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        code == 0
    };
    found.then_some((base as u64, base as u64 + size as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_knows_its_stack_until_it_is_taken_out() {
        let table = Region::reserve(STACK_ENTRIES * ENTRY_BYTES, 1 << 12).unwrap();
        let thread = 0x7f00_1234_5680;
        register(table, thread);
        let entry =
            entries(table, thread).find(|entry| entry.u64(0).load(Ordering::Relaxed) == thread);
        let entry = entry.expect("it was entered");
        let here = &raw const table as u64;
        assert!(entry.u64(8).load(Ordering::Relaxed) <= here);
        assert!(here < entry.u64(16).load(Ordering::Relaxed));
        remove(table, thread);
        assert_eq!(entry.u64(0).load(Ordering::Relaxed), FREED);
    }
}

//! Memory outside the Java heap that the hook reads and writes directly.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A stretch of address space that takes memory only where it is touched, and
/// is never given back. All accesses are atomic, since threads of the JVM use it
/// too, and outside its bounds there is nothing to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Region {
    base: usize,
    bytes: usize,
}

impl Region {
    /// As much as is to be had between the two sizes, halving.
    pub(crate) fn reserve(most: usize, least: usize) -> Option<Self> {
        let mut bytes = most;
        while bytes >= least {
            if let Some(region) = Self::map(bytes) {
                return Some(region);
            }
            bytes /= 2;
        }
        None
    }

    fn map(bytes: usize) -> Option<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new anonymous mapping at an address that the system chooses touches nothing else.
        let base = unsafe { libc::mmap(null_mut(), bytes, access, kind, -1, 0) };
        (base != libc::MAP_FAILED).then_some(Self { base: base as usize, bytes })
    }

    pub(crate) fn base(self) -> usize {
        self.base
    }

    pub(crate) fn bytes(self) -> usize {
        self.bytes
    }

    fn address(self, offset: usize, size: usize) -> Option<usize> {
        (offset.is_multiple_of(size) && offset <= self.bytes - size).then_some(self.base + offset)
    }

    pub(crate) fn u32(self, offset: usize) -> &'static AtomicU32 {
        static NOTHING: AtomicU32 = AtomicU32::new(0);
        // SAFETY: the address is aligned and inside a mapping that is never removed.
        self.address(offset, 4).map_or(&NOTHING, |at| unsafe { &*(at as *const AtomicU32) })
    }

    pub(crate) fn i32(self, offset: usize) -> &'static AtomicI32 {
        static NOTHING: AtomicI32 = AtomicI32::new(0);
        // SAFETY: as above.
        self.address(offset, 4).map_or(&NOTHING, |at| unsafe { &*(at as *const AtomicI32) })
    }

    pub(crate) fn u64(self, offset: usize) -> &'static AtomicU64 {
        static NOTHING: AtomicU64 = AtomicU64::new(0);
        // SAFETY: as above.
        self.address(offset, 8).map_or(&NOTHING, |at| unsafe { &*(at as *const AtomicU64) })
    }

    pub(crate) fn u16(self, offset: usize) -> &'static AtomicU16 {
        static NOTHING: AtomicU16 = AtomicU16::new(0);
        // SAFETY: as above.
        self.address(offset, 2).map_or(&NOTHING, |at| unsafe { &*(at as *const AtomicU16) })
    }

    pub(crate) fn u8(self, offset: usize) -> &'static AtomicU8 {
        static NOTHING: AtomicU8 = AtomicU8::new(0);
        // SAFETY: as above.
        self.address(offset, 1).map_or(&NOTHING, |at| unsafe { &*(at as *const AtomicU8) })
    }

    /// Fills the start of the region with zeros, and gives memory back if it is much.
    pub(crate) fn clear(self, bytes: usize) {
        const MUCH: usize = 1 << 22;
        let bytes = bytes.min(self.bytes);
        if bytes > MUCH {
            // SAFETY: the range is inside the mapping; its pages read as zeros afterwards.
            unsafe { libc::madvise(self.base as *mut _, bytes, libc::MADV_DONTNEED) };
        } else {
            for offset in (0..bytes).step_by(8) {
                self.u64(offset).store(0, Ordering::Relaxed);
            }
        }
    }

    /// The part of the region from an offset on.
    pub(crate) fn part(self, offset: usize, bytes: usize) -> Self {
        let offset = offset.min(self.bytes);
        Self { base: self.base + offset, bytes: bytes.min(self.bytes - offset) }
    }
}

/// Memory for small tables, given out piece by piece and never given back.
#[derive(Debug)]
pub(crate) struct Arena {
    region: Region,
    used: AtomicU64,
}

impl Arena {
    pub(crate) fn new(region: Region) -> Self {
        Self { region, used: AtomicU64::new(64) }
    }

    /// What was given out at this address, and all after it.
    pub(crate) fn at(&self, address: usize) -> Option<Region> {
        let offset = address.checked_sub(self.region.base())?;
        (offset < self.region.bytes())
            .then(|| self.region.part(offset, self.region.bytes() - offset))
    }

    /// Zeros, aligned to eight bytes.
    pub(crate) fn allocate(&self, bytes: usize) -> Option<Region> {
        let bytes = bytes.next_multiple_of(8);
        let offset = self.used.fetch_add(bytes as u64, Ordering::Relaxed) as usize;
        (offset.checked_add(bytes)? <= self.region.bytes()).then(|| self.region.part(offset, bytes))
    }
}

/// Eight bytes at an address that may not be there. The kernel looks, so that
/// nothing faults.
pub(crate) fn peek(address: u64) -> Option<u64> {
    let mut value = 0u64;
    let local = libc::iovec { iov_base: (&raw mut value).cast(), iov_len: 8 };
    let remote = libc::iovec { iov_base: address as *mut _, iov_len: 8 };
    // SAFETY: the call writes only to `value`; what is at `address` it checks itself.
    let read = unsafe {
        libc::process_vm_readv(libc::getpid(), &raw const local, 1, &raw const remote, 1, 0)
    };
    (read == 8).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peeking_at_nothing_is_no_fault() {
        let value = 0x0123_4567_89ab_cdefu64;
        assert_eq!(peek(&raw const value as u64), Some(value));
        assert_eq!(peek(0), None);
        assert_eq!(peek(8), None);
        assert_eq!(peek(u64::MAX - 16), None);
    }

    #[test]
    fn a_region_has_no_outside() {
        let region = Region::reserve(1 << 20, 1 << 20).unwrap();
        region.u32(8).store(7, Ordering::Relaxed);
        assert_eq!(region.u32(8).load(Ordering::Relaxed), 7);
        assert_eq!(region.u32(1 << 20).load(Ordering::Relaxed), 0);
        region.clear(64);
        assert_eq!(region.u32(8).load(Ordering::Relaxed), 0);
        let arena = Arena::new(region);
        assert_eq!(arena.allocate(12).unwrap().bytes(), 16);
        assert!(arena.allocate(1 << 20).is_none());
    }
}

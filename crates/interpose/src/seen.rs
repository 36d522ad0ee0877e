//! Remembers what was logged, so that only the first access of its kind in an
//! epoch costs a record. To forget is harmless: the record is then made twice.

use std::hash::Hasher;
use std::sync::atomic::{AtomicU64, Ordering};

const ENTRIES: usize = 1 << 16;
const PROBES: usize = 8;

static SEEN: [AtomicU64; ENTRIES] = [const { AtomicU64::new(0) }; ENTRIES];

/// Stands for an access: equal ones have equal keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key(u64);

impl Key {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn number(self, number: u64) -> Self {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self(mixed ^ (mixed >> 29))
    }

    pub(crate) fn text(self, text: &[u8]) -> Self {
        #[allow(deprecated, reason = "the one hasher of the standard library with a fixed seed")]
        let mut hasher = std::hash::SipHasher::new();
        hasher.write(text);
        self.number(hasher.finish()).number(text.len() as u64)
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }

    /// Whether there was a first time. Takes no note of it.
    pub(crate) fn is_known(self) -> bool {
        let key = self.0.max(1);
        let start = key as usize % ENTRIES;
        (0..PROBES).any(|probe| SEEN[(start + probe) % ENTRIES].load(Ordering::Relaxed) == key)
    }

    /// Whether it is the first time. Takes note of it.
    pub(crate) fn is_new(self) -> bool {
        let key = self.0.max(1);
        let start = key as usize % ENTRIES;
        for probe in 0..PROBES {
            let entry = &SEEN[(start + probe) % ENTRIES];
            match entry.load(Ordering::Relaxed) {
                known if known == key => return false,
                0 => {
                    entry.store(key, Ordering::Relaxed);
                    return true;
                }
                _ => {}
            }
        }
        SEEN[start].store(key, Ordering::Relaxed);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_time_is_new() {
        let key = |epoch, path: &[u8]| Key::new().number(epoch).text(path);
        assert!(key(1, b"/a").is_new());
        assert!(!key(1, b"/a").is_new());
        assert!(key(2, b"/a").is_new());
        assert!(key(1, b"/b").is_new());
    }

    #[test]
    fn a_full_table_forgets_but_goes_on() {
        for number in 0..3 * ENTRIES as u64 {
            Key::new().number(number).is_new();
        }
        assert!(Key::new().number(u64::MAX).is_new());
        assert!(!Key::new().number(u64::MAX).is_new());
    }
}

//! Permissions and times of a file, as they stand in a log.

use std::fmt;

/// What a file had before a run changed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// Permission bits.
    pub mode: u32,
    /// When it was last changed: seconds and nanoseconds.
    pub modified: (i64, i64),
}

impl Metadata {
    /// From the text that it is written as.
    pub fn of(text: &[u8]) -> Option<Self> {
        let mut numbers = std::str::from_utf8(text).ok()?.split(' ');
        let mode = u32::from_str_radix(numbers.next()?, 8).ok()?;
        let modified = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        Some(Self { mode, modified })
    }
}

impl fmt::Display for Metadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:o} {} {}", self.mode, self.modified.0, self.modified.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let metadata = Metadata { mode: 0o755, modified: (-1, 999_999_999) };
        assert_eq!(Metadata::of(metadata.to_string().as_bytes()), Some(metadata));
        assert_eq!(Metadata::of(b"755 1"), None);
    }
}

//! Reading and writing big-endian numbers with every bound checked.

/// The bytes end before what they announce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Truncated {
    pub(crate) offset: usize,
}

/// A cursor over bytes.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.position == self.bytes.len()
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Truncated> {
        let rest = &self.bytes[self.position..];
        let taken = rest.get(..count).ok_or(Truncated { offset: self.position })?;
        self.position += count;
        Ok(taken)
    }

    pub(crate) fn skip(&mut self, count: usize) -> Result<(), Truncated> {
        self.take(count).map(|_| ())
    }

    pub(crate) fn u1(&mut self) -> Result<u8, Truncated> {
        self.take(1).map(|taken| taken[0])
    }

    pub(crate) fn u2(&mut self) -> Result<u16, Truncated> {
        self.take(2).map(|taken| u16::from_be_bytes([taken[0], taken[1]]))
    }

    pub(crate) fn u4(&mut self) -> Result<u32, Truncated> {
        self.take(4).map(|taken| u32_at(taken, 0))
    }
}

/// The number at `offset`, which the caller knows to be inside.
pub(crate) fn u16_at(bytes: &[u8], offset: usize) -> u16 {
    u16::from_be_bytes([bytes[offset], bytes[offset + 1]])
}

/// The number at `offset`, which the caller knows to be inside.
pub(crate) fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    let word = &bytes[offset..offset + 4];
    u32::from_be_bytes([word[0], word[1], word[2], word[3]])
}

/// The number at `offset`, which the caller knows to be inside.
pub(crate) fn i16_at(bytes: &[u8], offset: usize) -> i16 {
    u16_at(bytes, offset).cast_signed()
}

/// The number at `offset`, which the caller knows to be inside.
pub(crate) fn i32_at(bytes: &[u8], offset: usize) -> i32 {
    u32_at(bytes, offset).cast_signed()
}

pub(crate) fn put_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

pub(crate) fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}

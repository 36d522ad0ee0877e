//! Varints and texts, written and read.

/// Why bytes are no trace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The magic is missing.
    #[error("this is no trace file: it does not start with `RSDT`; give a file that residue wrote")]
    NotATrace,
    /// Another residue wrote it.
    #[error(
        "the trace file has format version {found}, and this residue reads version {supported}: \
         trace the suite again"
    )]
    OtherVersion {
        /// Version of the file.
        found: u16,
        /// The version that can be read.
        supported: u16,
    },
    /// The bytes do not follow the format.
    #[error("the trace file is damaged at byte {offset} ({what}): trace the suite again")]
    Damaged {
        /// Where.
        offset: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// The file speaks of more tests than ran.
    #[error(
        "the trace file names position {position} in an order of {tests} tests: \
         it belongs to another run"
    )]
    OtherOrder {
        /// Position that the file names.
        position: usize,
        /// Tests in the order given.
        tests: usize,
    },
}

pub(super) fn put_number(out: &mut Vec<u8>, number: u64) {
    let mut rest = number;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

pub(super) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_number(out, ((number << 1) ^ (number >> 63)) as u64);
}

pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Bytes being read from their start, which know where in the file they are.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], offset: usize) -> Self {
        Self { rest: bytes, offset }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn damaged<T>(&self, what: &'static str) -> Result<T, TraceError> {
        Err(TraceError::Damaged { offset: self.offset, what })
    }

    /// The next bytes, if there are so many.
    pub(super) fn split(&mut self, count: usize) -> Option<Cursor<'a>> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        let part = Cursor { rest: taken, offset: self.offset };
        (self.rest, self.offset) = (rest, self.offset + count);
        Some(part)
    }

    pub(super) fn byte(&mut self) -> Result<u8, TraceError> {
        match self.split(1) {
            Some(part) => Ok(part.rest[0]),
            None => self.damaged("a record ends too early"),
        }
    }

    pub(super) fn eight_bytes(&mut self) -> Result<u64, TraceError> {
        match self.split(8).and_then(|part| part.rest.try_into().ok()) {
            Some(bytes) => Ok(u64::from_le_bytes(bytes)),
            None => self.damaged("a record ends too early"),
        }
    }

    /// A number, or `None` where the bytes end before it does.
    pub(super) fn number_if_whole(&mut self) -> Result<Option<u64>, TraceError> {
        // Most numbers are distances, and most distances are small.
        if let Some((&byte, rest)) = self.rest.split_first()
            && byte < 0x80
        {
            (self.rest, self.offset) = (rest, self.offset + 1);
            return Ok(Some(byte.into()));
        }
        let mut number = 0_u64;
        for (at, byte) in self.rest.iter().take(10).enumerate() {
            number |= u64::from(byte & 0x7f) << (7 * at as u32);
            if byte & 0x80 == 0 {
                self.offset += at + 1;
                self.rest = &self.rest[at + 1..];
                return Ok(Some(number));
            }
        }
        if self.rest.len() < 10 { Ok(None) } else { self.damaged("a number is too long") }
    }

    pub(super) fn long(&mut self) -> Result<u64, TraceError> {
        match self.number_if_whole()? {
            Some(number) => Ok(number),
            None => self.damaged("a record ends too early"),
        }
    }

    pub(super) fn number(&mut self) -> Result<u32, TraceError> {
        let number = self.long()?;
        match u32::try_from(number) {
            Ok(number) => Ok(number),
            Err(_) => self.damaged("a number is too large"),
        }
    }

    pub(super) fn signed(&mut self) -> Result<i64, TraceError> {
        let number = self.long()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(super) fn text(&mut self) -> Result<&'a str, TraceError> {
        let length = self.number()?;
        match self.split(length as usize) {
            Some(part) => part.remaining_text(),
            None => self.damaged("a text ends too early"),
        }
    }

    pub(super) fn remaining_text(self) -> Result<&'a str, TraceError> {
        let what = "a text is not UTF-8";
        std::str::from_utf8(self.rest).map_err(|error| TraceError::Damaged {
            offset: self.offset + error.valid_up_to(),
            what,
        })
    }

    pub(super) fn finish(self) -> Result<(), TraceError> {
        if self.is_empty() { Ok(()) } else { self.damaged("a record is too long") }
    }
}

/// A count, then that many. Each takes at least a byte, so a count that is too
/// large ends soon.
pub(super) fn many<'a, T>(
    from: &mut Cursor<'a>,
    mut take: impl FnMut(&mut Cursor<'a>) -> Result<T, TraceError>,
) -> Result<Vec<T>, TraceError> {
    let count = from.number()?;
    (0..count).map(|_| take(from)).collect()
}

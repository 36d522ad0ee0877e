//! The `Code` attribute, taken apart.

use crate::attributes::Attributes;
use crate::bytes::{Reader, u16_at};
use crate::decline::MethodDecline;
use crate::pool::Pool;

/// Longer code is not allowed.
pub(crate) const MAX_CODE_LENGTH: usize = 65_535;

/// The content of a `Code` attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) max_stack: u16,
    pub(crate) max_locals: u16,
    pub(crate) instructions: &'a [u8],
    /// Eight bytes each.
    handlers: &'a [u8],
    pub(crate) attributes: Attributes<'a>,
}

/// An entry of the exception table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handler {
    pub(crate) start: u16,
    pub(crate) end: u16,
    pub(crate) target: u16,
    pub(crate) catch_type: u16,
}

impl<'a> Code<'a> {
    pub(crate) fn parse(content: &'a [u8], pool: &Pool<'a>) -> Result<Self, MethodDecline> {
        let mut reader = Reader::new(content);
        let max_stack = reader.u2()?;
        let max_locals = reader.u2()?;
        let length = reader.u4()? as usize;
        if length == 0 || length > MAX_CODE_LENGTH {
            return Err(MethodDecline::BadOffset { offset: length });
        }
        let instructions = reader.take(length)?;
        let count = reader.u2()?;
        let handlers = reader.take(usize::from(count) * 8)?;
        let attributes = Attributes::parse::<MethodDecline>(content, &mut reader, pool)?;
        if !reader.is_at_end() {
            return Err(MethodDecline::TrailingBytes);
        }
        Ok(Self { max_stack, max_locals, instructions, handlers, attributes })
    }

    pub(crate) fn handlers(&self) -> impl ExactSizeIterator<Item = Handler> + 'a {
        self.handlers.chunks_exact(8).map(|entry| Handler {
            start: u16_at(entry, 0),
            end: u16_at(entry, 2),
            target: u16_at(entry, 4),
            catch_type: u16_at(entry, 6),
        })
    }
}

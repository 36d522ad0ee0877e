//! Lists of named attributes.

use std::ops::Range;

use crate::annotations;
use crate::bytes::{Reader, Truncated};
use crate::pool::{BadConstant, Pool};

/// The attributes of a class, a member or a `Code` attribute: all are complete
/// and have a name, and what annotations name is there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attributes<'a> {
    /// Without their number.
    bytes: &'a [u8],
}

/// One of them.
#[derive(Debug, Clone)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) name_index: u16,
    /// Where it begins and ends in the list.
    pub(crate) range: Range<usize>,
    pub(crate) content: &'a [u8],
}

impl<'a> Attributes<'a> {
    /// Reads their number and then them, from a reader over `bytes`.
    pub(crate) fn parse<E: From<Truncated> + From<BadConstant>>(
        bytes: &'a [u8],
        reader: &mut Reader<'a>,
        pool: &Pool<'a>,
    ) -> Result<Self, E> {
        let count = reader.u2()?;
        let start = reader.position();
        for _ in 0..count {
            let name = pool.utf8(reader.u2()?)?;
            let length = reader.u4()?;
            let content = reader.take(length as usize)?;
            if annotations::are_in(name) {
                annotations::check_constants(content, pool)?;
            }
        }
        Ok(Self { bytes: &bytes[start..reader.position()] })
    }

    pub(crate) fn iter<'p>(self, pool: &'p Pool<'a>) -> impl Iterator<Item = Attribute<'a>> + 'p {
        let mut reader = Reader::new(self.bytes);
        std::iter::from_fn(move || {
            let start = reader.position();
            let name_index = reader.u2().ok()?;
            let name = pool.utf8(name_index).ok()?;
            let length = reader.u4().ok()?;
            let content = reader.take(length as usize).ok()?;
            Some(Attribute { name, name_index, range: start..reader.position(), content })
        })
    }
}

//! The constant pool of a class.

use crate::bytes::{Reader, u16_at};
use crate::decline::{Decline, MethodDecline};

/// Tags of constants.
pub(crate) mod tag {
    pub(crate) const UTF8: u8 = 1;
    pub(crate) const INTEGER: u8 = 3;
    pub(crate) const FLOAT: u8 = 4;
    pub(crate) const LONG: u8 = 5;
    pub(crate) const DOUBLE: u8 = 6;
    pub(crate) const CLASS: u8 = 7;
    pub(crate) const STRING: u8 = 8;
    pub(crate) const FIELD: u8 = 9;
    pub(crate) const METHOD: u8 = 10;
    pub(crate) const INTERFACE_METHOD: u8 = 11;
    pub(crate) const NAME_AND_TYPE: u8 = 12;
    pub(crate) const METHOD_HANDLE: u8 = 15;
    pub(crate) const METHOD_TYPE: u8 = 16;
    pub(crate) const DYNAMIC: u8 = 17;
    pub(crate) const INVOKE_DYNAMIC: u8 = 18;
    pub(crate) const MODULE: u8 = 19;
    pub(crate) const PACKAGE: u8 = 20;
}

/// Index 0 and the second half of a long or double.
const UNUSABLE: u32 = 0;

/// Where each constant lies in the class file.
#[derive(Debug, Clone)]
pub(crate) struct Pool<'a> {
    bytes: &'a [u8],
    offsets: Vec<u32>,
}

/// A constant that is not what it is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BadConstant {
    pub(crate) index: u16,
    pub(crate) expected: &'static str,
}

impl From<BadConstant> for Decline {
    fn from(bad: BadConstant) -> Self {
        Self::BadConstant { index: bad.index, expected: bad.expected }
    }
}

impl From<BadConstant> for MethodDecline {
    fn from(bad: BadConstant) -> Self {
        Self::BadConstant { index: bad.index, expected: bad.expected }
    }
}

/// A field or method that a constant names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member<'a> {
    pub(crate) owner: &'a [u8],
    pub(crate) name: &'a [u8],
    pub(crate) descriptor: &'a [u8],
}

impl<'a> Pool<'a> {
    /// Reads the pool with its count from a class file whose reader stands
    /// there. The file is smaller than 4 GB.
    pub(crate) fn parse(bytes: &'a [u8], reader: &mut Reader<'a>) -> Result<Self, Decline> {
        let count = reader.u2()?;
        let mut offsets = Vec::with_capacity(usize::from(count));
        offsets.push(UNUSABLE);
        while offsets.len() < usize::from(count) {
            offsets.push(u32::try_from(reader.position()).map_err(|_| Decline::TooLarge)?);
            let kind = reader.u1()?;
            match kind {
                tag::UTF8 => {
                    let length = reader.u2()?;
                    reader.skip(usize::from(length))?;
                }
                tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => {
                    reader.skip(2)?;
                }
                tag::METHOD_HANDLE => reader.skip(3)?,
                tag::INTEGER
                | tag::FLOAT
                | tag::FIELD
                | tag::METHOD
                | tag::INTERFACE_METHOD
                | tag::NAME_AND_TYPE
                | tag::DYNAMIC
                | tag::INVOKE_DYNAMIC => reader.skip(4)?,
                tag::LONG | tag::DOUBLE => {
                    reader.skip(8)?;
                    offsets.push(UNUSABLE);
                }
                _ => {
                    let index = u16::try_from(offsets.len() - 1).unwrap_or(u16::MAX);
                    return Err(Decline::UnknownConstant { index, tag: kind });
                }
            }
        }
        offsets.truncate(usize::from(count).max(1));
        Ok(Self { bytes, offsets })
    }

    /// Constants including the unusable one at index 0.
    pub(crate) fn count(&self) -> usize {
        self.offsets.len()
    }

    /// Where the constant's content lies, if it is of the kind.
    fn content(&self, index: u16, kind: u8, expected: &'static str) -> Result<usize, BadConstant> {
        let offset = self.offset(index).ok_or(BadConstant { index, expected })?;
        if self.bytes[offset] == kind {
            Ok(offset + 1)
        } else {
            Err(BadConstant { index, expected })
        }
    }

    fn offset(&self, index: u16) -> Option<usize> {
        let offset = *self.offsets.get(usize::from(index))?;
        (offset != UNUSABLE).then_some(offset as usize)
    }

    pub(crate) fn utf8(&self, index: u16) -> Result<&'a [u8], BadConstant> {
        let at = self.content(index, tag::UTF8, "text")?;
        let length = usize::from(u16_at(self.bytes, at));
        Ok(&self.bytes[at + 2..at + 2 + length])
    }

    pub(crate) fn class_name(&self, index: u16) -> Result<&'a [u8], BadConstant> {
        let at = self.content(index, tag::CLASS, "class")?;
        self.utf8(u16_at(self.bytes, at))
    }

    fn name_and_type(&self, index: u16) -> Result<(&'a [u8], &'a [u8]), BadConstant> {
        let at = self.content(index, tag::NAME_AND_TYPE, "name and type")?;
        Ok((self.utf8(u16_at(self.bytes, at))?, self.utf8(u16_at(self.bytes, at + 2))?))
    }

    fn member_at(&self, at: usize) -> Result<Member<'a>, BadConstant> {
        let owner = self.class_name(u16_at(self.bytes, at))?;
        let (name, descriptor) = self.name_and_type(u16_at(self.bytes, at + 2))?;
        Ok(Member { owner, name, descriptor })
    }

    pub(crate) fn field(&self, index: u16) -> Result<Member<'a>, BadConstant> {
        self.member_at(self.content(index, tag::FIELD, "field")?)
    }

    /// A method of a class or an interface.
    pub(crate) fn method(&self, index: u16) -> Result<Member<'a>, BadConstant> {
        let at = self
            .content(index, tag::METHOD, "method")
            .or_else(|_| self.content(index, tag::INTERFACE_METHOD, "method"))?;
        self.member_at(at)
    }

    /// The descriptor of an `invokedynamic` call site.
    pub(crate) fn call_site_descriptor(&self, index: u16) -> Result<&'a [u8], BadConstant> {
        let at = self.content(index, tag::INVOKE_DYNAMIC, "dynamic call site")?;
        self.name_and_type(u16_at(self.bytes, at + 2)).map(|(_, descriptor)| descriptor)
    }
}

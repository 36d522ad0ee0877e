//! Stack map frames as the class file holds them.

use crate::bytes::Reader;
use crate::decline::MethodDecline;

/// Tags of verification types.
pub(crate) mod verification {
    pub(crate) const DOUBLE: u8 = 3;
    pub(crate) const LONG: u8 = 4;
    pub(crate) const UNINITIALIZED_THIS: u8 = 6;
    pub(crate) const OBJECT: u8 = 7;
    pub(crate) const UNINITIALIZED: u8 = 8;
}

/// A list of verification types.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Types<'a> {
    pub(crate) count: u16,
    bytes: &'a [u8],
}

/// One verification type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) tag: u8,
    /// The class of an object, or the `new` of an uninitialised one.
    pub(crate) operand: Option<u16>,
}

impl Type {
    pub(crate) fn slots(self) -> usize {
        if matches!(self.tag, verification::LONG | verification::DOUBLE) { 2 } else { 1 }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, MethodDecline> {
        let tag = reader.u1()?;
        let operand = match tag {
            0..=verification::UNINITIALIZED_THIS => None,
            verification::OBJECT | verification::UNINITIALIZED => Some(reader.u2()?),
            _ => return Err(MethodDecline::UnknownFrame { tag }),
        };
        Ok(Self { tag, operand })
    }
}

impl<'a> Types<'a> {
    const NONE: Types<'static> = Types { count: 0, bytes: &[] };

    /// Checks and skips `count` types of `content`, which the reader walks.
    pub(crate) fn read(
        content: &'a [u8],
        reader: &mut Reader<'a>,
        count: u16,
    ) -> Result<Self, MethodDecline> {
        let start = reader.position();
        for _ in 0..count {
            Type::read(reader)?;
        }
        Ok(Self { count, bytes: &content[start..reader.position()] })
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Type> + 'a {
        let mut reader = Reader::new(self.bytes);
        (0..self.count).map_while(move |_| Type::read(&mut reader).ok())
    }
}

/// What a frame changes of the one before.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change<'a> {
    Same,
    SameLocalsOneStackItem(Types<'a>),
    /// The number of locals that end, 1 to 3.
    Chop(u8),
    /// One to three locals.
    Append(Types<'a>),
    Full {
        locals: Types<'a>,
        stack: Types<'a>,
    },
}

/// A frame and where it holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) at: usize,
    pub(crate) change: Change<'a>,
}

/// Walks a `StackMapTable`.
#[derive(Debug)]
pub(crate) struct Frames<'a> {
    content: &'a [u8],
    reader: Reader<'a>,
    pub(crate) count: u16,
    left: u16,
    /// Where the next frame holds if its delta is 0.
    next: usize,
}

impl<'a> Frames<'a> {
    pub(crate) fn new(content: &'a [u8]) -> Result<Self, MethodDecline> {
        let mut reader = Reader::new(content);
        let count = reader.u2()?;
        Ok(Self { content, reader, count, left: count, next: 0 })
    }

    pub(crate) fn next(&mut self) -> Result<Option<Frame<'a>>, MethodDecline> {
        if self.left == 0 {
            let at_end = self.reader.is_at_end();
            return if at_end { Ok(None) } else { Err(MethodDecline::TrailingBytes) };
        }
        self.left -= 1;
        let tag = self.reader.u1()?;
        let (delta, change) = match tag {
            0..=63 => (u16::from(tag), Change::Same),
            64..=127 => (u16::from(tag - 64), Change::SameLocalsOneStackItem(self.types(1)?)),
            247 => (self.reader.u2()?, Change::SameLocalsOneStackItem(self.types(1)?)),
            248..=250 => (self.reader.u2()?, Change::Chop(251 - tag)),
            251 => (self.reader.u2()?, Change::Same),
            252..=254 => (self.reader.u2()?, Change::Append(self.types(u16::from(tag - 251))?)),
            255 => {
                let delta = self.reader.u2()?;
                let locals = self.counted_types()?;
                (delta, Change::Full { locals, stack: self.counted_types()? })
            }
            128..=246 => return Err(MethodDecline::UnknownFrame { tag }),
        };
        let at = self.next + usize::from(delta);
        self.next = at + 1;
        Ok(Some(Frame { at, change }))
    }

    fn types(&mut self, count: u16) -> Result<Types<'a>, MethodDecline> {
        Types::read(self.content, &mut self.reader, count)
    }

    fn counted_types(&mut self) -> Result<Types<'a>, MethodDecline> {
        let count = self.reader.u2()?;
        self.types(count)
    }
}

impl<'a> Change<'a> {
    /// What is on the stack.
    pub(crate) fn stack(self) -> Types<'a> {
        match self {
            Self::SameLocalsOneStackItem(stack) | Self::Full { stack, .. } => stack,
            Self::Same | Self::Chop(_) | Self::Append(_) => Types::NONE,
        }
    }
}

//! The little of a class file that tells how a class is nested.

use std::io;

/// How a class stands to the one around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nesting {
    /// It has no class around it.
    TopLevel,
    /// A static member, which can be made without an outer object.
    StaticMember,
    /// An inner, local or anonymous class.
    Inner,
}

/// A parsed class file.
pub(crate) struct ClassFile {
    nesting: Nesting,
    texts: Vec<Vec<u8>>,
}

const ACC_STATIC: u16 = 0x0008;

impl ClassFile {
    pub(crate) fn parse(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        if reader.u32()? != 0xCAFE_BABE {
            return Err(invalid("it does not start as a class file does"));
        }
        reader.skip(4)?; // version
        let pool = Pool::parse(&mut reader)?;
        reader.skip(2)?; // access flags
        let this_class = reader.u16()?;
        reader.skip(2)?; // super class
        let interfaces = reader.u16()?;
        reader.skip(2 * usize::from(interfaces))?;
        for _ in 0..2 {
            skip_members(&mut reader)?;
        }
        let mut nesting = Nesting::TopLevel;
        for _ in 0..reader.u16()? {
            let name = reader.u16()?;
            let length = reader.u32()? as usize;
            let mut attribute = Reader(reader.take(length)?);
            if pool.text(name) == Some(b"InnerClasses") {
                nesting = nesting_in(&mut attribute, &pool, this_class)?;
            }
        }
        Ok(Self { nesting, texts: pool.texts.into_iter().flatten().collect() })
    }

    pub(crate) fn nesting(&self) -> Nesting {
        self.nesting
    }

    /// Whether the text, for example a class name, occurs in the constant pool.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        self.texts.iter().any(|known| known == text.as_bytes())
    }
}

fn nesting_in(attribute: &mut Reader, pool: &Pool, this_class: u16) -> io::Result<Nesting> {
    for _ in 0..attribute.u16()? {
        let inner = attribute.u16()?;
        let outer = attribute.u16()?;
        let name = attribute.u16()?;
        let flags = attribute.u16()?;
        if pool.class(inner) == pool.class(this_class) {
            // Local and anonymous classes have no outer class or no name.
            let is_static_member = outer != 0 && name != 0 && flags & ACC_STATIC != 0;
            return Ok(if is_static_member { Nesting::StaticMember } else { Nesting::Inner });
        }
    }
    Ok(Nesting::TopLevel)
}

/// Fields or methods.
fn skip_members(reader: &mut Reader) -> io::Result<()> {
    for _ in 0..reader.u16()? {
        reader.skip(6)?;
        for _ in 0..reader.u16()? {
            reader.skip(2)?;
            let length = reader.u32()? as usize;
            reader.skip(length)?;
        }
    }
    Ok(())
}

struct Pool {
    texts: Vec<Option<Vec<u8>>>,
    classes: Vec<u16>,
}

impl Pool {
    fn parse(reader: &mut Reader) -> io::Result<Self> {
        let count = usize::from(reader.u16()?);
        let mut texts = vec![None; count];
        let mut classes = vec![0; count];
        let mut index = 1;
        while index < count {
            let tag = reader.u8()?;
            match tag {
                1 => {
                    let length = usize::from(reader.u16()?);
                    texts[index] = Some(reader.take(length)?.to_vec());
                }
                7 => classes[index] = reader.u16()?,
                8 | 16 | 19 | 20 => reader.skip(2)?,
                15 => reader.skip(3)?,
                3 | 4 | 9 | 10 | 11 | 12 | 17 | 18 => reader.skip(4)?,
                5 | 6 => reader.skip(8)?,
                _ => return Err(invalid("its constant pool has an unknown entry")),
            }
            // Longs and doubles take two places.
            index += if tag == 5 || tag == 6 { 2 } else { 1 };
        }
        Ok(Self { texts, classes })
    }

    fn text(&self, index: u16) -> Option<&[u8]> {
        self.texts.get(usize::from(index))?.as_deref()
    }

    fn class(&self, index: u16) -> Option<&[u8]> {
        self.text(*self.classes.get(usize::from(index))?)
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> io::Result<&'a [u8]> {
        let (taken, rest) =
            self.0.split_at_checked(length).ok_or_else(|| invalid("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn skip(&mut self, length: usize) -> io::Result<()> {
        self.take(length).map(drop)
    }

    fn u8(&mut self) -> io::Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn u16(&mut self) -> io::Result<u16> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&mut self) -> io::Result<u32> {
        Ok(u32::from(self.u16()?) << 16 | u32::from(self.u16()?))
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::*;

    fn parse(folder: &Path, class: &str) -> ClassFile {
        ClassFile::parse(&std::fs::read(folder.join(format!("{class}.class"))).unwrap()).unwrap()
    }

    #[test]
    fn nesting_is_read_from_what_javac_writes() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("Outer.java");
        let text = "class Outer { static class Member {} class In {} long l = 1L << 40;
            Object o = new Object() {}; void m() { class Local {} new Local(); } }
            class Dollar$Name { String s = \"needle\"; }";
        std::fs::write(&source, text).unwrap();
        let status = Command::new("javac").arg("-d").arg(dir.path()).arg(&source).status().unwrap();
        assert!(status.success());
        let nesting = |class: &str| parse(dir.path(), class).nesting();
        assert_eq!(nesting("Outer"), Nesting::TopLevel);
        assert_eq!(nesting("Dollar$Name"), Nesting::TopLevel);
        assert_eq!(nesting("Outer$Member"), Nesting::StaticMember);
        for inner in ["Outer$In", "Outer$1", "Outer$1Local"] {
            assert_eq!(nesting(inner), Nesting::Inner, "{inner}");
        }
        assert!(parse(dir.path(), "Dollar$Name").mentions("needle"));
        assert!(!parse(dir.path(), "Outer").mentions("needle"));
    }

    #[test]
    fn torn_files_are_errors() {
        for bytes in [&b""[..], b"\xCA\xFE\xBA\xBE", b"not a class file"] {
            assert!(ClassFile::parse(bytes).is_err());
        }
    }
}

//! Names of classes and fields as small numbers.

use rustc_hash::FxHashMap;

/// A name as class files have it, with slashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Name(u32);

#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: FxHashMap<Box<[u8]>, Name>,
    texts: Vec<Box<[u8]>>,
}

impl Names {
    pub(crate) fn intern(&mut self, text: &[u8]) -> Name {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let name = Name(self.texts.len() as u32);
        self.numbers.insert(text.into(), name);
        self.texts.push(text.into());
        name
    }

    pub(crate) fn find(&self, text: &[u8]) -> Option<Name> {
        self.numbers.get(text).copied()
    }

    pub(crate) fn bytes(&self, name: Name) -> &[u8] {
        &self.texts[name.0 as usize]
    }

    /// The name as Java writes it, with dots.
    pub(crate) fn binary(&self, name: Name) -> String {
        binary(self.bytes(name))
    }

    pub(crate) fn text(&self, name: Name) -> String {
        residue_classfile::text(self.bytes(name)).into_owned()
    }
}

/// `java.util.Map$Entry` from `java/util/Map$Entry`. A hidden class has a dot
/// before its suffix, where Java writes a slash.
pub(crate) fn binary(name: &[u8]) -> String {
    let turn = |byte: u8| match byte {
        b'/' => b'.',
        b'.' => b'/',
        other => other,
    };
    let turned: Vec<u8> = name.iter().map(|&byte| turn(byte)).collect();
    String::from_utf8(turned)
        .unwrap_or_else(|unusual| residue_classfile::text(unusual.as_bytes()).into_owned())
}

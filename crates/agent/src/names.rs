//! Names of classes and fields as small numbers.

use std::collections::HashMap;

/// A name as class files have it, with slashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Name(u32);

#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<Box<[u8]>, Name>,
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
    let text = residue_classfile::text(name);
    let turned = text.chars().map(|letter| match letter {
        '/' => '.',
        '.' => '/',
        other => other,
    });
    turned.collect()
}

//! What ties a class to other code: the constants that compilers copy out of
//! it, and the classes that it names.

use std::collections::BTreeSet;

use crate::attributes::Attributes;
use crate::class_file::ClassFile;

const ACC_PRIVATE: u16 = 0x0002;

impl<'a> ClassFile<'a> {
    /// Names of fields whose value compilers copy into other classes.
    pub fn shared_constants(&self) -> impl Iterator<Item = &'a [u8]> {
        let has_value = |attributes: Attributes<'a>| {
            attributes.iter(&self.pool).any(|attribute| attribute.name == b"ConstantValue")
        };
        let fields = self.fields.iter();
        let shared = fields
            .filter(move |field| field.access & ACC_PRIVATE == 0 && has_value(field.attributes));
        shared.map(|field| field.name)
    }

    /// Classes that it names anywhere, in its code, signatures or annotations;
    /// rather one too many than one too few.
    pub fn mentioned_classes(&self) -> BTreeSet<&'a [u8]> {
        let mut mentioned = BTreeSet::new();
        for index in self.indices() {
            if let Ok(class) = self.pool.class_name(index) {
                mentioned.insert(class);
            }
            if let Ok(text) = self.pool.utf8(index) {
                mentioned.extend(in_descriptors(text));
            }
        }
        mentioned
    }

    fn indices(&self) -> impl Iterator<Item = u16> + use<> {
        1..u16::try_from(self.pool.count()).unwrap_or(u16::MAX)
    }
}

/// All that stands between an `L` and the next end of a name, wherever it is: a
/// text may be a descriptor, a signature, or neither.
fn in_descriptors(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts = text.iter().enumerate().filter(|(_, byte)| **byte == b'L');
    starts.filter_map(|(at, _)| {
        let rest = &text[at + 1..];
        let end = rest.iter().position(|byte| matches!(byte, b';' | b'<'))?;
        (end > 0).then_some(&rest[..end])
    })
}

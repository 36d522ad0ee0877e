//! What a class declares.

/// A class without its code. Names are as in class files, with slashes; use
/// [`crate::text`] to show them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassSummary<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// Its superclass; nothing for `java/lang/Object` and module descriptors.
    pub super_name: Option<&'a [u8]>,
    /// The interfaces it names.
    pub interfaces: Vec<&'a [u8]>,
    /// Its access flags.
    pub access: u16,
    /// Its major version.
    pub version: u16,
    /// Its fields in the order of the class file.
    pub fields: Vec<FieldSummary<'a>>,
    /// Descriptors of its annotations, visible at run time or not, such as
    /// `Lorg/junit/Ignore;`. Annotations that cannot be read count as none, as
    /// the JVM loads such a class.
    pub annotations: Vec<&'a [u8]>,
    /// Whether it has a static initialiser.
    pub has_class_initializer: bool,
}

/// A field of a [`ClassSummary`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSummary<'a> {
    /// Its access flags.
    pub access: u16,
    /// Its name.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
    /// Descriptors of its annotations.
    pub annotations: Vec<&'a [u8]>,
}

impl FieldSummary<'_> {
    /// Whether it belongs to the class and not to its instances.
    pub fn is_static(&self) -> bool {
        self.access & 0x0008 != 0
    }

    /// Whether it is assigned only once.
    pub fn is_final(&self) -> bool {
        self.access & 0x0010 != 0
    }
}

/// A method of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodSummary<'a> {
    /// Its access flags.
    pub access: u16,
    /// Its name.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
}

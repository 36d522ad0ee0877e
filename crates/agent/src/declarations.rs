//! What classes declare, be it read from a class file or told by the JVM.

use residue_classfile::{ClassSummary, FieldSummary};

/// What a field is called and declared as.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared<'a> {
    pub(crate) access: u16,
    pub(crate) name: &'a [u8],
    pub(crate) descriptor: &'a [u8],
    pub(crate) annotations: &'a [&'a [u8]],
}

impl<'a> Declared<'a> {
    pub(crate) fn of(field: &'a FieldSummary<'a>) -> Self {
        Self {
            access: field.access,
            name: field.name,
            descriptor: field.descriptor,
            annotations: &field.annotations,
        }
    }
}

/// What a class is called and declared as.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declaration<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) super_name: Option<&'a [u8]>,
    pub(crate) interfaces: &'a [&'a [u8]],
    pub(crate) annotations: &'a [&'a [u8]],
    pub(crate) fields: &'a [Declared<'a>],
}

impl<'a> Declaration<'a> {
    pub(crate) fn of(summary: &'a ClassSummary<'a>, fields: &'a [Declared<'a>]) -> Self {
        Self {
            name: summary.name,
            super_name: summary.super_name,
            interfaces: &summary.interfaces,
            annotations: &summary.annotations,
            fields,
        }
    }
}

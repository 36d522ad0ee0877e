//! A class file and its parts.

use crate::annotations;
use crate::attributes::Attributes;
use crate::bytes::Reader;
use crate::decline::Decline;
use crate::plan::{FieldIds, Plan};
use crate::pool::Pool;
use crate::rewriter;
use crate::rewritten::Rewritten;
use crate::summary::{ClassSummary, FieldSummary, MethodSummary};

const MAGIC: u32 = 0xcafe_babe;

/// A class file whose constants and declarations have been found sound. Code
/// is looked at by [`ClassFile::rewrite`].
#[derive(Debug, Clone)]
pub struct ClassFile<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) version: u16,
    pub(crate) pool: Pool<'a>,
    /// Where the constant pool ends.
    pub(crate) pool_end: usize,
    pub(crate) access: u16,
    pub(crate) name: &'a [u8],
    pub(crate) super_name: Option<&'a [u8]>,
    pub(crate) interfaces: Vec<&'a [u8]>,
    pub(crate) fields: Vec<Declaration<'a>>,
    /// Where the number of methods stands.
    pub(crate) methods_start: usize,
    pub(crate) methods: Vec<Declaration<'a>>,
    /// Where the attributes of the class begin.
    pub(crate) attributes_start: usize,
    attributes: Attributes<'a>,
}

/// A field or method of a class.
#[derive(Debug, Clone)]
pub(crate) struct Declaration<'a> {
    pub(crate) access: u16,
    pub(crate) name: &'a [u8],
    pub(crate) descriptor: &'a [u8],
    /// The whole of it.
    pub(crate) bytes: &'a [u8],
    pub(crate) attributes: Attributes<'a>,
}

impl<'a> ClassFile<'a> {
    /// Reads a class file.
    ///
    /// # Errors
    /// If it is none, or is cut or inconsistent.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Decline> {
        if i32::try_from(bytes.len()).is_err() {
            return Err(Decline::TooLarge);
        }
        let mut reader = Reader::new(bytes);
        if reader.u4() != Ok(MAGIC) {
            return Err(Decline::NotAClassFile);
        }
        reader.skip(2)?;
        let version = reader.u2()?;
        let pool = Pool::parse(bytes, &mut reader)?;
        let pool_end = reader.position();
        let access = reader.u2()?;
        let name = pool.class_name(reader.u2()?)?;
        let super_index = reader.u2()?;
        let super_name = if super_index == 0 { None } else { Some(pool.class_name(super_index)?) };
        let mut interfaces = Vec::new();
        for _ in 0..reader.u2()? {
            interfaces.push(pool.class_name(reader.u2()?)?);
        }
        let fields = declarations(bytes, &mut reader, &pool)?;
        let methods_start = reader.position();
        let methods = declarations(bytes, &mut reader, &pool)?;
        let attributes_start = reader.position();
        let attributes = Attributes::parse::<Decline>(bytes, &mut reader, &pool)?;
        Ok(Self {
            bytes,
            version,
            pool,
            pool_end,
            access,
            name,
            super_name,
            interfaces,
            fields,
            methods_start,
            methods,
            attributes_start,
            attributes,
        })
    }

    /// The name of the class, with slashes.
    pub fn name(&self) -> &'a [u8] {
        self.name
    }

    /// The name of the source file, if the class tells.
    pub fn source_file(&self) -> Option<&'a [u8]> {
        let mut attributes = self.attributes.iter(&self.pool);
        let attribute = attributes.find(|attribute| attribute.name == b"SourceFile")?;
        let index = Reader::new(attribute.content).u2().ok()?;
        self.pool.utf8(index).ok()
    }

    /// What the class declares.
    pub fn summary(&self) -> ClassSummary<'a> {
        let field = |field: &Declaration<'a>| FieldSummary {
            access: field.access,
            name: field.name,
            descriptor: field.descriptor,
            annotations: annotation_types(field.attributes, &self.pool),
        };
        ClassSummary {
            name: self.name,
            super_name: self.super_name,
            interfaces: self.interfaces.clone(),
            access: self.access,
            version: self.version,
            fields: self.fields.iter().map(field).collect(),
            annotations: annotation_types(self.attributes, &self.pool),
            has_class_initializer: self.methods.iter().any(|method| method.name == b"<clinit>"),
        }
    }

    /// The methods of the class in the order of the class file.
    pub fn methods(&self) -> impl Iterator<Item = MethodSummary<'a>> {
        self.methods.iter().map(|method| MethodSummary {
            access: method.access,
            name: method.name,
            descriptor: method.descriptor,
        })
    }

    /// Inserts hooks before accesses to fields and array elements, copies of
    /// objects and normal ends of the class initialiser, and whatever else the
    /// plan names. No hook gets:
    ///
    /// - a field that the class itself declares final, when it is read, or when
    ///   it is written by a constructor or the class initialiser;
    /// - a static field of the class itself in its class initialiser, whose
    ///   writes are initialisation and not a change;
    /// - a field of `this` in a constructor: what is under construction belongs
    ///   to who constructs it, even if it was made known to others early;
    /// - fields that compilers make and that never change: `this$0`, `val$x`,
    ///   `$assertionsDisabled`, the values of an enum and maps of `switch`;
    /// - what an earlier hook of the same block has reported, and elements of
    ///   arrays made in the same block that nobody else can know yet.
    ///
    /// Where the plan asks for it, hooks also tell which blocks of code are
    /// reached, and when the class initialiser begins and ends.
    pub fn rewrite(&self, plan: &Plan<'_>, ids: &mut dyn FieldIds) -> Rewritten {
        rewriter::rewrite(self, plan, ids)
    }
}

fn annotation_types<'a>(attributes: Attributes<'a>, pool: &Pool<'a>) -> Vec<&'a [u8]> {
    let mut types = Vec::new();
    for attribute in attributes.iter(pool) {
        if annotations::are_in(attribute.name) {
            annotations::append_types(attribute.content, pool, &mut types);
        }
    }
    types
}

fn declarations<'a>(
    bytes: &'a [u8],
    reader: &mut Reader<'a>,
    pool: &Pool<'a>,
) -> Result<Vec<Declaration<'a>>, Decline> {
    let mut found = Vec::new();
    for _ in 0..reader.u2()? {
        let start = reader.position();
        let access = reader.u2()?;
        let name = pool.utf8(reader.u2()?)?;
        let descriptor = pool.utf8(reader.u2()?)?;
        let attributes = Attributes::parse::<Decline>(bytes, reader, pool)?;
        let bytes = &bytes[start..reader.position()];
        found.push(Declaration { access, name, descriptor, bytes, attributes });
    }
    Ok(found)
}

/// Reads a class and inserts hooks, see [`ClassFile::rewrite`].
///
/// # Errors
/// If it cannot be read.
pub fn rewrite(
    class: &[u8],
    plan: &Plan<'_>,
    ids: &mut dyn FieldIds,
) -> Result<Rewritten, Decline> {
    ClassFile::parse(class).map(|class| class.rewrite(plan, ids))
}

/// Reads a class and tells what it declares.
///
/// # Errors
/// If it cannot be read.
pub fn summarize(class: &[u8]) -> Result<ClassSummary<'_>, Decline> {
    ClassFile::parse(class).map(|class| class.summary())
}

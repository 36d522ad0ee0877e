//! The fields and methods that the code of a class names, and what is to be
//! done about them. Each is looked at once.

use rustc_hash::FxHashMap;

use crate::class_file::ClassFile;
use crate::decline::MethodDecline;
use crate::descriptor::{Kind, field_kind, method_slots};
use crate::extension::Extension;
use crate::plan::{FieldIds, FieldReference, ReplacementTable};

const ACC_FINAL: u16 = 0x0010;

/// A field that an instruction names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldUse {
    pub(crate) kind: Kind,
    /// Whether the class itself declares it.
    pub(crate) is_own: bool,
    /// Whether the class itself declares it final.
    pub(crate) is_own_final: bool,
    /// Compilers make it, and it never changes after it is first set.
    pub(crate) is_constant: bool,
}

/// A method that an instruction names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MethodUse {
    /// Slots of the parameters without a receiver.
    pub(crate) parameters: u16,
    pub(crate) result: u8,
    pub(crate) role: Role,
    /// A method of the hook class to call instead, by the kind of the call.
    pub(crate) static_replacement: Option<u16>,
    pub(crate) virtual_replacement: Option<u16>,
}

/// Why a method matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Ordinary,
    /// `Object.clone` itself, of an object or an array.
    Clone,
    /// A constructor of the class or its superclass.
    OwnConstructor,
    /// A constructor of another class.
    OtherConstructor,
    /// Gives the map of a `switch` over an enum.
    SwitchTable,
}

type NameAndDescriptor<'a> = (&'a [u8], &'a [u8]);

/// All references of a class.
pub(crate) struct References<'c, 'a> {
    class: &'c ClassFile<'a>,
    replacements: &'c ReplacementTable,
    /// The access flags of the fields that the class declares.
    own_fields: Option<FxHashMap<NameAndDescriptor<'a>, u16>>,
    fields: Vec<Option<FieldUse>>,
    ids: Vec<Option<Option<u32>>>,
    methods: Vec<Option<MethodUse>>,
}

impl<'c, 'a> References<'c, 'a> {
    pub(crate) fn new(class: &'c ClassFile<'a>, replacements: &'c ReplacementTable) -> Self {
        let count = class.pool.count();
        Self {
            class,
            replacements,
            own_fields: None,
            fields: vec![None; count],
            ids: vec![None; count],
            methods: vec![None; count],
        }
    }

    pub(crate) fn field(&mut self, index: u16) -> Result<FieldUse, MethodDecline> {
        if let Some(&Some(known)) = self.fields.get(usize::from(index)) {
            return Ok(known);
        }
        let member = self.class.pool.field(index)?;
        let kind = field_kind(member.descriptor).ok_or(MethodDecline::BadDescriptor { index })?;
        let own_access = if member.owner == self.class.name {
            self.own_field(member.name, member.descriptor)
        } else {
            None
        };
        let field = FieldUse {
            kind,
            is_own: own_access.is_some(),
            is_own_final: own_access.is_some_and(|access| access & ACC_FINAL != 0),
            is_constant: is_made_by_compilers(member.name),
        };
        self.fields[usize::from(index)] = Some(field);
        Ok(field)
    }

    fn own_field(&mut self, name: &'a [u8], descriptor: &'a [u8]) -> Option<u16> {
        let class = self.class;
        let own_fields = self.own_fields.get_or_insert_with(|| {
            let fields = class.fields.iter();
            fields.map(|field| ((field.name, field.descriptor), field.access)).collect()
        });
        own_fields.get(&(name, descriptor)).copied()
    }

    /// The number of a field that [`Self::field`] has accepted.
    pub(crate) fn field_id(
        &mut self,
        index: u16,
        is_static: bool,
        ids: &mut dyn FieldIds,
    ) -> Result<Option<u32>, MethodDecline> {
        if let Some(&Some(known)) = self.ids.get(usize::from(index)) {
            return Ok(known);
        }
        let member = self.class.pool.field(index)?;
        let id = ids.field(FieldReference {
            owner: member.owner,
            name: member.name,
            descriptor: member.descriptor,
            is_static,
        });
        self.ids[usize::from(index)] = Some(id);
        Ok(id)
    }

    pub(crate) fn method(
        &mut self,
        index: u16,
        extension: &mut Extension<'_>,
    ) -> Result<MethodUse, MethodDecline> {
        if let Some(&Some(known)) = self.methods.get(usize::from(index)) {
            return Ok(known);
        }
        let member = self.class.pool.method(index)?;
        let (parameters, result) = self.slots(index, member.descriptor)?;
        let replacements = self.replacements.of_class(member.owner);
        let replacement = |is_static| replacements.get(member.name, member.descriptor, is_static);
        let mut named = |found| Option::map(found, |method| extension.named(method)).transpose();
        let method = MethodUse {
            parameters,
            result,
            role: self.role(member.owner, member.name, member.descriptor),
            static_replacement: named(replacement(true))?,
            virtual_replacement: named(replacement(false))?,
        };
        self.methods[usize::from(index)] = Some(method);
        Ok(method)
    }

    /// Slots of the parameters and the result of a dynamic call site.
    pub(crate) fn call_site(&self, index: u16) -> Result<(u16, u8), MethodDecline> {
        self.slots(index, self.class.pool.call_site_descriptor(index)?)
    }

    fn slots(&self, index: u16, descriptor: &[u8]) -> Result<(u16, u8), MethodDecline> {
        let bad = MethodDecline::BadDescriptor { index };
        let (parameters, result) = method_slots(descriptor).ok_or(bad)?;
        Ok((u16::try_from(parameters).map_err(|_| bad)?, result as u8))
    }

    fn role(&self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Role {
        match name {
            b"<init>" if owner == self.class.name || self.class.super_name == Some(owner) => {
                Role::OwnConstructor
            }
            b"<init>" => Role::OtherConstructor,
            // Compilers name Object as the owner even in a subclass of a class
            // that does not override it.
            b"clone"
                if descriptor == b"()Ljava/lang/Object;"
                    && (owner == b"java/lang/Object" || owner.starts_with(b"[")) =>
            {
                Role::Clone
            }
            _ if name.starts_with(b"$SWITCH_TABLE$") => Role::SwitchTable,
            _ => Role::Ordinary,
        }
    }
}

/// References to the enclosing object, captured variables, maps of a `switch`
/// over an enum, and whether assertions are on.
fn is_made_by_compilers(name: &[u8]) -> bool {
    let is_enclosing = || {
        let number = name.strip_prefix(b"this$");
        number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
    };
    match name.iter().position(|&byte| byte == b'$') {
        None => false,
        Some(0) => {
            matches!(name, b"$assertionsDisabled" | b"$VALUES")
                || name.starts_with(b"$SwitchMap$")
                || name.starts_with(b"$SWITCH_TABLE$")
        }
        Some(_) => name.starts_with(b"val$") || name == b"ENUM$VALUES" || is_enclosing(),
    }
}

//! What makes up the objects of a class when they are compared: a table that
//! the hook reads (`ResidueContents`), and the names of the fields in it.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use jni_sys::jclass;

use crate::agent::Agent;
use crate::collections::{Collection, collection};
use crate::field_offsets;
use crate::jvm::{FieldHandle, Jni};
use crate::knowledge::Knowledge;

const STATIC: u16 = 0x0008;
const TRANSIENT: u16 = 0x0080;

const FIELDS: u32 = 0;
const IDENTITY: u32 = 1;

const ENTRY_BYTES: usize = 12;
const NO_SLOT: u32 = u32::MAX;

/// Fields of a class's content, by number of the class.
#[derive(Debug, Default)]
pub(crate) struct ContentNames {
    fields: HashMap<u32, Vec<String>>,
}

impl ContentNames {
    pub(crate) fn name(&self, class: u32, field: usize) -> Option<&str> {
        self.fields.get(&class)?.get(field).map(String::as_str)
    }
}

#[derive(Debug)]
struct Field {
    name: String,
    offset: u32,
    element_type: u8,
    slot: u32,
}

/// What is known of a class and its superclasses, innermost first.
#[derive(Debug, Default)]
struct Found {
    collection: Option<Collection>,
    fields: Vec<Field>,
    /// Fields that rules leave out.
    hidden: bool,
}

/// The address of the table; 0 if there is no memory for it.
pub(crate) fn table(agent: &Agent, jni: Jni, class: jclass, number: u32) -> Option<usize> {
    let mut found = Found::default();
    let mut knowledge = agent.knowledge();
    let mut here = jni.local(class);
    while let Some(class) = here {
        let goes_on = add_class(agent, jni, class, &mut knowledge, &mut found);
        here = if goes_on { jni.superclass(class) } else { None };
        jni.delete_local(class);
    }
    let kind = match found.collection {
        Some(collection) => collection as u32,
        None if found.fields.is_empty() && found.hidden => IDENTITY,
        None => FIELDS,
    };
    let table = agent.shadow.tables.allocate(8 + ENTRY_BYTES * found.fields.len())?;
    table.u32(0).store(kind, Ordering::Relaxed);
    table.u32(4).store(found.fields.len() as u32, Ordering::Relaxed);
    for (index, field) in found.fields.iter().enumerate() {
        let at = 8 + ENTRY_BYTES * index;
        table.u32(at).store(field.offset, Ordering::Relaxed);
        table.u32(at + 4).store(field.element_type.into(), Ordering::Relaxed);
        table.u32(at + 8).store(field.slot, Ordering::Release);
    }
    let names = found.fields.into_iter().map(|field| field.name).collect();
    agent.polluting().names.fields.insert(number, names);
    Some(table.base())
}

/// Whether the superclass matters too.
fn add_class(
    agent: &Agent,
    jni: Jni,
    class: jclass,
    knowledge: &mut Knowledge,
    found: &mut Found,
) -> bool {
    let Some(signature) = agent.jvmti.class_signature(class) else { return false };
    let [b'L', name @ .., b';'] = signature.as_slice() else { return false };
    let shown = crate::names::binary(name);
    found.collection = collection(&shown);
    if found.collection.is_some() {
        return false;
    }
    // Registers what no class file was seen of.
    agent.describing(jni, knowledge).describe(class);
    let value = ValueFields::of(&shown);
    let fields = agent.jvmti.class_fields(class).unwrap_or_default();
    for handle in fields.iter().filter(|handle| handle.access & STATIC == 0) {
        match field(handle, name, value, knowledge) {
            Some(field) => found.fields.push(field),
            None => found.hidden |= value.is_none(),
        }
    }
    true
}

fn field(
    handle: &FieldHandle,
    class: &[u8],
    value: Option<ValueFields>,
    knowledge: &mut Knowledge,
) -> Option<Field> {
    let registry = &mut knowledge.registry;
    let class = registry.names.find(class)?;
    let name = registry.names.find(&handle.name)?;
    let declared = registry.class(class)?.fields.iter().find(|one| one.name == name)?.clone();
    let is_content = value.map_or(declared.is_content, |value| value.contain(handle));
    if !is_content {
        return None;
    }
    let slot = if declared.is_tracked { registry.slot(class, declared.position) } else { NO_SLOT };
    Some(Field {
        name: residue_classfile::text(&handle.name).into_owned(),
        offset: field_offsets::offset(handle.id, false)?,
        element_type: match handle.descriptor.first()? {
            b'L' | b'[' => b'L',
            &primitive => primitive,
        },
        slot,
    })
}

/// Objects of these classes never change, so their fields are not tracked; but
/// what they are is told by some of them.
#[derive(Debug, Clone, Copy)]
enum ValueFields {
    These(&'static [&'static str]),
    /// What is transient is computed from the rest.
    NotTransient,
}

impl ValueFields {
    fn of(class: &str) -> Option<Self> {
        Some(match class {
            "java.math.BigInteger" => Self::These(&["signum", "mag"]),
            "java.math.BigDecimal" => Self::These(&["intVal", "scale", "intCompact"]),
            "java.math.MathContext" => Self::NotTransient,
            "java.net.URI" => Self::These(&[
                "scheme",
                "authority",
                "userInfo",
                "host",
                "port",
                "path",
                "query",
                "fragment",
            ]),
            "java.util.UUID" => Self::These(&["mostSigBits", "leastSigBits"]),
            "java.util.Locale" => Self::These(&["baseLocale", "localeExtensions"]),
            "sun.util.locale.BaseLocale" => {
                Self::These(&["language", "script", "region", "variant"])
            }
            "java.util.regex.Pattern" => Self::These(&["pattern", "flags"]),
            time if time.starts_with("java.time.") => Self::NotTransient,
            _ => return None,
        })
    }

    fn contain(self, field: &FieldHandle) -> bool {
        match self {
            Self::These(names) => names.iter().any(|name| name.as_bytes() == field.name.as_slice()),
            Self::NotTransient => field.access & TRANSIENT == 0,
        }
    }
}

/// Where objects of a class have a field.
pub(crate) fn field_offset(agent: &Agent, jni: Jni, class: jclass, name: &[u8]) -> Option<u32> {
    let mut here = jni.local(class);
    while let Some(class) = here {
        let fields = agent.jvmti.class_fields(class).unwrap_or_default();
        let is_wanted = |one: &&FieldHandle| one.name == name && one.access & STATIC == 0;
        let offset =
            fields.iter().find(is_wanted).and_then(|one| field_offsets::offset(one.id, false));
        here = if offset.is_none() { jni.superclass(class) } else { None };
        jni.delete_local(class);
        if offset.is_some() {
            return offset;
        }
    }
    None
}

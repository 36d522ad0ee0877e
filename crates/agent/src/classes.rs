//! Classes of the running JVM: their records in the shadow memory, filled in
//! when a class is first met, and what is needed to name their slots.

use std::collections::HashMap;

use jni_sys::{jclass, jweak};
use residue_model::trace::digest;

use crate::declarations::{Declaration, Declared};
use crate::field_offsets;
use crate::jvm::{FieldHandle, Jni, Jvmti};
use crate::layout_tables::{SlotPlace, Tables};
use crate::names::{Name, binary};
use crate::registry::{Registry, is_value_class};
use crate::shadow::{ClassKind, Shadow, class_record};

const STATIC: u16 = 0x0008;

/// Where arrays of one type have their elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ArrayLayout {
    pub(crate) base: u32,
    pub(crate) shift: u8,
}

/// The name of a slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlotOwner {
    pub(crate) class: Name,
    pub(crate) field: Name,
}

#[derive(Debug)]
pub(crate) struct KnownClass {
    /// Binary name; `int[]` for arrays.
    pub(crate) shown: String,
    /// Nothing for arrays.
    name: Option<Name>,
    pub(crate) slots: Vec<Option<SlotOwner>>,
    pub(crate) statics: Vec<SlotOwner>,
    mirror: Option<Weak>,
}

impl KnownClass {
    /// The same in all runs; none where a name is given out as classes come.
    pub(crate) fn digest(&self) -> Option<u64> {
        let is_numbered =
            ["/", "$$", "$Proxy", "Accessor"].iter().any(|part| self.shown.contains(part));
        (!is_numbered).then(|| digest::text(&self.shown))
    }
}

/// A weak reference of JNI, which any thread may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Weak(pub(crate) jweak);

// SAFETY: JNI allows global references, weak ones too, to be used from any thread.
unsafe impl Send for Weak {}

#[derive(Debug)]
pub(crate) struct Classes {
    /// By number; the first stands for classes that found no room.
    known: Vec<KnownClass>,
    /// Classes with statics that matter, by name, as soon as they are prepared.
    mirrors: HashMap<Name, Vec<Weak>>,
    /// Of the first class of that name.
    statics_ids: HashMap<Name, u32>,
    arrays: HashMap<u8, ArrayLayout>,
}

impl Classes {
    pub(crate) fn new() -> Self {
        let nothing = KnownClass {
            shown: "?".into(),
            name: None,
            slots: Vec::new(),
            statics: Vec::new(),
            mirror: None,
        };
        Self {
            known: vec![nothing],
            mirrors: HashMap::new(),
            statics_ids: HashMap::new(),
            arrays: HashMap::new(),
        }
    }

    pub(crate) fn set_array_layout(&mut self, element: u8, layout: ArrayLayout) {
        self.arrays.insert(element, layout);
    }

    /// Numbers are below this.
    pub(crate) fn count(&self) -> usize {
        self.known.len()
    }

    pub(crate) fn known(&self, class: u32) -> Option<&KnownClass> {
        self.known.get(class as usize)
    }

    /// Classes of that name with statics that matter; some may be gone.
    pub(crate) fn mirrors(&self, name: Name) -> &[Weak] {
        self.mirrors.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Puts a class in the place of those of its name that are no longer there.
    /// True if others remain.
    pub(crate) fn add_mirror(&mut self, name: Name, class: Weak, instead_of: &[Weak]) -> bool {
        let alike = self.mirrors.entry(name).or_default();
        alike.retain(|one| !instead_of.contains(one));
        alike.push(class);
        alike.len() > 1
    }

    /// A local reference to the class with these statics, if it is still there.
    pub(crate) fn mirror(&self, jni: Jni, class: u32) -> Option<jclass> {
        let Weak(weak) = self.known(class)?.mirror?;
        jni.local(weak)
    }
}

/// Everything that describing a class needs.
pub(crate) struct Describing<'a> {
    pub(crate) jvmti: Jvmti,
    pub(crate) jni: Jni,
    pub(crate) shadow: &'a Shadow,
    pub(crate) registry: &'a mut Registry,
    pub(crate) classes: &'a mut Classes,
}

impl Describing<'_> {
    /// The id of the class's statics; none if the class cannot be described.
    pub(crate) fn describe(&mut self, class: jclass) -> Option<u32> {
        let tag = self.jvmti.tag(class);
        if tag != 0 {
            return u32::try_from(tag).ok();
        }
        let signature = self.jvmti.class_signature(class)?;
        let statics = match signature.as_slice() {
            [b'[', element @ ..] => self.describe_array(class, element),
            [b'L', name @ .., b';'] => self.describe_plain(class, name),
            _ => self.number("primitive".into(), class).map(|(_, statics)| statics),
        }?;
        self.jvmti.set_tag(class, i64::from(statics));
        Some(statics)
    }

    /// A new number for a class with no statics yet, and the id of these.
    fn number(&mut self, shown: String, class: jclass) -> Option<(u32, u32)> {
        self.number_with_statics(shown, None, class, Vec::new())
    }

    fn number_with_statics(
        &mut self,
        shown: String,
        name: Option<Name>,
        class: jclass,
        statics: Vec<SlotOwner>,
    ) -> Option<(u32, u32)> {
        let number = self.classes.known.len() as u32;
        if number >= self.shadow.most_classes() {
            return None;
        }
        let count = statics.len() as u32;
        self.shadow.set_class_u32(number, class_record::STATICS + 4, count);
        let id = self.shadow.allocate_statics(number, count)?;
        self.shadow.set_class_u32(number, class_record::STATICS, id);
        self.shadow.set_class_u32(number, class_record::KIND, ClassKind::Value as u32);
        let mirror = self.jni.weak(class).map(Weak);
        self.classes.known.push(KnownClass { shown, name, slots: Vec::new(), statics, mirror });
        Some((number, id))
    }

    fn describe_array(&mut self, class: jclass, element: &[u8]) -> Option<u32> {
        let (number, statics) = self.number(array_name(element), class)?;
        let element_type = match element {
            [b'L' | b'[', ..] => b'L',
            [primitive, ..] => *primitive,
            [] => return Some(statics),
        };
        let Some(&layout) = self.classes.arrays.get(&element_type) else { return Some(statics) };
        self.shadow.set_class_u8(number, class_record::ELEMENT_TYPE, element_type);
        self.shadow.set_class_u8(number, class_record::ELEMENT_SHIFT, layout.shift);
        self.shadow.set_class_u32(number, class_record::ELEMENT_BASE, layout.base);
        let kind = if element_type == b'L' {
            ClassKind::ReferenceArray
        } else {
            ClassKind::PrimitiveArray
        };
        self.shadow.set_class_u32(number, class_record::KIND, kind as u32);
        Some(statics)
    }

    fn describe_plain(&mut self, class: jclass, name: &[u8]) -> Option<u32> {
        let fields = self.jvmti.class_fields(class)?;
        // The superclass first, for its slots and offsets.
        let parent = match self.jni.superclass(class) {
            Some(parent) => {
                let statics = self.describe(parent);
                self.jni.delete_local(parent);
                Some(self.shadow.class_of(statics?))
            }
            None => None,
        };
        let name = self.registered(name, parent, &fields);
        let shown = self.registry.names.binary(name);
        let statics = self.static_slots(name);
        let is_first = !self.classes.statics_ids.contains_key(&name);
        let (number, id) = self.number_with_statics(shown, Some(name), class, statics)?;
        if is_first {
            self.classes.statics_ids.insert(name, id);
        }
        let is_value = self.is_value(name);
        let mut tables = Tables::default();
        if let Some(parent) = parent {
            tables = Tables::inherited(self.shadow, parent);
            self.classes.known[number as usize].slots =
                self.classes.known[parent as usize].slots.clone();
        }
        for handle in &fields {
            self.place(number, name, handle, &mut tables);
        }
        let slots = self.registry.slots(name);
        tables.write(self.shadow, number, slots, self.classes.known[number as usize].statics.len());
        self.shadow.set_class_u32(number, class_record::SLOTS, slots);
        if !is_value && tables.matters() {
            self.shadow.set_class_u32(number, class_record::KIND, ClassKind::Object as u32);
        }
        Some(id)
    }

    /// The name of a class that the registry knows from now on: a hidden class
    /// has no class file that was seen.
    fn registered(&mut self, name: &[u8], parent: Option<u32>, fields: &[FieldHandle]) -> Name {
        let interned = self.registry.names.intern(name);
        if self.registry.class(interned).is_none() {
            let parent_name = parent
                .and_then(|parent| self.classes.known(parent)?.name)
                .map(|name| self.registry.names.bytes(name).to_vec());
            let declared: Vec<Declared<'_>> = fields
                .iter()
                .map(|field| Declared {
                    access: field.access,
                    name: &field.name,
                    descriptor: &field.descriptor,
                    annotations: &[],
                })
                .collect();
            let declaration = Declaration {
                name,
                super_name: parent_name.as_deref(),
                interfaces: &[],
                annotations: &[],
                fields: &declared,
            };
            self.registry.add(&declaration, None);
        }
        interned
    }

    fn static_slots(&self, name: Name) -> Vec<SlotOwner> {
        let Some(class) = self.registry.class(name) else { return Vec::new() };
        let statics = class.fields.iter().filter(|field| field.is_static);
        statics.map(|field| SlotOwner { class: name, field: field.name }).collect()
    }

    fn is_value(&self, name: Name) -> bool {
        let mut here = Some(name);
        while let Some(class) = here {
            let bytes = self.registry.names.bytes(class);
            if is_value_class(bytes) || bytes == b"java/lang/Enum" {
                return true;
            }
            here = self.registry.class(class).and_then(|class| class.super_name);
        }
        false
    }

    /// Phantom references say nothing about what they refer to.
    fn hides_referent(&self, class: Name, field: Name) -> bool {
        self.registry.names.bytes(field) == b"referent" && {
            let mut here = Some(class);
            let mut hides = false;
            while let Some(class) = here {
                let bytes = self.registry.names.bytes(class);
                hides |= matches!(
                    bytes,
                    b"java/lang/ref/PhantomReference" | b"java/lang/ref/FinalReference"
                );
                here = self.registry.class(class).and_then(|class| class.super_name);
            }
            hides
        }
    }

    fn place(&mut self, number: u32, name: Name, handle: &FieldHandle, tables: &mut Tables) {
        let names = &mut self.registry.names;
        let (field_name, descriptor) =
            (names.intern(&handle.name), names.intern(&handle.descriptor));
        let is_static = handle.access & STATIC != 0;
        let Some(class) = self.registry.class(name) else { return };
        let Some(field) = class.fields.iter().find(|one| {
            one.name == field_name && one.descriptor == descriptor && one.is_static == is_static
        }) else {
            return;
        };
        if !field.is_content {
            return;
        }
        let (position, is_followed) = (field.position, field.is_followed);
        let Some(offset) = field_offsets::offset(handle.id, is_static) else { return };
        let place = SlotPlace {
            offset,
            element_type: match handle.descriptor.first() {
                Some(b'L' | b'[') => b'L',
                Some(&primitive) => primitive,
                None => return,
            },
            is_followed: is_followed && !self.hides_referent(name, field_name),
            is_tracked: field.is_tracked,
        };
        if is_static {
            tables.set_static(position, place);
        } else {
            let slot = self.registry.slot(name, position);
            let slots = &mut self.classes.known[number as usize].slots;
            if slots.len() <= slot as usize {
                slots.resize(slot as usize + 1, None);
            }
            slots[slot as usize] = Some(SlotOwner { class: name, field: field_name });
            tables.set(slot, place);
        }
    }

    /// The cell of a static field of a class that is prepared; none before that.
    pub(crate) fn static_cell(&mut self, declaring: Name, position: u32) -> Option<u32> {
        if let Some(&id) = self.classes.statics_ids.get(&declaring) {
            return Some(self.shadow.static_cell(id, position));
        }
        let Weak(weak) = *self.classes.mirrors.get(&declaring)?.first()?;
        let class = self.jni.local(weak)?;
        let id = self.describe(class);
        self.jni.delete_local(class);
        Some(self.shadow.static_cell(id?, position))
    }

    /// The slot of a field, by name, for reflection.
    pub(crate) fn slot_of(&mut self, class: u32, field: &[u8], is_static: bool) -> Option<u32> {
        let name = self.classes.known(class)?.name?;
        let field_name = self.registry.names.find(field)?;
        let class = self.registry.class(name)?;
        let field = class
            .fields
            .iter()
            .find(|one| one.name == field_name && one.is_static == is_static && one.is_tracked)?;
        let position = field.position;
        Some(if is_static { position } else { self.registry.slot(name, position) })
    }
}

/// `int[]` from `I`, `java.lang.String[][]` from `[Ljava/lang/String;`.
fn array_name(element: &[u8]) -> String {
    let dimensions = element.iter().take_while(|&&byte| byte == b'[').count();
    let base = match &element[dimensions..] {
        b"Z" => "boolean".into(),
        b"B" => "byte".into(),
        b"C" => "char".into(),
        b"S" => "short".into(),
        b"I" => "int".into(),
        b"J" => "long".into(),
        b"F" => "float".into(),
        b"D" => "double".into(),
        [b'L', name @ .., b';'] => binary(name),
        other => residue_classfile::text(other).into_owned(),
    };
    base + &"[]".repeat(dimensions + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_called_as_in_java() {
        assert_eq!(array_name(b"I"), "int[]");
        assert_eq!(array_name(b"[[Ljava/util/Map$Entry;"), "java.util.Map$Entry[][][]");
    }
}

//! What classes declare, by name, from the class files that were seen; and from
//! that, which slot a field has.
//!
//! Slots are numbered over a class and its superclasses, in the order of the
//! class files. Classes of the same name that differ, from different loaders,
//! are merged: fields are only ever added at the end, so a number once given
//! stays, and no number lies beyond the slots of an object that has the field.
//!
//! Classes that are rewritten before the JVM loads them are only *expected*:
//! nobody sees them but other classes that are rewritten ahead.

use residue_classfile::ClassSummary;
use residue_ignore::Rules;
use rustc_hash::FxHashMap;

use crate::declarations::{Declaration, Declared};
use crate::field_references::Reference;
use crate::names::{Name, Names};

const STATIC: u16 = 0x0008;
const FINAL: u16 = 0x0010;
/// Longest chain of superclasses that is believed; a class file can lie.
const MOST_ANCESTORS: usize = 10_000;

#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) descriptor: Name,
    pub(crate) is_static: bool,
    /// Whether accesses to it matter: it is not ignored, and it can change.
    pub(crate) is_tracked: bool,
    /// Whether what it refers to is looked at: it is not ignored, and it may
    /// hold something else than a value.
    pub(crate) is_followed: bool,
    /// Whether it belongs to what an object is: it is not ignored, or only
    /// because its object never changes.
    pub(crate) is_content: bool,
    /// Among the static or the other fields of its class.
    pub(crate) position: u32,
}

#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) name: Name,
    pub(crate) super_name: Option<Name>,
    interfaces: Vec<Name>,
    pub(crate) fields: Vec<Field>,
    /// Slots of the superclasses, once somebody has asked.
    inherited: Option<u32>,
}

/// A field that a rule leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftOut {
    pub(crate) class: String,
    pub(crate) field: String,
    pub(crate) is_static: bool,
    pub(crate) rule: String,
}

/// How a class that was added goes with those of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Added {
    /// It is the first, or has no field that the others lack.
    Agrees,
    Differs,
}

#[derive(Debug)]
pub(crate) struct Registry {
    pub(crate) names: Names,
    classes: FxHashMap<Name, Class>,
    expected: FxHashMap<Name, Class>,
    rules: Rules,
}

impl Class {
    fn own_slots(&self) -> u32 {
        self.fields.iter().filter(|field| !field.is_static).count() as u32
    }

    pub(crate) fn has_statics_of_interest(&self) -> bool {
        self.fields.iter().any(|field| field.is_static && (field.is_tracked || field.is_followed))
    }
}

impl Registry {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            names: Names::default(),
            classes: FxHashMap::default(),
            expected: FxHashMap::default(),
            rules,
        }
    }

    pub(crate) fn class(&self, name: Name) -> Option<&Class> {
        self.classes.get(&name)
    }

    /// Adds a class, and lists the fields that rules leave out where somebody
    /// wants to read that: of the JDK there are thousands.
    pub(crate) fn add_summary(
        &mut self,
        summary: &ClassSummary<'_>,
        left_out: Option<&mut Vec<LeftOut>>,
    ) -> Added {
        let fields: Vec<Declared<'_>> = summary.fields.iter().map(Declared::of).collect();
        self.add(&Declaration::of(summary, &fields), left_out)
    }

    pub(crate) fn add(
        &mut self,
        declaration: &Declaration<'_>,
        left_out: Option<&mut Vec<LeftOut>>,
    ) -> Added {
        let name = self.names.intern(declaration.name);
        self.expected.remove(&name);
        let known = self.classes.remove(&name);
        let (class, added) = self.merged(known, name, declaration, left_out);
        self.classes.insert(name, class);
        added
    }

    /// Makes a class known to those that are rewritten ahead. False if it is
    /// there already.
    pub(crate) fn expect(&mut self, summary: &ClassSummary<'_>) -> bool {
        let name = self.names.intern(summary.name);
        if self.classes.contains_key(&name) {
            return false;
        }
        let fields: Vec<Declared<'_>> = summary.fields.iter().map(Declared::of).collect();
        let (class, _) = self.merged(None, name, &Declaration::of(summary, &fields), None);
        self.expected.insert(name, class);
        true
    }

    /// The JVM loads an expected class, and with it comes code that holds only
    /// if the JVM has loaded these others. If not, the class stays unknown.
    pub(crate) fn arrive(&mut self, name: &[u8], relied_on: &[Name]) -> bool {
        let Some(name) = self.names.find(name) else { return false };
        let is_there = |other: &Name| *other == name || self.classes.contains_key(other);
        if self.classes.contains_key(&name) || !relied_on.iter().all(is_there) {
            return false;
        }
        let Some(class) = self.expected.remove(&name) else { return false };
        self.classes.insert(name, class);
        true
    }

    pub(crate) fn expect_nothing(&mut self) {
        self.expected = FxHashMap::default();
    }

    /// The class with what it declares, and how that goes with what was known.
    fn merged(
        &mut self,
        known: Option<Class>,
        name: Name,
        declaration: &Declaration<'_>,
        mut left_out: Option<&mut Vec<LeftOut>>,
    ) -> (Class, Added) {
        let binary_name = self.names.binary(name);
        let class_notes: Vec<String> =
            declaration.annotations.iter().map(|note| annotation(note)).collect();
        let was_known = known.is_some();
        let mut class = known.unwrap_or_else(|| Class {
            name,
            super_name: declaration.super_name.map(|name| self.names.intern(name)),
            interfaces: declaration.interfaces.iter().map(|name| self.names.intern(name)).collect(),
            fields: Vec::with_capacity(declaration.fields.len()),
            inherited: None,
        });
        let mut added = Added::Agrees;
        let rules = self.rules.of_class(&binary_name);
        for field in declaration.fields {
            let field_name = self.names.intern(field.name);
            let descriptor = self.names.intern(field.descriptor);
            let is_static = field.access & STATIC != 0;
            let is_same = |one: &Field| {
                one.name == field_name && one.descriptor == descriptor && one.is_static == is_static
            };
            if was_known {
                if class.fields.iter().any(is_same) {
                    continue;
                }
                added = Added::Differs;
            }
            let text = residue_classfile::text(field.name);
            let notes: Vec<String> =
                field.annotations.iter().map(|note| annotation(note)).collect();
            let notes: Vec<&str> = notes.iter().chain(&class_notes).map(String::as_str).collect();
            let decision = rules.decide(&text, is_static, &notes);
            if let (Some(left_out), false, Some(rule)) =
                (left_out.as_mut(), decision.tracked, decision.by)
            {
                left_out.push(LeftOut {
                    class: binary_name.clone(),
                    field: text.clone().into_owned(),
                    is_static,
                    rule: rule.to_string(),
                });
            }
            let can_change = field.access & FINAL == 0 || is_system_stream(&binary_name, &text);
            class.fields.push(Field {
                name: field_name,
                descriptor,
                is_static,
                is_tracked: decision.tracked && can_change,
                is_followed: decision.tracked && may_hold_object(field.descriptor),
                is_content: decision.tracked || is_immutable(&binary_name),
                position: class.fields.iter().filter(|one| one.is_static == is_static).count()
                    as u32,
            });
        }
        (class, added)
    }

    /// The class that declares a field, as the JVM resolves it: the class
    /// itself, its interfaces, its superclasses.
    pub(crate) fn resolve(
        &self,
        reference: Reference,
        is_static: bool,
    ) -> Option<(&Class, &Field)> {
        resolve(reference, is_static, &mut |name| self.classes.get(&name))
    }

    /// The same for code that is rewritten ahead. Notes which of the classes
    /// that this went through are only expected.
    pub(crate) fn resolve_ahead(
        &self,
        reference: Reference,
        is_static: bool,
        relied_on: &mut Vec<Name>,
    ) -> Option<(&Class, &Field)> {
        resolve(reference, is_static, &mut |name| {
            self.classes.get(&name).or_else(|| {
                let expected = self.expected.get(&name);
                if expected.is_some() && !relied_on.contains(&name) {
                    relied_on.push(name);
                }
                expected
            })
        })
    }

    /// The slots of a class's superclasses. Fixed by the first question.
    fn inherited(&mut self, name: Name) -> u32 {
        let mut chain = Vec::new();
        let mut here = Some(name);
        let mut slots = 0;
        while let Some(class) = here.and_then(|name| self.classes.get(&name)) {
            if chain.len() >= MOST_ANCESTORS {
                break;
            }
            if let Some(inherited) = class.inherited {
                slots = inherited + class.own_slots();
                if class.name == name {
                    return inherited;
                }
                break;
            }
            chain.push(class.name);
            here = class.super_name;
        }
        for name in chain.into_iter().rev() {
            if let Some(class) = self.classes.get_mut(&name) {
                class.inherited = Some(slots);
                slots += class.own_slots();
            }
        }
        self.classes.get(&name).and_then(|class| class.inherited).unwrap_or(0)
    }

    /// The slot of a field that is not static.
    pub(crate) fn slot(&mut self, class: Name, position: u32) -> u32 {
        self.inherited(class) + position
    }

    /// The slots of an object of this class.
    pub(crate) fn slots(&mut self, class: Name) -> u32 {
        let inherited = self.inherited(class);
        inherited + self.classes.get(&class).map_or(0, Class::own_slots)
    }
}

fn resolve<'a>(
    reference: Reference,
    is_static: bool,
    class: &mut dyn FnMut(Name) -> Option<&'a Class>,
) -> Option<(&'a Class, &'a Field)> {
    let mut here = Some(reference.owner);
    for _ in 0..MOST_ANCESTORS {
        let found = class(here?)?;
        let field = found.fields.iter().find(|one| {
            one.name == reference.name
                && one.descriptor == reference.descriptor
                && one.is_static == is_static
        });
        if let Some(field) = field {
            return Some((found, field));
        }
        if is_static {
            let inherited = found
                .interfaces
                .iter()
                .find_map(|&owner| resolve(Reference { owner, ..reference }, true, class));
            if inherited.is_some() {
                return inherited;
            }
        }
        here = found.super_name;
    }
    None
}

/// Values of the JDK that are ignored because they never change. Which of them a
/// field holds does matter.
fn is_immutable(class: &str) -> bool {
    class.starts_with("java.math.")
        || class.starts_with("java.time.")
        || matches!(class, "java.net.URI" | "java.util.UUID" | "java.util.regex.Pattern")
        || matches!(class, "java.util.Currency" | "java.util.Locale" | "java.nio.charset.Charset")
}

fn annotation(descriptor: &[u8]) -> String {
    let name = descriptor.strip_prefix(b"L").unwrap_or(descriptor);
    let name = name.strip_suffix(b";").unwrap_or(name);
    residue_classfile::text(name).replace('/', ".")
}

/// The JVM changes them behind the back of `final`.
fn is_system_stream(class: &str, field: &str) -> bool {
    class == "java.lang.System" && matches!(field, "in" | "out" | "err")
}

fn may_hold_object(descriptor: &[u8]) -> bool {
    match descriptor {
        [b'[', ..] => true,
        [b'L', name @ .., b';'] => !is_value_class(name),
        _ => false,
    }
}

/// Final classes whose objects are values: what matters is the field that holds
/// them.
pub(crate) fn is_value_class(name: &[u8]) -> bool {
    let Some(simple) = name.strip_prefix(b"java/lang/") else { return false };
    matches!(
        simple,
        b"String"
            | b"Class"
            | b"Boolean"
            | b"Byte"
            | b"Character"
            | b"Double"
            | b"Float"
            | b"Integer"
            | b"Long"
            | b"Short"
    )
}

#[cfg(test)]
mod tests {
    use residue_classfile::FieldSummary;

    use super::*;

    fn instance(name: &'static str, descriptor: &'static str) -> Declared<'static> {
        Declared {
            access: 0,
            name: name.as_bytes(),
            descriptor: descriptor.as_bytes(),
            annotations: &[],
        }
    }

    fn declaration<'a>(
        name: &'a str,
        super_name: &'a str,
        fields: &'a [Declared<'a>],
    ) -> Declaration<'a> {
        Declaration {
            name: name.as_bytes(),
            super_name: Some(super_name.as_bytes()),
            interfaces: &[],
            annotations: &[],
            fields,
        }
    }

    fn registry() -> Registry {
        let mut registry = Registry::new(Rules::none());
        registry.add(&Declaration { super_name: None, ..declaration("Object", "", &[]) }, None);
        let fields = [
            instance("a", "I"),
            Declared { access: STATIC, ..instance("s", "LX;") },
            instance("b", "J"),
        ];
        registry.add(&declaration("Base", "Object", &fields), None);
        registry.add(&declaration("Sub", "Base", &[instance("a", "LX;")]), None);
        registry
    }

    fn reference(registry: &mut Registry, parts: [&str; 3]) -> Reference {
        let [owner, name, descriptor] = parts.map(|part| registry.names.intern(part.as_bytes()));
        Reference { owner, name, descriptor }
    }

    fn slot(registry: &mut Registry, owner: &str, field: &str, descriptor: &str) -> Option<u32> {
        let reference = reference(registry, [owner, field, descriptor]);
        let (class, field) = registry.resolve(reference, false)?;
        let (class, position) = (class.name, field.position);
        Some(registry.slot(class, position))
    }

    #[test]
    fn slots_go_over_superclasses_and_leave_statics_out() {
        let mut registry = registry();
        assert_eq!(slot(&mut registry, "Sub", "a", "LX;"), Some(2));
        assert_eq!(slot(&mut registry, "Sub", "a", "I"), Some(0));
        assert_eq!(slot(&mut registry, "Sub", "b", "J"), Some(1));
        assert_eq!(slot(&mut registry, "Sub", "s", "LX;"), None);
        let sub = registry.names.intern(b"Sub");
        assert_eq!(registry.slots(sub), 3);
    }

    #[test]
    fn a_second_class_of_the_same_name_only_adds() {
        let mut registry = registry();
        assert_eq!(slot(&mut registry, "Base", "b", "J"), Some(1));
        let same = registry.add(&declaration("Base", "Object", &[instance("b", "J")]), None);
        assert_eq!(same, Added::Agrees);
        let fields = [instance("c", "I"), instance("b", "J")];
        let other = registry.add(&declaration("Base", "Object", &fields), None);
        assert_eq!(other, Added::Differs);
        assert_eq!(slot(&mut registry, "Base", "b", "J"), Some(1));
        assert_eq!(slot(&mut registry, "Base", "c", "I"), Some(2));
    }

    #[test]
    fn statics_of_interfaces_are_found_before_those_of_superclasses() {
        let mut registry = registry();
        let constant = [Declared { access: STATIC | FINAL, ..instance("s", "LX;") }];
        registry.add(&declaration("Face", "Object", &constant), None);
        let third = Declaration { interfaces: &[b"Face"], ..declaration("Third", "Base", &[]) };
        registry.add(&third, None);
        let reference = reference(&mut registry, ["Third", "s", "LX;"]);
        let (class, field) = registry.resolve(reference, true).unwrap();
        assert_eq!(registry.names.text(class.name), "Face");
        assert!(!field.is_tracked && field.is_followed);
    }

    fn summary<'a>(name: &'a str, super_name: &'a str, field: &'a str) -> ClassSummary<'a> {
        let field = FieldSummary {
            access: FINAL,
            name: field.as_bytes(),
            descriptor: b"I",
            annotations: vec![],
        };
        ClassSummary {
            name: name.as_bytes(),
            super_name: Some(super_name.as_bytes()),
            interfaces: vec![],
            access: 0,
            version: 61,
            fields: vec![field],
            annotations: vec![],
            has_class_initializer: false,
        }
    }

    #[test]
    fn what_is_expected_is_seen_only_ahead_until_it_arrives() {
        let mut registry = registry();
        assert!(registry.expect(&summary("Early", "Sub", "e")));
        assert!(registry.expect(&summary("Later", "Early", "l")));
        let inherited = reference(&mut registry, ["Later", "e", "I"]);
        let [early, later] = ["Early", "Later"].map(|name| registry.names.intern(name.as_bytes()));
        assert!(registry.resolve(inherited, false).is_none());
        let mut relied_on = Vec::new();
        let found = registry.resolve_ahead(inherited, false, &mut relied_on);
        assert_eq!(found.map(|(class, _)| class.name), Some(early));
        assert_eq!(relied_on, [later, early]);

        assert!(!registry.arrive(b"Later", &relied_on), "Early is not there yet");
        assert!(registry.arrive(b"Early", &[early]));
        assert!(registry.arrive(b"Later", &relied_on));
        assert!(!registry.arrive(b"Later", &relied_on), "it arrives once");
        assert!(registry.resolve(inherited, false).is_some());
    }

    #[test]
    fn a_class_that_is_there_is_not_expected() {
        let mut registry = registry();
        assert!(!registry.expect(&summary("Sub", "Base", "x")));
        assert!(registry.expect(&summary("Early", "Sub", "e")));
        let other = [instance("f", "I")];
        assert_eq!(registry.add(&declaration("Early", "Sub", &other), None), Added::Agrees);
        assert!(!registry.arrive(b"Early", &[]));
        assert_eq!(slot(&mut registry, "Early", "e", "I"), None);
        assert_eq!(slot(&mut registry, "Early", "f", "I"), Some(3));
    }
}

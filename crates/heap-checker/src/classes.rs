//! Classes as the walk sees them: which of their fields are compared, and which
//! lead on to other objects. What decides is what the documentation says is
//! tracked, and the same rules about what is left out that a user can write.

use std::sync::Arc;

use jni_sys::{jclass, jlong};
use residue_ignore::Rules;
use residue_model::trace::Name;

use crate::jvm::{DeclaredField, FieldId, Jni, Jvmti};
use crate::snapshot::{Collection, Shape};

/// A class, by its position in [`Classes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClassIndex(u32);

impl ClassIndex {
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// What objects of a class are to the walk.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Nature {
    Text,
    Class,
    /// A box: the descriptor of what is in it.
    Boxed(u8, FieldId),
    /// An enum constant: the field with its name.
    Constant(FieldId),
    /// Of references, or of a primitive type.
    Array(u8),
    Plain,
}

#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) id: FieldId,
    /// The class that declares it.
    pub(crate) class: Name,
    pub(crate) name: Name,
    /// Its descriptor, `L` for all references.
    pub(crate) kind: u8,
    /// Whether it is left out of comparisons: it cannot change, but may lead on.
    pub(crate) is_constant: bool,
}

#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) name: Name,
    pub(crate) nature: Nature,
    /// Those of superclasses first.
    pub(crate) fields: Vec<Field>,
    pub(crate) statics: Vec<Field>,
    pub(crate) has_initialiser: bool,
    pub(crate) shape: Arc<Shape>,
}

#[derive(Debug)]
pub(crate) struct Classes {
    rules: Rules,
    known: Vec<Class>,
}

/// Tags of classes are those of no object.
const OF_CLASS: jlong = 1 << 40;

impl Classes {
    pub(crate) fn new(rules: Rules) -> Self {
        Self { rules, known: Vec::new() }
    }

    pub(crate) fn get(&self, class: ClassIndex) -> &Class {
        &self.known[class.0 as usize]
    }

    pub(crate) fn index(&mut self, jvmti: Jvmti, jni: Jni, class: jclass) -> ClassIndex {
        let tag = jvmti.tag(class);
        if tag != 0 {
            return ClassIndex((tag - OF_CLASS) as u32);
        }
        let described = self.describe(jvmti, jni, class);
        self.known.push(described);
        let index = self.known.len() - 1;
        jvmti.set_tag(class, OF_CLASS + index as jlong);
        ClassIndex(index as u32)
    }

    fn describe(&mut self, jvmti: Jvmti, jni: Jni, class: jclass) -> Class {
        let signature = jvmti.signature(class);
        let name = Name::from(java_name(&signature));
        let parent = jni.superclass(class).map(|parent| {
            let index = self.index(jvmti, jni, parent);
            jni.delete_local(parent);
            index
        });
        let parent = parent.map(|index| self.get(index));
        let declared =
            if signature.starts_with('L') { jvmti.declared_fields(class) } else { Vec::new() };
        let rules = self.rules.of_class(&name);
        let walked = |is_static| -> Vec<Field> {
            let of_kind = declared.iter().filter(|field| field.is_static == is_static);
            let decided = of_kind.map(|field| {
                let is_tracked = rules.decide(&field.name, is_static, &[]).tracked;
                (field, is_tracked, !is_tracked && !is_static && tells_value(&name, field))
            });
            let seen = decided.filter(|(_, is_tracked, is_value)| *is_tracked || *is_value);
            // What makes up a value cannot change: it is read, but no change of it is told.
            seen.map(|(field, _, is_value)| Field {
                is_constant: is_value || is_constant(&name, field),
                ..walked(&name, field)
            })
            .collect()
        };
        let fields: Vec<Field> = parent
            .map_or(&[][..], |parent| &parent.fields)
            .iter()
            .cloned()
            .chain(walked(false))
            .collect();
        let hides = declared.iter().filter(|field| !field.is_static).count()
            > fields.len() - parent.map_or(0, |parent| parent.fields.len());
        let shape = Shape::of(&name, &fields, parent.map(|parent| &*parent.shape), hides);
        let value = declared.iter().find(|field| field.name == "value" && !field.is_static);
        let nature = match (&*signature, parent.map(|parent| parent.nature)) {
            ("Ljava/lang/String;", _) => Nature::Text,
            ("Ljava/lang/Class;", _) => Nature::Class,
            (_, Some(constant @ Nature::Constant(_))) => constant,
            ("Ljava/lang/Enum;", _) => declared
                .iter()
                .find(|field| field.name == "name")
                .map_or(Nature::Plain, |field| Nature::Constant(field.id)),
            (array, _) if array.starts_with('[') => Nature::Array(kind(&array[1..])),
            (boxed, _) if is_box(boxed) => value
                .map_or(Nature::Plain, |field| Nature::Boxed(kind(&field.descriptor), field.id)),
            _ => Nature::Plain,
        };
        Class {
            shape: Arc::new(shape),
            fields,
            statics: walked(true),
            has_initialiser: jvmti.has_initialiser(class),
            nature,
            name,
        }
    }
}

fn walked(class: &Name, field: &DeclaredField) -> Field {
    Field {
        id: field.id,
        class: class.clone(),
        name: (*field.name).into(),
        kind: kind(&field.descriptor),
        is_constant: is_constant(class, field),
    }
}

fn is_constant(class: &str, field: &DeclaredField) -> bool {
    // The JVM changes the standard streams behind the back of `final`.
    let is_stream = class == "java.lang.System" && matches!(&*field.name, "in" | "out" | "err");
    field.is_final && !is_stream
}

/// Fields of classes that the rules take for values, without which two of them
/// could not be told apart.
fn tells_value(class: &str, field: &DeclaredField) -> bool {
    let fields: &[&str] = match class {
        "java.math.BigInteger" => &["signum", "mag"],
        "java.math.BigDecimal" => &["intVal", "scale", "intCompact"],
        "java.math.MathContext" => &["precision", "roundingMode"],
        "java.net.URI" => {
            &["scheme", "authority", "userInfo", "host", "port", "path", "query", "fragment"]
        }
        "java.util.UUID" => &["mostSigBits", "leastSigBits"],
        "java.util.Locale" => &["baseLocale", "localeExtensions"],
        "sun.util.locale.BaseLocale" => &["language", "script", "region", "variant"],
        "java.util.regex.Pattern" => &["pattern", "flags"],
        // What is transient follows from the rest.
        time if time.starts_with("java.time.") => return !field.is_transient,
        _ => return false,
    };
    fields.contains(&&*field.name)
}

impl Shape {
    fn of(class: &Name, fields: &[Field], parent: Option<&Self>, hides: bool) -> Self {
        let inherited = parent.and_then(|parent| Some((parent.collection?, parent.inner_fields)));
        let own = Collection::of_class(class).map(|collection| (collection, fields.len()));
        let (collection, inner_fields) = own.or(inherited).unzip();
        let hides = hides || parent.is_some_and(|parent| parent.hides);
        Self {
            class: class.clone(),
            fields: fields.iter().map(|field| (field.class.clone(), field.name.clone())).collect(),
            collection,
            inner_fields: inner_fields.unwrap_or(0),
            hides,
        }
    }
}

/// `L` for all references.
fn kind(descriptor: &str) -> u8 {
    match descriptor.as_bytes().first() {
        Some(b'[') | None => b'L',
        Some(&kind) => kind,
    }
}

fn is_box(signature: &str) -> bool {
    let simple = signature.strip_prefix("Ljava/lang/").and_then(|name| name.strip_suffix(';'));
    let boxes = ["Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double"];
    simple.is_some_and(|name| boxes.contains(&name))
}

/// As Java writes it: `java.util.Map$Entry`, `int[]`.
fn java_name(signature: &str) -> String {
    let base = signature.trim_start_matches('[');
    let dimensions = signature.len() - base.len();
    let name = if base.len() == 1 { primitive_name(base).to_owned() } else { class_value(base) };
    name + &"[]".repeat(dimensions)
}

/// What a class is called where it is a value: arrays as in descriptors. A
/// hidden class has a dot in its signature where Java writes a slash.
pub(crate) fn class_value(signature: &str) -> String {
    let name = signature.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
    let turned = name.unwrap_or(signature).chars().map(|letter| match letter {
        '/' => '.',
        '.' => '/',
        other => other,
    });
    turned.collect()
}

fn primitive_name(descriptor: &str) -> &str {
    match descriptor {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_java() {
        assert_eq!(java_name("Ljava/util/Map$Entry;"), "java.util.Map$Entry");
        assert_eq!(java_name("[[I"), "int[][]");
        assert_eq!(java_name("[La/B;"), "a.B[]");
        assert_eq!(java_name("La/B$$Lambda.0x0001;"), "a.B$$Lambda/0x0001");
    }

    #[test]
    fn only_boxes_are_boxes() {
        assert!(is_box("Ljava/lang/Integer;"));
        assert!(!is_box("Ljava/lang/Number;"));
        assert!(!is_box("Ljava/lang/Integer$Cache;"));
        assert_eq!([kind("[I"), kind("La/B;"), kind("J")], [b'L', b'L', b'J']);
    }
}

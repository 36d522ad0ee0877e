//! What is inserted into classes: which calls go to the hook, and which methods
//! tell it when they start.

use std::path::Path;
use std::sync::Arc;

use residue_classfile::{ClassFile, Entry, EntryTable, Plan, Replacement, ReplacementTable};

use crate::field_references::FieldReferences;
use crate::property_methods;

pub(crate) const HOOK_CLASS: &str = "java/lang/ResidueHook";

/// Classes of the hook whose public static methods stand in for those of another
/// class, and whether these have a receiver.
const STAND_INS: [(&str, &str, bool); 9] = [
    ("java/lang/ResidueUnsafe", "jdk/internal/misc/Unsafe", true),
    ("java/lang/ResidueUnsafeRanges", "jdk/internal/misc/Unsafe", true),
    ("java/lang/ResidueSystem", "java/lang/System", false),
    ("java/lang/ResidueStrings", "java/lang/String", true),
    ("java/lang/ResidueReferents", "java/lang/ref/Reference", true),
    ("java/lang/ResidueReferents", "java/lang/ref/WeakReference", true),
    ("java/lang/ResidueReferents", "java/lang/ref/SoftReference", true),
    ("java/lang/ResidueArrays", "java/util/Arrays", false),
    ("java/lang/ResidueArraysSupport", "jdk/internal/util/ArraysSupport", false),
];

const FIELD_TYPES: [(&str, &str); 9] = [
    ("", "Ljava/lang/Object;"),
    ("Boolean", "Z"),
    ("Byte", "B"),
    ("Char", "C"),
    ("Short", "S"),
    ("Int", "I"),
    ("Long", "J"),
    ("Float", "F"),
    ("Double", "D"),
];

const PUBLIC_STATIC: u16 = 0x0009;
const PRIVATE: u16 = 0x0002;

/// The hook cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadHook {
    #[error("{file} cannot be read: {source}")]
    Unreadable { file: String, source: std::io::Error },
    #[error("{class} is no class file: {source}")]
    Malformed { class: String, source: residue_classfile::Decline },
    #[error(transparent)]
    Replacement(#[from] residue_classfile::BadReplacement),
    #[error(transparent)]
    Entry(#[from] residue_classfile::BadEntry),
}

/// The classes of the hook, superclasses first.
#[derive(Debug)]
pub(crate) struct HookClasses {
    pub(crate) classes: Vec<(String, Vec<u8>)>,
}

/// In the order in which they can be defined.
const DEFINED: [&str; 37] = [
    "ResidueLimits",
    "ResidueNative",
    "ResidueReferences",
    "ResidueStacks",
    "ResidueHashes",
    "ResidueMarkProbe",
    "ResidueMark",
    "ResidueCells",
    "ResidueClasses",
    "ResidueValues",
    "ResidueDigest",
    "ResidueHoldings",
    "ResidueUndo",
    "ResidueViews",
    "ResidueElements",
    "ResidueKeys",
    "ResidueContents",
    "ResidueWays",
    "ResiduePairs",
    "ResidueSameness",
    "ResidueTrees",
    "ResidueDifferences",
    "ResiduePollution",
    "ResidueProperties",
    "ResidueAccess",
    "ResidueAdoption",
    "ResidueEpochs",
    "ResidueWatching",
    "ResidueReflection",
    "ResidueUnsafeRanges",
    "ResidueUnsafe",
    "ResidueSystem",
    "ResidueStrings",
    "ResidueReferents",
    "ResidueArraysSupport",
    "ResidueArrays",
    "ResidueHook",
];

impl HookClasses {
    pub(crate) fn read(folder: &Path) -> Result<Self, BadHook> {
        let read = |name: &&str| {
            let class = format!("java/lang/{name}");
            let file = folder.join(format!("{class}.class"));
            let bytes = std::fs::read(&file).map_err(|source| BadHook::Unreadable {
                file: file.display().to_string(),
                source,
            })?;
            Ok((class, bytes))
        };
        Ok(Self { classes: DEFINED.iter().map(read).collect::<Result<_, BadHook>>()? })
    }

    /// Calls that go to methods that these classes really have.
    fn stand_ins(&self) -> Result<Vec<StandIn>, BadHook> {
        let mut found = Vec::new();
        for &(class_name, owner, has_receiver) in &STAND_INS {
            let Some((name, bytes)) = self.classes.iter().find(|(name, _)| name == class_name)
            else {
                continue;
            };
            let class = ClassFile::parse(bytes)
                .map_err(|source| BadHook::Malformed { class: name.clone(), source })?;
            let methods =
                class.methods().filter(|method| method.access & PUBLIC_STATIC == PUBLIC_STATIC);
            for method in methods {
                let name = residue_classfile::text(method.name).into_owned();
                let descriptor = residue_classfile::text(method.descriptor);
                let receiver = format!("(L{owner};");
                let descriptor = match (has_receiver, descriptor.strip_prefix(&receiver)) {
                    (true, Some(rest)) => format!("({rest}"),
                    (true, None) => continue,
                    (false, _) => descriptor.into_owned(),
                };
                found.push(StandIn { owner, name, descriptor, is_static: !has_receiver });
            }
        }
        Ok(found)
    }
}

/// A method of the hook that is called in place of one with the same name.
#[derive(Debug)]
struct StandIn {
    owner: &'static str,
    name: String,
    /// Of the method that it replaces.
    descriptor: String,
    is_static: bool,
}

fn replacements(stand_ins: &[StandIn]) -> Result<ReplacementTable, BadHook> {
    let mut table = ReplacementTable::default();
    for StandIn { owner, name, descriptor, is_static } in stand_ins {
        table.add(Replacement {
            owner,
            name,
            descriptor,
            is_static: *is_static,
            hook_name: name,
        })?;
    }
    Ok(table)
}

/// Methods that tell the hook when they start.
fn entries() -> Result<EntryTable, BadHook> {
    let mut table = EntryTable::default();
    for (name, descriptor) in FIELD_TYPES {
        let accesses = [
            (format!("get{name}"), format!("(Ljava/lang/Object;){descriptor}"), "reflectRead"),
            (format!("set{name}"), format!("(Ljava/lang/Object;{descriptor})V"), "reflectWrite"),
        ];
        for (method, descriptor, hook_name) in accesses {
            table.add(Entry {
                class: "java/lang/reflect/Field",
                name: &method,
                descriptor: &descriptor,
                is_static: false,
                hook_name,
                hook_descriptor: "(Ljava/lang/reflect/Field;Ljava/lang/Object;)V",
            })?;
        }
    }
    for entry in property_methods::entries() {
        table.add(entry)?;
    }
    // Since JDK 22 these call an intrinsic method that is private.
    for (method, array) in [
        ("hashCode", "[I"),
        ("hashCode", "[S"),
        ("hashCode", "[C"),
        ("hashCode", "[B"),
        ("hashCodeOfUnsigned", "[B"),
        ("hashCodeOfUTF16", "[B"),
    ] {
        table.add(Entry {
            class: "jdk/internal/util/ArraysSupport",
            name: method,
            descriptor: &format!("({array}III)I"),
            is_static: true,
            hook_name: "hashing",
            hook_descriptor: "(Ljava/lang/Object;II)V",
        })?;
    }
    // As it is called since JDK 22, and before.
    for (method, parameters) in [("critical", "(Z)"), ("isTrivial", "()")] {
        table.add(Entry {
            class: "java/lang/foreign/Linker$Option",
            name: method,
            descriptor: &format!("{parameters}Ljava/lang/foreign/Linker$Option;"),
            is_static: true,
            hook_name: "criticalLinking",
            hook_descriptor: "()V",
        })?;
    }
    table.add(Entry {
        class: "java/lang/invoke/DirectMethodHandle",
        name: "checkBase",
        descriptor: "(Ljava/lang/Object;)Ljava/lang/Object;",
        is_static: true,
        hook_name: "methodHandleAccess",
        hook_descriptor: "(Ljava/lang/Object;)V",
    })?;
    Ok(table)
}

/// What is inserted into all classes.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    replacements: Arc<ReplacementTable>,
    entries: Arc<EntryTable>,
}

impl Tables {
    /// A plan for a class, with a number if it is watched.
    pub(crate) fn plan(&self, watch: Option<u32>) -> Plan<'_> {
        Plan {
            hook_class: HOOK_CLASS,
            replacements: &self.replacements,
            entries: &self.entries,
            watch,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Rewriting {
    stand_ins: Vec<StandIn>,
    tables: Tables,
    pub(crate) references: FieldReferences,
}

impl Rewriting {
    pub(crate) fn new(hook: &HookClasses) -> Result<Self, BadHook> {
        let stand_ins = hook.stand_ins()?;
        let tables = Tables {
            replacements: Arc::new(replacements(&stand_ins)?),
            entries: Arc::new(entries()?),
        };
        Ok(Self { stand_ins, tables, references: FieldReferences::new() })
    }

    /// What to insert into a class.
    pub(crate) fn tables(&mut self, class: &ClassFile<'_>) -> Tables {
        self.spare_private_methods(class);
        self.tables.clone()
    }

    /// The hook cannot call what is private in this JDK. Such a method is called
    /// only from the class that declares it, which comes by here first.
    fn spare_private_methods(&mut self, class: &ClassFile<'_>) {
        if !self.stand_ins.iter().any(|one| one.owner.as_bytes() == class.name()) {
            return;
        }
        let before = self.stand_ins.len();
        self.stand_ins.retain(|one| {
            one.owner.as_bytes() != class.name()
                || !class.methods().any(|method| {
                    method.access & PRIVATE != 0
                        && method.name == one.name.as_bytes()
                        && method.descriptor == one.descriptor.as_bytes()
                })
        });
        if self.stand_ins.len() < before
            && let Ok(table) = replacements(&self.stand_ins)
        {
            self.tables.replacements = Arc::new(table);
        }
    }
}

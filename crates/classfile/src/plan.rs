//! What the caller wants inserted.

use rustc_hash::FxHashMap;

use crate::descriptor::{Kind, method_slots, parameter_kinds};

/// A field as an instruction names it. The owner may be a subclass of the class
/// that declares it. All names are as in class files, with slashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldReference<'a> {
    /// The class through which the field is accessed.
    pub owner: &'a [u8],
    /// Its name.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
    /// Whether the instruction is `getstatic` or `putstatic`.
    pub is_static: bool,
}

/// Gives field references the numbers that hooks get to see.
pub trait FieldIds {
    /// The number of a field, at most `i32::MAX`, or nothing if its accesses
    /// are to be left alone. Asked at most once per reference and class.
    fn field(&mut self, field: FieldReference<'_>) -> Option<u32>;
}

/// How a class is to be rewritten.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// The class whose methods are called, such as `java/lang/ResidueHook`.
    pub hook_class: &'a str,
    /// Calls that go to the hook class instead.
    pub replacements: &'a ReplacementTable,
    /// Methods that call the hook class when they start.
    pub entries: &'a EntryTable,
    /// A number for the class and its first block, at most `i32::MAX`, if it is
    /// to tell which of its code runs.
    pub watch: Option<u32>,
}

/// A method whose calls go to a static method of the hook class with the same
/// effect on the stack: a receiver becomes the first parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replacement<'a> {
    /// The class that the call names.
    pub owner: &'a str,
    /// The name of the method.
    pub name: &'a str,
    /// Its descriptor.
    pub descriptor: &'a str,
    /// Whether it is called by `invokestatic`; otherwise by `invokevirtual`.
    pub is_static: bool,
    /// The method of the hook class. Its descriptor follows from the above.
    pub hook_name: &'a str,
}

/// A replacement that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("calls of {owner}.{name} cannot be replaced: {descriptor} is no method descriptor")]
pub struct BadReplacement {
    owner: String,
    name: String,
    descriptor: String,
}

#[derive(Debug, Clone)]
struct ReplacedMethod {
    name: Box<[u8]>,
    descriptor: Box<[u8]>,
    is_static: bool,
    target: HookMethod,
}

/// A method of the hook class that the caller has named.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct HookMethod {
    pub(crate) name: Box<[u8]>,
    pub(crate) descriptor: Box<[u8]>,
}

/// All replacements.
#[derive(Debug, Clone, Default)]
pub struct ReplacementTable {
    by_owner: FxHashMap<Box<[u8]>, Vec<ReplacedMethod>>,
}

impl ReplacementTable {
    /// Adds one. Of two for the same method the first counts.
    ///
    /// # Errors
    /// If its descriptor is none.
    pub fn add(&mut self, replacement: Replacement<'_>) -> Result<(), BadReplacement> {
        let Replacement { owner, name, descriptor, is_static, hook_name } = replacement;
        if method_slots(descriptor.as_bytes()).is_none() {
            return Err(BadReplacement {
                owner: owner.into(),
                name: name.into(),
                descriptor: descriptor.into(),
            });
        }
        let target_descriptor = if is_static {
            descriptor.to_owned()
        } else {
            let receiver =
                if owner.starts_with('[') { owner.to_owned() } else { format!("L{owner};") };
            format!("({receiver}{}", &descriptor[1..])
        };
        self.by_owner.entry(owner.as_bytes().into()).or_default().push(ReplacedMethod {
            name: name.as_bytes().into(),
            descriptor: descriptor.as_bytes().into(),
            is_static,
            target: HookMethod {
                name: hook_name.as_bytes().into(),
                descriptor: target_descriptor.into_bytes().into(),
            },
        });
        Ok(())
    }

    pub(crate) fn of_class(&self, owner: &[u8]) -> Replacements<'_> {
        Replacements { methods: self.by_owner.get(owner).map_or(&[], Vec::as_slice) }
    }
}

/// The replacements for calls that name one class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Replacements<'a> {
    methods: &'a [ReplacedMethod],
}

impl<'a> Replacements<'a> {
    pub(crate) fn get(
        self,
        name: &[u8],
        descriptor: &[u8],
        is_static: bool,
    ) -> Option<&'a HookMethod> {
        let found = self.methods.iter().find(|one| {
            *one.name == *name && *one.descriptor == *descriptor && one.is_static == is_static
        });
        found.map(|one| &one.target)
    }
}

/// A method that calls the hook class when it starts, with its receiver (if it
/// has one) and its first parameters: as many as the hook takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The class that declares the method.
    pub class: &'a str,
    /// The name of the method.
    pub name: &'a str,
    /// Its descriptor.
    pub descriptor: &'a str,
    /// Whether the method has no receiver.
    pub is_static: bool,
    /// The method of the hook class.
    pub hook_name: &'a str,
    /// Its descriptor. Its parameters must be able to take the arguments, and
    /// it returns nothing.
    pub hook_descriptor: &'a str,
}

/// An entry that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{hook_name}{hook_descriptor} cannot be called at the start of {class}.{name}: {problem}")]
pub struct BadEntry {
    class: String,
    name: String,
    hook_name: String,
    hook_descriptor: String,
    problem: &'static str,
}

/// What an entry inserts.
#[derive(Debug, Clone)]
pub(crate) struct EntryCall {
    pub(crate) target: HookMethod,
    pub(crate) arguments: Vec<Kind>,
}

#[derive(Debug, Clone)]
struct EnteredMethod {
    name: Box<[u8]>,
    descriptor: Box<[u8]>,
    is_static: bool,
    call: EntryCall,
}

/// All entries.
#[derive(Debug, Clone, Default)]
pub struct EntryTable {
    by_class: FxHashMap<Box<[u8]>, Vec<EnteredMethod>>,
}

impl EntryTable {
    /// Adds one. Of two for the same method the first counts.
    ///
    /// # Errors
    /// If the hook does not fit the method.
    pub fn add(&mut self, entry: Entry<'_>) -> Result<(), BadEntry> {
        let arguments = entry_arguments(&entry).map_err(|problem| BadEntry {
            class: entry.class.into(),
            name: entry.name.into(),
            hook_name: entry.hook_name.into(),
            hook_descriptor: entry.hook_descriptor.into(),
            problem,
        })?;
        self.by_class.entry(entry.class.as_bytes().into()).or_default().push(EnteredMethod {
            name: entry.name.as_bytes().into(),
            descriptor: entry.descriptor.as_bytes().into(),
            is_static: entry.is_static,
            call: EntryCall {
                target: HookMethod {
                    name: entry.hook_name.as_bytes().into(),
                    descriptor: entry.hook_descriptor.as_bytes().into(),
                },
                arguments,
            },
        });
        Ok(())
    }

    pub(crate) fn of_class(&self, class: &[u8]) -> Entries<'_> {
        Entries { methods: self.by_class.get(class).map_or(&[], Vec::as_slice) }
    }
}

fn entry_arguments(entry: &Entry<'_>) -> Result<Vec<Kind>, &'static str> {
    if entry.name == "<init>" {
        return Err("the receiver of a constructor cannot be passed on");
    }
    let mut given = parameter_kinds(entry.descriptor.as_bytes())
        .ok_or("the descriptor of the method is none")?;
    if !entry.is_static {
        given.insert(0, Kind::Reference);
    }
    let taken = parameter_kinds(entry.hook_descriptor.as_bytes())
        .ok_or("the descriptor of the hook is none")?;
    if !entry.hook_descriptor.ends_with(")V") {
        return Err("the hook returns something");
    }
    if !given.starts_with(&taken) {
        return Err("its parameters are not those of the method");
    }
    Ok(taken)
}

/// The entries of one class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entries<'a> {
    methods: &'a [EnteredMethod],
}

impl<'a> Entries<'a> {
    pub(crate) fn get(
        self,
        name: &[u8],
        descriptor: &[u8],
        is_static: bool,
    ) -> Option<&'a EntryCall> {
        let found = self.methods.iter().find(|one| {
            *one.name == *name && *one.descriptor == *descriptor && one.is_static == is_static
        });
        found.map(|one| &one.call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry<'static> = Entry {
        class: "a/B",
        name: "get",
        descriptor: "(JLjava/lang/Object;)I",
        is_static: false,
        hook_name: "got",
        hook_descriptor: "(La/B;J)V",
    };

    #[test]
    fn an_entry_passes_the_receiver_and_the_first_parameters() {
        let mut table = EntryTable::default();
        table.add(ENTRY).unwrap();
        let entries = table.of_class(b"a/B");
        let call = entries.get(b"get", b"(JLjava/lang/Object;)I", false).unwrap();
        assert_eq!(call.arguments, [Kind::Reference, Kind::Long]);
        assert!(entries.get(b"get", b"(JLjava/lang/Object;)I", true).is_none());
        assert!(table.of_class(b"a/C").get(b"get", b"()V", false).is_none());
    }

    #[test]
    fn an_entry_that_does_not_fit_is_refused() {
        let wrong = [
            Entry { name: "<init>", ..ENTRY },
            Entry { descriptor: "nonsense", ..ENTRY },
            Entry { hook_descriptor: "(La/B;J", ..ENTRY },
            Entry { hook_descriptor: "(La/B;J)I", ..ENTRY },
            Entry { hook_descriptor: "(La/B;I)V", ..ENTRY },
            Entry { is_static: true, ..ENTRY },
        ];
        for entry in wrong {
            let problem = EntryTable::default().add(entry).unwrap_err();
            assert!(problem.to_string().contains("cannot be called at the start of a/B."));
        }
    }

    #[test]
    fn a_receiver_becomes_the_first_parameter() {
        let mut table = ReplacementTable::default();
        let one = Replacement {
            owner: "a/B",
            name: "get",
            descriptor: "(J)I",
            is_static: false,
            hook_name: "got",
        };
        table.add(one).unwrap();
        let target = table.of_class(b"a/B").get(b"get", b"(J)I", false).unwrap();
        assert_eq!(&*target.descriptor, b"(La/B;J)I");
        assert!(table.of_class(b"a/B").get(b"get", b"(J)I", true).is_none());
        assert!(table.add(Replacement { descriptor: "J", ..one }).is_err());
    }
}

//! The classes that a suite loads from folders, and what ties them together.

use std::collections::{BTreeMap, BTreeSet};

use residue_classfile::{ClassFile, Decline, text};

/// What matters of a class when something else changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassFacts {
    /// Binary name, with dots.
    pub(crate) name: String,
    /// Name of its source file, if it is known.
    pub(crate) source: Option<String>,
    /// Fields whose value compilers copy into other classes.
    pub(crate) constants: BTreeSet<String>,
    pub(crate) methods: BTreeSet<String>,
    /// Classes that it names anywhere.
    pub(crate) mentions: BTreeSet<String>,
    /// Whether anything of it can run.
    pub(crate) has_code: bool,
}

const ACC_NATIVE_OR_ABSTRACT: u16 = 0x0500;

impl ClassFacts {
    /// Reads a class file.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(bytes: &[u8]) -> Result<Self, Decline> {
        let class = ClassFile::parse(bytes)?;
        let binary = |name: &[u8]| text(name).replace('/', ".");
        let has_code = |access: u16| access & ACC_NATIVE_OR_ABSTRACT == 0;
        Ok(Self {
            name: binary(class.name()),
            source: class.source_file().map(|source| text(source).into_owned()),
            constants: class.shared_constants().map(|name| text(name).into_owned()).collect(),
            methods: class.methods().map(|method| text(method.name).into_owned()).collect(),
            mentions: class.mentioned_classes().into_iter().map(binary).collect(),
            has_code: class.methods().any(|method| has_code(method.access)),
        })
    }

    pub(crate) fn package(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(package, _)| package)
    }

    /// Whether it was compiled from a file of this name. Without debug
    /// information the name of the class must do.
    pub(crate) fn is_from(&self, file: &str) -> bool {
        match &self.source {
            Some(source) => source == file,
            None => {
                let simple = self.name.rsplit('.').next().unwrap_or(&self.name);
                let stem = file.split('.').next().unwrap_or(file);
                simple == stem || simple.strip_prefix(stem).is_some_and(|r| r.starts_with('$'))
            }
        }
    }
}

/// All that a suite finds in the folders of its class path.
#[derive(Debug, Clone, Default)]
pub struct CodeBase {
    pub(crate) classes: BTreeMap<String, ClassFacts>,
    /// Other files: path inside the folder, and how a running test calls it.
    pub(crate) files: Vec<(String, String)>,
    /// Archives that the project's own build may have made.
    pub(crate) own_jars: Vec<String>,
}

impl CodeBase {
    /// Adds a class. The first of a name counts, as for the JVM.
    pub fn add_class(&mut self, facts: ClassFacts) {
        self.classes.entry(facts.name.clone()).or_insert(facts);
    }

    /// Adds another file by its path inside the folder; `called` is what a
    /// trace calls it.
    pub fn add_file(&mut self, path: String, called: String) {
        self.files.push((path, called));
    }

    /// Adds an archive that may hold code of the project.
    pub fn add_own_jar(&mut self, name: String) {
        self.own_jars.push(name);
    }
}

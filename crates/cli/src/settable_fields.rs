//! Which static fields the runner can set: those of the project's own classes,
//! looked up in the folders of the class path.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use residue_classfile::{ClassFile, text};
use residue_model::{FieldType, LaunchSpec};

type Fields = HashMap<String, FieldType>;

/// Reads a class when it is first asked for.
pub struct SettableFields {
    folders: Vec<PathBuf>,
    by_class: RefCell<HashMap<String, Fields>>,
}

impl SettableFields {
    pub fn of(launch: &LaunchSpec) -> Self {
        let entries = launch.class_path.iter().map(|entry| launch.working_dir.join(entry));
        let folders = entries.filter(|entry| entry.is_dir()).collect();
        Self { folders, by_class: RefCell::default() }
    }

    /// The type of a static field that is not final.
    pub fn type_of(&self, class: &str, field: &str) -> Option<FieldType> {
        let mut by_class = self.by_class.borrow_mut();
        if !by_class.contains_key(class) {
            by_class.insert(class.to_owned(), self.read(class));
        }
        by_class.get(class)?.get(field).copied()
    }

    fn read(&self, class: &str) -> Fields {
        let file = format!("{}.class", class.replace('.', "/"));
        let found = self.folders.iter().find_map(|folder| fs::read(folder.join(&file)).ok());
        let Some(bytes) = found else { return Fields::new() };
        // What cannot be read no JVM can load.
        let Ok(class) = ClassFile::parse(&bytes) else { return Fields::new() };
        let fields = class.summary().fields;
        let settable = fields.iter().filter(|field| field.is_static() && !field.is_final());
        settable
            .map(|field| (text(field.name).to_string(), FieldType::of_descriptor(field.descriptor)))
            .collect()
    }
}

//! Code bases and sources for tests.

use std::collections::{BTreeMap, BTreeSet};

use crate::code_base::{ClassFacts, CodeBase};
use crate::diff::{ChangedFile, How};
use crate::impact::Sources;

pub(crate) fn class(name: &str, source: &str) -> ClassFacts {
    ClassFacts {
        name: name.into(),
        source: Some(source.into()),
        constants: BTreeSet::new(),
        methods: BTreeSet::new(),
        mentions: BTreeSet::new(),
        has_code: true,
    }
}

pub(crate) fn code<const N: usize>(classes: [ClassFacts; N]) -> CodeBase {
    let mut code = CodeBase::default();
    classes.into_iter().for_each(|class| code.add_class(class));
    code
}

pub(crate) fn changed(path: &str, how: How) -> ChangedFile {
    ChangedFile { path: path.into(), how }
}

/// Sources by path; those that say nothing else were always so.
pub(crate) struct Texts {
    now: BTreeMap<String, String>,
    before: BTreeMap<String, String>,
    project: String,
}

impl Texts {
    pub(crate) fn new(texts: &[(&str, &str)]) -> Self {
        let now: BTreeMap<_, _> =
            texts.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        Self { before: now.clone(), now, project: String::new() }
    }

    pub(crate) fn in_project(self, folder: &str) -> Self {
        Self { project: folder.into(), ..self }
    }

    pub(crate) fn was(mut self, path: &str, text: &str) -> Self {
        self.before.insert(path.into(), text.into());
        self
    }
}

impl Sources for Texts {
    fn paths(&self) -> Vec<String> {
        self.now.keys().cloned().collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        self.now.get(path).cloned()
    }

    fn old_text(&self, path: &str) -> Option<String> {
        self.before.get(path).cloned()
    }

    fn called(&self, path: &str) -> String {
        path.into()
    }

    fn project(&self) -> String {
        self.project.clone()
    }
}

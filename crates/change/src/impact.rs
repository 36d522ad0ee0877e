//! From changed files to classes that count as changed.
//!
//! A class counts as changed if its source did, and also if no coverage could
//! tell that it depends on one that did: compilers copy constants and inline
//! functions, and annotations have no code that could be seen to run.

use std::collections::{BTreeMap, BTreeSet};

use crate::code_base::{ClassFacts, CodeBase};
use crate::diff::{ChangedFile, How};
use crate::inventory::{ChangedEntry, Entry};
use crate::kind::{Kind, kind_of};
use crate::source_text::{declarations, has_word, package};

/// The source files of a project, now and before the change.
pub trait Sources {
    /// Paths of all source files there are now.
    fn paths(&self) -> Vec<String>;
    /// What is in one now.
    fn text(&self, path: &str) -> Option<String>;
    /// What was in one before the change.
    fn old_text(&self, path: &str) -> Option<String>;
    /// How a trace calls a file of the repository.
    fn called(&self, path: &str) -> String;
    /// The folder of the project in the repository; empty if it is the root.
    fn project(&self) -> String;
}

/// What a change reaches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Impact {
    /// Why everything counts as touched, if it does.
    pub everything: Vec<String>,
    /// Classes that count as changed, by binary name.
    pub classes: BTreeMap<String, ChangedClass>,
    /// Files that tests may read.
    pub files: Vec<FileChange>,
}

/// Why a class counts as changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedClass {
    /// The file where it began, without its folder.
    pub file: String,
    /// What happened to that file.
    pub how: How,
    /// How it got from there to the class.
    pub cause: Cause,
}

/// How a change gets to a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// The file is its source, or its class file.
    Itself,
    /// It may hold a copy of this constant or inline function.
    Copies(String),
    /// It names this class, which has no code that could be seen to run.
    Names(String),
    /// Its static initialiser read the file.
    InitialisedFrom,
}

/// A file that is no source and may be read by tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// As people know it.
    pub path: String,
    /// What happened to it.
    pub how: How,
    /// Names under which a trace may have it.
    pub called: BTreeSet<String>,
    /// Whether it matters only if somebody was seen to read it.
    pub beside: bool,
}

/// What these changes reach in the code of a suite.
pub fn impact(
    files: &[ChangedFile],
    entries: &[ChangedEntry],
    code: &CodeBase,
    sources: &dyn Sources,
) -> Impact {
    let mut spread = Spread { code, sources, impact: Impact::default() };
    for file in files {
        spread.file(file);
    }
    for entry in entries {
        spread.entry(entry);
    }
    spread.copies(files);
    spread.impact.spread_from_codeless(code);
    spread.impact
}

struct Spread<'a> {
    code: &'a CodeBase,
    sources: &'a dyn Sources,
    impact: Impact,
}

impl Spread<'_> {
    fn file(&mut self, file: &ChangedFile) {
        let project = self.sources.project();
        let is_ours = is_inside(&file.path, &project);
        match kind_of(&file.path) {
            Kind::Source => self.source(file, is_ours),
            // Settings of a folder around the project are its own too.
            Kind::Build if is_ours || is_inside(&project, folder_of(&file.path)) => {
                self.everything(format!("{} {}", file.path, file.how.as_str()));
            }
            Kind::Other if is_ours => self.other(file, false),
            Kind::Other | Kind::Build | Kind::Beside => self.other(file, true),
        }
    }

    fn source(&mut self, file: &ChangedFile, is_ours: bool) {
        let classes = self.classes_of(&file.path);
        for class in &classes {
            self.changed(class, file, Cause::Itself);
        }
        if !classes.is_empty() {
            return;
        }
        let speaks_for_all = matches!(file.name(), "module-info.java" | "package-info.java");
        if !is_ours {
            self.other(file, true);
        } else if speaks_for_all {
            self.everything(format!("{} {}", file.path, file.how.as_str()));
        } else if let Some(jar) = self.code.own_jars.first() {
            let how = file.how.as_str();
            self.everything(format!("{} {how}, and its classes may be in {jar}", file.path));
        } else {
            // Code of another suite, or something that tests look at.
            let is_resource = file.path.split('/').any(|folder| folder == "resources");
            self.other(file, !is_resource);
        }
    }

    fn other(&mut self, file: &ChangedFile, beside: bool) {
        let (path, how, called) = (file.path.clone(), file.how, self.called(&file.path));
        self.impact.files.push(FileChange { path, how, called, beside });
    }

    fn entry(&mut self, entry: &ChangedEntry) {
        let how = entry.how;
        match &entry.what {
            Entry::Class(class) => {
                let facts = self.code.classes.get(class);
                let source = facts.and_then(|facts| facts.source.clone());
                let simple = class.rsplit('.').next().unwrap_or(class);
                let path = source.unwrap_or_else(|| format!("{simple}.class"));
                self.changed(class, &ChangedFile { path, how }, Cause::Itself);
            }
            Entry::File(called) => {
                let known = self.impact.files.iter().any(|file| file.called.contains(called));
                if !known {
                    let (path, called) = (called.clone(), BTreeSet::from([called.clone()]));
                    self.impact.files.push(FileChange { path, how, called, beside: false });
                }
            }
            Entry::Anything(what) => self.everything(format!("{what} {}", how.as_str())),
        }
    }

    fn everything(&mut self, why: String) {
        self.impact.everything.push(why);
    }

    fn changed(&mut self, class: &str, file: &ChangedFile, cause: Cause) {
        let changed = ChangedClass { file: file.name().into(), how: file.how, cause };
        self.impact.classes.entry(class.into()).or_insert(changed);
    }

    /// The classes that were compiled from a file, or still are.
    fn classes_of(&self, path: &str) -> Vec<String> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let text = self.sources.text(path).or_else(|| self.sources.old_text(path));
        let declared = text.map(|text| package(&text));
        let in_folder = |package: &str| {
            let folders = package.replace('.', "/");
            folder == folders || folder.ends_with(&format!("/{folders}"))
        };
        let is_from = |class: &&ClassFacts| {
            let of_package = declared.as_deref() == Some(class.package())
                || (!class.package().is_empty() && in_folder(class.package()));
            of_package && class.is_from(name)
        };
        self.code.classes.values().filter(is_from).map(|class| class.name.clone()).collect()
    }

    /// Under which names a test may read the file: its own, or as a copy on the
    /// class path.
    fn called(&self, path: &str) -> BTreeSet<String> {
        let ends = |inside: &str| {
            path.strip_suffix(inside).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let copies = || self.code.files.iter().filter(|(inside, _)| ends(inside));
        let longest = copies().map(|(inside, _)| inside.len()).max();
        let copies = copies().filter(|(inside, _)| Some(inside.len()) == longest);
        copies.map(|(_, called)| called.clone()).chain([self.sources.called(path)]).collect()
    }

    /// Classes into which compilers may have copied something of changed ones.
    fn copies(&mut self, files: &[ChangedFile]) {
        let mut names: Vec<(String, ChangedFile)> = Vec::new();
        for file in files.iter().filter(|file| kind_of(&file.path) == Kind::Source) {
            names.extend(self.changed_names(&file.path).into_iter().map(|n| (n, file.clone())));
        }
        if names.is_empty() {
            return;
        }
        let paths = self.sources.paths().into_iter();
        let texts: Vec<(String, String)> =
            paths.filter_map(|path| self.sources.text(&path).map(|text| (path, text))).collect();
        let mut known: BTreeSet<String> = names.iter().map(|(name, _)| name.clone()).collect();
        while let Some((name, file)) = names.pop() {
            for (path, text) in texts.iter().filter(|(_, text)| has_word(text, &name)) {
                for class in self.classes_of(path) {
                    self.changed(&class, &file, Cause::Copies(name.clone()));
                    // A constant may be made of another.
                    for constant in self.constants_made_of(&class, text, &name) {
                        if known.insert(constant.clone()) {
                            names.push((constant, file.clone()));
                        }
                    }
                }
            }
        }
    }

    /// What compilers copy out of a changed source: constants with another
    /// declaration than before, and all functions where some are inline.
    fn changed_names(&self, path: &str) -> BTreeSet<String> {
        let text = self.sources.text(path).unwrap_or_default();
        let old = self.sources.old_text(path).unwrap_or_default();
        let may_inline =
            !path.ends_with(".java") && (has_word(&text, "inline") || has_word(&old, "inline"));
        let mut names = BTreeSet::new();
        for facts in self.classes_of(path).iter().filter_map(|class| self.code.classes.get(class)) {
            let differs = |name: &&String| declarations(&text, name) != declarations(&old, name);
            names.extend(facts.constants.iter().filter(differs).cloned());
            let functions = facts.methods.iter().filter(|name| !name.starts_with('<'));
            names.extend(functions.filter(|_| may_inline).cloned());
        }
        names
    }

    fn constants_made_of(&self, class: &str, text: &str, name: &str) -> Vec<String> {
        let made_of_it = |constant: &&String| {
            declarations(text, constant).iter().any(|declaration| has_word(declaration, name))
        };
        let facts = self.code.classes.get(class).into_iter();
        facts.flat_map(|facts| facts.constants.iter().filter(made_of_it)).cloned().collect()
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn is_inside(path: &str, folder: &str) -> bool {
    folder.is_empty() || path == folder || path.starts_with(&format!("{folder}/"))
}

impl Impact {
    /// Whether nothing changed that could matter.
    pub fn is_empty(&self) -> bool {
        self.everything.is_empty() && self.classes.is_empty() && self.files.is_empty()
    }

    /// A class without code is never seen to run, so those that name it count
    /// in its place.
    fn spread_from_codeless(&mut self, code: &CodeBase) {
        let is_codeless = |class: &&String| code.classes.get(*class).is_some_and(|c| !c.has_code);
        let codeless: Vec<String> = self.classes.keys().filter(is_codeless).cloned().collect();
        for class in codeless {
            let naming = code.classes.values().filter(|facts| facts.mentions.contains(&class));
            for facts in naming {
                let cause = Cause::Names(class.clone());
                let changed = ChangedClass { cause, ..self.classes[&class].clone() };
                self.classes.entry(facts.name.clone()).or_insert(changed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Texts, changed, class, code};

    fn classes(impact: &Impact) -> Vec<(&str, &Cause)> {
        impact.classes.iter().map(|(name, changed)| (name.as_str(), &changed.cause)).collect()
    }

    #[test]
    fn a_source_is_all_classes_that_were_compiled_from_it() {
        let code = code([
            class("a.Shop", "Shop.java"),
            class("a.Shop$Item", "Shop.java"),
            class("a.Helper", "Shop.java"),
            class("b.Shop", "Shop.java"),
            class("a.ShopTest", "ShopTest.java"),
        ]);
        let texts = Texts::new(&[("core/src/main/java/a/Shop.java", "package a; class Shop {}")]);
        let files = [changed("core/src/main/java/a/Shop.java", How::Modified)];
        let found = impact(&files, &[], &code, &texts);
        let names: Vec<_> = found.classes.keys().map(String::as_str).collect();
        assert_eq!(names, ["a.Helper", "a.Shop", "a.Shop$Item"]);
        assert!(found.everything.is_empty() && found.files.is_empty());
    }

    #[test]
    fn a_kotlin_file_may_lie_outside_the_folder_of_its_package() {
        let code = code([class("org.acme.ShopKt", "Shop.kt")]);
        let texts = Texts::new(&[("src/main/kotlin/Shop.kt", "package org.acme\nfun sell() {}")]);
        let files = [changed("src/main/kotlin/Shop.kt", How::Modified)];
        assert_eq!(
            classes(&impact(&files, &[], &code, &texts)),
            [("org.acme.ShopKt", &Cause::Itself)]
        );
    }

    #[test]
    fn a_deleted_source_is_the_classes_that_are_still_lying_around() {
        let code = code([class("a.Old", "Old.java")]);
        let files = [changed("src/main/java/a/Old.java", How::Deleted)];
        let found = impact(&files, &[], &code, &Texts::new(&[]));
        assert_eq!(classes(&found), [("a.Old", &Cause::Itself)]);
    }

    #[test]
    fn what_holds_a_copy_of_a_changed_constant_counts_as_changed_too() {
        let mut limits = class("a.Limits", "Limits.java");
        limits.constants = ["MAX", "MIN"].map(String::from).into();
        let mut derived = class("b.Derived", "Derived.java");
        derived.constants = ["TWICE".to_owned()].into();
        let code = code([
            limits,
            derived,
            class("b.User", "User.java"),
            class("b.Other", "Other.java"),
            class("b.Third", "Third.java"),
        ]);
        let texts = Texts::new(&[
            ("src/a/Limits.java", "package a; class Limits { static final int MAX = 3, MIN = 1; }"),
            (
                "src/b/Derived.java",
                "package b; class Derived { static final int TWICE = 2 * a.Limits.MAX; }",
            ),
            ("src/b/User.java", "package b; class User { int x = Derived.TWICE; }"),
            ("src/b/Other.java", "package b; class Other { int MAXIMUM; }"),
            ("src/b/Third.java", "package b; class Third { int y = UNKNOWN; }"),
        ])
        .was("src/a/Limits.java", "package a; class Limits { static final int MAX = 2, MIN = 1; }");
        let found = impact(&[changed("src/a/Limits.java", How::Modified)], &[], &code, &texts);
        let expected = [
            ("a.Limits", &Cause::Itself),
            ("b.Derived", &Cause::Copies("MAX".into())),
            ("b.User", &Cause::Copies("TWICE".into())),
        ];
        assert_eq!(classes(&found), expected);
    }

    #[test]
    fn a_constant_that_stays_as_it_is_reaches_nobody() {
        let mut limits = class("a.Limits", "Limits.java");
        limits.constants = ["MAX".to_owned()].into();
        let code = code([limits, class("a.User", "User.java")]);
        let texts = Texts::new(&[
            (
                "src/a/Limits.java",
                "package a; class Limits { static final int MAX =\n3; void f() {} }",
            ),
            ("src/a/User.java", "package a; class User { int x = Limits.MAX; }"),
        ])
        .was("src/a/Limits.java", "package a; class Limits { static final int MAX = 3; }");
        let found = impact(&[changed("src/a/Limits.java", How::Modified)], &[], &code, &texts);
        assert_eq!(found.classes.len(), 1, "{found:#?}");
    }

    #[test]
    fn who_names_a_changed_annotation_counts_as_changed() {
        let mut annotation = class("a.Slow", "Slow.java");
        annotation.has_code = false;
        let mut user = class("a.User", "User.java");
        user.mentions = ["a.Slow".to_owned()].into();
        let code = code([annotation, user, class("a.Other", "Other.java")]);
        let files = [changed("src/a/Slow.java", How::Modified)];
        let found = impact(&files, &[], &code, &Texts::new(&[]));
        let expected = [("a.Slow", &Cause::Itself), ("a.User", &Cause::Names("a.Slow".into()))];
        assert_eq!(classes(&found), expected);
    }

    #[test]
    fn what_nobody_can_place_is_everything() {
        let mut code = code([class("a.A", "A.java")]);
        let everything = |code: &CodeBase, path: &str| {
            let files = [changed(path, How::Modified)];
            impact(&files, &[], code, &Texts::new(&[])).everything
        };
        assert_eq!(everything(&code, "core/pom.xml"), ["core/pom.xml changed"]);
        assert_eq!(everything(&code, "src/main/java/module-info.java").len(), 1);
        assert!(everything(&code, "README.md").is_empty());
        assert!(everything(&code, "other/src/main/java/x/Y.java").is_empty());
        code.add_own_jar("other/target/other-1.jar".into());
        let jar = everything(&code, "other/src/main/java/x/Y.java");
        assert!(jar[0].contains("may be in other/target/other-1.jar"), "{jar:?}");
    }

    #[test]
    fn of_other_projects_in_the_repository_only_what_is_used_matters() {
        let code = code([class("b.Used", "Used.java")]);
        let texts = Texts::new(&[]).in_project("apps/shop");
        let of = |path: &str| impact(&[changed(path, How::Modified)], &[], &code, &texts);
        assert_eq!(of("apps/pom.xml").everything.len(), 1, "it is a parent of the project's");
        assert_eq!(of("apps/shop/core/pom.xml").everything.len(), 1);
        assert!(of("apps/other/pom.xml").everything.is_empty());
        assert!(of("apps/other/data.txt").files[0].beside);
        assert!(!of("apps/shop/data.txt").files[0].beside);
        assert_eq!(of("lib/src/b/Used.java").classes.len(), 1);
        assert!(of("lib/src/module-info.java").everything.is_empty());
    }

    #[test]
    fn a_resource_is_read_under_its_own_name_and_from_the_class_path() {
        let mut code = code([]);
        code.add_file("a/b.properties".into(), "target/classes/a/b.properties".into());
        code.add_file("b.properties".into(), "target/classes/b.properties".into());
        let files = [changed("src/main/resources/a/b.properties", How::Modified)];
        let found = impact(&files, &[], &code, &Texts::new(&[]));
        let called: Vec<_> = found.files[0].called.iter().map(String::as_str).collect();
        assert_eq!(called, ["src/main/resources/a/b.properties", "target/classes/a/b.properties"]);
    }

    #[test]
    fn an_inventory_tells_classes_files_and_libraries() {
        let code = code([class("a.A", "A.java")]);
        let entry = |what, how| ChangedEntry { what, how };
        let entries = [
            entry(Entry::Class("a.A".into()), How::Modified),
            entry(Entry::Class("a.Gone".into()), How::Deleted),
            entry(Entry::File("target/classes/x.txt".into()), How::Modified),
            entry(Entry::Anything("jar x.jar".into()), How::Modified),
        ];
        let found = impact(&[], &entries, &code, &Texts::new(&[]));
        assert_eq!(found.classes["a.A"].file, "A.java");
        assert_eq!(found.classes["a.Gone"].file, "Gone.class");
        assert_eq!(found.files[0].path, "target/classes/x.txt");
        assert_eq!(found.everything, ["jar x.jar changed"]);
    }
}

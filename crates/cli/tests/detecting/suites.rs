//! The suites in `fixtures/dependences`, for JUnit 4 as they are written and
//! for JUnit 5 in translation, so that both say the same about the same tests.

use std::fs;
use std::path::{Path, PathBuf};

use residue_test_support::{Fixture, JUNIT4, JUNIT5};
use tempfile::TempDir;

use super::common::Subject;
use super::marks::{Marks, java_files};

/// JUnit 4's words and Jupiter's, longer ones before those they begin with.
const TRANSLATION: [(&str, &str); 9] = [
    ("org.junit.Assert.", "org.junit.jupiter.api.Assertions."),
    ("org.junit.BeforeClass", "org.junit.jupiter.api.BeforeAll"),
    ("org.junit.Before;", "org.junit.jupiter.api.BeforeEach;"),
    ("org.junit.FixMethodOrder", "org.junit.jupiter.api.TestMethodOrder"),
    ("org.junit.runners.MethodSorters", "org.junit.jupiter.api.MethodOrderer"),
    ("org.junit.Test;", "org.junit.jupiter.api.Test;"),
    ("@BeforeClass", "@BeforeAll"),
    ("@Before\n", "@BeforeEach\n"),
    (
        "@FixMethodOrder(MethodSorters.NAME_ASCENDING)",
        "@TestMethodOrder(MethodOrderer.MethodName.class)",
    ),
];

/// A compiled suite, in a project folder of its own, and what it says.
pub struct MarkedSuite {
    pub subject: Subject,
    pub marks: Marks,
}

pub fn in_junit4(name: &str) -> MarkedSuite {
    let fixture = Fixture::compile(&format!("dependences/{name}"), JUNIT4);
    marked(fixture, name)
}

/// A suite that is written for Jupiter.
pub fn in_jupiter(name: &str) -> MarkedSuite {
    marked(Fixture::compile(&format!("dependences/{name}"), JUNIT5), name)
}

pub fn translated_to_jupiter(name: &str) -> MarkedSuite {
    let translated = tempfile::tempdir().unwrap();
    translate(&sources(name), &translated);
    marked(Fixture::compile_sources(name, translated.path(), JUNIT5), name)
}

fn marked(fixture: Fixture, name: &str) -> MarkedSuite {
    let subject = Subject { fixture, folder: tempfile::tempdir().unwrap() };
    MarkedSuite { subject, marks: Marks::read(&sources(name)) }
}

fn sources(name: &str) -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    workspace.join("fixtures/dependences").join(name).join("src")
}

fn translate(sources: &Path, to: &TempDir) {
    for file in java_files(sources) {
        let mut text = fs::read_to_string(&file).unwrap();
        for (junit4, jupiter) in TRANSLATION {
            text = text.replace(junit4, jupiter);
        }
        let target = to.path().join(file.strip_prefix(sources).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, text).unwrap();
    }
}

//! Test jars that projects publish next to their own. They are made of tests
//! that need no file of the project's checkout; those that do fail in both kinds
//! of run.

use std::path::Path;
use std::process::Command;

use residue_discover::{DiscoverRequest, PlainClassPath, discover};
use residue_model::SuiteSpec;
use residue_test_support::{JUNIT4, jar, jars};
use tempfile::TempDir;

use crate::runs::Runs;
use crate::suites::{self, Measured};

pub(crate) struct TestJar {
    pub(crate) name: &'static str,
    tests: &'static str,
    libraries: &'static [&'static str],
    /// Parts of it, so that a plain run takes some seconds.
    packages: &'static [&'static str],
}

/// Tests that do little else than to make, read, write and delete files.
pub(crate) const FILES: TestJar = TestJar {
    name: "commons-io",
    tests: "commons-io:commons-io:2.6:tests",
    libraries: &["commons-io:commons-io:2.6"],
    packages: &["org.apache.commons.io."],
};

const TEST_JARS: [TestJar; 3] = [
    TestJar {
        name: "commons-codec, language",
        tests: "commons-codec:commons-codec:1.15:tests",
        libraries: &["commons-codec:commons-codec:1.15"],
        packages: &["org.apache.commons.codec.language."],
    },
    TestJar {
        name: "commons-collections4, map",
        tests: "org.apache.commons:commons-collections4:4.4:tests",
        libraries: &["org.apache.commons:commons-collections4:4.4", "org.easymock:easymock:4.2"],
        packages: &["org.apache.commons.collections4.map."],
    },
    TestJar {
        name: "commons-math3, stat and ode",
        tests: "org.apache.commons:commons-math3:3.6.1:tests",
        libraries: &["org.apache.commons:commons-math3:3.6.1"],
        packages: &["org.apache.commons.math3.stat.", "org.apache.commons.math3.ode."],
    },
];

pub(crate) fn measure(rounds: usize) -> Vec<Measured> {
    suites::print_heading("published test jars");
    TEST_JARS.iter().map(|test_jar| one(test_jar, rounds)).collect()
}

fn one(test_jar: &TestJar, rounds: usize) -> Measured {
    let unpacked = test_jar.unpack();
    let mut runs = Runs::of(&unpacked.suite, "", |class| test_jar.has(class));
    suites::measure(test_jar.name, &mut runs, rounds)
}

/// A test jar as a project.
pub(crate) struct Unpacked {
    pub(crate) suite: SuiteSpec,
    _folder: TempDir,
}

impl TestJar {
    pub(crate) fn unpack(&self) -> Unpacked {
        let folder = tempfile::tempdir().expect("temporary folder");
        let classes = folder.path().join("classes");
        extract(&jar(self.tests), &classes);
        let class_path = [jars(self.libraries), jars(JUNIT4)].concat();
        let request = DiscoverRequest {
            project: folder.path().into(),
            plain: Some(PlainClassPath { class_path, test_classes: vec![classes] }),
            ..DiscoverRequest::default()
        };
        let found = discover(&request, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
        Unpacked { suite: found.project.suites[0].clone(), _folder: folder }
    }

    /// Whether a class is of the part that is measured.
    pub(crate) fn has(&self, class: &str) -> bool {
        self.packages.iter().any(|package| class.starts_with(package))
    }
}

/// Discovery looks for tests in folders, not in jars.
fn extract(jar: &Path, folder: &Path) {
    std::fs::create_dir(folder).expect("the folder is ours");
    let mut command = Command::new("jar");
    command.arg("xf").arg(jar).current_dir(folder);
    assert!(command.status().expect("a JDK (jar)").success(), "{} is no jar", jar.display());
}

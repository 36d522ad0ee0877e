//! Test jars that projects publish next to their own. They are made of tests
//! that need no file of the project's checkout; those that do fail in both kinds
//! of run.

use std::path::Path;
use std::process::Command;

use residue_discover::{DiscoverRequest, PlainClassPath, discover};
use residue_test_support::{JUNIT4, jar, jars};

use crate::runs::Runs;
use crate::suites::{self, Measured};

struct TestJar {
    name: &'static str,
    tests: &'static str,
    libraries: &'static [&'static str],
    /// Parts of it, so that a plain run takes some seconds.
    packages: &'static [&'static str],
}

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
    let folder = tempfile::tempdir().expect("temporary folder");
    let classes = folder.path().join("classes");
    extract(&jar(test_jar.tests), &classes);
    let class_path = [jars(test_jar.libraries), jars(JUNIT4)].concat();
    let request = DiscoverRequest {
        project: folder.path().into(),
        plain: Some(PlainClassPath { class_path, test_classes: vec![classes] }),
        ..DiscoverRequest::default()
    };
    let found = discover(&request, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    let in_packages =
        |class: &str| test_jar.packages.iter().any(|package| class.starts_with(package));
    let mut runs = Runs::of(&found.project.suites[0], "", in_packages);
    suites::measure(test_jar.name, &mut runs, rounds)
}

/// Discovery looks for tests in folders, not in jars.
fn extract(jar: &Path, folder: &Path) {
    std::fs::create_dir(folder).expect("the folder is ours");
    let mut command = Command::new("jar");
    command.arg("xf").arg(jar).current_dir(folder);
    assert!(command.status().expect("a JDK (jar)").success(), "{} is no jar", jar.display());
}

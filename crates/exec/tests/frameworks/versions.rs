//! The framework versions under test, with all jars each needs at run time.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use residue_test_support::{Fixture, jars};

/// One version of one framework.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) number: &'static str,
    /// Maven coordinates.
    pub(crate) jars: Vec<String>,
}

/// JUnit 3 is one jar.
pub(crate) const JUNIT3: [&str; 2] = ["3.8.1", "3.8.2"];

/// JUnit 4 brought its own copy of Hamcrest until 4.10.
pub(crate) const JUNIT4: [(&str, &[&str]); 6] = [
    ("4.4", &[]),
    ("4.5", &[]),
    ("4.8.2", &[]),
    ("4.11", &["org.hamcrest:hamcrest-core:1.3"]),
    ("4.12", &["org.hamcrest:hamcrest-core:1.3"]),
    ("4.13.2", &["org.hamcrest:hamcrest-core:1.3"]),
];

/// Jupiter, the Platform that belongs to it, and what both need.
pub(crate) const JUPITER: [(&str, &str, &[&str]); 5] = [
    (
        "5.3.2",
        "1.3.2",
        &["org.opentest4j:opentest4j:1.1.1", "org.apiguardian:apiguardian-api:1.0.0"],
    ),
    (
        "5.7.2",
        "1.7.2",
        &["org.opentest4j:opentest4j:1.2.0", "org.apiguardian:apiguardian-api:1.1.0"],
    ),
    (
        "5.11.4",
        "1.11.4",
        &["org.opentest4j:opentest4j:1.3.0", "org.apiguardian:apiguardian-api:1.1.2"],
    ),
    (
        "5.14.4",
        "1.14.4",
        &["org.opentest4j:opentest4j:1.3.0", "org.apiguardian:apiguardian-api:1.1.2"],
    ),
    (
        "6.1.3",
        "6.1.3",
        &[
            "org.opentest4j:opentest4j:1.3.0",
            "org.apiguardian:apiguardian-api:1.1.2",
            "org.jspecify:jspecify:1.0.0",
        ],
    ),
];

/// TestNG 7.5 is the last for Java 8.
pub(crate) const TESTNG: [(&str, &[&str]); 4] = [
    ("6.9.10", &["com.beust:jcommander:1.48", "org.beanshell:bsh:2.0b4"]),
    ("6.14.3", &["com.beust:jcommander:1.72", "org.apache-extras.beanshell:bsh:2.0b6"]),
    (
        "7.5.1",
        &["com.beust:jcommander:1.78", "org.slf4j:slf4j-api:1.7.32", "org.webjars:jquery:3.5.1"],
    ),
    (
        "7.12.0",
        &[
            "org.jcommander:jcommander:1.83",
            "org.slf4j:slf4j-api:2.0.16",
            "org.webjars:jquery:3.7.1",
        ],
    ),
];

pub(crate) fn junit3(number: &str) -> Version {
    let number = JUNIT3.into_iter().find(|one| *one == number).unwrap();
    Version { number, jars: vec![format!("junit:junit:{number}")] }
}

pub(crate) fn junit4(number: &str) -> Version {
    let (number, needs) = JUNIT4.into_iter().find(|one| one.0 == number).unwrap();
    Version { number, jars: with(needs, [format!("junit:junit:{number}")]) }
}

pub(crate) fn jupiter(number: &str) -> Version {
    let (number, platform, needs) = JUPITER.into_iter().find(|one| one.0 == number).unwrap();
    let jupiter = |part| format!("org.junit.jupiter:junit-jupiter-{part}:{number}");
    let platform = |part| format!("org.junit.platform:junit-platform-{part}:{platform}");
    let jars = ["api", "engine", "params"].map(jupiter);
    let platform = ["launcher", "engine", "commons"].map(platform);
    Version { number, jars: with(needs, jars.into_iter().chain(platform)) }
}

/// The engine for JUnit 3 and 4 on the Platform; needs JUnit 4 besides.
pub(crate) fn vintage(number: &str) -> Version {
    let mut version = jupiter(number);
    version.jars.push(format!("org.junit.vintage:junit-vintage-engine:{number}"));
    version
}

pub(crate) fn testng(number: &str) -> Version {
    let (number, needs) = TESTNG.into_iter().find(|one| one.0 == number).unwrap();
    Version { number, jars: with(needs, [format!("org.testng:testng:{number}")]) }
}

fn with(needs: &[&str], own: impl IntoIterator<Item = String>) -> Vec<String> {
    own.into_iter().chain(needs.iter().map(|&one| one.to_owned())).collect()
}

/// Compiles these source folders against the jars of these versions.
pub(crate) fn compile(folders: &[&str], versions: &[&Version]) -> Fixture {
    LazyLock::force(&ALL_FETCHED);
    let jars: Vec<&String> = versions.iter().flat_map(|version| &version.jars).collect();
    Fixture::compile_folders(folders[0], folders, &jars)
}

/// Fetched together, Maven is started only once.
static ALL_FETCHED: LazyLock<()> = LazyLock::new(|| {
    let junit3 = JUNIT3.map(junit3);
    let junit4 = JUNIT4.map(|one| junit4(one.0));
    let jupiter = JUPITER.map(|one| vintage(one.0));
    let testng = TESTNG.map(|one| testng(one.0));
    let all = junit3.into_iter().chain(junit4).chain(jupiter).chain(testng);
    let coordinates: BTreeSet<String> = all.flat_map(|version| version.jars).collect();
    jars(&coordinates.into_iter().collect::<Vec<_>>());
});

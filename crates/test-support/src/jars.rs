//! Framework jars by their Maven coordinates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// JUnit 4 with what it needs.
pub const JUNIT4: &[&str] = &["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"];

/// JUnit 5 with its launcher and what they need.
pub const JUNIT5: &[&str] = &[
    "org.junit.jupiter:junit-jupiter-api:5.11.4",
    "org.junit.jupiter:junit-jupiter-engine:5.11.4",
    "org.junit.jupiter:junit-jupiter-params:5.11.4",
    "org.junit.platform:junit-platform-launcher:1.11.4",
    "org.junit.platform:junit-platform-engine:1.11.4",
    "org.junit.platform:junit-platform-commons:1.11.4",
    "org.opentest4j:opentest4j:1.3.0",
    "org.apiguardian:apiguardian-api:1.1.2",
];

/// Maven cannot be trusted to share its repository with itself.
static ONE_MAVEN: Mutex<()> = Mutex::new(());

/// The jar with these coordinates (`group:artifact:version`), see [`jars`].
///
/// # Panics
/// If Maven cannot get it.
pub fn jar(coordinates: &str) -> PathBuf {
    jars(&[coordinates]).remove(0)
}

/// The jars with these coordinates (`group:artifact:version`, with `:classifier`
/// where there is one), fetched by Maven once and kept in `target/fixture-libs`.
/// Those that are missing are fetched together, because starting Maven takes
/// longer than most jars.
///
/// # Panics
/// If Maven cannot get them all.
pub fn jars<T: AsRef<str>>(coordinates: &[T]) -> Vec<PathBuf> {
    let library = target_folder().join("fixture-libs");
    let parsed = coordinates.iter().map(|text| Coordinates::parse(text.as_ref()));
    let wanted: Vec<Coordinates> = parsed.collect();
    let _guard = ONE_MAVEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let missing: Vec<&Coordinates> =
        wanted.iter().filter(|one| !one.jar_in(&library).is_file()).collect();
    if !missing.is_empty() {
        fetch(&missing, &library);
    }
    wanted.iter().map(|one| one.jar_in(&library)).collect()
}

#[derive(Debug, Clone, Copy)]
struct Coordinates<'a> {
    group: &'a str,
    artifact: &'a str,
    version: &'a str,
    classifier: Option<&'a str>,
}

impl<'a> Coordinates<'a> {
    fn parse(text: &'a str) -> Self {
        let parts: Vec<&str> = text.split(':').collect();
        let (group, artifact, version, classifier) = match *parts.as_slice() {
            [group, artifact, version] => (group, artifact, version, None),
            [group, artifact, version, classifier] => (group, artifact, version, Some(classifier)),
            _ => panic!(
                "`{text}` is not group:artifact:version or group:artifact:version:classifier"
            ),
        };
        Self { group, artifact, version, classifier }
    }

    fn folder(&self) -> String {
        let classifier = self.classifier.map(|name| format!("+{name}")).unwrap_or_default();
        format!("{}+{}+{}{classifier}", self.group, self.artifact, self.version)
    }

    fn jar_in(&self, library: &Path) -> PathBuf {
        let classifier = self.classifier.map(|name| format!("-{name}")).unwrap_or_default();
        let file = format!("{}-{}{classifier}.jar", self.artifact, self.version);
        library.join(self.folder()).join(file)
    }

    fn as_artifact_item(&self) -> String {
        let Self { group, artifact, version, classifier } = self;
        let folder = self.folder();
        let classifier = classifier.map(|name| format!("<classifier>{name}</classifier>"));
        let classifier = classifier.unwrap_or_default();
        format!(
            "<artifactItem><groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
             <version>{version}</version>{classifier}<outputDirectory>{folder}</outputDirectory>\
             </artifactItem>\n"
        )
    }
}

fn fetch(missing: &[&Coordinates], library: &Path) {
    fs::create_dir_all(library).expect("target can be written");
    let fresh = tempfile::tempdir_in(library).expect("target can be written");
    fs::write(fresh.path().join("pom.xml"), pom(missing)).expect("the folder is ours");
    let mut command = Command::new("mvn");
    command.args(["-q", "-B", "dependency:copy"]).current_dir(fresh.path());
    let output = command.output().expect("tests need Maven (mvn) to fetch test frameworks");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "mvn could not fetch {missing:?}:\n{said}");
    for one in missing {
        // Another process may have been quicker, which is as good.
        let _ = fs::rename(fresh.path().join(one.folder()), library.join(one.folder()));
        let jar = one.jar_in(library);
        assert!(jar.is_file(), "maven did not bring {}", jar.display());
    }
}

/// The plugin takes only one artifact from the command line, but many from a
/// project.
fn pom(artifacts: &[&Coordinates]) -> String {
    let items: String = artifacts.iter().map(|one| one.as_artifact_item()).collect();
    format!(
        "<project>
<modelVersion>4.0.0</modelVersion>
<groupId>fixture</groupId><artifactId>libs</artifactId><version>1</version>
<packaging>pom</packaging>
<build><plugins><plugin>
<groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId>
<configuration><artifactItems>
{items}</artifactItems></configuration>
</plugin></plugins></build>
</project>
"
    )
}

pub(crate) fn target_folder() -> PathBuf {
    let default = || workspace().join("target");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(default, PathBuf::from)
}

pub(crate) fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("crates/test-support is two levels deep").to_path_buf()
}

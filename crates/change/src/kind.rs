//! What a file is for, going by its name.

/// Source code that becomes classes.
const SOURCES: [&str; 4] = ["java", "kt", "groovy", "scala"];
/// Settings of builds and of residue itself: nobody knows what they change.
const BUILD_FILES: [&str; 8] = [
    "pom.xml",
    "settings.xml",
    "gradle.properties",
    "gradle-wrapper.properties",
    "gradlew",
    "mvnw",
    "residue.toml",
    "gradle.lockfile",
];
const BUILD_ENDINGS: [&str; 4] = ["gradle", "kts", "versions.toml", "sbt"];
const BUILD_FOLDERS: [&str; 2] = [".mvn", "buildSrc"];
/// Text for people.
const PROSE_ENDINGS: [&str; 6] = ["md", "adoc", "rst", "markdown", "asciidoc", "textile"];
const PROSE_NAMES: [&str; 9] = [
    "LICENSE",
    "NOTICE",
    "AUTHORS",
    "CODEOWNERS",
    "CHANGELOG",
    "CHANGES",
    "README",
    "CONTRIBUTING",
    "KEYS",
];
/// Settings of what is around the code: hosting, editors, git itself.
const BESIDE_FOLDERS: [&str; 7] =
    [".github", ".gitlab", ".circleci", ".idea", ".vscode", ".settings", "docs"];
const BESIDE_NAMES: [&str; 9] = [
    ".gitignore",
    ".gitattributes",
    ".gitmodules",
    ".mailmap",
    ".editorconfig",
    ".gitlab-ci.yml",
    ".travis.yml",
    "Jenkinsfile",
    "azure-pipelines.yml",
];
/// Where everything may matter to a test.
const CODE_FOLDER: &str = "src";

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It is compiled.
    Source,
    /// It decides how everything is built.
    Build,
    /// No test should care: text for people, settings of editors and hosts.
    Beside,
    /// It may be read by tests.
    Other,
}

/// What the file at this path, with slashes, is for.
pub fn kind_of(path: &str) -> Kind {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut folders = folders.split('/');
    let ends_with = |endings: &[&str]| {
        endings.iter().any(|ending| {
            name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.') && stem.len() > 1)
        })
    };
    let in_code = folders.clone().any(|folder| folder == CODE_FOLDER);
    let stem = name.split('.').next().unwrap_or(name);
    if folders.clone().any(|folder| BUILD_FOLDERS.contains(&folder)) {
        Kind::Build
    } else if ends_with(&SOURCES) {
        Kind::Source
    } else if !in_code && (BUILD_FILES.contains(&name) || ends_with(&BUILD_ENDINGS)) {
        Kind::Build
    } else if in_code {
        Kind::Other
    } else if folders.any(|folder| BESIDE_FOLDERS.contains(&folder))
        || BESIDE_NAMES.contains(&name)
        || PROSE_NAMES.contains(&stem)
        || ends_with(&PROSE_ENDINGS)
    {
        Kind::Beside
    } else {
        Kind::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_name_and_place() {
        let cases = [
            ("src/main/java/a/B.java", Kind::Source),
            ("app/src/test/kotlin/a/B.kt", Kind::Source),
            ("pom.xml", Kind::Build),
            ("core/pom.xml", Kind::Build),
            ("core/build.gradle.kts", Kind::Build),
            ("gradle/libs.versions.toml", Kind::Build),
            (".mvn/maven.config", Kind::Build),
            ("buildSrc/src/main/java/Plugin.java", Kind::Build),
            ("README.md", Kind::Beside),
            ("LICENSE.txt", Kind::Beside),
            (".github/workflows/ci.yml", Kind::Beside),
            ("docs/picture.png", Kind::Beside),
            ("src/test/resources/pom.xml", Kind::Other),
            ("src/test/resources/README.md", Kind::Other),
            ("src/main/resources/a/b.properties", Kind::Other),
            ("src/main/proto/a.proto", Kind::Other),
            ("config/checkstyle.xml", Kind::Other),
            (".md", Kind::Other),
        ];
        for (path, kind) in cases {
            assert_eq!(kind_of(path), kind, "{path}");
        }
    }
}

//! What the init script wrote about one test task -> a suite.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use residue_model::{LaunchSpec, Provider, Selection, SuiteSpec};
use serde::Deserialize;

use super::test_filter::TestFilter;
use crate::DiscoverError;
use crate::class_file::{ClassFile, Nesting};
use crate::modules::{has_candidates, module_path};

/// One `test` task of the build, as the init script wrote it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    project_index: i64,
    project_dir: PathBuf,
    gradle_version: String,
    java: PathBuf,
    class_path: Vec<PathBuf>,
    test_classes_dirs: Vec<PathBuf>,
    class_files: Vec<String>,
    jvm_args: Vec<String>,
    environment: BTreeMap<String, String>,
    working_dir: PathBuf,
    fork_every: u64,
    framework: String,
    included_groups: Vec<String>,
    excluded_groups: Vec<String>,
    suite_xml_files: Vec<PathBuf>,
    included_tests: Vec<String>,
    excluded_tests: Vec<String>,
    problems: Vec<String>,
}

/// The suites in project order. Projects without test classes are left out.
pub(super) fn suites(
    root: &Path,
    mut documents: Vec<Document>,
    warnings: &mut Vec<String>,
) -> Result<Vec<SuiteSpec>, DiscoverError> {
    documents.sort_by_key(|document| document.project_index);
    let mut suites = Vec::new();
    for document in documents {
        let name = module_path(root, &document.project_dir);
        warnings.extend(document.warnings(&name));
        suites.push(document.into_suite(name)?);
    }
    suites.retain(has_candidates);
    Ok(suites)
}

impl Document {
    fn warnings(&self, name: &str) -> Vec<String> {
        let mut warnings: Vec<String> =
            self.problems.iter().map(|problem| format!("suite `{name}`: {problem}")).collect();
        if self.filter().names_methods() {
            warnings.push(format!(
                "suite `{name}`: Gradle would leave out methods; all tests of the chosen classes are taken"
            ));
        }
        warnings
    }

    fn filter(&self) -> TestFilter {
        TestFilter { included: self.included_tests.clone(), excluded: self.excluded_tests.clone() }
    }

    fn into_suite(self, name: String) -> Result<SuiteSpec, DiscoverError> {
        fs::create_dir_all(&self.working_dir)
            .map_err(|source| DiscoverError::Io { path: self.working_dir.clone(), source })?;
        let classes = if self.suite_xml_files.is_empty() { self.classes() } else { vec![] };
        let provider = match self.framework.as_str() {
            "JUnitPlatform" => Provider::Platform,
            "TestNG" => Provider::TestNg,
            "JUnit" => Provider::JUnit4,
            _ => Provider::Auto,
        };
        let selection = Selection {
            classes,
            groups: joined(&self.included_groups, provider),
            excluded_groups: joined(&self.excluded_groups, provider),
            provider,
            platform_parameters: vec![],
            listeners: vec![],
            testng_suites: self.suite_xml_files.clone(),
        };
        let launch = LaunchSpec {
            jvm_args: self.jvm_args(),
            environment: changes(&env::vars().collect(), &self.environment),
            java: self.java,
            class_path: self.class_path,
            // Gradle gives all properties on the command line.
            system_properties: vec![],
            working_dir: self.working_dir,
        };
        let jvm_per_class = self.fork_every == 1;
        Ok(SuiteSpec { name, launch, selection, surefire_takes_orders: false, jvm_per_class })
    }

    /// The task's arguments and what Gradle adds for each worker JVM.
    fn jvm_args(&self) -> Vec<String> {
        let mut arguments = self.jvm_args.clone();
        let heap_is_set = arguments.iter().any(|argument| argument.starts_with("-Xmx"));
        if !heap_is_set && self.major_version() >= 5 {
            arguments.push("-Xmx512m".into());
        }
        arguments.push("-Dorg.gradle.test.worker=1".into());
        arguments
    }

    fn major_version(&self) -> u32 {
        self.gradle_version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0)
    }

    /// Candidate classes in the order in which Gradle visits their files: those
    /// of a folder by name, then its folders. Old versions visit them as the
    /// file system lists them, and so did the script.
    fn classes(&self) -> Vec<String> {
        let mut files = self.class_files.clone();
        if self.major_version() >= 6 {
            files.sort_by(|a, b| visit_key(a).cmp(&visit_key(b)));
        }
        let filter = self.filter();
        let mut seen = BTreeSet::new();
        files
            .iter()
            .filter(|file| self.stands_alone(file))
            .map(|file| file.trim_end_matches(".class").replace('/', "."))
            .filter(|class| !class.ends_with("package-info") && class != "module-info")
            .filter(|class| filter.keeps(class) && seen.insert(class.clone()))
            .collect()
    }

    /// Top-level classes and static members are classes of their own for
    /// Gradle, unless the class around a member runs its members itself.
    fn stands_alone(&self, file: &str) -> bool {
        match self.parsed(file).map(|class| class.nesting()) {
            Some(Nesting::Inner) => false,
            Some(Nesting::StaticMember) => !self.runs_its_members(file),
            // What cannot be read is for the test JVM to complain about.
            Some(Nesting::TopLevel) | None => true,
        }
    }

    fn runs_its_members(&self, file: &str) -> bool {
        let outer = file.rsplit_once('$').map(|(outer, _)| format!("{outer}.class"));
        let enclosed = "Lorg/junit/experimental/runners/Enclosed;";
        outer.and_then(|outer| self.parsed(&outer)).is_some_and(|class| class.mentions(enclosed))
    }

    fn parsed(&self, file: &str) -> Option<ClassFile> {
        let bytes = self.test_classes_dirs.iter().find_map(|dir| fs::read(dir.join(file)).ok())?;
        ClassFile::parse(&bytes).ok()
    }
}

/// Sorts `a/Z` before `a/b/A`: files of a folder come before its folders.
fn visit_key(file: &str) -> Vec<(bool, &str)> {
    let parts: Vec<&str> = file.split('/').collect();
    let last = parts.len() - 1;
    parts.into_iter().enumerate().map(|(at, part)| (at != last, part)).collect()
}

/// Any of the groups: tag expressions for the JUnit Platform, names otherwise.
fn joined(groups: &[String], provider: Provider) -> Option<String> {
    let text = if provider == Provider::Platform {
        let expression = |group: &String| {
            let is_plain = !group.contains(['&', '|', '!']);
            if is_plain || groups.len() == 1 { group.clone() } else { format!("({group})") }
        };
        groups.iter().map(expression).collect::<Vec<_>>().join(" | ")
    } else {
        groups.join(",")
    };
    (!text.is_empty()).then_some(text)
}

/// What turns the inherited environment into the wanted one.
fn changes(
    inherited: &BTreeMap<String, String>,
    wanted: &BTreeMap<String, String>,
) -> Vec<(String, Option<String>)> {
    let set = wanted
        .iter()
        .filter(|(name, value)| inherited.get(*name) != Some(value))
        .map(|(name, value)| (name.clone(), Some(value.clone())));
    let removed = inherited
        .keys()
        .filter(|name| !wanted.contains_key(*name))
        .map(|name| (name.clone(), None));
    set.chain(removed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(change: impl FnOnce(&mut serde_json::Value)) -> Document {
        let mut value = serde_json::json!({
            "projectIndex": 0, "projectDir": "/p", "gradleVersion": "8.5", "java": "/jdk/bin/java",
            "classPath": [], "testClassesDirs": [], "classFiles": [], "jvmArgs": [],
            "environment": {}, "workingDir": "/tmp", "forkEvery": 0, "framework": "JUnit", "includedGroups": [],
            "excludedGroups": [], "suiteXmlFiles": [], "includedTests": [], "excludedTests": [],
            "problems": [],
        });
        change(&mut value);
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn classes_come_as_gradle_visits_them() {
        let files =
            serde_json::json!(["b/B.class", "a/z/A.class", "a/Z.class", "a/package-info.class"]);
        let classes = |version: &str| {
            document(|value| {
                value["classFiles"] = files.clone();
                value["gradleVersion"] = version.into();
            })
            .classes()
        };
        assert_eq!(classes("8.5"), ["a.Z", "a.z.A", "b.B"]);
        assert_eq!(classes("4.4.1"), ["b.B", "a.z.A", "a.Z"]);
    }

    #[test]
    fn the_default_heap_came_with_gradle_5() {
        let arguments = |version: &str, given: &str| {
            document(|value| {
                value["gradleVersion"] = version.into();
                value["jvmArgs"] = serde_json::json!([given]);
            })
            .jvm_args()
            .contains(&"-Xmx512m".to_owned())
        };
        assert!(arguments("8.5", "-ea"));
        assert!(!arguments("8.5", "-Xmx1g"));
        assert!(!arguments("4.10", "-ea"));
    }

    #[test]
    fn only_changes_of_the_environment_are_kept() {
        let map = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
        };
        let inherited = map(&[("SAME", "1"), ("OTHER", "1"), ("GONE", "1")]);
        let wanted = map(&[("SAME", "1"), ("OTHER", "2"), ("NEW", "3")]);
        let change = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        assert_eq!(
            changes(&inherited, &wanted),
            [change("NEW", Some("3")), change("OTHER", Some("2")), change("GONE", None)]
        );
    }

    #[test]
    fn tags_become_one_expression_and_categories_a_list() {
        let groups = ["fast".to_owned(), "a & b".to_owned()];
        assert_eq!(joined(&groups, Provider::Platform).as_deref(), Some("fast | (a & b)"));
        assert_eq!(joined(&groups[..1], Provider::JUnit4).as_deref(), Some("fast"));
        assert_eq!(joined(&[], Provider::TestNg), None);
    }
}

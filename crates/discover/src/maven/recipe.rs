//! What the probe wrote about one Surefire execution -> a suite.
//!
//! Known differences to Surefire: tests of a Java module run on the class path
//! instead of the module path, and filters for single methods (`-Dtest=A#m`)
//! choose the whole class, with a warning.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use residue_model::{LaunchSpec, Provider, Selection, SuiteSpec};
use serde::Deserialize;

use crate::DiscoverError;
use crate::arg_line::{self, replace_fork_number};
use crate::modules::{has_candidates, module_path};

/// One `surefire:test` of the build, as the probe wrote it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    reactor_index: i64,
    base_dir: PathBuf,
    execution_id: String,
    surefire_version: String,
    java: PathBuf,
    providers: Vec<String>,
    classes: Vec<String>,
    run_order: Option<String>,
    fork_mode: Option<String>,
    fork_count: Option<String>,
    reuse_forks: Option<bool>,
    arg_line: Option<String>,
    late_properties: BTreeMap<String, String>,
    enable_assertions: Option<bool>,
    system_properties: BTreeMap<String, String>,
    environment: Option<BTreeMap<String, Option<String>>>,
    excluded_environment: Vec<String>,
    working_directory: PathBuf,
    groups: Option<String>,
    excluded_groups: Option<String>,
    test: Option<String>,
    suite_xml_files: Vec<PathBuf>,
    platform_parameters: BTreeMap<String, String>,
    listeners: Vec<String>,
    method_filters: Vec<String>,
    class_path: Vec<PathBuf>,
    problems: Vec<String>,
}

/// Reads the probe's file: one JSON document a line.
pub(super) fn parse(text: &str) -> io::Result<Vec<Document>> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).map_err(io::Error::from))
        .collect()
}

/// The suites in reactor order. Executions without test classes are left out.
pub(super) fn suites(
    root: &Path,
    documents: &[Document],
    warnings: &mut Vec<String>,
) -> Result<Vec<SuiteSpec>, DiscoverError> {
    let mut documents = documents.to_vec();
    // Modules built in parallel come in any order.
    documents.sort_by_key(|document| document.reactor_index);
    let mut seen = BTreeSet::new();
    // A forked life cycle may reach the same execution twice.
    documents
        .retain(|document| seen.insert((document.base_dir.clone(), document.execution_id.clone())));
    let executions = |folder: &Path| seen.iter().filter(|(base, _)| base == folder).count();
    let mut suites = Vec::new();
    for document in documents {
        let mut name = module_path(root, &document.base_dir);
        if executions(&document.base_dir) > 1 {
            name = format!("{name}@{}", document.execution_id);
        }
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
        if !self.method_filters.is_empty() {
            warnings.push(format!(
                "suite `{name}`: Surefire would leave out methods ({}); all tests of the chosen classes are taken",
                self.method_filters.join(", ")
            ));
        }
        warnings
    }

    fn into_suite(self, name: String) -> Result<SuiteSpec, DiscoverError> {
        let provider = self.provider();
        let surefire_takes_orders = self.takes_orders();
        let jvm_per_class = self.starts_a_jvm_per_class();
        let jvm_args = self.jvm_args()?;
        let working_dir = self.working_dir()?;
        // A list of tests on the command line goes before suite files.
        let testng_suites = if self.test.is_some() { vec![] } else { self.suite_xml_files };
        let classes = if testng_suites.is_empty() {
            in_run_order(self.classes, self.run_order.as_deref())
        } else {
            vec![]
        };
        let removed = self.excluded_environment.into_iter().map(|name| (name, None));
        let set = self
            .environment
            .unwrap_or_default()
            .into_iter()
            .map(|(name, value)| (name, Some(replace_fork_number(&value.unwrap_or_default()))));
        let launch = LaunchSpec {
            java: self.java,
            class_path: unique(self.class_path),
            jvm_args,
            system_properties: self
                .system_properties
                .into_iter()
                .map(|(key, value)| (key, replace_fork_number(&value)))
                .collect(),
            environment: removed.chain(set).collect(),
            working_dir,
        };
        let selection = Selection {
            classes,
            groups: self.groups.filter(|groups| !groups.trim().is_empty()),
            excluded_groups: self.excluded_groups.filter(|groups| !groups.trim().is_empty()),
            provider,
            platform_parameters: self.platform_parameters.into_iter().collect(),
            listeners: self.listeners,
            testng_suites,
        };
        Ok(SuiteSpec { name, launch, selection, surefire_takes_orders, jvm_per_class })
    }

    fn jvm_args(&self) -> Result<Vec<String>, DiscoverError> {
        // Surefire switches assertions on before any `-da` of the line counts.
        let assertions = self.enable_assertions.unwrap_or(true).then(|| "-ea".to_owned());
        let line = self.arg_line.as_deref().unwrap_or_default();
        let line = arg_line::replace_late_properties(line, &self.late_properties);
        let line = replace_fork_number(&line);
        let arguments = arg_line::split(&line).map_err(|error| DiscoverError::BadSetting {
            project: self.base_dir.clone(),
            setting: "Surefire's argLine",
            value: line.clone(),
            reason: error.to_string(),
        })?;
        Ok(assertions.into_iter().chain(arguments).collect())
    }

    /// Made if it is not there, as Surefire does.
    fn working_dir(&self) -> Result<PathBuf, DiscoverError> {
        let path = PathBuf::from(replace_fork_number(&self.working_directory.to_string_lossy()));
        let path = self.base_dir.join(path);
        fs::create_dir_all(&path)
            .map_err(|source| DiscoverError::Io { path: path.clone(), source })?;
        Ok(path)
    }

    /// Surefire's own choice. From 3.6 on it runs everything through the JUnit
    /// Platform with engines it adds, so the class path has to tell.
    fn provider(&self) -> Provider {
        let [provider] = self.providers.as_slice() else { return Provider::Auto };
        let on_class_path = |artifact: &str| {
            self.class_path.iter().any(|entry| {
                entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with(artifact))
            })
        };
        let name = provider.to_lowercase();
        if name.contains("junitplatform") || name.contains("junit.platform") {
            let adds_engines = self.surefire_is_from((3, 6));
            match (on_class_path("junit-platform-engine-"), on_class_path("testng-")) {
                (true, true) if adds_engines => Provider::Auto,
                (true, _) => Provider::Platform,
                (false, true) => Provider::TestNg,
                (false, false) => Provider::JUnit4,
            }
        } else if name.contains("testng") {
            Provider::TestNg
        } else if name.contains("junit") {
            Provider::JUnit4
        } else {
            Provider::Auto
        }
    }

    /// `-Dtest` has taken methods of several classes since 2.19. The property
    /// `surefire.runOrder` is a little older, but what a pom says goes before it.
    fn takes_orders(&self) -> bool {
        let pom_is_silent = self.run_order.as_deref().is_none_or(|order| order == "filesystem");
        self.surefire_is_from((2, 19)) && pom_is_silent
    }

    /// By `forkMode`, which old poms have, or else by `reuseForks`.
    fn starts_a_jvm_per_class(&self) -> bool {
        match (self.fork_mode.as_deref(), self.reuse_forks) {
            (Some("always" | "pertest"), _) | (Some("perthread"), None) => true,
            (Some("never" | "none"), _) => false,
            (_, reuse) => reuse == Some(false) && self.fork_count.as_deref() != Some("0"),
        }
    }

    fn surefire_is_from(&self, version: (u32, u32)) -> bool {
        let parts = self.surefire_version.split(['.', '-']);
        let mut numbers = parts.map(|part| part.parse().unwrap_or(0));
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= version
    }
}

/// Orders that vary from run to run (`random`, `hourly`, `failedfirst`,
/// `balanced`) have no default; the scanned order stands for them.
fn in_run_order(mut classes: Vec<String>, run_order: Option<&str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    classes.retain(|class| seen.insert(class.clone()));
    match run_order.map(str::to_lowercase).as_deref() {
        Some("alphabetical") => classes.sort(),
        Some("reversealphabetical") => classes.sort_by(|a, b| b.cmp(a)),
        _ => {}
    }
    classes
}

fn unique(mut class_path: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut seen = BTreeSet::new();
    class_path.retain(|entry| seen.insert(entry.clone()));
    class_path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(change: impl FnOnce(&mut serde_json::Value)) -> Document {
        let mut value = serde_json::json!({
            "reactorIndex": 0, "baseDir": "/p", "executionId": "default-test",
            "surefireVersion": "3.2.5", "java": "/jdk/bin/java",
            "providers": ["org.apache.maven.surefire.junit4.JUnit4Provider"],
            "classes": ["b.B", "a.A", "c.C"], "runOrder": "filesystem", "argLine": null,
            "forkMode": null, "forkCount": "1", "reuseForks": true,
            "lateProperties": {}, "enableAssertions": true, "systemProperties": {},
            "environment": null, "excludedEnvironment": [], "workingDirectory": "/tmp",
            "groups": null, "excludedGroups": null, "test": null, "suiteXmlFiles": [],
            "platformParameters": {}, "listeners": [], "methodFilters": [], "classPath": [], "problems": [],
        });
        change(&mut value);
        parse(&value.to_string()).unwrap().remove(0)
    }

    fn suite(change: impl FnOnce(&mut serde_json::Value)) -> SuiteSpec {
        document(change).into_suite(".".into()).unwrap()
    }

    #[test]
    fn jvm_arguments_are_assertions_and_the_completed_arg_line() {
        let suite = suite(|value| {
            value["argLine"] = "@{agent}\n -Dfork=${surefire.forkNumber} '-Da=b c'".into();
            value["lateProperties"]["agent"] = "-javaagent:x.jar=a,b".into();
        });
        assert_eq!(suite.launch.jvm_args, ["-ea", "-javaagent:x.jar=a,b", "-Dfork=1", "-Da=b c"]);
    }

    #[test]
    fn an_arg_line_with_an_open_quote_names_the_module() {
        let error = document(|value| value["argLine"] = "-Da='b".into())
            .into_suite(".".into())
            .unwrap_err()
            .to_string();
        assert!(error.contains("argLine of /p") && error.contains("not closed"), "{error}");
    }

    #[test]
    fn run_order_is_followed_where_it_is_an_order() {
        let order = |name: &str| suite(|value| value["runOrder"] = name.into()).selection.classes;
        assert_eq!(order("alphabetical"), ["a.A", "b.B", "c.C"]);
        assert_eq!(order("reverseAlphabetical"), ["c.C", "b.B", "a.A"]);
        assert_eq!(order("random"), ["b.B", "a.A", "c.C"]);
    }

    #[test]
    fn old_versions_and_those_with_an_order_in_the_pom_take_none_on_the_command_line() {
        let takes_orders = |version: &str, run_order: &str| {
            suite(|value| {
                value["surefireVersion"] = version.into();
                value["runOrder"] = run_order.into();
            })
            .surefire_takes_orders
        };
        assert!(!takes_orders("2.12.4", "filesystem"));
        assert!(!takes_orders("2.18.1", "filesystem"));
        assert!(takes_orders("2.19", "filesystem"));
        assert!(takes_orders("3.0.0-M5", "filesystem"));
        assert!(!takes_orders("3.2.5", "alphabetical"));
    }

    #[test]
    fn a_jvm_for_each_class_is_told_by_two_generations_of_parameters() {
        let per_class = |mode: Option<&str>, count: &str, reuse: bool| {
            suite(|value| {
                value["forkMode"] = mode.into();
                value["forkCount"] = count.into();
                value["reuseForks"] = reuse.into();
            })
            .jvm_per_class
        };
        assert!(!per_class(None, "1", true));
        assert!(per_class(None, "2C", false));
        assert!(!per_class(None, "0", false), "all in Maven's own JVM");
        assert!(per_class(Some("always"), "1", true));
        assert!(!per_class(Some("once"), "1", true));
        assert!(!per_class(Some("never"), "1", false));
    }

    #[test]
    fn environment_is_set_emptied_and_removed() {
        let suite = suite(|value| {
            value["environment"] = serde_json::json!({"A": "1", "B": null});
            value["excludedEnvironment"] = serde_json::json!(["C"]);
        });
        let set = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        assert_eq!(
            suite.launch.environment,
            [set("C", None), set("A", Some("1")), set("B", Some(""))]
        );
    }

    #[test]
    fn the_provider_is_surefires_choice() {
        let provider = |version: &str, name: &str, jars: &[&str]| {
            suite(|value| {
                value["surefireVersion"] = version.into();
                value["providers"] = serde_json::json!([name]);
                value["classPath"] = serde_json::json!(jars);
            })
            .selection
            .provider
        };
        let platform = "org.apache.maven.surefire.junitplatform.JUnitPlatformProvider";
        let testng = "org.apache.maven.surefire.testng.TestNGProvider";
        let core = "org.apache.maven.surefire.junitcore.JUnitCoreProvider";
        let engine = "/r/junit-platform-engine-1.9.0.jar";
        assert_eq!(provider("3.2.5", platform, &[engine]), Provider::Platform);
        assert_eq!(provider("3.2.5", platform, &[engine, "/r/testng-7.jar"]), Provider::Platform);
        assert_eq!(provider("3.6.0", platform, &[engine, "/r/testng-7.jar"]), Provider::Auto);
        assert_eq!(provider("3.6.1", platform, &["/r/junit-4.12.jar"]), Provider::JUnit4);
        assert_eq!(provider("3.6.1", platform, &["/r/testng-7.jar"]), Provider::TestNg);
        assert_eq!(provider("2.22.2", testng, &["/r/testng-7.jar"]), Provider::TestNg);
        assert_eq!(provider("2.22.2", core, &["/r/junit-4.12.jar"]), Provider::JUnit4);
    }

    #[test]
    fn suite_files_replace_the_classes_unless_tests_are_named() {
        let with = |test: serde_json::Value| {
            suite(|value| {
                value["suiteXmlFiles"] = serde_json::json!(["/p/testng.xml"]);
                value["test"] = test;
            })
            .selection
        };
        assert_eq!(with(serde_json::Value::Null).testng_suites, [Path::new("/p/testng.xml")]);
        assert!(with(serde_json::Value::Null).classes.is_empty());
        assert!(with("A".into()).testng_suites.is_empty());
        assert_eq!(with("A".into()).classes.len(), 3);
    }

    #[test]
    fn several_executions_of_a_module_are_told_apart() {
        let documents = vec![
            document(|value| value["executionId"] = "slow".into()),
            document(|_| {}),
            document(|_| {}),
            document(|value| {
                value["baseDir"] = "/p/lib".into();
                value["reactorIndex"] = (-1).into();
            }),
        ];
        let suites = suites(Path::new("/p"), &documents, &mut Vec::new()).unwrap();
        let names: Vec<_> = suites.iter().map(|suite| suite.name.as_str()).collect();
        assert_eq!(names, ["lib", ".@slow", ".@default-test"]);
    }

    #[test]
    fn a_broken_line_is_an_error() {
        assert!(parse("{\"reactorIndex\":").is_err());
        assert!(parse("\n").unwrap().is_empty());
    }
}

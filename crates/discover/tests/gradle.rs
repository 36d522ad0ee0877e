//! Real Gradle builds. They need a `gradle` on the search path, which not every
//! machine has; without it these tests say so and pass.

#![allow(clippy::print_stderr)] // to say that a test was skipped

mod support;

use std::process::Command;

use residue_discover::{DiscoverError, DiscoverRequest, discover};
use residue_model::{BuildTool, Provider};
use support::{TestProject, has_jar, is_executable, junit4_class, names, sorted_classes, variable};

fn gradle_is_missing() -> bool {
    let missing = Command::new("gradle").arg("--version").output().is_err();
    if missing {
        eprintln!("skipped: there is no gradle on the PATH");
    }
    missing
}

fn two_projects() -> TestProject {
    TestProject::new()
        .file("settings.gradle", "include 'core', 'app'")
        .file(
            "build.gradle",
            "subprojects { apply plugin: 'java'; repositories { mavenCentral() } }",
        )
        .file(
            "core/build.gradle",
            "dependencies { testImplementation 'junit:junit:4.13.2' }
             test { jvmArgs '-Dgiven=a b'; systemProperty 'from.build', 'yes'; maxHeapSize = '300m'
                    environment 'FROM_BUILD', 'env'; workingDir = file('build/work')
                    exclude '**/Slow*'; filter { includeTestsMatching '*Test*' } }",
        )
        .file("core/src/main/java/core/Core.java", "package core; public class Core {}")
        .file(
            "core/src/test/java/core/CoreTest.java",
            "package core; public class CoreTest { @org.junit.Test public void works() {}
             public static class Member { @org.junit.Test public void works() {} }
             class Inner {} Object anonymous = new Object() {}; }",
        )
        .file(
            "core/src/test/java/core/GroupTest.java",
            "package core;
             @org.junit.runner.RunWith(org.junit.experimental.runners.Enclosed.class)
             public class GroupTest {
               public static class Part { @org.junit.Test public void works() {} } }",
        )
        .file("core/src/test/java/core/SlowTest.java", &junit4_class("core", "SlowTest"))
        .file("core/src/test/java/core/Check.java", &junit4_class("core", "Check"))
        .file(
            "app/build.gradle",
            "dependencies { implementation project(':core')
               testImplementation 'org.testng:testng:6.14.3' }
             test { useTestNG { includeGroups 'fast'; excludeGroups 'slow', 'flaky' }
                    enableAssertions = false; forkEvery = 1 }",
        )
        .file(
            "app/src/test/java/app/AppTest.java",
            "package app; public class AppTest { core.Core core;
             @org.testng.annotations.Test(groups = \"fast\") public void works() {} }",
        )
}

#[test]
fn test_tasks_of_a_build_with_two_projects() {
    if gradle_is_missing() {
        return;
    }
    let project = two_projects();
    let found = project.discover().unwrap();
    assert_eq!(found.warnings, Vec::<String>::new());
    assert_eq!(found.project.build_tool, BuildTool::Gradle);
    assert_eq!(names(&found.project.suites), ["app", "core"]);
    let [app, core] = found.project.suites.as_slice() else { panic!("two suites") };

    assert_eq!(sorted_classes(core), ["core.CoreTest", "core.CoreTest$Member", "core.GroupTest"]);
    assert_eq!(core.selection.provider, Provider::JUnit4);
    assert!(has_jar(core, "junit-4.13.2"));
    for argument in ["-Dgiven=a b", "-Dfrom.build=yes", "-Xmx300m", "-ea"] {
        assert!(core.launch.jvm_args.iter().any(|given| given == argument), "{argument}");
    }
    assert_eq!(variable(core, "FROM_BUILD"), Some(Some("env")));
    assert_eq!(variable(core, "PATH"), None, "it is inherited");
    assert_eq!(core.launch.working_dir, project.root().join("core/build/work"));
    assert!(core.launch.working_dir.is_dir());
    assert!(is_executable(&core.launch.java));
    assert!(!project.root().join("core/build/test-results").exists(), "no test ran");

    assert_eq!(app.selection.classes, ["app.AppTest"]);
    assert_eq!(app.selection.provider, Provider::TestNg);
    assert_eq!(app.selection.groups.as_deref(), Some("fast"));
    assert_eq!(app.selection.excluded_groups.as_deref(), Some("slow,flaky"));
    assert!(has_jar(app, "core.jar") && has_jar(app, "testng-6.14.3"));
    assert!(!app.launch.jvm_args.contains(&"-ea".to_owned()));
    assert!(app.jvm_per_class && !core.jvm_per_class);

    let request = DiscoverRequest { modules: vec!["nope".into()], ..project.request() };
    let text = discover(&request, &mut |_| {}).unwrap_err().to_string();
    assert!(text.contains("`nope`") && text.contains("app, core"), "{text}");
}

#[test]
fn builds_that_fail_are_explained() {
    if gradle_is_missing() {
        return;
    }
    let project = two_projects();
    project.write("core/src/main/java/core/Core.java", "package core; class Core { oops }");
    let error = project.discover().unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, DiscoverError::BuildFailed { .. }), "{text}");
    assert!(text.contains("Core.java") && text.contains("--build-arg"), "{text}");

    project.write("build.gradle", "oops(");
    let text = project.discover().unwrap_err().to_string();
    assert!(text.contains("build.gradle"), "{text}");
}

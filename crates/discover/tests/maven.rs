//! Real Maven builds, one project for each group of settings. The versions of
//! Surefire are the ones whose inner workings differ: 2.12.4, 2.22.2, 3.2.5.

mod support;

use std::path::Path;

use residue_discover::{DiscoverError, DiscoverRequest, discover};
use residue_model::{BuildTool, Provider};
use support::{
    TestProject, has_jar, is_executable, junit4_class, names, property, sorted_classes, variable,
};

const JUNIT4: &str = "<dependency><groupId>junit</groupId><artifactId>junit</artifactId>\
    <version>4.13.2</version><scope>test</scope></dependency>";
const JUPITER_API: &str = "<dependency><groupId>org.junit.jupiter</groupId>\
    <artifactId>junit-jupiter-api</artifactId><version>5.9.3</version><scope>test</scope></dependency>";

/// A pom with the given body; `surefire` is what stands in the plugin's element.
fn pom(artifact: &str, dependencies: &str, surefire: &str, rest: &str) -> String {
    format!(
        "<project xmlns='http://maven.apache.org/POM/4.0.0'><modelVersion>4.0.0</modelVersion>
         <groupId>residue.test</groupId><artifactId>{artifact}</artifactId><version>1</version>
         <properties><maven.compiler.source>8</maven.compiler.source>
         <maven.compiler.target>8</maven.compiler.target>
         <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
         <early>-Dearly=1</early></properties>
         <dependencies>{dependencies}</dependencies>
         <build><plugins><plugin><groupId>org.apache.maven.plugins</groupId>
         <artifactId>maven-surefire-plugin</artifactId>{surefire}</plugin></plugins></build>
         {rest}</project>"
    )
}

#[test]
fn a_junit_4_module_with_its_own_jvm_settings() {
    let project = TestProject::new()
        .file(
            "pom.xml",
            &pom(
                "single",
                JUNIT4,
                "<version>2.12.4</version><configuration>
                   <includes><include>**/*Check.java</include><include>**/Test*.java</include></includes>
                   <excludes><exclude>**/Slow*</exclude></excludes>
                   <runOrder>reversealphabetical</runOrder>
                   <argLine>${early} -Xmx300m '-Dspaced=a b'</argLine>
                   <systemPropertyVariables><from.pom>yes</from.pom></systemPropertyVariables>
                   <environmentVariables><FROM_POM>env</FROM_POM></environmentVariables>
                   <workingDirectory>target/work</workingDirectory>
                   <forkMode>always</forkMode>
                 </configuration>",
                "",
            ),
        )
        .file("src/main/java/a/Main.java", "package a; public class Main {}")
        .file("src/test/java/a/TestFirst.java", &junit4_class("a", "TestFirst"))
        .file("src/test/java/a/LastCheck.java", &junit4_class("a", "LastCheck"))
        .file("src/test/java/a/SlowCheck.java", &junit4_class("a", "SlowCheck"))
        .file("src/test/java/a/PlainTest.java", &junit4_class("a", "PlainTest"));
    let request = DiscoverRequest {
        build_args: vec!["-Dfrom.user=given".into()],
        cache_dir: Some(project.root().join(".residue")),
        ..project.request()
    };
    let found = discover(&request, &mut |_| {}).unwrap();
    let root = project.root();

    assert_eq!(found.warnings, Vec::<String>::new());
    assert_eq!(found.project.root, root);
    assert_eq!(found.project.build_tool, BuildTool::Maven);
    assert_eq!(names(&found.project.suites), ["."]);
    let suite = &found.project.suites[0];
    assert_eq!(suite.selection.classes, ["a.TestFirst", "a.LastCheck"]);
    assert_eq!(suite.selection.provider, Provider::JUnit4);
    assert_eq!(suite.launch.jvm_args, ["-ea", "-Dearly=1", "-Xmx300m", "-Dspaced=a b"]);
    assert_eq!(
        suite.launch.class_path[..2],
        [root.join("target/test-classes"), root.join("target/classes")]
    );
    assert!(root.join("target/test-classes/a/TestFirst.class").is_file(), "it was compiled");
    assert!(has_jar(suite, "junit-4.13.2") && has_jar(suite, "hamcrest-core-"));
    assert_eq!(property(suite, "from.pom"), Some("yes"));
    assert_eq!(property(suite, "from.user"), Some("given"));
    assert_eq!(property(suite, "basedir"), root.to_str());
    assert!(property(suite, "residue.probe.out").is_none());
    assert!(property(suite, "maven.ext.class.path").is_none());
    assert_eq!(variable(suite, "FROM_POM"), Some(Some("env")));
    assert_eq!(suite.launch.working_dir, root.join("target/work"));
    assert!(suite.launch.working_dir.is_dir(), "made as Surefire would");
    assert!(suite.jvm_per_class, "by forkMode");
    assert!(is_executable(&suite.launch.java));
    assert!(!root.join("target/surefire-reports").exists(), "no test ran");

    let mut lines = 0;
    let again = discover(&request, &mut |_| lines += 1).unwrap();
    assert_eq!((again, lines), (found, 0), "Maven was not started again");
    project.write("src/test/java/a/TestSecond.java", &junit4_class("a", "TestSecond"));
    let changed = discover(&request, &mut |_| {}).unwrap();
    let classes = &changed.project.suites[0].selection.classes;
    assert_eq!(*classes, ["a.TestSecond", "a.TestFirst", "a.LastCheck"]);
}

fn two_modules() -> TestProject {
    let parent = "<parent><groupId>residue.test</groupId><artifactId>reactor</artifactId>\
        <version>1</version></parent>";
    let module = |name: &str, dependencies: &str, build: &str| {
        format!(
            "<project xmlns='http://maven.apache.org/POM/4.0.0'><modelVersion>4.0.0</modelVersion>
             {parent}<artifactId>{name}</artifactId>
             <dependencies>{dependencies}</dependencies>{build}</project>"
        )
    };
    let second_run = "<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>
        <executions><execution><id>again</id><goals><goal>test</goal></goals>
        <configuration><includes><include>%regex[.*Onl[xy].*]</include></includes></configuration>
        </execution></executions></plugin></plugins></build>";
    let needs_lib = "<dependency><groupId>residue.test</groupId><artifactId>lib</artifactId>\
        <version>1</version></dependency>";
    TestProject::new()
        .file(
            "pom.xml",
            &pom(
                "reactor",
                JUNIT4,
                "<version>2.22.2</version>",
                "<packaging>pom</packaging>
                 <modules><module>lib</module><module>group/app</module><module>bare</module></modules>",
            ),
        )
        .file("lib/pom.xml", &module("lib", "", ""))
        .file("lib/src/main/java/lib/Lib.java", "package lib; public class Lib {}")
        .file("lib/src/test/java/lib/LibTest.java", &junit4_class("lib", "LibTest"))
        .file("group/app/pom.xml", &{
            let parent_above = "<parent><relativePath>../../pom.xml</relativePath>";
            module("app", needs_lib, second_run).replace("<parent>", parent_above)
        })
        .file(
            "group/app/src/test/java/app/AppTests.java",
            "package app; public class AppTests { lib.Lib lib; @org.junit.Test public void t() {} }",
        )
        .file("group/app/src/test/java/app/OnlyAgain.java", &junit4_class("app", "OnlyAgain"))
        .file("bare/pom.xml", &module("bare", "", ""))
}

#[test]
fn modules_and_executions_of_a_reactor() {
    let project = two_modules();
    let all = project.discover().unwrap().project.suites;
    assert_eq!(names(&all), ["lib", "group/app@default-test", "group/app@again"]);
    assert_eq!(all[0].selection.classes, ["lib.LibTest"]);
    assert_eq!(all[1].selection.classes, ["app.AppTests"]);
    assert_eq!(all[2].selection.classes, ["app.OnlyAgain"]);
    assert!(all[1].launch.class_path.contains(&project.root().join("lib/target/classes")));
    assert_eq!(all[1].launch.working_dir, project.root().join("group/app"));

    // `lib` is in no repository, so the module cannot be built from its folder.
    let request =
        DiscoverRequest { project: project.root().join("group/app"), ..DiscoverRequest::default() };
    let child = discover(&request, &mut |_| {}).unwrap().project;
    assert_eq!(names(&child.suites), [".@default-test", ".@again"]);
    assert_eq!(child.suites[0].launch.class_path, all[1].launch.class_path);

    project.write("lib/src/test/java/lib/LibTest.java", "package lib; class LibTest { oops }");
    let error = project.discover().unwrap_err().to_string();
    assert!(error.contains("LibTest.java") && error.contains("--build-arg"), "{error}");
}

#[test]
fn a_failed_module_does_not_hide_the_others() {
    let project = two_modules();
    project.write("group/app/src/test/java/app/Broken.java", "package app; class Broken { oops }");
    let found = project.discover().unwrap();
    assert_eq!(names(&found.project.suites), ["lib"]);
    assert!(found.warnings.iter().any(|warning| warning.contains("Broken.java")), "{found:?}");

    let request = DiscoverRequest { modules: vec!["lib".into()], ..project.request() };
    let chosen = discover(&request, &mut |_| {}).unwrap();
    assert_eq!(names(&chosen.project.suites), ["lib"]);
    assert_eq!(chosen.warnings, Vec::<String>::new(), "the broken module was not built");
}

#[test]
fn jupiter_without_engine_or_launcher_gets_both() {
    let project = TestProject::new()
        .file(
            "pom.xml",
            &pom(
                "jupiter",
                JUPITER_API,
                "<version>3.2.5</version><configuration>
                   <groups>fast | smoke</groups><excludedGroups>slow</excludedGroups>
                   <argLine>@{late.set} -Dfork=${surefire.forkNumber}</argLine>
                   <enableAssertions>false</enableAssertions>
                   <reuseForks>false</reuseForks>
                   <excludedEnvironmentVariables><v>HOME</v></excludedEnvironmentVariables>
                   <properties><configurationParameters>
                     junit.jupiter.testinstance.lifecycle.default = per_class
                     other : x
                   </configurationParameters>
                   <property><name>listener</name><value>a.One, a.Two</value></property></properties>
                 </configuration>",
                "",
            )
            .replace("<early>", "<late.set>-Dlate=1</late.set><early>"),
        )
        .file(
            "src/test/java/a/SomeTests.java",
            "package a; class SomeTests { @org.junit.jupiter.api.Test void works() {}
             @org.junit.jupiter.api.Nested class Inner { @org.junit.jupiter.api.Test void t() {} } }",
        );
    let found = project.discover().unwrap();
    let suite = &found.project.suites[0];
    assert_eq!(sorted_classes(suite), ["a.SomeTests"]);
    assert_eq!(suite.selection.provider, Provider::Platform);
    assert!(suite.jvm_per_class, "by reuseForks");
    assert!(has_jar(suite, "junit-jupiter-engine-5.9.3"), "{:?}", suite.launch.class_path);
    assert!(has_jar(suite, "junit-platform-launcher-1.9.3"), "{:?}", suite.launch.class_path);
    assert!(has_jar(suite, "junit-platform-engine-1.9.3"), "{:?}", suite.launch.class_path);
    assert!(suite.launch.class_path.iter().skip(2).all(|jar| jar.is_file()));
    assert_eq!(suite.launch.jvm_args, ["-Dlate=1", "-Dfork=1"]);
    assert_eq!(variable(suite, "HOME"), Some(None));
    assert_eq!(suite.selection.groups.as_deref(), Some("fast | smoke"));
    assert_eq!(suite.selection.excluded_groups.as_deref(), Some("slow"));
    let parameter = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(
        suite.selection.platform_parameters,
        [
            parameter("junit.jupiter.testinstance.lifecycle.default", "per_class"),
            parameter("other", "x")
        ]
    );
    assert_eq!(suite.selection.listeners, ["a.One", "a.Two"]);

    let request = DiscoverRequest { build_args: vec!["-DskipTests".into()], ..project.request() };
    let error = discover(&request, &mut |_| {}).unwrap_err();
    assert!(matches!(error, DiscoverError::NoTests { .. }), "{error}");
}

/// Surefire up to 2.6 looks for its classes inside the forked JVM only, and
/// runs them in the order of a hash map.
#[test]
fn surefire_2_6_is_asked_another_way() {
    let mut project = TestProject::new()
        .file("pom.xml", &pom("old", JUNIT4, "<version>2.6</version>", ""))
        .file("src/test/java/a/BaseTest.java", "package a; abstract class BaseTest {}");
    for class in ["OneTest", "TwoTest", "ThreeTest", "FourTest", "TestFive", "Helper"] {
        let file = format!("src/test/java/a/{class}.java");
        project = project.file(&file, &junit4_class("a", class));
    }
    let found = project.discover().unwrap();
    assert_eq!(found.warnings, Vec::<String>::new());
    let suite = &found.project.suites[0];
    assert_eq!(
        suite.selection.classes,
        ["a.TwoTest", "a.OneTest", "a.TestFive", "a.ThreeTest", "a.FourTest"]
    );
    assert_eq!(suite.launch.class_path[0], project.root().join("target/test-classes"));
    assert!(has_jar(suite, "junit-4.13.2"));
}

#[test]
fn a_broken_pom_is_explained() {
    let project = TestProject::new().file("pom.xml", "<project><oops></project>");
    let error = project.discover().unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, DiscoverError::BuildFailed { .. }), "{text}");
    assert!(text.contains("pom.xml") && text.contains("[ERROR]"), "{text}");
    assert!(!text.contains("[Help"), "{text}");
}

#[test]
fn a_folder_without_a_build_is_named() {
    let project = TestProject::new();
    let error = project.discover().unwrap_err();
    assert!(
        matches!(&error, DiscoverError::NoBuildFile { project: named } if *named == project.root())
    );
    let request = DiscoverRequest {
        project: Path::new("/no/such/place").into(),
        ..DiscoverRequest::default()
    };
    let text = discover(&request, &mut |_| {}).unwrap_err().to_string();
    assert!(text.contains("/no/such/place"), "{text}");
}

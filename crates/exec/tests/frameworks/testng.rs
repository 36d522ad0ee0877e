//! TestNG: data providers, factories, dependencies and priorities.

use crate::subject::Subject;
use crate::versions::testng;

const DEPENDING: &str = "fixtures.testng.DependingTest";

const ROWS: [&str; 10] = [
    "oneRow[0]",
    "plain",
    "repeats[0]",
    "repeats[1]",
    "repeats[2]",
    "rows[0]",
    "rows[1]",
    "rows[2]",
    "rowsOfFixture[0]",
    "rowsOfFixture[1]",
];

fn check(number: &str) -> Subject {
    let mut subject = Subject::new(&["testng/src"], &testng(number));
    assert_eq!(subject.suite.tests[0].id.as_str(), format!("{DEPENDING}#important"));
    assert_eq!(subject.tests_of(DEPENDING)[..2], ["important", "zFirst"]);
    let plain = subject.tests_of("fixtures.testng.PlainTest");
    assert!(plain.len() > 2 && plain.is_sorted(), "{plain:?}");
    assert_eq!(subject.tests_of("fixtures.testng.RowsTest"), ROWS);
    subject.check();
    subject.check_fixtures(&[
        ("fixtures.testng.FixtureCountTest#b", Some(1)),
        ("fixtures.testng.FixtureCountTest#rows[1]", Some(1)),
        ("fixtures.testng.FixtureCountTest#a", Some(1)),
        ("fixtures.testng.PlainTest#passes", None),
        ("fixtures.testng.FixtureCountTest#c", Some(2)),
    ]);
    subject
}

/// TestNG 6 goes class by class, but for dependencies, priorities and factories.
fn check_class_by_class(number: &str) {
    let subject = check(number);
    let mut classes = subject.classes();
    let special = [DEPENDING, "fixtures.testng.FixtureCountTest", "fixtures.testng.Product"];
    classes.retain(|class| !special.contains(class));
    assert!(classes.len() > 5, "{classes:?}");
    assert!(classes.is_sorted(), "not in the order of the candidates: {classes:?}");
}

#[test]
fn testng_6_9_10() {
    check_class_by_class("6.9.10");
}

#[test]
fn testng_6_14_3() {
    check_class_by_class("6.14.3");
}

#[test]
fn testng_7_5_1() {
    check("7.5.1");
}

/// Needs Java 11.
#[test]
fn testng_7_12_0() {
    check("7.12.0");
}

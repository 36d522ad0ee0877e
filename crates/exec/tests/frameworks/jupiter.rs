//! Jupiter: parameterised, repeated, dynamic and nested tests.

use crate::subject::Subject;
use crate::versions::jupiter;

const INVOCATIONS: [&str; 11] = [
    "cannotBeMade",
    "disabledRows",
    "rows[1]",
    "rows[2]",
    "rows[3]",
    "makes[1][1]",
    "makes[1][2]",
    "makes[2]",
    "plain",
    "repeats[1]",
    "repeats[2]",
];

fn check(folders: &[&str], number: &str) -> Subject {
    let mut subject = Subject::new(folders, &jupiter(number));
    let mut classes = subject.classes();
    // The order of nested classes is not defined.
    classes.retain(|class| !class.contains('$'));
    assert!(classes.is_sorted(), "not in the order of the candidates: {classes:?}");
    assert_eq!(subject.tests_of("fixtures.jupiter.InvocationsTest"), INVOCATIONS);
    subject.check_sorted_by_hash("fixtures.jupiter.PlainTest");
    subject.check();
    subject.check_fixtures(&[
        ("fixtures.jupiter.FixtureCountTest#b", Some(1)),
        ("fixtures.jupiter.FixtureCountTest#rows[2]", Some(1)),
        ("fixtures.jupiter.FixtureCountTest#a", Some(1)),
        ("fixtures.jupiter.PlainTest#passes", None),
        ("fixtures.jupiter.FixtureCountTest#c", Some(2)),
    ]);
    subject
}

/// Knows parameterised classes, whose tests come set by set.
fn check_parameterized_classes(number: &str) {
    let subject = check(&["jupiter/src", "jupiter/src-5.13"], number);
    assert_eq!(
        subject.tests_of("fixtures.jupiter.ParameterizedClassTest"),
        ["rows[1][1]", "rows[1][2]", "first[1]", "rows[2][1]", "rows[2][2]", "first[2]"],
    );
}

#[test]
fn jupiter_5_3_2() {
    check(&["jupiter/src"], "5.3.2");
}

#[test]
fn jupiter_5_7_2() {
    check(&["jupiter/src"], "5.7.2");
}

#[test]
fn jupiter_5_11_4() {
    check(&["jupiter/src"], "5.11.4");
}

#[test]
fn jupiter_5_14_4() {
    check_parameterized_classes("5.14.4");
}

/// Needs Java 17.
#[test]
fn jupiter_6_1_3() {
    check_parameterized_classes("6.1.3");
}

//! JUnit 3 test cases and suite methods, alone and run by JUnit 4.

use crate::subject::Subject;
use crate::versions::{Version, junit3, junit4};

/// Suites stand for their members; the candidates come in the order of their
/// names.
const CLASSES: [&str; 12] = [
    "old.PlainCaseTest",
    "old.AllTests$NeedsSetup",
    "old.AllTests$Repeated",
    "old.AllTests$NeedsSetup",
    "old.AllTests$Anonymous",
    "old.AllTests$NeverReached",
    "old.AllTests$Bare",
    "old.BrokenCaseTest",
    "old.DerivedCaseTest",
    "old.EmptyCaseTest",
    "old.NoFrameworkTest",
    "old.ThrowingSuite",
];

fn check_alone(version: &Version) {
    let mut subject = Subject::new(&["junit3/src"], version);
    assert_eq!(subject.classes(), CLASSES);
    subject.check();
}

fn check_in_junit4(version: &Version) -> Subject {
    let mut subject = Subject::new(&["junit3/src", "junit3/src-4.5"], version);
    let mixed = ["mixed.MixedSuite$New", "mixed.MixedSuite$Other", "mixed.RunWithCase"];
    let old = CLASSES.into_iter().filter(|class| *class != "old.NoFrameworkTest");
    assert_eq!(subject.classes(), mixed.into_iter().chain(old).collect::<Vec<_>>());
    subject.check();
    subject
}

#[test]
fn junit_3_8_1() {
    check_alone(&junit3("3.8.1"));
}

#[test]
fn junit_3_8_2() {
    check_alone(&junit3("3.8.2"));
}

#[test]
fn old_tests_in_junit_4_5() {
    check_in_junit4(&junit4("4.5"));
}

#[test]
fn old_tests_in_junit_4_13_2() {
    let subject = check_in_junit4(&junit4("4.13.2"));
    subject.check_sorted_by_hash("old.PlainCaseTest");
}

//! JUnit 4: annotated methods, runners, suites and rules.

use residue_model::{Crash, Outcome};

use crate::subject::Subject;
use crate::versions::{Version, junit4};

/// Suites stand for their members, and a class that is selected besides is
/// listed once; the candidates come in the order of their names.
const BASIC: [&str; 16] = [
    "basic.AdaptedTest",
    "basic.AfterClassFailsTest",
    "basic.BeforeClassFailsTest",
    "basic.FixtureCountTest",
    "basic.IgnoredClassTest",
    "basic.MembersSuite$First",
    "basic.ParametersTest",
    "basic.MembersSuite$Old",
    "basic.MembersSuite$Broken",
    "basic.MembersSuite$Second",
    "basic.OldMembersSuite$One",
    "basic.OldMembersSuite$Two",
    "basic.OutcomesTest",
    "basic.ThreadsTest",
    "basic.UnusableClassTest",
    "basic.WholeRunnerTest",
];

fn check(folders: &[&str], version: &Version) -> Subject {
    let mut subject = Subject::new(folders, version);
    assert_eq!(subject.classes()[..BASIC.len()], BASIC);
    let parameters = subject.tests_of("basic.ParametersTest");
    let sets: Vec<_> = parameters.iter().map(|test| test.split_once('[').unwrap().1).collect();
    assert_eq!(sets, ["0]", "0]", "1]", "1]", "2]", "2]"]);
    subject.check();
    subject.check_fixtures(&[
        ("basic.FixtureCountTest#b", Some(1)),
        ("basic.FixtureCountTest#a", Some(1)),
        ("basic.OutcomesTest#passes", None),
        ("basic.FixtureCountTest#c", Some(2)),
    ]);
    subject
}

/// Sorts methods, and has everything that the runner supports.
fn check_modern(number: &str) {
    let mut subject = check(&["junit4/src", "junit4/src-4.11"], &junit4(number));
    assert_eq!(subject.tests_of("modern.FixedOrderTest"), ["a", "b", "c"]);
    subject.check_sorted_by_hash("basic.OutcomesTest");
    subject.check_sorted_by_hash("modern.RulesTest");
    subject.check_fixtures(&[
        ("modern.FixedOrderTest#c", Some(1)),
        ("modern.FixedOrderTest#a", Some(1)),
        ("modern.FixedOrderTest#b", Some(1)),
    ]);
    check_cuts_of_a_suite(&mut subject);
}

/// A suite starts anew where one of its JUnit 3 classes would have to go back,
/// and nowhere else: what runs later changes nothing for the tests before it.
fn check_cuts_of_a_suite(subject: &mut Subject) {
    let order = [
        ("basic.OldMembersSuite$Two#testA", Some(1)),
        ("basic.OldMembersSuite$Two#testB", Some(1)),
        ("basic.OldMembersSuite$One#testB", Some(1)),
        ("basic.OldMembersSuite$One#testA", Some(2)),
    ];
    subject.check_fixtures(&order);
    subject.check_fixtures(&order[..3]);
}

#[test]
fn junit_4_4() {
    check(&["junit4/src"], &junit4("4.4"));
}

#[test]
fn junit_4_5() {
    check(&["junit4/src"], &junit4("4.5"));
}

#[test]
fn junit_4_8_2() {
    check(&["junit4/src"], &junit4("4.8.2"));
}

#[test]
fn junit_4_11() {
    check_modern("4.11");
}

#[test]
fn junit_4_12() {
    check_modern("4.12");
}

#[test]
fn junit_4_13_2() {
    check_modern("4.13.2");
}

#[test]
fn hostile_tests_do_not_disturb_the_reports() {
    for number in ["4.12", "4.13.2"] {
        let mut subject = Subject::new(&["junit4/src-hostile"], &junit4(number));
        let order = subject.suite.default_order().unwrap();
        // The last of them ends the JVM.
        let record = subject.check_order("the default order", &order);
        let quitter = &record.results.last().unwrap().outcome;
        let Outcome::Crashed(Crash::Exit { code: 7, caller }) = quitter else {
            panic!("{quitter:?}");
        };
        assert!(caller.iter().any(|frame| frame.method == "quit"), "{caller:?}");
    }
}

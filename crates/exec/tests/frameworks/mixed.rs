//! Several frameworks in one suite.

use residue_model::Framework;

use crate::subject::Subject;
use crate::versions::{junit4, jupiter, testng, vintage};

/// Every test is run by the framework that its package is written for.
fn check_frameworks(subject: &Subject) {
    for test in &subject.suite.tests {
        let expected = match test.id.class().rsplit_once('.').unwrap() {
            // It offers itself to JUnit 3.
            ("old", _) | ("basic", "AdaptedTest") => Framework::JUnit3,
            ("basic", _) => Framework::JUnit4,
            ("fixtures.jupiter", _) => Framework::Platform,
            ("fixtures.testng", _) => Framework::TestNg,
            (other, _) => panic!("whose package is {other}?"),
        };
        assert_eq!(test.framework, expected, "{}", test.id);
    }
}

#[test]
fn jupiter_with_vintage_runs_junit_3_and_4_besides() {
    let (old, new) = (junit4("4.13.2"), vintage("5.11.4"));
    let parts = [("junit3/src", &old), ("junit4/src", &old), ("jupiter/src", &new)];
    let mut subject = Subject::mixed(&parts, &[&old, &new]);
    check_frameworks(&subject);
    subject.check();
}

#[test]
fn testng_runs_junit_4_besides() {
    let (junit, testng) = (junit4("4.12"), testng("7.5.1"));
    let parts = [("junit4/src", &junit), ("testng/src", &testng)];
    let mut subject = Subject::mixed(&parts, &[&junit, &testng]);
    check_frameworks(&subject);
    subject.check();
}

#[test]
fn without_vintage_the_platform_leaves_junit_4_out() {
    let (old, new) = (junit4("4.13.2"), jupiter("5.11.4"));
    let parts = [("junit4/src", &old), ("jupiter/src", &new)];
    let subject = Subject::mixed(&parts, &[&old, &new]);
    let frameworks = subject.suite.tests.iter().map(|test| test.framework);
    assert!(frameworks.clone().count() > 10);
    assert!(frameworks.clone().all(|one| one == Framework::Platform));
}

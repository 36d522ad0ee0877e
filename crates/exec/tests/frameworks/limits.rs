//! What frameworks do not allow. Each order below begins as asked, but at a
//! price that a finding has to be checked against.

use crate::subject::Subject;
use crate::versions::{junit4, jupiter, testng};

#[test]
fn invocations_of_a_jupiter_template_in_another_order_run_the_class_fixture_again() {
    let mut subject = Subject::new(&["jupiter/src"], &jupiter("5.11.4"));
    subject.check_fixtures(&[
        ("fixtures.jupiter.FixtureCountTest#rows[2]", Some(1)),
        ("fixtures.jupiter.FixtureCountTest#rows[1]", Some(2)),
        ("fixtures.jupiter.FixtureCountTest#a", Some(2)),
    ]);
}

#[test]
fn rows_of_a_testng_data_provider_in_another_order_run_the_class_fixture_again() {
    let mut subject = Subject::new(&["testng/src"], &testng("7.5.1"));
    subject.check_fixtures(&[
        ("fixtures.testng.FixtureCountTest#rows[1]", Some(1)),
        ("fixtures.testng.FixtureCountTest#rows[0]", Some(2)),
        ("fixtures.testng.FixtureCountTest#b", Some(2)),
    ]);
}

#[test]
fn a_testng_test_before_what_it_depends_on_has_a_class_fixture_of_its_own() {
    let mut subject = Subject::new(&["testng/src"], &testng("6.14.3"));
    subject.check_fixtures(&[
        ("fixtures.testng.FixtureCountTest#c", Some(1)),
        ("fixtures.testng.FixtureCountTest#a", Some(2)),
        ("fixtures.testng.FixtureCountTest#b", Some(2)),
    ]);
}

#[test]
fn a_junit_4_class_whose_runner_cannot_be_filtered_is_one_test() {
    let subject = Subject::new(&["junit4/src"], &junit4("4.13.2"));
    assert_eq!(subject.tests_of("basic.WholeRunnerTest"), ["*"]);
}

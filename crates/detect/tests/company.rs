//! Many tests with the same partners are proved together.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use residue_detect::{Algorithm, Company, Config, Granularity, Role};
use residue_exec::fake::FakeSuite;
use support::{detect, expects, names, only, sets};

const MANY: usize = 40;

/// Tests that one polluter, the last of the suite, makes fail.
fn victims(count: usize) -> FakeSuite {
    let suite = (0..count).fold(FakeSuite::new(), |suite, number| {
        suite.test(&format!("a.VictimTest#v{number}"), expects("cache", 0))
    });
    suite.test("b.PolluterTest#fills", sets("cache", 1))
}

#[test]
fn victims_of_one_polluter_take_two_runs_each() {
    let done = detect(victims(MANY), only(&[Algorithm::Reverse]));
    let findings = done.detection.findings();
    assert_eq!(findings.len(), MANY);
    let company = Company { others: MANY - 2, runs: 2 };
    let together = findings.iter().filter(|finding| finding.company == Some(company));
    assert_eq!(together.count(), MANY - 1, "all but the first");
    for finding in &findings {
        assert_eq!(finding.role, Role::Victim);
        assert_eq!(names(&finding.partners.tests), ["b.PolluterTest#fills"]);
        assert!(finding.partners.minimal);
        let own_runs = if finding.company.is_some() { 1 } else { 3 };
        assert_eq!((finding.alone.held, finding.alone.runs), (own_runs, own_runs));
        assert_eq!(finding.partners.together.runs, own_runs);
    }
    assert!(done.asked.len() < 2 * MANY + 30, "{} runs", done.asked.len());
}

#[test]
fn tests_that_need_one_state_setter_are_proved_together_too() {
    let suite = FakeSuite::new().test("a.SetUpTest#connects", sets("connected", 1));
    let suite = (0..MANY).fold(suite, |suite, number| {
        suite.test(&format!("b.UseTest#u{number}"), expects("connected", 1))
    });
    let done = detect(suite, only(&[Algorithm::Reverse]));
    let findings = done.detection.findings();
    assert_eq!(findings.len(), MANY);
    assert!(findings.iter().all(|finding| finding.role == Role::Brittle));
    assert!(findings.iter().filter(|finding| finding.company.is_some()).count() >= MANY - 2);
}

#[test]
fn who_fails_only_in_company_is_explained_by_itself() {
    let suite = victims(MANY).test("c.OtherTest#marks", sets("mark", 1));
    let suite = suite.test("d.JointTest#needsBoth", |world| {
        let both = world.get("cache") == 1 && world.get("mark") == 1;
        if both { world.expect("cache", 0) } else { Ok(()) }
    });
    // The reversed order shows it in neither way; the default order has both before it.
    let done = detect(suite, only(&[Algorithm::Reverse]));
    let joint = done.finding("d.JointTest#needsBoth");
    assert_eq!(names(&joint.partners.tests), ["b.PolluterTest#fills", "c.OtherTest#marks"]);
    assert_eq!((joint.company, joint.alone.runs), (None, 3));
}

#[test]
fn chance_is_no_finding_in_company_either() {
    let mut suite = victims(MANY);
    for number in 0..MANY {
        suite = suite.test(&format!("c.CoinTest#c{number}"), |world| {
            let heads = world.chance(20);
            if heads { world.expect("always 0", 1) } else { Ok(()) }
        });
    }
    let done = detect(suite, only(&[Algorithm::Reverse]));
    assert!(done.dependent().iter().all(|test| !test.starts_with("c.CoinTest")));
    assert_eq!(done.detection.findings().len(), MANY);
}

#[test]
fn where_classes_stay_whole_each_test_is_proved_by_itself() {
    let suite = (0..10).fold(FakeSuite::new(), |suite, number| {
        suite.test(&format!("a.V{number}Test#v"), expects("cache", 0))
    });
    let suite = suite.test("b.PolluterTest#fills", sets("cache", 1));
    let config = Config { granularity: Granularity::Class, ..only(&[Algorithm::Reverse]) };
    let findings = detect(suite, config).detection.findings();
    assert_eq!(findings.len(), 10);
    assert!(findings.iter().all(|finding| finding.company.is_none()));
}

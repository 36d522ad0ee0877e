//! Findings against suites that can be computed.

use std::collections::BTreeSet;

use residue_detect::{Comparison, Finding, Role, Verdict};
use residue_model::TestId;

use super::Done;
use super::model::{ModelSuite, UNREACHED, line_of};

/// Whether an ending is on the other side than alone, for this role.
pub(crate) fn flips(role: Role, alone: Option<i32>, ending: Option<i32>) -> bool {
    match role {
        _ if ending == UNREACHED => false,
        Role::Victim => ending.is_some(),
        Role::Brittle => ending.is_none(),
        _ => ending.is_some() && ending != alone,
    }
}

/// Whether a finding would not be there without a touched test: it is about
/// one, or one is needed to make the test differ, or to let it end as it does in
/// the default order. That a touched test happens to do what untouched ones do
/// too is not enough.
pub(crate) fn involves(suite: &ModelSuite, finding: &Finding, touched: &BTreeSet<TestId>) -> bool {
    if touched.contains(&finding.test) {
        return true;
    }
    let makes_differ = !Comparison::SameFailure.same(
        &finding.partners.together.outcome,
        &finding.in_default_order,
        &finding.test,
    );
    let test = suite.number(&finding.test);
    let is_left = |&other: &usize| !touched.iter().any(|id| suite.number(id) == other);
    let others: Vec<usize> = (0..test).filter(is_left).chain([test]).collect();
    let lets_end_so = suite.endings(&others).last() != suite.expected().get(test);
    let takes_part = finding.partners.tests.iter().any(|partner| touched.contains(partner));
    takes_part && (makes_differ || lets_end_so)
}

/// Everything a finding claims, checked against the computed suite.
pub(crate) fn check(suite: &ModelSuite, finding: &Finding, confirmations: u32) {
    let test = suite.number(&finding.test);
    let alone = suite.last(&[test]);
    let expected = suite.expected()[test];
    assert_eq!(suite.numbers(&finding.alone.order), [test]);
    assert_eq!(line_of(&finding.alone.outcome), alone);
    assert_eq!(line_of(&finding.in_default_order), expected);

    for partners in finding.partner_sets() {
        let order = suite.numbers(&partners.together.order);
        let before: Vec<_> = partners.tests.iter().map(|id| suite.number(id)).collect();
        assert_eq!(order, [before.as_slice(), &[test]].concat());
        let together = suite.last(&order);
        assert_eq!(line_of(&partners.together.outcome), together);
        assert!(flips(finding.role, alone, together), "{finding:#?}");
        assert!(partners.minimal && !before.is_empty());
        for left_out in 0..before.len() {
            let mut fewer = order.clone();
            fewer.remove(left_out);
            assert!(!flips(finding.role, alone, suite.last(&fewer)), "not minimal: {finding:#?}");
        }
        assert_eq!(
            (partners.together.held, partners.together.runs),
            (1 + confirmations, 1 + confirmations)
        );
        let role = if finding.role == Role::Brittle { Role::StateSetter } else { Role::Polluter };
        assert_eq!(partners.role, role);
    }
    match finding.role {
        Role::Victim => assert_eq!(alone, None),
        Role::Brittle => assert!(alone.is_some()),
        Role::FailsDifferently => assert!(alone.is_some() && expected.is_some()),
        other => panic!("a dependent test cannot be a {other:?}"),
    }
    for cleaners in &finding.cleaners {
        let polluters = suite_numbers(suite, &finding.partners.tests);
        let between = suite_numbers(suite, &cleaners.tests);
        let order = [polluters.as_slice(), &between, &[test]].concat();
        assert_eq!(suite.numbers(&cleaners.witness.order), order);
        assert_eq!(suite.last(&order), None);
        assert!(cleaners.witness.reproduced() && cleaners.minimal);
        for left_out in 0..between.len() {
            let mut fewer = order.clone();
            fewer.remove(polluters.len() + left_out);
            assert!(suite.last(&fewer).is_some(), "not minimal: {finding:#?}");
        }
    }
}

pub(crate) fn suite_numbers(suite: &ModelSuite, tests: &[TestId]) -> Vec<usize> {
    tests.iter().map(|test| suite.number(test)).collect()
}

/// Exactly these tests, each with true witnesses, and nothing else reported.
pub(crate) fn assert_finds(suite: &ModelSuite, done: &Done, expected: &BTreeSet<String>) {
    assert_eq!(&done.dependent(), expected);
    assert!(done.detection.is_complete());
    assert!(done.detection.unreproduced().is_empty());
    assert!(done.detection.unexplained().is_empty());
    assert!(done.detection.varying().is_empty());
    for finding in done.detection.findings() {
        check(suite, &finding, 2);
    }
    for (test, verdict) in done.detection.verdicts() {
        let dependent = expected.contains(test.as_str());
        let right = if dependent { Verdict::OrderDependent } else { Verdict::Independent };
        assert_eq!(verdict, right, "{test}");
    }
}

//! Prioritised orders as people and programs get to see them.

use std::time::Duration;

use residue_detect::Difference;
use residue_model::{Failure, Outcome, RunRecord, TestId, TestOrder};

use crate::CalledWith;
use crate::priority_report::{PriorityReport, ProposedOrder};
use crate::{Respected, RunReport, priority_json, priority_text};

fn tests() -> Vec<TestId> {
    ["a.AccountTest#opens", "a.BillTest#bills", "a.SumTest#adds"]
        .map(|test| TestId::parse(test).unwrap())
        .to_vec()
}

fn record(tests: &[TestId]) -> RunRecord {
    RunRecord {
        order: TestOrder::new(tests.to_vec()).unwrap(),
        started_at: 0,
        duration: Duration::from_millis(1234),
        results: vec![],
        deviated: None,
        unrequested: vec![],
        fixture_failures: vec![],
        left_behind: vec![],
    }
}

fn check(show: impl FnOnce(&PriorityReport<'_>)) {
    let (tests, reference) = (tests(), ["r1".to_owned()]);
    let record = record(&tests);
    let failure = Failure {
        exception: "java.lang.IllegalStateException".into(),
        message: Some("closed".into()),
        frames: vec![],
        cause: None,
    };
    let (passed, errored) = (Outcome::Passed, Outcome::Errored(failure));
    let called_with = CalledWith::default();
    let run = |id, differences| RunReport {
        id,
        suite: ".",
        order: "prioritized",
        record: &record,
        from_store: false,
        differences,
        reference: &reference,
        varying: 0,
        called_with: &called_with,
    };
    let broken = Difference { test: &tests[1], expected: &passed, actual: &errored };
    let order = |respected, order: [usize; 3], unsettled, run| ProposedOrder {
        respected,
        tests: order.iter().map(|test| &tests[*test]).collect(),
        worth: order.iter().map(|test| [6, 1_212, 1][*test]).collect(),
        unsettled,
        run,
    };
    show(&PriorityReport {
        suite: ".",
        technique: "T3",
        by: "statements they run".into(),
        item: Some("statement"),
        covered: (1_300, 45),
        traced: "r2",
        orders: vec![
            order(Respected::Nothing, [1, 0, 2], 1, Some(run("r3", vec![broken]))),
            order(Respected::All { findings: 1 }, [0, 1, 2], 0, Some(run("r4", vec![]))),
            order(Respected::Manifest { findings: 0 }, [1, 0, 2], 1, None),
        ],
    });
}

#[test]
fn orders_and_what_they_break_as_text() {
    check(|report| {
        let text = anstream::adapter::strip_str(&priority_text(report)).to_string();
        insta::assert_snapshot!(text);
    });
}

#[test]
fn orders_as_json() {
    check(|report| insta::assert_snapshot!(priority_json(std::slice::from_ref(report))));
}

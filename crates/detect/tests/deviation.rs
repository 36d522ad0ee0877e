//! Runs that did not keep to their order, or did not get to their end.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use residue_detect::{Algorithm, Config, Detection, Purpose};
use residue_exec::fake::{FakeExecutor, FakeSuite};
use residue_model::TestOrder;
use support::{only, run, set};

fn polluted() -> FakeSuite {
    FakeSuite::new()
        .test("a.T#victim", |world| world.expect("x", 0))
        .test("a.T#bystander", |_| Ok(()))
        .test("b.T#polluter", |world| {
            world.set("x", 1);
            Ok(())
        })
}

/// A framework that runs whole orders, whatever they are, in this order.
fn forced(
    executor: &mut FakeExecutor,
    asked: &TestOrder,
    forced: &[&str],
) -> residue_model::RunRecord {
    let real: Vec<_> = forced.iter().map(|id| id.parse().unwrap()).collect();
    let real = TestOrder::new(real).unwrap();
    let mut record = run(executor, &real);
    let place = |test| asked.tests().iter().position(|t| t == test).unwrap();
    let places: Vec<usize> = real.tests().iter().map(place).collect();
    let mut results = record.results.clone();
    for (result, &place) in record.results.iter().zip(&places) {
        results[place] = result.clone();
    }
    record.results = results;
    record.order = asked.clone();
    record.deviated = Some(places);
    record
}

/// Explored orders run as `forced_order`; everything else as asked.
fn detect_forced(forced_order: &[&str]) -> Detection {
    let mut executor = FakeExecutor::new(polluted());
    let mut detection = Detection::new(executor.suite(), only(&[Algorithm::Reverse])).unwrap();
    while let Some(wanted) = detection.wanted(1).pop() {
        let explored = matches!(wanted.purpose, Purpose::Exploration { .. });
        let record = match explored {
            true => forced(&mut executor, &wanted.order, forced_order),
            false => run(&mut executor, &wanted.order),
        };
        detection.answer(wanted.ticket, &record, None);
    }
    assert!(detection.is_complete());
    detection
}

#[test]
fn a_run_that_deviated_is_evidence_for_the_order_that_really_ran() {
    let detection = detect_forced(&["a.T#bystander", "b.T#polluter", "a.T#victim"]);
    let findings = detection.findings();
    assert_eq!(findings.len(), 1);
    assert_eq!(support::names(&findings[0].partners.tests), ["b.T#polluter"]);

    let detection = detect_forced(&["a.T#victim", "a.T#bystander", "b.T#polluter"]);
    assert!(detection.findings().is_empty(), "the reversed order never really ran");
    let coverage = detection.coverage();
    assert_eq!((coverage.pairs.covered, coverage.pairs.of), (3, 6));
}

#[test]
fn explanations_that_never_run_as_asked_leave_the_test_undetermined() {
    let mut executor = FakeExecutor::new(polluted());
    let mut detection = Detection::new(executor.suite(), only(&[Algorithm::Reverse])).unwrap();
    while let Some(wanted) = detection.wanted(1).pop() {
        let mut record = run(&mut executor, &wanted.order);
        if matches!(wanted.purpose, Purpose::Explanation { .. }) {
            record.deviated = Some((0..record.results.len()).collect());
        }
        detection.answer(wanted.ticket, &record, None);
    }
    assert!(detection.is_complete());
    assert!(detection.findings().is_empty());
    let unexplained: Vec<_> = detection.unexplained().into_iter().map(|one| one.test).collect();
    assert_eq!(support::names(&unexplained), ["a.T#victim"]);
}

#[test]
fn an_answer_nobody_asked_for_is_ignored() {
    let mut executor = FakeExecutor::new(polluted());
    let mut detection = Detection::new(executor.suite(), Config::default()).unwrap();
    let wanted = detection.wanted(1).remove(0);
    let record = run(&mut executor, &wanted.order);
    detection.answer(residue_detect::Ticket(999), &record, None);
    assert_eq!(detection.status().runs, 0);
    detection.answer(wanted.ticket, &record, None);
    detection.answer(wanted.ticket, &record, None);
    assert_eq!(detection.status().runs, 1);
    assert_eq!(detection.status().activity, "reference run 2 of 3");
}

#[test]
fn stopped_in_the_middle_it_says_what_is_open() {
    let mut executor = FakeExecutor::new(polluted());
    let mut detection = Detection::new(executor.suite(), Config::default()).unwrap();
    for _ in 0..4 {
        let wanted = detection.wanted(1).remove(0);
        let record = run(&mut executor, &wanted.order);
        detection.answer(wanted.ticket, &record, None);
    }
    assert_eq!(detection.status().unexplained, 1);
    assert_eq!(detection.status().activity, "explaining a.T#victim (order `reversed`)");
    let open: std::collections::BTreeSet<_> =
        detection.unexplained().iter().map(|one| one.test.to_string()).collect();
    assert_eq!(open, set(&["a.T#victim"]));
}

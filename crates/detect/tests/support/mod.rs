//! Drives a detection over a fake suite, and suites that can be computed.
#![allow(dead_code)] // each test file uses its part

pub(crate) mod model;

use std::collections::BTreeSet;

use residue_detect::{Algorithm, Config, Detection, Finding, Purpose, Strategy, Wanted};
use residue_exec::fake::{FakeExecutor, FakeSuite};
use residue_exec::{ExecEvent, Executor as _, Ticket};
use residue_model::{RunLimits, RunRecord, RunRequest, TestId, TestOrder};

/// A detection that has come to its end.
pub(crate) struct Done {
    pub(crate) detection: Detection,
    pub(crate) asked: Vec<Wanted>,
}

/// One question at a time.
pub(crate) fn detect(suite: FakeSuite, config: Config) -> Done {
    detect_with(suite, config, 1, |_| 0)
}

/// Up to `room` questions at a time; of those under way `choose` says which is
/// answered next.
pub(crate) fn detect_with(
    suite: FakeSuite,
    config: Config,
    room: usize,
    mut choose: impl FnMut(usize) -> usize,
) -> Done {
    let mut executor = FakeExecutor::new(suite);
    let mut detection = Detection::new(executor.suite(), config).unwrap();
    let mut under_way: Vec<Wanted> = Vec::new();
    let mut asked = Vec::new();
    loop {
        let wanted = detection.wanted(room - under_way.len());
        asked.extend(wanted.iter().cloned());
        under_way.extend(wanted);
        if under_way.is_empty() {
            break;
        }
        let next = under_way.remove(choose(under_way.len()));
        let record = run(&mut executor, &next.order);
        detection.answer(next.ticket, &record);
    }
    assert!(detection.is_done(), "{detection:?} wants nothing but is not done");
    Done { detection, asked }
}

pub(crate) fn run(executor: &mut FakeExecutor, order: &TestOrder) -> RunRecord {
    let request = RunRequest { order: order.clone(), limits: RunLimits::default() };
    executor.start(Ticket(0), request);
    loop {
        match executor.next_event() {
            Some(ExecEvent::Finished { record, .. }) => return *record,
            Some(_) => {}
            None => panic!("the fake did not run {order:?}"),
        }
    }
}

impl Done {
    pub(crate) fn dependent(&self) -> BTreeSet<String> {
        self.detection.findings().iter().map(|finding| finding.test.to_string()).collect()
    }

    pub(crate) fn finding(&self, test: &str) -> Finding {
        let findings = self.detection.findings();
        let found = findings.iter().find(|finding| finding.test.as_str() == test);
        found.unwrap_or_else(|| panic!("no finding for {test} in {findings:#?}")).clone()
    }

    /// The orders that were tried for their own sake.
    pub(crate) fn explored(&self) -> Vec<TestOrder> {
        let explored =
            self.asked.iter().filter(|w| matches!(w.purpose, Purpose::Exploration { .. }));
        explored.map(|wanted| wanted.order.clone()).collect()
    }

    /// Findings by test, so that they compare however they were found.
    pub(crate) fn sorted(&self) -> Vec<Finding> {
        let mut findings = self.detection.findings();
        findings.sort_by(|a, b| a.test.cmp(&b.test));
        findings
    }
}

pub(crate) fn only(algorithms: &[Algorithm]) -> Config {
    Config { strategy: Strategy::Only(algorithms.to_vec()), ..Config::default() }
}

pub(crate) fn names(tests: &[TestId]) -> Vec<&str> {
    tests.iter().map(TestId::as_str).collect()
}

pub(crate) fn set(tests: &[&str]) -> BTreeSet<String> {
    tests.iter().map(|&test| test.to_owned()).collect()
}

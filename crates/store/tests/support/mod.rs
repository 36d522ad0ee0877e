//! Run records for tests.

#![allow(dead_code)] // each test file uses a part of this

use std::time::Duration;

use residue_model::{
    CapturedOutput, Failure, FixtureFailure, FixturePhase, Frame, LeftBehind, Outcome, RunLimits,
    RunRecord, RunRequest, TestId, TestOrder, TestResult,
};
use residue_store::{Fingerprint, Store, SuiteKey};

pub(crate) fn id(text: &str) -> TestId {
    TestId::parse(text).unwrap()
}

pub(crate) fn order(tests: &[&str]) -> TestOrder {
    TestOrder::new(tests.iter().map(|text| id(text)).collect()).unwrap()
}

pub(crate) fn request(tests: &[&str]) -> RunRequest {
    RunRequest { order: order(tests), limits: RunLimits::default() }
}

pub(crate) fn fingerprint(digit: char) -> Fingerprint {
    Fingerprint::from_hex(&digit.to_string().repeat(64)).unwrap()
}

pub(crate) fn suite(store: &mut Store) -> SuiteKey {
    store.suite("core", &fingerprint('a')).unwrap()
}

/// A record in which all tests pass.
pub(crate) fn passing(order: TestOrder) -> RunRecord {
    let result = |test: &TestId| TestResult {
        test: test.clone(),
        outcome: Outcome::Passed,
        duration: Duration::from_micros(1500),
        output: CapturedOutput::default(),
    };
    RunRecord {
        results: order.tests().iter().map(result).collect(),
        order,
        deviated: None,
        unrequested: vec![],
        fixture_failures: vec![],
        left_behind: vec![],
        started_at: 1_700_000_000_000,
        duration: Duration::from_millis(250),
    }
}

pub(crate) fn failure(line: i32) -> Failure {
    let frame = |class: &str, line| Frame {
        class: class.into(),
        method: "check".into(),
        file: Some("CartTest.java".into()),
        line: Some(line),
    };
    Failure {
        exception: "java.lang.AssertionError".into(),
        message: Some(format!("expected {line}")),
        frames: vec![frame("org.junit.Assert", 89), frame("shop.CartTest", line)],
        cause: None,
    }
}

/// A record that `number` alone decides: some tests fail, some write output.
pub(crate) fn numbered(number: u64, tests: usize) -> RunRecord {
    let names = (0..tests).map(|test| id(&format!("shop.Test{}#case{test}", test / 10)));
    let mut record = passing(TestOrder::new(names.collect()).unwrap());
    record.started_at = number;
    for (index, result) in record.results.iter_mut().enumerate() {
        let varied = number.wrapping_mul(31).wrapping_add(index as u64);
        result.duration = Duration::from_micros(varied % 100_000);
        if varied.is_multiple_of(7) {
            result.outcome = Outcome::Failed(failure((varied % 50) as i32));
        }
        if varied.is_multiple_of(5) {
            result.output.stdout = format!("run {number} writes {varied}\n");
        }
    }
    record.fixture_failures = vec![FixtureFailure {
        class: "shop.Test0".into(),
        phase: FixturePhase::AfterClass,
        failure: failure((number % 40) as i32),
    }];
    record.left_behind =
        vec![LeftBehind::Thread { test: id("shop.Test0#case0"), name: format!("pool-{number}") }];
    record
}

//! Runs orders of a fixture and waits for their records.
#![allow(dead_code)] // each test binary uses a part of this

use std::time::Duration;

use residue_exec::{ExecError, ExecEvent, Executor, LocalExecutor, LocalOptions, Ticket, list};
use residue_model::{
    OutcomeKind, RunLimits, RunRecord, RunRequest, Suite, TestId, TestOrder, TestResult,
};
use residue_test_support::Fixture;

/// Long enough for a test that does nothing on a busy machine, short enough to
/// wait for.
pub(crate) const SOON: Duration = Duration::from_secs(4);

/// Options for one JVM at a time that gives up soon at its end.
pub(crate) fn options() -> LocalOptions {
    LocalOptions { jobs: 1, exit_grace: Duration::from_secs(2), ..LocalOptions::default() }
}

pub(crate) fn listed(fixture: &Fixture) -> Suite {
    list(&fixture.spec, &options()).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn request(ids: &[&str]) -> RunRequest {
    let tests = ids.iter().map(|id| TestId::parse(id).unwrap()).collect();
    request_for(TestOrder::new(tests).unwrap())
}

pub(crate) fn request_for(order: TestOrder) -> RunRequest {
    RunRequest { order, limits: RunLimits::default() }
}

/// The tests of these classes in default order.
pub(crate) fn order_of(suite: &Suite, classes: &[&str]) -> TestOrder {
    let of = |class: &&str| {
        let tests = suite.tests.iter().map(|test| &test.id);
        tests.filter(|id| id.class() == *class).cloned().collect::<Vec<_>>()
    };
    TestOrder::new(classes.iter().flat_map(of).collect()).unwrap()
}

/// Runs one order in an executor of its own.
pub(crate) fn run(fixture: &Fixture, suite: &Suite, request: RunRequest) -> RunRecord {
    let mut executor = LocalExecutor::new(&fixture.spec, suite.clone(), &options()).unwrap();
    executor.start(Ticket(7), request);
    wait(&mut executor).unwrap_or_else(|error| panic!("{error}"))
}

/// Waits for the next run to end.
pub(crate) fn wait(executor: &mut impl Executor) -> Result<RunRecord, ExecError> {
    loop {
        match executor.next_event() {
            Some(ExecEvent::Finished { record, .. }) => return Ok(*record),
            Some(ExecEvent::Failed { error, .. }) => return Err(error),
            Some(ExecEvent::Interrupted) => return Err(ExecError::Interrupted),
            Some(
                ExecEvent::TestBegan { .. }
                | ExecEvent::TestEnded { .. }
                | ExecEvent::Warned { .. },
            ) => {}
            Some(ExecEvent::Traced { .. } | ExecEvent::FinishedWithStandIns { .. }) => {
                panic!("nobody asked for more than a run")
            }
            None => panic!("nothing is under way"),
        }
    }
}

pub(crate) fn kinds(record: &RunRecord) -> Vec<(String, OutcomeKind)> {
    let pair = |result: &TestResult| (result.test.to_string(), result.outcome.kind());
    record.results.iter().map(pair).collect()
}

/// The result of the only test with this method name.
pub(crate) fn result<'a>(record: &'a RunRecord, method: &str) -> &'a TestResult {
    let mut found = record.results.iter().filter(|result| result.test.method() == method);
    let only = found.next().unwrap_or_else(|| panic!("no test {method}"));
    assert!(found.next().is_none(), "several tests {method}");
    only
}

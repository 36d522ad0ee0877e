//! Drives a detection over a fake suite, and suites that can be computed.
#![allow(dead_code)] // each test file uses its part

pub(crate) mod check;
pub(crate) mod model;

use std::collections::BTreeSet;
use std::hash::{Hash as _, Hasher as _};

use residue_detect::{
    Actor, Algorithm, Config, Detection, Finding, Location, Purpose, RunAccesses, Strategy,
    ValueDigest, Wanted, Write,
};
use residue_exec::fake::{
    Ending, FakeExecutor, FakeSuite, PartKind, TracedPart, TracedWrite, World,
};
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
    choose: impl FnMut(usize) -> usize,
) -> Done {
    drive(FakeExecutor::new(suite), config, room, choose, |_, _| None)
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

/// What a trace of the fake tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tracing {
    /// Values have digests, as numbers and strings have; objects have none.
    pub(crate) values: bool,
    /// Reads of what nobody wrote are listed too.
    pub(crate) lists_unwritten: bool,
}

impl Tracing {
    pub(crate) const ALL: [Self; 4] = [
        Self { values: false, lists_unwritten: false },
        Self { values: false, lists_unwritten: true },
        Self { values: true, lists_unwritten: false },
        Self { values: true, lists_unwritten: true },
    ];

    pub(crate) fn accesses(self, trace: &[TracedPart]) -> RunAccesses {
        let written: BTreeSet<&str> =
            trace.iter().flat_map(|seen| &seen.writes).map(|write| write.key.as_str()).collect();
        let digest = |value: i64| self.values.then_some(ValueDigest(value as u64));
        let mut accesses =
            RunAccesses { lists_unwritten: self.lists_unwritten, ..RunAccesses::default() };
        for seen in trace {
            let listed = seen
                .reads
                .iter()
                .filter(|(key, _)| self.lists_unwritten || written.contains(key.as_str()));
            // As if some locations came with objects that are made anew each time.
            let is_made = |write: &&TracedWrite| {
                !write.restored && write.key.bytes().next_back().is_some_and(|last| last % 2 == 1)
            };
            let (made, written): (Vec<_>, Vec<_>) = seen.writes.iter().partition(is_made);
            let writes = written.into_iter().map(|write| Write {
                location: location(&write.key),
                restored: write.restored,
                before: digest(write.before),
                after: digest(write.value),
            });
            let made = made.into_iter().map(|write| (location(&write.key), digest(write.value)));
            let actor = match seen.kind {
                PartKind::BeforeClass => Actor::Opening,
                PartKind::Test => Actor::Test,
                PartKind::AfterClass => Actor::Closing,
            };
            let reads = listed.map(|(key, _)| location(key));
            accesses.record(&seen.test, actor, reads, writes, made);
        }
        accesses
    }
}

/// What a variable of the fake is called in traces.
pub(crate) fn location(key: &str) -> Location {
    let mut hasher = std::collections::hash_map::DefaultHasher::new();
    key.hash(&mut hasher);
    Location(hasher.finish())
}

/// A detection that may ask for traces.
pub(crate) fn detect_traced(suite: FakeSuite, config: Config, tracing: Tracing) -> Done {
    detect_traced_with(suite, config, tracing, 1, |_| 0)
}

pub(crate) fn detect_traced_with(
    suite: FakeSuite,
    config: Config,
    tracing: Tracing,
    room: usize,
    choose: impl FnMut(usize) -> usize,
) -> Done {
    detect_traced_by(FakeExecutor::new(suite), config, tracing, room, choose)
}

pub(crate) fn detect_traced_by(
    executor: FakeExecutor,
    config: Config,
    tracing: Tracing,
    room: usize,
    choose: impl FnMut(usize) -> usize,
) -> Done {
    let config = Config { tracing: true, ..config };
    drive(executor.tracing(), config, room, choose, |wanted, trace| {
        (wanted.traced).then(|| tracing.accesses(&trace))
    })
}

/// Carries a detection on; `trace` says what is told of the trace of a run.
pub(crate) fn drive(
    mut executor: FakeExecutor,
    config: Config,
    room: usize,
    mut choose: impl FnMut(usize) -> usize,
    mut trace: impl FnMut(&Wanted, Vec<TracedPart>) -> Option<RunAccesses>,
) -> Done {
    let mut detection = Detection::new(executor.suite(), config).unwrap();
    let mut under_way: Vec<Wanted> = Vec::new();
    let mut asked = Vec::new();
    loop {
        let wanted = detection.wanted(room - under_way.len());
        asked.extend(wanted.iter().cloned());
        under_way.extend(wanted);
        if under_way.is_empty() && detection.is_thinking() {
            continue;
        }
        if under_way.is_empty() {
            break;
        }
        let next = under_way.remove(choose(under_way.len()));
        let record = run(&mut executor, &next.order);
        let seen = executor.take_trace(Ticket(0)).unwrap_or_default();
        let accesses = trace(&next, seen);
        detection.answer(next.ticket, &record, accesses.as_ref());
    }
    assert!(detection.is_done(), "{detection:?} wants nothing but is not done");
    Done { detection, asked }
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

/// A test that leaves a value behind.
pub(crate) fn sets(key: &'static str, value: i64) -> impl Fn(&mut World) -> Ending + Send {
    move |world| {
        world.set(key, value);
        Ok(())
    }
}

/// A test that passes if it finds a value.
pub(crate) fn expects(key: &'static str, value: i64) -> impl Fn(&mut World) -> Ending + Send {
    move |world| world.expect(key, value)
}

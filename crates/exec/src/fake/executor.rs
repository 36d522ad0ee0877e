//! Runs orders of a fake suite in memory.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use residue_model::{
    CapturedOutput, Outcome, OutcomeKind, RunRecord, RunRequest, Suite, TestId, TestResult,
};

use super::random::Random;
use super::suite::FakeSuite;
use super::trace::{PartKind, TracedPart, Watch};
use super::world::World;
use crate::{ExecError, ExecEvent, Executor, Ticket};

/// Every fake test takes this long unless told otherwise, so that durations add
/// up.
const TEST_DURATION: Duration = Duration::from_millis(10);

/// An [`Executor`] over a [`FakeSuite`].
#[derive(Debug)]
pub struct FakeExecutor {
    suite: FakeSuite,
    listed: Suite,
    capacity: usize,
    scramble: Option<Random>,
    seed: u64,
    runs_before_interrupt: Option<usize>,
    interrupted: bool,
    under_way: Vec<VecDeque<ExecEvent>>,
    runs: usize,
    test_executions: usize,
    tracing: bool,
    traces: HashMap<Ticket, Vec<TracedPart>>,
    lengthy: HashMap<TestId, Duration>,
}

impl FakeExecutor {
    /// One run at a time, in the order asked.
    pub fn new(suite: FakeSuite) -> Self {
        Self {
            listed: suite.listed(),
            suite,
            capacity: 1,
            scramble: None,
            seed: 0,
            runs_before_interrupt: None,
            interrupted: false,
            under_way: Vec::new(),
            runs: 0,
            test_executions: 0,
            tracing: false,
            traces: HashMap::new(),
            lengthy: HashMap::new(),
        }
    }

    /// Lets a test take this long.
    #[must_use]
    pub fn with_duration(mut self, test: TestId, duration: Duration) -> Self {
        self.lengthy.insert(test, duration);
        self
    }

    /// Keeps a trace of every run.
    #[must_use]
    pub fn tracing(mut self) -> Self {
        self.tracing = true;
        self
    }

    /// The trace of a run: the tests that began and the class fixtures, in the
    /// order in which they did. Nothing if runs are not traced, or it was taken before.
    pub fn take_trace(&mut self, ticket: Ticket) -> Option<Vec<TracedPart>> {
        self.traces.remove(&ticket)
    }

    /// Lets so many runs be under way at once.
    #[must_use]
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity.max(1);
        self
    }

    /// Mixes the events of runs that are under way, so that they complete in
    /// another order than asked.
    #[must_use]
    pub fn scrambled(mut self, seed: u64) -> Self {
        self.scramble = Some(Random::new(seed));
        self
    }

    /// Decides what [`World::chance`] says.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Behaves as if somebody pressed Ctrl-C when so many runs had finished.
    #[must_use]
    pub fn interrupted_after(mut self, runs: usize) -> Self {
        self.runs_before_interrupt = Some(runs);
        self
    }

    /// The suite as a runner would list it.
    pub fn suite(&self) -> &Suite {
        &self.listed
    }

    /// How many runs were started.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// How many tests began, in all runs together.
    pub fn test_executions(&self) -> usize {
        self.test_executions
    }

    fn perform(&mut self, ticket: Ticket, request: RunRequest) -> VecDeque<ExecEvent> {
        if let Err(unknown) = self.listed.resolve(&request.order) {
            return [ExecEvent::Failed { ticket, error: ExecError::UnknownTest(unknown) }].into();
        }
        self.runs += 1;
        let mut events = VecDeque::new();
        let mut results = Vec::new();
        let mut values = BTreeMap::new();
        let mut trace = Vec::new();
        let mut alive = true;
        for (index, test) in request.order.tests().iter().enumerate() {
            if !alive {
                results.push(self.result(test, Outcome::NotReached));
                continue;
            }
            events.push_back(ExecEvent::TestBegan { ticket, index });
            let outcome = self.run_test(test, index, &request, &mut values, &mut trace);
            let kind = outcome.kind();
            alive = !matches!(kind, OutcomeKind::Crashed | OutcomeKind::TimedOut);
            if alive {
                events.push_back(ExecEvent::TestEnded { ticket, index, kind });
            }
            results.push(self.result(test, outcome));
        }
        if self.tracing {
            self.traces.insert(ticket, trace);
        }
        let duration = results.iter().map(|result| result.duration).sum();
        let record = RunRecord {
            order: request.order,
            results,
            deviated: None,
            unrequested: vec![],
            fixture_failures: vec![],
            left_behind: vec![],
            started_at: 0,
            duration,
        };
        events.push_back(ExecEvent::Finished { ticket, record: Box::new(record) });
        events
    }

    fn run_test(
        &mut self,
        test: &TestId,
        index: usize,
        request: &RunRequest,
        values: &mut BTreeMap<String, i64>,
        trace: &mut Vec<TracedPart>,
    ) -> Outcome {
        self.test_executions += 1;
        let Some(body) = self.suite.body(test) else { return Outcome::NotReached };
        let place = (self.runs as u64) << 32 | index as u64;
        let mut world = World {
            values: std::mem::take(values),
            test: test.clone(),
            random: Random::new(Random::new(self.seed ^ place).next()),
            time_limit: request.limits.per_test,
            watch: RefCell::new(Watch::default()),
        };
        let tests = request.order.tests();
        let enters_class = index == 0 || tests[index - 1].class() != test.class();
        if enters_class && let Some(fixture) = self.suite.fixture(test.class()) {
            fixture(&mut world);
            trace.push(world.watch.get_mut().seen(test, PartKind::BeforeClass));
        }
        let ending = body(&mut world);
        trace.push(world.watch.get_mut().seen(test, PartKind::Test));
        let leaves_class = tests.get(index + 1).is_none_or(|next| next.class() != test.class());
        if leaves_class && let Some(fixture) = self.suite.closing_fixture(test.class()) {
            fixture(&mut world);
            trace.push(world.watch.get_mut().seen(test, PartKind::AfterClass));
        }
        *values = world.values;
        ending.err().unwrap_or(Outcome::Passed)
    }

    fn result(&self, test: &TestId, outcome: Outcome) -> TestResult {
        let took = self.lengthy.get(test).copied().unwrap_or(TEST_DURATION);
        let duration = if outcome == Outcome::NotReached { Duration::ZERO } else { took };
        TestResult { test: test.clone(), outcome, duration, output: CapturedOutput::default() }
    }

    fn next_run(&mut self) -> usize {
        let running = self.under_way.len().min(self.capacity);
        self.scramble.as_mut().map_or(0, |random| random.below(running))
    }
}

impl Executor for FakeExecutor {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn start(&mut self, ticket: Ticket, request: RunRequest) {
        let events = self.perform(ticket, request);
        self.under_way.push(events);
    }

    fn next_event(&mut self) -> Option<ExecEvent> {
        if self.interrupted || (self.runs_before_interrupt == Some(0) && !self.under_way.is_empty())
        {
            self.interrupted = true;
            self.under_way.clear();
            return Some(ExecEvent::Interrupted);
        }
        if self.under_way.is_empty() {
            return None;
        }
        let chosen = self.next_run();
        let event = self.under_way[chosen].pop_front();
        if self.under_way[chosen].is_empty() {
            self.under_way.remove(chosen);
            if let Some(left) = &mut self.runs_before_interrupt {
                *left -= 1;
            }
        }
        event
    }
}

#[cfg(test)]
mod tests {
    use residue_model::{RunLimits, TestOrder};

    use super::super::TracedWrite;
    use super::*;

    fn polluted() -> FakeSuite {
        FakeSuite::new()
            .test("a.T#victim", |world| world.expect("k", 0))
            .test("a.T#polluter", |world| {
                world.set("k", 1);
                Ok(())
            })
            .test("a.T#exits", |world| Err(world.exited(3)))
            .test("a.T#random", |world| match world.chance(50) {
                true => Err(world.failed_at(9)),
                false => Ok(()),
            })
    }

    fn request(ids: &[&str]) -> RunRequest {
        let tests = ids.iter().map(|id| TestId::parse(id).unwrap()).collect();
        RunRequest { order: TestOrder::new(tests).unwrap(), limits: RunLimits::default() }
    }

    fn finished(executor: &mut FakeExecutor) -> Vec<(Ticket, Vec<OutcomeKind>)> {
        let mut all = Vec::new();
        while let Some(event) = executor.next_event() {
            if let ExecEvent::Finished { ticket, record } = event {
                let kinds = record.results.iter().map(|result| result.outcome.kind()).collect();
                all.push((ticket, kinds));
            }
        }
        all
    }

    #[test]
    fn state_is_shared_within_a_run_and_fresh_in_the_next() {
        use OutcomeKind::{Failed, Passed};
        let mut executor = FakeExecutor::new(polluted());
        executor.start(Ticket(1), request(&["a.T#polluter", "a.T#victim"]));
        executor.start(Ticket(2), request(&["a.T#victim", "a.T#polluter"]));
        let expected =
            [(Ticket(1), vec![Passed, Failed]), (Ticket(2), vec![Passed, Passed])].to_vec();
        assert_eq!(finished(&mut executor), expected);
        assert_eq!((executor.runs(), executor.test_executions()), (2, 4));
    }

    #[test]
    fn a_class_fixture_runs_once_for_each_group_of_its_class() {
        use OutcomeKind::{Failed, Passed};
        let entered_once = |world: &mut super::super::World| world.expect("entered", 1);
        let suite = FakeSuite::new()
            .before_class("a.T", |world| world.set("entered", world.get("entered") + 1))
            .test("a.T#x", entered_once)
            .test("a.T#y", entered_once)
            .test("a.U#z", |_| Ok(()));
        let mut executor = FakeExecutor::new(suite);
        executor.start(Ticket(1), request(&["a.T#x", "a.T#y", "a.U#z"]));
        executor.start(Ticket(2), request(&["a.T#x", "a.U#z", "a.T#y"]));
        let expected =
            [(Ticket(1), vec![Passed; 3]), (Ticket(2), vec![Passed, Passed, Failed])].to_vec();
        assert_eq!(finished(&mut executor), expected);
    }

    #[test]
    fn a_trace_tells_what_was_read_before_it_was_written_and_what_was_restored() {
        let suite = FakeSuite::new()
            .before_class("a.T", |world| world.set("fixture", 5))
            .after_class("a.T", |world| world.set("closed", 1))
            .test("a.T#x", |world| {
                world.expect("fixture", 5)?;
                let before = world.get("k");
                world.set("k", 7);
                world.set("k", before);
                world.expect("missing", 1)?;
                world.set("never", 1);
                Ok(())
            });
        let mut executor = FakeExecutor::new(suite).tracing();
        executor.start(Ticket(1), request(&["a.T#x"]));
        finished(&mut executor);
        let trace = executor.take_trace(Ticket(1)).unwrap();
        let write = |key: &str, value, restored| {
            let key = key.into();
            TracedWrite { key, before: 0, value, restored }
        };
        let kinds: Vec<_> = trace.iter().map(|part| part.kind).collect();
        assert_eq!(kinds, [PartKind::BeforeClass, PartKind::Test, PartKind::AfterClass]);
        let reads = [("fixture".into(), 5), ("k".into(), 0), ("missing".into(), 0)];
        assert_eq!(trace[1].reads, reads);
        assert_eq!(trace[0].writes, [write("fixture", 5, false)]);
        assert_eq!(trace[1].writes, [write("k", 0, true)]);
        assert_eq!(trace[2].writes, [write("closed", 1, false)]);
        assert_eq!(executor.take_trace(Ticket(1)), None);
    }

    #[test]
    fn after_an_exit_nothing_is_reached() {
        use OutcomeKind::{Crashed, NotReached};
        let mut executor = FakeExecutor::new(polluted());
        executor.start(Ticket(1), request(&["a.T#exits", "a.T#victim"]));
        assert_eq!(finished(&mut executor), [(Ticket(1), vec![Crashed, NotReached])]);
    }

    #[test]
    fn scrambling_changes_the_order_of_completion_but_no_record() {
        let run = |scramble: Option<u64>| {
            let mut executor = FakeExecutor::new(polluted()).with_capacity(4).with_seed(5);
            if let Some(seed) = scramble {
                executor = executor.scrambled(seed);
            }
            for ticket in 0..20 {
                executor.start(Ticket(ticket), request(&["a.T#random", "a.T#victim"]));
            }
            finished(&mut executor)
        };
        let plain = run(None);
        let mut scrambled = run(Some(7));
        assert_ne!(scrambled, plain);
        scrambled.sort();
        assert_eq!(scrambled, plain);
        let failed = plain.iter().filter(|(_, kinds)| kinds[0] == OutcomeKind::Failed).count();
        assert!((3..=17).contains(&failed), "{failed} of 20 is not a coin");
    }

    #[test]
    fn an_unknown_test_fails_its_run_only() {
        let mut executor = FakeExecutor::new(polluted());
        executor.start(Ticket(1), request(&["a.T#gone"]));
        executor.start(Ticket(2), request(&["a.T#victim"]));
        let failed = executor.next_event();
        assert!(matches!(failed, Some(ExecEvent::Failed { ticket: Ticket(1), .. })), "{failed:?}");
        assert_eq!(finished(&mut executor).len(), 1);
        assert_eq!(executor.runs(), 1);
    }

    #[test]
    fn an_interruption_ends_everything() {
        let mut executor = FakeExecutor::new(polluted()).interrupted_after(1);
        for ticket in 0..3 {
            executor.start(Ticket(ticket), request(&["a.T#victim"]));
        }
        let mut seen = 0;
        loop {
            match executor.next_event() {
                Some(ExecEvent::Finished { .. }) => seen += 1,
                Some(ExecEvent::Interrupted) => break,
                _ => {}
            }
        }
        assert_eq!(seen, 1);
        assert!(matches!(executor.next_event(), Some(ExecEvent::Interrupted)));
    }
}

//! Plain and traced runs of one order.

use std::time::Duration;

use residue_exec::{Captures, ExecEvent, Executor, Jit, LocalExecutor, LocalOptions, Ticket, list};
use residue_model::trace::GapKind;
use residue_model::{RunLimits, RunRecord, RunRequest, SuiteSpec, TestOrder};
use residue_wire::trace::TraceReader;
use tempfile::TempDir;

use crate::cost::Cost;

const LIMITS: RunLimits =
    RunLimits { per_test: Duration::from_secs(600), per_run: Duration::from_secs(3600) };

/// An order that can be run with the agent and without.
pub(crate) struct Runs {
    executor: LocalExecutor,
    order: TestOrder,
    _cache: TempDir,
}

/// One run, from the start of its JVM until that was gone.
pub(crate) struct Run {
    pub(crate) cost: Cost,
    pub(crate) record: RunRecord,
    /// Size of the trace, of a traced run.
    pub(crate) trace_bytes: usize,
    /// Places that were left changed, if a traced run looked for them.
    pub(crate) polluted: usize,
}

impl Runs {
    /// All tests of a suite whose class this accepts, in default order. JVMs
    /// are as the build wants them: neither what a class-data archive saves nor
    /// what another compiler does would be a cost of tracing.
    pub(crate) fn of(spec: &SuiteSpec, rules: &str, accepts: impl Fn(&str) -> bool) -> Self {
        Self::new(
            spec,
            accepts,
            LocalOptions { trace_rules: rules.into(), ..LocalOptions::default() },
        )
    }

    /// The same, but traced runs look at the heap alone.
    pub(crate) fn of_heap(spec: &SuiteSpec, accepts: impl Fn(&str) -> bool) -> Self {
        Self::new(spec, accepts, LocalOptions { outside: false, ..LocalOptions::default() })
    }

    /// All tests of a suite, and traced runs also look for pollution.
    pub(crate) fn comparing(spec: &SuiteSpec) -> Self {
        let captures = Some(Captures::Tests);
        Self::new(spec, |_| true, LocalOptions { captures, ..LocalOptions::default() })
    }

    fn new(spec: &SuiteSpec, accepts: impl Fn(&str) -> bool, traced: LocalOptions) -> Self {
        let cache = tempfile::tempdir().expect("temporary folder");
        let options = LocalOptions {
            jobs: 1,
            cache: Some(cache.path().into()),
            archive: false,
            start_ahead: false,
            jit: Jit::AsBuild,
            output_per_test: 1 << 20,
            ..traced
        };
        let suite = list(spec, &options).unwrap_or_else(|error| panic!("{error}"));
        let ids = suite.tests.iter().map(|test| test.id.clone());
        let accepted = ids.filter(|test| accepts(test.class())).collect();
        let order = TestOrder::new(accepted).expect("a listing has no test twice");
        assert!(!order.is_empty(), "suite {} has no tests", spec.name);
        let executor = LocalExecutor::new(spec, suite, &options);
        let executor = executor.unwrap_or_else(|error| panic!("{error}"));
        Self { executor, order, _cache: cache }
    }

    pub(crate) fn tests(&self) -> usize {
        self.order.len()
    }

    pub(crate) fn plain(&mut self) -> Run {
        let (cost, (record, _)) = Cost::of(|| {
            self.executor.start(Ticket(0), self.request());
            self.finished()
        });
        Run { cost, record, trace_bytes: 0, polluted: 0 }
    }

    /// Refuses a run that was not tracked to its end, since that costs less.
    pub(crate) fn traced(&mut self) -> Run {
        let (cost, (record, trace)) = Cost::of(|| {
            self.executor.start_traced(Ticket(0), self.request());
            self.finished()
        });
        let read = TraceReader::new(&trace).read(record.order.tests()).expect("a readable trace");
        let polluted = read.pollutions.len();
        for gap in read.gaps {
            let untracked = [GapKind::TrackingStopped, GapKind::ShadowFull, GapKind::CutShort]
                .contains(&gap.kind);
            assert!(!untracked, "not all was tracked: {gap:?}");
        }
        Run { cost, record, trace_bytes: trace.len(), polluted }
    }

    fn request(&self) -> RunRequest {
        RunRequest { order: self.order.clone(), limits: LIMITS }
    }

    fn finished(&mut self) -> (RunRecord, Vec<u8>) {
        loop {
            match self.executor.next_event().expect("a run is under way") {
                ExecEvent::TestBegan { .. }
                | ExecEvent::TestEnded { .. }
                | ExecEvent::Warned { .. } => {}
                ExecEvent::Finished { record, .. } => return (*record, Vec::new()),
                ExecEvent::Traced { record, trace, .. } => return (*record, trace),
                ExecEvent::FinishedWithStandIns { .. } => panic!("nobody asked for it"),
                ExecEvent::Failed { error, .. } => panic!("{error}"),
                ExecEvent::Interrupted => panic!("interrupted"),
            }
        }
    }
}

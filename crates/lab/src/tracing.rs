//! Traced runs: from the store if they are there, else run, read and stored.

use residue_exec::{ExecEvent, Ticket};
use residue_graph::DependencyGraph;
use residue_model::trace::Trace;
use residue_model::{Coverage, RunLimits, RunRecord, RunRequest};
use residue_store::{NewTrace, RunId, Store};
use residue_wire::trace::TraceReader;

use crate::{Lab, LabError, Observer};

/// A run with everything its tests read and wrote.
#[derive(Debug, Clone)]
pub struct Traced {
    /// Its number in the store.
    pub run: RunId,
    /// What happened.
    pub record: RunRecord,
    /// What was read and written.
    pub trace: Trace,
    /// Whether it was there already.
    pub from_store: bool,
}

impl Lab<'_> {
    /// The newest traced run of an order, or a new one if there is none or
    /// `fresh` asks for it. `settings` tells apart what is tracked. Its
    /// dependencies can be read in the store too.
    pub fn trace(
        &mut self,
        request: &RunRequest,
        settings: &str,
        fresh: bool,
        observer: &mut dyn Observer,
    ) -> Result<Traced, LabError> {
        let traced = self.stored_or_new_trace(request, settings, fresh, observer)?;
        self.store.describe_trace(traced.run, &DependencyGraph::new(&traced.trace))?;
        Ok(traced)
    }

    fn stored_or_new_trace(
        &mut self,
        request: &RunRequest,
        settings: &str,
        fresh: bool,
        observer: &mut dyn Observer,
    ) -> Result<Traced, LabError> {
        if !fresh && let Some(run) = self.traced_runs(request, settings)?.pop() {
            return self.load_traced(run);
        }
        observer.starting(1, request.order.len());
        self.executor.start_traced(Ticket(0), request.clone());
        loop {
            match self.executor.next_event() {
                Some(ExecEvent::TestBegan { .. }) => {}
                Some(ExecEvent::TestEnded { kind, .. }) => observer.test_ended(kind),
                Some(ExecEvent::Warned { text }) => observer.warned(&text),
                Some(ExecEvent::Traced { record, trace, .. }) => {
                    return self.keep_traced(&request.limits, *record, &trace, settings);
                }
                Some(ExecEvent::Failed { error, .. }) => return Err(error.into()),
                Some(ExecEvent::Interrupted) => return Err(LabError::Interrupted),
                Some(ExecEvent::Finished { .. } | ExecEvent::FinishedWithStandIns { .. })
                | None => return Err(LabError::CannotTrace),
            }
        }
    }

    pub(crate) fn traced_runs(
        &self,
        request: &RunRequest,
        settings: &str,
    ) -> Result<Vec<RunId>, LabError> {
        Ok(self.store.traced_answers(self.suite, request, settings)?)
    }

    pub(crate) fn load_traced(&self, run: RunId) -> Result<Traced, LabError> {
        traced(self.store, run)
    }

    pub(crate) fn keep_traced(
        &mut self,
        limits: &RunLimits,
        record: RunRecord,
        file: &[u8],
        settings: &str,
    ) -> Result<Traced, LabError> {
        let trace = read(file, &record)?;
        let new = NewTrace { settings, file, order: &trace.order };
        let run = self.store.save_trace(self.suite, limits, &record, &new)?;
        Ok(Traced { run, record, trace, from_store: false })
    }
}

/// A traced run that is in the store.
pub fn traced(store: &Store, run: RunId) -> Result<Traced, LabError> {
    let record = store.load(run)?;
    let file = store.load_trace(run)?.file;
    let trace = read(&file, &record)?;
    Ok(Traced { run, record, trace, from_store: true })
}

/// Which code each test runs, going by a traced run of the default order.
/// Nothing for other orders, which are not watched, and if none of the classes
/// came from a folder, so that no code is known to be the project's own.
pub fn coverage(store: &Store, run: RunId) -> Result<Option<Coverage>, LabError> {
    let record = store.load(run)?;
    let file = store.load_trace(run)?.file;
    let trace = TraceReader::new(&file).with_code().read(record.order.tests())?;
    Ok(DependencyGraph::new(&trace).coverage())
}

/// With reads of what this run never wrote: in another order somebody may.
fn read(file: &[u8], record: &RunRecord) -> Result<Trace, LabError> {
    Ok(TraceReader::new(file).keep_all_reads().with_contents().read(record.order.tests())?)
}

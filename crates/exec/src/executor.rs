//! What every executor offers.

use residue_model::{OutcomeKind, RunRecord, RunRequest, StandInAccount, StandIns};

use crate::ExecError;

/// The caller's own number for a request. Events carry it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// Performs run requests, each in a fresh JVM, several at a time.
///
/// Every started ticket ends with exactly one [`ExecEvent::Finished`],
/// [`ExecEvent::Traced`], [`ExecEvent::FinishedWithStandIns`] or
/// [`ExecEvent::Failed`], in any order, unless everything is interrupted.
/// Dropping an executor ends whatever is still under way.
pub trait Executor {
    /// How many requests are worth having under way: those that can run at
    /// once and those whose JVM can be started ahead meanwhile. Starting more
    /// is allowed; they wait.
    fn capacity(&self) -> usize;

    /// Begins a run, or puts it in the queue, and returns at once.
    fn start(&mut self, ticket: Ticket, request: RunRequest);

    /// The same, with everything the tests read and write recorded on the way
    /// and, in the default order, which code each of them runs.
    /// Ends with [`ExecEvent::Traced`], or like any run with an executor that
    /// cannot trace.
    fn start_traced(&mut self, ticket: Ticket, request: RunRequest) {
        self.start(ticket, request);
    }

    /// The same, with values put into static fields on the way.
    /// Ends with [`ExecEvent::FinishedWithStandIns`], or like any run with an
    /// executor that cannot do this.
    fn start_with_stand_ins(&mut self, ticket: Ticket, request: RunRequest, _: StandIns) {
        self.start(ticket, request);
    }

    /// Waits for the next thing to happen. `None` if nothing is under way, so
    /// that waiting would never end.
    fn next_event(&mut self) -> Option<ExecEvent>;
}

/// Something that happened to a run. `index` is a position in its order.
#[derive(Debug)]
pub enum ExecEvent {
    /// A test begins.
    TestBegan {
        /// In which run.
        ticket: Ticket,
        /// Which test.
        index: usize,
    },
    /// A test ended. Progress only: the record has the final word, because a
    /// JVM that dies later may put the blame on a test that had ended.
    TestEnded {
        /// In which run.
        ticket: Ticket,
        /// Which test.
        index: usize,
        /// How.
        kind: OutcomeKind,
    },
    /// Something the user should know about how orders are run. No outcome
    /// depends on it.
    Warned {
        /// In a line.
        text: String,
    },
    /// A run took place.
    Finished {
        /// Which run.
        ticket: Ticket,
        /// What happened.
        record: Box<RunRecord>,
    },
    /// A traced run took place.
    Traced {
        /// Which run.
        ticket: Ticket,
        /// What happened.
        record: Box<RunRecord>,
        /// What was read and written, in the format of `residue_wire::trace`.
        /// Cut short where the JVM died.
        trace: Vec<u8>,
    },
    /// A run with stand-ins took place.
    FinishedWithStandIns {
        /// Which run.
        ticket: Ticket,
        /// What happened.
        record: Box<RunRecord>,
        /// What became of the stand-ins.
        stand_ins: StandInAccount,
    },
    /// A run could not take place.
    Failed {
        /// Which run.
        ticket: Ticket,
        /// Why, and what to do about it.
        error: ExecError,
    },
    /// Everything under way was ended and forgotten, because somebody asked
    /// for it. From now on this is the only event.
    Interrupted,
}

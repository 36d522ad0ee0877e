//! The detection as its owner sees it: questions out, answers in.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Waker};
use std::time::Duration;

use residue_model::{Outcome, RunRecord, Suite, TestId, TestOrder};

use crate::Location;
use crate::config::{Config, SetupError};
use crate::coverage::{Coverage, StageProgress, TracedCoverage};
use crate::explore::detect;
use crate::finding::{Finding, Unexplained, Unreproduced, Varying, Verdict};
use crate::observation::Observation;
use crate::orders::{Work, plan};
use crate::pradet::RefinedEdge;
use crate::purpose::Purpose;
use crate::roster::Roster;
use crate::shared::{Shared, Standing};
use crate::trace::RunAccesses;

/// The detection's own number for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// A run that the detection wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// To be given back with the answer.
    pub ticket: Ticket,
    /// What to run, in a fresh JVM.
    pub order: TestOrder,
    /// Which run of this very order is wanted, counted from 0. A run that
    /// answered another repetition must not answer this one.
    pub repetition: u32,
    /// Whether the run is to be traced. Traced runs and others are counted
    /// apart. Whoever cannot trace runs the order as it is and answers without
    /// accesses.
    pub traced: bool,
    /// How long its tests took in the default order, as far as that is known.
    pub expected: Duration,
    /// Why, for people who watch.
    pub purpose: Purpose,
}

/// What is going on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// In words.
    pub activity: String,
    /// Answers so far.
    pub runs: u64,
    /// Confirmed findings so far.
    pub findings: usize,
    /// Tests that differed and are not explained yet.
    pub unexplained: usize,
    /// Orders of the plan that were looked at.
    pub orders_done: u64,
    /// Orders of the plan. Explanations take runs beyond it.
    pub orders_planned: u64,
}

/// Finds the tests of a suite whose outcome depends on the order.
///
/// Sans-IO: it hands out questions and takes records, in any order. Its owner
/// decides when to stop; whatever is confirmed by then can be read at any time.
/// The same suite, settings and answers lead to the same findings, however many
/// questions are under way at once. It stays on one thread.
///
/// ```
/// use residue_detect::{Config, Detection};
/// use residue_exec::fake::{FakeExecutor, FakeSuite};
/// use residue_exec::{ExecEvent, Executor, Ticket};
/// use residue_model::{RunLimits, RunRequest};
///
/// let suite = FakeSuite::new()
///     .test("a.CacheTest#startsEmpty", |world| world.expect("cache", 0))
///     .test("a.CacheTest#fills", |world| Ok(world.set("cache", 1)));
/// let mut executor = FakeExecutor::new(suite);
/// let mut detection = Detection::new(executor.suite(), Config::default())?;
/// while !detection.is_done() {
///     for wanted in detection.wanted(1) {
///         let request = RunRequest { order: wanted.order, limits: RunLimits::default() };
///         executor.start(Ticket(0), request);
///         while let Some(event) = executor.next_event() {
///             if let ExecEvent::Finished { record, .. } = event {
///                 detection.answer(wanted.ticket, &record, None);
///             }
///         }
///     }
/// }
/// let finding = &detection.findings()[0];
/// assert_eq!(finding.test.as_str(), "a.CacheTest#startsEmpty");
/// assert_eq!(finding.partners.tests[0].as_str(), "a.CacheTest#fills");
/// # Ok::<(), residue_detect::SetupError>(())
/// ```
pub struct Detection {
    shared: Rc<Shared>,
    /// Everything that goes on; `None` when it has come to its end.
    work: Option<Pin<Box<dyn Future<Output = ()>>>>,
    handed_out: u64,
}

impl Detection {
    /// A detection that has asked nothing yet.
    pub fn new(suite: &Suite, config: Config) -> Result<Self, SetupError> {
        let roster = Roster::new(suite)?;
        let plan = plan(&roster, &config)?;
        let progress = plan.iter().map(Work::progress).collect();
        let shared = Rc::new(Shared::new(roster, config, progress));
        let work = Box::pin(detect(Rc::clone(&shared), plan));
        let mut detection = Self { shared, work: Some(work), handed_out: 0 };
        detection.go_on();
        Ok(detection)
    }

    /// Up to `room` runs that are wanted now, the most urgent first. Empty when
    /// answers must come first, when the limit on runs is reached, at the end,
    /// or while it thinks: then asking again lets it go on.
    pub fn wanted(&mut self, room: usize) -> Vec<Wanted> {
        if self.shared.pauses.take() {
            self.go_on();
        }
        let left = self.shared.config.max_runs.map_or(u64::MAX, |most| most - self.handed_out);
        let room = room.min(usize::try_from(left).unwrap_or(usize::MAX));
        let taken = self.shared.desk.take(room);
        self.handed_out += taken.len() as u64;
        let wanted = taken.into_iter().map(|taken| Wanted {
            ticket: Ticket(taken.ticket),
            order: self.shared.roster.order(&taken.order),
            repetition: taken.repetition,
            traced: taken.traced,
            expected: self.shared.ledger.borrow().expected_duration(&taken.order),
            purpose: taken.purpose,
        });
        wanted.collect()
    }

    /// Takes the record of a run that was wanted, and what a trace of it saw.
    /// A ticket that was not handed out or was answered before is ignored.
    pub fn answer(&mut self, ticket: Ticket, record: &RunRecord, accesses: Option<&RunAccesses>) {
        if !self.shared.desk.awaits(ticket.0) {
            return;
        }
        let observation = Observation::of(record, accesses, &self.shared.roster);
        self.shared.ledger.borrow_mut().tally.add(&observation);
        self.shared.desk.answer(ticket.0, observation);
        self.go_on();
    }

    /// Whether it has more to work out before it knows what it wants.
    pub fn is_thinking(&self) -> bool {
        self.shared.pauses.is_pausing() && !self.is_done()
    }

    /// Nothing will be wanted any more and nothing is under way: the plan is
    /// done, or the limit on runs is reached.
    pub fn is_done(&self) -> bool {
        let at_limit = self.shared.config.max_runs == Some(self.handed_out);
        self.work.is_none() || (at_limit && self.shared.desk.under_way() == 0)
    }

    /// Whether the whole plan was carried out and every difference looked at.
    pub fn is_complete(&self) -> bool {
        self.work.is_none()
    }

    /// Whether all orders of the plan were looked at. What has a share of the runs
    /// may leave some.
    pub fn is_exhausted(&self) -> bool {
        self.is_complete()
            && self.shared.ledger.borrow().plan.iter().all(|stage| stage.done >= stage.planned)
    }

    fn go_on(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        if let Some(work) = &mut self.work
            && work.as_mut().poll(&mut context).is_ready()
        {
            self.work = None;
        }
    }

    /// What is going on.
    pub fn status(&self) -> Status {
        let ledger = self.shared.ledger.borrow();
        let sum = |part: fn(&StageProgress) -> u64| {
            ledger.plan.iter().map(part).fold(0, u64::saturating_add)
        };
        Status {
            activity: ledger.activity.clone(),
            runs: ledger.tally.runs(),
            findings: ledger.findings.len(),
            unexplained: ledger.unexplained.len(),
            orders_done: sum(|stage| stage.done),
            orders_planned: sum(|stage| stage.planned),
        }
    }

    /// Confirmed findings, in the order in which they were confirmed. Later
    /// ones come at the end; partners and cleaners may still be added to those
    /// that are there.
    pub fn findings(&self) -> Vec<Finding> {
        self.shared.ledger.borrow().findings.clone()
    }

    /// How long the suite takes by itself, as soon as that is known.
    pub fn suite_took(&self) -> Option<Duration> {
        self.shared.ledger.borrow().suite_took
    }

    /// How many findings there are.
    pub fn finding_count(&self) -> usize {
        self.shared.ledger.borrow().findings.len()
    }

    /// Differences that did not happen again in the same order.
    pub fn unreproduced(&self) -> Vec<Unreproduced> {
        self.shared.ledger.borrow().unreproduced.clone()
    }

    /// Tests that differed somewhere and are not explained, in default order.
    pub fn unexplained(&self) -> Vec<Unexplained> {
        self.shared.ledger.borrow().unexplained.values().cloned().collect()
    }

    /// Tests that end differently in runs of the default order.
    pub fn varying(&self) -> Vec<Varying> {
        let reference = &self.shared.ledger.borrow().reference;
        let varying = |test: &TestId| Varying {
            test: test.clone(),
            outcomes: reference.variants(test).to_vec(),
        };
        reference.varying().into_iter().map(varying).collect()
    }

    /// How a test ends in the default order; `None` if it varies there, or was
    /// not reached (yet).
    pub fn expected(&self, test: &TestId) -> Option<Outcome> {
        self.shared.ledger.borrow().reference.expected(test).cloned()
    }

    /// What can be said about each test, in default order.
    pub fn verdicts(&self) -> Vec<(TestId, Verdict)> {
        let ledger = self.shared.ledger.borrow();
        let verdict = |test: u32| {
            let id = self.shared.id(test);
            match ledger.standing[test as usize] {
                Standing::Dependent => Verdict::OrderDependent,
                Standing::Unsteady => Verdict::NonDeterministic,
                Standing::Suspected => Verdict::Undetermined,
                Standing::Unsuspected if !ledger.reference.variants(id).is_empty() => {
                    Verdict::NonDeterministic
                }
                Standing::Unsuspected if ledger.reference.expected(id).is_none() => {
                    Verdict::Undetermined
                }
                Standing::Unsuspected => Verdict::Independent,
            }
        };
        self.shared.roster.all().map(|test| (self.shared.id(test).clone(), verdict(test))).collect()
    }

    /// How much was looked at.
    pub fn coverage(&self) -> Coverage {
        let ledger = self.shared.ledger.borrow();
        let knowledge = &ledger.knowledge;
        let unpredictable =
            self.shared.roster.all().filter(|&test| knowledge.is_unpredictable(test));
        let traced = (!knowledge.is_empty()).then(|| TracedCoverage {
            runs: knowledge.runs(),
            sights: knowledge.sights_of(self.shared.roster.all()),
            conflicts: ledger.conflicts,
            contradictions: knowledge.contradictions(),
            unpredictable: unpredictable.count() as u64,
            perturbed: ledger.perturbed.len() as u64,
        });
        let restricted = ledger.restricted;
        let not_begun = ledger.not_begun.iter().map(ToString::to_string).collect();
        Coverage { not_begun, traced, restricted, ..ledger.tally.coverage(ledger.plan.clone()) }
    }

    /// The data dependencies that PraDeT's refinement looked at, with what
    /// became of each so far.
    pub fn refined(&self) -> Vec<RefinedEdge> {
        self.shared.ledger.borrow().refined.clone()
    }

    /// All locations that findings and refined dependencies speak of.
    pub fn locations(&self) -> BTreeSet<Location> {
        let ledger = self.shared.ledger.borrow();
        let through = ledger.findings.iter().flat_map(|finding| &finding.through);
        let refined = ledger.refined.iter().flat_map(|edge| &edge.locations);
        through.chain(refined).copied().collect()
    }

    /// Tests that end differently only when they are traced.
    pub fn perturbed(&self) -> Vec<TestId> {
        let ledger = self.shared.ledger.borrow();
        ledger.perturbed.iter().map(|&test| self.shared.id(test).clone()).collect()
    }
}

impl std::fmt::Debug for Detection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Detection").field(&self.status()).finish()
    }
}

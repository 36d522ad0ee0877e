//! What traced runs taught: who, seeing what, did what.
//!
//! The principle: a test's outcome is determined by what it read. What an actor
//! (a test or a class fixture) saw in a run is its *context*: for every location
//! that it read and that was no longer as the JVM made it, what that location
//! held. Names are by provenance: the value, where it has a digest, or else the
//! execution that left it there. Locations it read as the JVM made them need no
//! name: given the others, a deterministic actor reads the same ones each time.
//!
//! Invariants:
//! - what is known here is never evidence, only a reason not to run;
//! - two executions of an actor with one context have one number;
//! - learning happens run by run, in an order that answers decide.

mod actors;
mod execution;
mod forecast;
mod learning;
mod numbering;
mod sights;
mod simulation;
mod spots;

use std::collections::{BTreeSet, HashMap};

use residue_model::{Outcome, OutcomeKind};

use crate::observation::Observation;
use crate::roster::{Roster, TestNumber};
use crate::trace::ValueDigest;
use crate::{Comparison, Location, Share};
pub(crate) use actors::ActorNumber;
use actors::Actors;
pub(crate) use execution::{Context, Effect, Execution, ExecutionId, Held};
pub(crate) use forecast::Forecast;
pub(crate) use sights::{Look, Place, Sight, Sights};
pub(crate) use simulation::{Seen, Simulation, Step};
pub(crate) use spots::Spot;
use spots::SpotSet;

/// All that traced runs taught.
///
/// The first spots stand for the class fixtures: whether they failed, which
/// every test of the class "reads".
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    tests: usize,
    roster_actors: Actors,
    fixture_spots: u32,
    spots: HashMap<Location, Spot>,
    locations: Vec<Option<Location>>,
    as_made: Vec<AsMade>,
    readers: Vec<BTreeSet<ActorNumber>>,
    writers: Vec<BTreeSet<ActorNumber>>,
    executions: Vec<Execution>,
    actors: Vec<OfActor>,
    runs: u64,
    contradictions: u64,
    /// What executions leave in locations that nobody was ever seen to read:
    /// most of what they make. These have no number yet.
    unread: HashMap<Location, Vec<(ExecutionId, Effect)>>,
    sights: Sights,
    /// Where an actor that saw the same left another time something else: what
    /// is there goes by addresses or by the clock, and no run will tell.
    unsteady: SpotSet,
}

/// What a location holds in a new JVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AsMade {
    Unknown,
    Value(ValueDigest),
    /// Not the same in every JVM.
    Varies,
}

/// What is known of one actor.
#[derive(Debug, Default)]
struct OfActor {
    /// The sets of locations that its contexts have.
    shapes: Vec<Box<[Spot]>>,
    contexts: HashMap<Context, ExecutionId>,
    executions: Vec<ExecutionId>,
    may_read: BTreeSet<Spot>,
    may_write: BTreeSet<Spot>,
    unpredictable: bool,
}

impl Knowledge {
    pub(crate) fn new(roster: &Roster) -> Self {
        let roster_actors = Actors::new(roster);
        let actors = (0..roster_actors.len()).map(|_| OfActor::default()).collect();
        let tests = roster.len();
        let mut knowledge = Self { tests, roster_actors, actors, ..Self::default() };
        for _ in roster.fixtures() {
            knowledge.add_spot(None);
        }
        knowledge.fixture_spots = knowledge.locations.len() as u32;
        knowledge
    }

    /// Whether any traced run was seen.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs == 0
    }

    pub(crate) fn runs(&self) -> u64 {
        self.runs
    }

    /// How often one context led to two outcomes.
    pub(crate) fn contradictions(&self) -> u64 {
        self.contradictions
    }

    pub(crate) fn execution(&self, id: ExecutionId) -> &Execution {
        &self.executions[id as usize]
    }

    /// The location; none for what stands for a class fixture.
    pub(crate) fn location(&self, spot: Spot) -> Option<Location> {
        self.locations[spot as usize]
    }

    /// How many actors were ever seen to read a location.
    pub(crate) fn readers(&self, spot: Spot) -> usize {
        self.readers[spot as usize].len()
    }

    /// A test that was seen to write a location, none that is a fixture.
    pub(crate) fn writer(&self, spot: Spot) -> Option<TestNumber> {
        let tests = self.tests as ActorNumber;
        self.writers[spot as usize].first().copied().filter(|&writer| writer < tests)
    }

    /// Calls back with every pair of tests of which one, or its class fixture,
    /// was seen to leave something that the other, or its fixture, was seen to
    /// read, or may read when it sees everything as made, since no trace told.
    /// Pairs may come several times.
    pub(crate) fn conflicts(&self, roster: &Roster, mut add: impl FnMut(TestNumber, TestNumber)) {
        let mut readers: Vec<BTreeSet<ActorNumber>> = self.readers.clone();
        let is_written = |spot: &Spot| !self.writers[*spot as usize].is_empty();
        let written: SpotSet = (0..self.locations.len() as Spot).filter(is_written).collect();
        for (actor, of_actor) in (0..).zip(&self.actors) {
            if let Some(&id) = of_actor.contexts.get(&[][..]) {
                for spot in self.execution(id).universe.missing(&written) {
                    readers[spot as usize].insert(actor);
                }
            }
        }
        for (readers, writers) in readers.iter().zip(&self.writers) {
            for &writer in writers {
                for first in self.roster_actors.tests(writer, roster) {
                    for &reader in readers {
                        let then = self.roster_actors.tests(reader, roster);
                        then.for_each(|then| add(first, then));
                    }
                }
            }
        }
    }

    /// What was seen one location at a time.
    pub(crate) fn sights(&self) -> &Sights {
        &self.sights
    }

    /// How much of what these tests may see they saw.
    pub(crate) fn sights_of(&self, tests: impl Iterator<Item = TestNumber>) -> Share {
        let unseen = |test| self.may_read(test).map(move |spot| self.sights.unseen(test, spot));
        let unseen: usize = tests.flat_map(unseen).map(|looks| looks.len()).sum();
        let covered = self.sights.count();
        Share { covered, of: covered + unseen as u64 }
    }

    /// Takes note of whether forecasts came true.
    pub(crate) fn sights_mut(&mut self) -> &mut Sights {
        &mut self.sights
    }

    /// Where a test was ever seen to read.
    pub(crate) fn may_read(&self, test: TestNumber) -> impl Iterator<Item = Spot> {
        self.actors[test as usize].may_read.iter().copied()
    }

    /// A test that leaves what somebody wants to find, or whose class fixture
    /// does, and how much it saw; nobody leaves what a new JVM has.
    pub(crate) fn leaver(&self, sight: Sight, roster: &Roster) -> Option<(TestNumber, usize)> {
        let leaver = self.sights.leaver(sight)?;
        let test = self.roster_actors.tests(leaver.actor, roster).next()?;
        Some((test, leaver.saw))
    }

    fn look(&self, held: Option<Held>) -> Look {
        match held {
            None => Look::AsMade,
            Some(Held::Value(value)) => Look::Value(value),
            Some(Held::LeftBy(id)) => Look::LeftBy(self.execution(id).actor),
        }
    }

    /// Whether what the test reads does not tell how it ends.
    pub(crate) fn is_unpredictable(&self, test: TestNumber) -> bool {
        self.actors[test as usize].unpredictable
    }

    pub(crate) fn distrust(&mut self, test: TestNumber) {
        self.actors[test as usize].unpredictable = true;
    }

    /// Whether it is taken to make no difference what a location holds: the
    /// memory of a method, in which never but one thing was found, or something
    /// that is not the same in every run.
    pub(crate) fn is_idle(&self, spot: Spot) -> bool {
        self.unsteady.contains(spot) || self.sights.is_plain_memo(spot)
    }

    /// Takes note of outcomes without a trace: they must be what is predicted.
    pub(crate) fn compare(&mut self, run: &Observation, roster: &Roster, comparison: Comparison) {
        let mut wrong = Vec::new();
        let mut simulation = Simulation::without_guesses(self, roster);
        for (test, outcome) in run.reached() {
            let Seen::Known(id) = simulation.push(*test).seen else { continue };
            if !comparison.same(&self.execution(id).outcome, outcome, roster.id(*test)) {
                wrong.push(*test);
            }
        }
        for test in wrong {
            self.contradictions += 1;
            self.distrust(test);
        }
    }

    fn made(&mut self, spot: Spot, value: Option<ValueDigest>) {
        let known = &mut self.as_made[spot as usize];
        *known = match (*known, value) {
            (AsMade::Unknown, Some(value)) => AsMade::Value(value),
            (AsMade::Value(known), Some(value)) if known != value => AsMade::Varies,
            (known, _) => known,
        };
    }

    /// What an execution leaves in a location; `None` if that is what a new
    /// JVM has there.
    fn left(&self, id: ExecutionId, spot: Spot, after: Option<ValueDigest>) -> Option<Held> {
        match (self.as_made[spot as usize], after) {
            (_, None) => Some(Held::LeftBy(id)),
            (AsMade::Value(made), Some(after)) if made == after => None,
            (_, Some(after)) => Some(Held::Value(after)),
        }
    }
}

/// Whether nothing runs in this JVM after such an outcome.
pub(crate) fn ends_jvm(outcome: &Outcome) -> bool {
    matches!(outcome.kind(), OutcomeKind::Crashed | OutcomeKind::TimedOut)
}

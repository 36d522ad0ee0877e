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
mod sights;
mod simulation;
mod spots;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use residue_model::{Outcome, OutcomeKind};

use crate::observation::{Observation, Watched};
use crate::roster::{Roster, TestNumber};
use crate::trace::{Stretch, ValueDigest, Write};
use crate::{Comparison, Location, Share};
pub(crate) use actors::ActorNumber;
use actors::Actors;
pub(crate) use execution::{Context, Effect, Execution, ExecutionId, Held};
pub(crate) use forecast::Forecast;
use sights::Leaver;
pub(crate) use sights::{Look, Place, Sight, Sights};
pub(crate) use simulation::{Seen, Simulation, Step};
pub(crate) use spots::Spot;
use spots::{SpotSet, Universe};

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

/// A traced run as far as it was gone through.
struct Replay<'a> {
    roster: &'a Roster,
    comparison: Comparison,
    universe: Universe,
    state: HashMap<Spot, Held>,
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

    /// Learns from a traced run; any other teaches nothing.
    pub(crate) fn learn(&mut self, run: &Observation, roster: &Roster, comparison: Comparison) {
        let Some(watched) = run.watched() else { return };
        self.runs += 1;
        self.number_spots(watched);
        for (location, is_memo) in &watched.memos {
            if let Some(&spot) = self.spots.get(location) {
                self.sights.memory(spot, *is_memo);
            }
        }
        for (location, table) in &watched.tables {
            if let Some(&spot) = self.spots.get(location) {
                self.sights.in_table(spot, *table);
            }
        }
        let universe = match watched.lists_unwritten {
            true => Universe::All,
            false => {
                let stretches = watched.tests.iter().flat_map(|stretches| stretches.iter());
                let mut spots: SpotSet = (0..self.fixture_spots).collect();
                for location in stretches.flat_map(Stretch::written) {
                    spots.insert(self.spot(location));
                }
                Universe::of(spots)
            }
        };
        let mut replay = Replay { roster, comparison, universe, state: HashMap::new() };
        let mut open: Option<usize> = None;
        let mut closing: Option<&Stretch> = None;
        for ((test, outcome), seen) in run.reached().iter().zip(&watched.tests) {
            let fixture = roster.fixture_of(*test);
            if open != Some(fixture) {
                if let Some(left) = open {
                    let actor = self.roster_actors.closing(left);
                    self.act(actor, &Outcome::Passed, closing, &mut replay);
                }
                let failure = run.failed_opening(roster.id(*test).class()).cloned();
                let opened = failure.map_or(Outcome::Passed, Outcome::Errored);
                let actor = self.roster_actors.opening(fixture);
                let id = self.act(actor, &opened, seen.opening.as_ref(), &mut replay);
                match self.executions[id as usize].outcome {
                    Outcome::Passed => replay.state.remove(&(fixture as Spot)),
                    _ => replay.state.insert(fixture as Spot, Held::LeftBy(id)),
                };
                open = Some(fixture);
            }
            // What an unobserved test leaves behind is anybody's guess.
            if seen.test.is_none() {
                return;
            }
            self.act(*test, outcome, seen.test.as_ref(), &mut replay);
            closing = seen.closing.as_ref();
        }
        let died = run.reached().last().is_some_and(|(_, outcome)| ends_jvm(outcome));
        if let Some(left) = open.filter(|_| !died) {
            let actor = self.roster_actors.closing(left);
            self.act(actor, &Outcome::Passed, closing, &mut replay);
        }
    }

    /// Takes note of outcomes without a trace: they must be what is predicted.
    pub(crate) fn compare(&mut self, run: &Observation, roster: &Roster, comparison: Comparison) {
        let mut wrong = Vec::new();
        let mut simulation = Simulation::new(self, roster);
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

    fn spot(&mut self, location: Location) -> Spot {
        match self.spots.get(&location) {
            Some(&spot) => spot,
            None => {
                let spot = self.add_spot(Some(location));
                self.spots.insert(location, spot);
                self.left_unread(location, spot);
                spot
            }
        }
    }

    /// All that was read or written gets a number before anything is learnt, so
    /// that what was made only to be used later in the run is known as such.
    fn number_spots(&mut self, watched: &Watched) {
        for stretch in watched.tests.iter().flat_map(|stretches| stretches.iter()) {
            for &location in &stretch.reads {
                self.spot(location);
            }
            for write in &stretch.writes {
                self.spot(write.location);
            }
        }
    }

    /// A location has a number now: what was made there in earlier runs counts.
    fn left_unread(&mut self, location: Location, spot: Spot) {
        for (id, effect) in self.unread.remove(&location).unwrap_or_default() {
            let actor = self.executions[id as usize].actor;
            self.writers[spot as usize].insert(actor);
            self.actors[actor as usize].may_write.insert(spot);
            let execution = &mut self.executions[id as usize];
            if !effect.sure && execution.is_all_told() {
                self.unsteady.insert(spot);
            }
            execution.effects.insert(spot, effect);
        }
    }

    fn add_spot(&mut self, location: Option<Location>) -> Spot {
        self.locations.push(location);
        self.as_made.push(AsMade::Unknown);
        self.readers.push(BTreeSet::new());
        self.writers.push(BTreeSet::new());
        self.locations.len() as Spot - 1
    }

    /// One actor of a run: gives its execution a number and carries on the
    /// state. Without a stretch it did nothing.
    fn act(
        &mut self,
        actor: ActorNumber,
        outcome: &Outcome,
        stretch: Option<&Stretch>,
        replay: &mut Replay<'_>,
    ) -> ExecutionId {
        let execution = self.seen(actor, outcome, stretch, replay);
        let known = self.executions.len();
        let id = self.intern(execution, replay);
        self.keep_unread(id, stretch, id as usize == known);
        let saw = self.execution(id).context.len();
        for write in self.effects_of(stretch).iter().filter(|write| !write.restored) {
            let spot = self.spots[&write.location];
            let left = self.left(id, spot, write.after);
            self.sights.left(Leaver { actor, saw }, spot, self.look(left));
            match left {
                Some(held) => replay.state.insert(spot, held),
                None => replay.state.remove(&spot),
            };
        }
        id
    }

    /// What matters of what was written and made.
    fn effects_of(&self, stretch: Option<&Stretch>) -> Vec<Write> {
        let Some(stretch) = stretch else { return Vec::new() };
        let made = stretch.made.iter().filter(|(location, _)| self.spots.contains_key(location));
        let made = made.map(|(&location, &after)| Write { after, ..Write::to(location) });
        stretch.writes.iter().copied().chain(made).collect()
    }

    /// What an execution made and nobody was seen to read waits until somebody is.
    fn keep_unread(&mut self, id: ExecutionId, stretch: Option<&Stretch>, is_new: bool) {
        let made = stretch.into_iter().flat_map(|stretch| &stretch.made);
        let made = made.filter(|(location, _)| !self.spots.contains_key(location));
        let made: BTreeMap<Location, Option<ValueDigest>> = made.map(|(&l, &a)| (l, a)).collect();
        let before = std::mem::take(&mut self.executions[id as usize].unread);
        for location in before.iter().filter(|location| !made.contains_key(location)) {
            self.unread_effect(id, *location).into_iter().for_each(|effect| effect.sure = false);
        }
        for (&location, &after) in &made {
            let seen = Effect { after, no_change_over: Vec::new(), sure: is_new };
            match self.unread_effect(id, location) {
                Some(known) => known.observed_again(seen),
                None => self.unread.entry(location).or_default().push((id, seen)),
            }
        }
        let still_unread = before.into_iter().filter(|l| !self.spots.contains_key(l));
        self.executions[id as usize].unread =
            still_unread.chain(made.into_keys()).collect::<BTreeSet<_>>().into_iter().collect();
    }

    fn unread_effect(&mut self, id: ExecutionId, location: Location) -> Option<&mut Effect> {
        let left = self.unread.get_mut(&location)?;
        left.iter_mut().find(|(by, _)| *by == id).map(|(_, effect)| effect)
    }

    /// What an actor did, as an execution that has no number yet.
    fn seen(
        &mut self,
        actor: ActorNumber,
        outcome: &Outcome,
        stretch: Option<&Stretch>,
        replay: &Replay<'_>,
    ) -> Execution {
        let is_test = (actor as usize) < replay.roster.len();
        let fixture = is_test.then(|| replay.roster.fixture_of(actor) as Spot);
        let fixture = fixture.filter(|fixture| replay.state.contains_key(fixture));
        let reads = stretch.into_iter().flat_map(|stretch| &stretch.reads);
        let reads: Vec<Spot> = reads.map(|&location| self.spot(location)).chain(fixture).collect();
        let mut context = Vec::new();
        let mut reads_as_made = BTreeSet::new();
        for spot in reads {
            self.readers[spot as usize].insert(actor);
            self.actors[actor as usize].may_read.insert(spot);
            let held = replay.state.get(&spot);
            if is_test {
                self.sights.saw(actor, spot, self.look(held.copied()));
            }
            match held {
                Some(held) => context.push((spot, *held)),
                None => {
                    reads_as_made.insert(spot);
                }
            }
        }
        if is_test {
            // Had the fixture failed, the test would have known.
            reads_as_made.extend(
                Some(replay.roster.fixture_of(actor) as Spot).filter(|_| fixture.is_none()),
            );
        }
        context.sort_unstable();
        let mut execution = Execution::new(actor, context.into(), outcome.clone());
        execution.reads_as_made = reads_as_made;
        execution.universe = replay.universe.clone();
        for write in &self.effects_of(stretch) {
            let spot = self.spot(write.location);
            let before = replay.state.get(&spot).copied();
            if before.is_none() {
                self.made(spot, write.before);
            }
            if !write.restored {
                self.writers[spot as usize].insert(actor);
            }
            self.actors[actor as usize].may_write.insert(spot);
            execution.wrote(spot, write, before);
        }
        execution
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

    fn intern(&mut self, new: Execution, replay: &Replay<'_>) -> ExecutionId {
        let actor = new.actor;
        if let Some(&id) = self.actors[actor as usize].contexts.get(&new.context) {
            let known = &self.execution(id).outcome;
            let is_test = (actor as usize) < replay.roster.len();
            let same = match is_test {
                true => replay.comparison.same(known, &new.outcome, replay.roster.id(actor)),
                false => known.kind() == new.outcome.kind(),
            };
            if !same {
                self.contradictions += 1;
                self.distrust(actor);
            }
            let execution = &mut self.executions[id as usize];
            execution.observed_again(new);
            if execution.is_all_told() {
                execution.unsure().for_each(|spot| self.unsteady.insert(spot));
            }
            return id;
        }
        let id = self.executions.len() as ExecutionId;
        let of_actor = &mut self.actors[actor as usize];
        let shape: Box<[Spot]> = new.context.iter().map(|(spot, _)| *spot).collect();
        if !of_actor.shapes.contains(&shape) {
            of_actor.shapes.push(shape);
        }
        of_actor.contexts.insert(new.context.clone(), id);
        of_actor.executions.push(id);
        self.executions.push(new);
        id
    }
}

/// Whether nothing runs in this JVM after such an outcome.
fn ends_jvm(outcome: &Outcome) -> bool {
    matches!(outcome.kind(), OutcomeKind::Crashed | OutcomeKind::TimedOut)
}

//! Learns from a traced run, actor by actor.

use std::collections::{BTreeSet, HashMap};

use residue_model::Outcome;

use super::sights::Leaver;
use super::spots::{Spot, SpotSet, Universe};
use super::{ActorNumber, Execution, ExecutionId, Held, Knowledge, ends_jvm};
use crate::Comparison;
use crate::observation::Observation;
use crate::roster::Roster;
use crate::trace::{Stretch, Write};

/// A traced run as far as it was gone through.
struct Replay<'a> {
    roster: &'a Roster,
    comparison: Comparison,
    universe: Universe,
    state: HashMap<Spot, Held>,
}

impl Knowledge {
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

//! Walks through an order without running it.

mod effects;
mod jvm;
mod provenance;
mod recognition;
mod step;

use std::collections::HashMap;

use super::actors::ActorNumber;
use super::spots::Spot;
use super::{ExecutionId, Knowledge, ends_jvm};
use crate::roster::{Roster, TestNumber};
use jvm::{Content, Entry, Jvm};
pub(crate) use step::{Seen, Step};

/// An order, test by test.
pub(crate) struct Simulation<'a> {
    knowledge: &'a Knowledge,
    roster: &'a Roster,
    steps: Vec<Step>,
    places: HashMap<TestNumber, usize>,
    jvm: Jvm,
    undo: Vec<Undo>,
    /// Whether an actor that sees something new, or may do so, is taken to do what it
    /// did before.
    guesses: bool,
}

enum Undo {
    Entry(Spot, Option<Entry>),
    Open(Option<usize>),
    Blind(bool),
    Jvm(Jvm),
}

/// Where a simulation stood.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    steps: usize,
    undo: usize,
}

impl<'a> Simulation<'a> {
    pub(crate) fn new(knowledge: &'a Knowledge, roster: &'a Roster) -> Self {
        Self {
            knowledge,
            roster,
            steps: Vec::new(),
            places: HashMap::new(),
            jvm: Jvm::default(),
            undo: Vec::new(),
            guesses: true,
        }
    }

    /// One that knows nothing about what an actor leaves that sees something new.
    pub(crate) fn without_guesses(knowledge: &'a Knowledge, roster: &'a Roster) -> Self {
        Self { guesses: false, ..Self::new(knowledge, roster) }
    }

    pub(crate) fn of(knowledge: &'a Knowledge, roster: &'a Roster, order: &[TestNumber]) -> Self {
        let mut simulation = Self::new(knowledge, roster);
        for &test in order {
            simulation.push(test);
        }
        simulation
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(crate) fn place_of(&self, test: TestNumber) -> Option<usize> {
        self.places.get(&test).copied()
    }

    /// The tests, in order.
    pub(crate) fn order(&self) -> Vec<TestNumber> {
        self.steps.iter().map(|step| step.test).collect()
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { steps: self.steps.len(), undo: self.undo.len() }
    }

    /// Takes back what came after the mark.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        for step in self.steps.drain(mark.steps..) {
            self.places.remove(&step.test);
        }
        while self.undo.len() > mark.undo
            && let Some(undo) = self.undo.pop()
        {
            match undo {
                Undo::Entry(spot, before) => self.jvm.put(spot, before),
                Undo::Open(before) => self.jvm.open = before,
                Undo::Blind(before) => self.jvm.blind = before,
                Undo::Jvm(before) => self.jvm = before,
            }
        }
    }

    /// Lets a test come next, with the class fixtures that run before it.
    pub(crate) fn push(&mut self, test: TestNumber) -> &Step {
        let place = self.steps.len();
        let mut step = Step {
            test,
            seen: Seen::Novel,
            from: Vec::new(),
            view: Vec::new(),
            untold: Vec::new(),
            untold_from: Vec::new(),
            on_all_since: None,
            behind_fixture: false,
        };
        self.steps.push(step.clone());
        self.places.insert(test, place);
        let fixture = self.roster.fixture_of(test);
        let mut fixtures = Seen::Known(0);
        if self.jvm.open != Some(fixture) {
            let actors = self.knowledge.roster_actors;
            let closing = self.jvm.open.map(|open| actors.closing(open));
            for actor in closing.into_iter().chain([actors.opening(fixture)]) {
                let seen = self.act(actor, place, &mut step);
                if !matches!(seen, Seen::Known(_)) {
                    fixtures = seen;
                }
                if let Seen::Known(id) | Seen::Untold(id) = seen
                    && actor == actors.opening(fixture)
                {
                    self.opened(fixture, id, place);
                }
            }
            self.undo.push(Undo::Open(self.jvm.open));
            self.jvm.open = Some(fixture);
        }
        step.seen = self.act(test, place, &mut step);
        // Nothing is known about a test behind a fixture that sees new things.
        step.seen = match (fixtures, step.seen) {
            (Seen::Known(_), seen) | (_, seen @ Seen::Unpredictable) => seen,
            (Seen::Untold(_), Seen::Known(id)) => Seen::Untold(id),
            (Seen::Untold(_), seen) => seen,
            (fixtures, _) => fixtures,
        };
        if let Some(id) = self.counted_on(step.seen)
            && ends_jvm(&self.knowledge.execution(id).outcome)
        {
            let new = Jvm { since: place + 1, ..Jvm::default() };
            self.undo.push(Undo::Jvm(std::mem::replace(&mut self.jvm, new)));
        }
        self.steps[place] = step;
        &self.steps[place]
    }

    /// Whether it is known what the class fixture does that closes the order.
    pub(crate) fn is_end_known(&self) -> bool {
        let closing = self.jvm.open.map(|open| self.knowledge.roster_actors.closing(open));
        closing.is_none_or(|closing| matches!(self.look_up(closing), Seen::Known(_)))
    }

    /// One actor at a place: what is known of it goes into the step.
    fn act(&mut self, actor: ActorNumber, place: usize, step: &mut Step) -> Seen {
        let of_actor = &self.knowledge.actors[actor as usize];
        let is_fixture = actor as usize >= self.roster.len();
        if is_fixture && (!of_actor.may_read.is_empty() || !of_actor.may_write.is_empty()) {
            step.behind_fixture = true;
        }
        let seen = self.look_up(actor);
        let mut provided = |spot: Spot| {
            let entry = self.jvm.state.get(&spot);
            let places = entry.into_iter().flat_map(|entry| &entry.places);
            step.from.extend(places.filter(|&&from| from != place).map(|&from| (from, spot)));
        };
        match seen {
            Seen::Known(id) | Seen::Untold(id) => {
                let execution = self.knowledge.execution(id);
                if matches!(seen, Seen::Untold(_)) {
                    for spot in execution.universe.missing(&self.jvm.touched) {
                        let left = self.jvm.state.get(&spot).into_iter();
                        step.untold_from.extend(left.flat_map(|entry| &entry.places));
                        step.untold.push(spot);
                    }
                }
                execution.context.iter().for_each(|(spot, _)| provided(*spot));
                execution.reads_as_made.iter().for_each(|&spot| provided(spot));
            }
            _ => {
                of_actor.may_read.iter().for_each(|&spot| provided(spot));
                let counting = of_actor.may_read.iter();
                let counting = counting.filter(|&&spot| !self.knowledge.is_idle(spot));
                step.view.extend(counting.filter_map(|&spot| match self.jvm.content(spot) {
                    Content::AsMade => None,
                    content => Some((spot, content.clone())),
                }));
            }
        }
        let never_traced = of_actor.shapes.is_empty();
        if seen == Seen::Unpredictable || self.jvm.blind || never_traced {
            step.on_all_since = Some(self.jvm.since);
        }
        match self.counted_on(seen) {
            Some(id) => self.known_effects(id, place),
            None => self.possible_effects(actor, place),
        }
        seen
    }

    /// What an actor is taken to do. Where no trace told all that it reads, that is a
    /// guess too.
    fn counted_on(&self, seen: Seen) -> Option<ExecutionId> {
        match seen {
            Seen::Known(id) => Some(id),
            Seen::Untold(id) if self.guesses => Some(id),
            _ => None,
        }
    }
}

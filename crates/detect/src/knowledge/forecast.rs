//! What an order will most likely leave where, quickly.
//!
//! Only to choose orders by: a test that sees something new is taken to do what
//! it did when it saw nearly the same. Nothing is concluded from it.

use std::collections::HashMap;

use super::actors::ActorNumber;
use super::sights::Look;
use super::{Execution, ExecutionId, Knowledge, Spot};
use crate::roster::{Roster, TestNumber};

/// A JVM after some tests, as it will most likely be.
pub(crate) struct Forecast<'a> {
    knowledge: &'a Knowledge,
    roster: &'a Roster,
    state: HashMap<Spot, Look>,
    /// The class fixture that is open.
    open: Option<usize>,
}

impl<'a> Forecast<'a> {
    pub(crate) fn new(knowledge: &'a Knowledge, roster: &'a Roster) -> Self {
        Self { knowledge, roster, state: HashMap::new(), open: None }
    }

    pub(crate) fn look(&self, spot: Spot) -> Look {
        self.state.get(&spot).copied().unwrap_or(Look::AsMade)
    }

    /// Lets the class fixtures run that come before a test if it is next.
    pub(crate) fn make_ready(&mut self, test: TestNumber) {
        let fixture = self.roster.fixture_of(test);
        if self.open != Some(fixture) {
            let actors = self.knowledge.roster_actors;
            let closing = self.open.map(|open| actors.closing(open));
            closing.into_iter().chain([actors.opening(fixture)]).for_each(|actor| self.act(actor));
            self.open = Some(fixture);
        }
    }

    /// Lets the test run.
    pub(crate) fn run(&mut self, test: TestNumber) {
        self.act(test);
    }

    /// What a test would leave if it came next, without what its class fixture
    /// leaves.
    pub(crate) fn left_by(&self, test: TestNumber) -> Vec<(Spot, Look)> {
        let Some(id) = self.likely(test) else { return Vec::new() };
        let effects = self.knowledge.execution(id).effects.iter();
        // Who put back what was there will put back something else too. Who was
        // never seen to find nothing there may well be one of many who set it.
        let changed = effects.filter(|(spot, effect)| {
            let before = &effect.no_change_over;
            before.is_empty() || self.look(**spot) == Look::AsMade && !before.contains(&None)
        });
        let left = changed.map(|(&spot, effect)| {
            (spot, self.knowledge.look(self.knowledge.left(id, spot, effect.after)))
        });
        left.collect()
    }

    fn act(&mut self, actor: ActorNumber) {
        self.state.extend(self.left_by(actor));
    }

    /// The execution that saw most of what there is to see now.
    fn likely(&self, actor: ActorNumber) -> Option<ExecutionId> {
        let executions = &self.knowledge.actors[actor as usize].executions;
        executions.iter().copied().max_by_key(|&id| self.likeness(self.knowledge.execution(id)))
    }

    fn likeness(&self, execution: &Execution) -> i64 {
        let held = execution.context.iter().map(|(spot, held)| (*spot, Some(*held)));
        let made = execution.reads_as_made.iter().map(|&spot| (spot, None));
        let alike = |(spot, held)| self.knowledge.look(held) == self.look(spot);
        held.chain(made).map(|sight| if alike(sight) { 1 } else { -1 }).sum()
    }
}

//! To which tests of an order it goes back what is seen at a place.

use std::collections::BTreeSet;

use super::Simulation;
use super::step::Seen;
use crate::bits::TestSet;
use crate::knowledge::{ActorNumber, Spot};
use crate::roster::TestNumber;

impl Simulation<'_> {
    /// Of each place whether one of these tests runs there, or what is seen
    /// there goes back to one of them: to what they left, or to what others did
    /// not leave because of them.
    pub(crate) fn goes_back_to(&self, these: &TestSet) -> Vec<bool> {
        let mut back: Vec<bool> = Vec::with_capacity(self.steps.len());
        let mut maybe_missing: BTreeSet<Spot> = BTreeSet::new();
        for (place, step) in self.steps.iter().enumerate() {
            let previous = place.checked_sub(1).map(|place| self.steps[place].test);
            let itself = these.contains(step.test);
            let from = step.from.iter().map(|(from, _)| from).chain(&step.untold_from);
            let through_state = from.filter(|from| **from < place).any(|from| back[*from]);
            let through_all =
                step.on_all_since.is_some_and(|since| back[since..place].contains(&true));
            let through_fixture = step.behind_fixture && self.is_opened_by(these, place);
            let reads = |actor: &ActorNumber| {
                let may_read = &self.knowledge.actors[*actor as usize].may_read;
                may_read.iter().any(|spot| maybe_missing.contains(spot))
            };
            let actors = self.actors_at(step.test, previous);
            let through_gap = !maybe_missing.is_empty() && actors.iter().any(reads);
            back.push(itself || through_state || through_all || through_fixture || through_gap);
            if back[place] {
                let others = actors.iter().filter(|actor| !itself || **actor != step.test);
                let of_others = others.map(|actor| &self.knowledge.actors[*actor as usize]);
                maybe_missing.extend(of_others.flat_map(|other| &other.may_write));
            } else if let Seen::Known(id) = step.seen {
                let effects = self.knowledge.execution(id).effects.iter();
                let sure = effects.filter(|(_, effect)| effect.sure);
                sure.for_each(|(spot, _)| _ = maybe_missing.remove(spot));
            }
        }
        back
    }

    /// Whether the class fixtures at this place run, or do what they do, because
    /// one of these tests comes before: it may stand between two tests of one
    /// class, or its own class closes here.
    fn is_opened_by(&self, these: &TestSet, place: usize) -> bool {
        let before = self.steps[..place].iter().rev().map(|step| step.test);
        let mut before = before.peekable();
        let Some(&previous) = before.peek() else { return false };
        if !these.contains(previous) {
            return false;
        }
        let fixture_of = |test: TestNumber| self.roster.fixture_of(test);
        let closing = self.knowledge.roster_actors.closing(fixture_of(previous));
        let leaves = !self.knowledge.actors[closing as usize].may_write.is_empty();
        let other = before.find(|test| !these.contains(*test));
        let splits = other.is_some_and(|o| fixture_of(o) == fixture_of(self.steps[place].test));
        leaves || splits
    }

    /// A test, and the class fixtures that run before it if that one came
    /// before.
    fn actors_at(&self, test: TestNumber, previous: Option<TestNumber>) -> Vec<ActorNumber> {
        let actors = self.knowledge.roster_actors;
        let fixture = self.roster.fixture_of(test);
        let left = previous.map(|previous| self.roster.fixture_of(previous));
        if left == Some(fixture) {
            return vec![test];
        }
        let closing = left.map(|left| actors.closing(left));
        closing.into_iter().chain([actors.opening(fixture), test]).collect()
    }

    /// The places that decide what happens at these, in order.
    pub(crate) fn needed(&self, places: &[usize]) -> BTreeSet<usize> {
        let mut needed = BTreeSet::new();
        let mut open = places.to_vec();
        while let Some(place) = open.pop() {
            if !needed.insert(place) {
                continue;
            }
            let step = &self.steps[place];
            open.extend(step.from.iter().map(|(place, _)| *place));
            open.extend(step.on_all_since.into_iter().flat_map(|since| since..place));
            // Who came before decides whether a class fixture runs.
            if place > 0 && step.behind_fixture {
                open.push(place - 1);
            }
        }
        needed
    }
}

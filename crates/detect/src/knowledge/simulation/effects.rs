//! What an actor leaves in a simulated JVM.

use residue_model::Outcome;

use super::jvm::{Content, Entry};
use super::{Simulation, Undo};
use crate::knowledge::{ActorNumber, ExecutionId, Held, Spot};

impl Simulation<'_> {
    /// Whether a fixture failed is what the tests of its class see of it.
    pub(super) fn opened(&mut self, fixture: usize, id: ExecutionId, place: usize) {
        let content = match self.knowledge.execution(id).outcome {
            Outcome::Passed => Content::AsMade,
            _ => Content::Held(Held::LeftBy(id)),
        };
        let spot = fixture as Spot;
        if *self.jvm.content(spot) != content {
            self.set(spot, Entry { content, places: vec![place] });
        }
    }

    pub(super) fn known_effects(&mut self, id: ExecutionId, place: usize) {
        let knowledge = self.knowledge;
        let execution = knowledge.execution(id);
        for (&spot, effect) in &execution.effects {
            if !effect.sure {
                self.may_change(spot, place);
                continue;
            }
            let before = match self.jvm.content(spot) {
                Content::AsMade => Some(None),
                Content::Held(held) => Some(Some(*held)),
                Content::Unsure(_) => None,
            };
            if before.is_some_and(|before| effect.no_change_over.contains(&before)) {
                continue;
            }
            let content = knowledge.left(id, spot, effect.after);
            let content = content.map_or(Content::AsMade, Content::Held);
            self.set(spot, Entry { content, places: vec![place] });
        }
    }

    pub(super) fn possible_effects(&mut self, actor: ActorNumber, place: usize) {
        let of_actor = &self.knowledge.actors[actor as usize];
        if of_actor.shapes.is_empty() {
            self.undo.push(Undo::Blind(self.jvm.blind));
            self.jvm.blind = true;
        }
        // What would leave things as they are does so here too, most likely.
        let guess = self
            .guess(actor)
            .filter(|_| self.guesses)
            .map(|id| &self.knowledge.execution(id).effects);
        for &spot in &of_actor.may_write {
            let effect = guess.map(|effects| effects.get(&spot));
            let leaves = effect.is_some_and(|e| e.is_none_or(|e| !e.no_change_over.is_empty()));
            if !leaves {
                self.may_change(spot, place);
            }
        }
    }

    fn may_change(&mut self, spot: Spot, place: usize) {
        let mut places = self.jvm.state.get(&spot).map_or(Vec::new(), |entry| entry.places.clone());
        places.push(place);
        let tests = places.iter().map(|&place| self.steps[place].test).collect();
        self.set(spot, Entry { content: Content::Unsure(tests), places });
    }

    fn set(&mut self, spot: Spot, entry: Entry) {
        let before = self.jvm.state.get(&spot).cloned();
        self.undo.push(Undo::Entry(spot, before));
        self.jvm.put(spot, Some(entry));
    }
}

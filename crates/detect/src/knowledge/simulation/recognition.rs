//! Whether an actor saw before what there is to see now.

use super::Simulation;
use super::jvm::Content;
use super::step::Seen;
use crate::knowledge::{ActorNumber, ExecutionId, OfActor, Spot};

impl Simulation<'_> {
    pub(super) fn look_up(&self, actor: ActorNumber) -> Seen {
        let of_actor = &self.knowledge.actors[actor as usize];
        if of_actor.unpredictable {
            return Seen::Unpredictable;
        }
        if let Some(id) = self.known_but_for_idle(of_actor) {
            return Seen::Known(id);
        }
        let mut unsure = self.jvm.blind;
        let mut best: Option<ExecutionId> = None;
        let mut untold: Option<ExecutionId> = None;
        let mut key = Vec::new();
        for shape in &of_actor.shapes {
            key.clear();
            for &spot in shape {
                match self.jvm.content(spot) {
                    Content::Held(held) => key.push((spot, *held)),
                    Content::Unsure(_) => unsure = true,
                    Content::AsMade => break,
                }
            }
            let Some(&id) = of_actor.contexts.get(key.as_slice()) else { continue };
            let execution = self.knowledge.execution(id);
            if key.len() < shape.len() || execution.context.len() < shape.len() {
                continue;
            }
            match self.fits(id) {
                Fit::No => {}
                Fit::Unsure => unsure = true,
                Fit::Untold => untold = Some(id),
                Fit::Yes => {
                    let known = best.map(|best| self.knowledge.execution(best));
                    if known.is_some_and(|known| known.outcome != execution.outcome) {
                        return Seen::Novel;
                    }
                    if known.is_none_or(|known| known.context.len() < shape.len()) {
                        best = Some(id);
                    }
                }
            }
        }
        match best {
            _ if self.jvm.blind => Seen::Unsure,
            Some(id) => Seen::Known(id),
            None if unsure => Seen::Unsure,
            None => untold.map_or(Seen::Novel, Seen::Untold),
        }
    }

    /// The first execution that saw what there is to see now, but for what makes
    /// no difference. None if such executions did not all end alike, and if
    /// nothing that the actor reads makes no difference.
    fn known_but_for_idle(&self, of_actor: &OfActor) -> Option<ExecutionId> {
        let counts = |spot: Spot| !self.knowledge.is_idle(spot);
        if self.jvm.blind || of_actor.may_read.iter().all(|&spot| counts(spot)) {
            return None;
        }
        let fits = |id: &&ExecutionId| {
            let execution = self.knowledge.execution(**id);
            let mut held = execution.context.iter().filter(|(spot, _)| counts(*spot));
            let mut made = execution.reads_as_made.iter().filter(|spot| counts(**spot));
            held.all(|(spot, held)| *self.jvm.content(*spot) == Content::Held(*held))
                && made.all(|&spot| *self.jvm.content(spot) == Content::AsMade)
                && execution.universe.covers(&self.jvm.touched)
        };
        let outcome = |id: &ExecutionId| &self.knowledge.execution(*id).outcome;
        let mut fitting = of_actor.executions.iter().filter(fits);
        let first = fitting.next()?;
        fitting.all(|id| outcome(id) == outcome(first)).then_some(*first)
    }

    /// Whether all that the execution reads beyond its context is as made.
    fn fits(&self, id: ExecutionId) -> Fit {
        let execution = self.knowledge.execution(id);
        let mut fit = match execution.universe.covers(&self.jvm.touched) {
            true => Fit::Yes,
            false => Fit::Untold,
        };
        for &spot in &execution.reads_as_made {
            match self.jvm.content(spot) {
                Content::AsMade => {}
                Content::Unsure(_) => fit = Fit::Unsure,
                Content::Held(_) => return Fit::No,
            }
        }
        fit
    }

    /// An execution that saw other things, but in the same locations. Only a
    /// guess: nothing is concluded from it before a run.
    pub(super) fn guess(&self, actor: ActorNumber) -> Option<ExecutionId> {
        let of_actor = &self.knowledge.actors[actor as usize];
        let is_made = |spot: &Spot| *self.jvm.content(*spot) == Content::AsMade;
        let alike = |id: &&ExecutionId| {
            let execution = self.knowledge.execution(**id);
            let touched = execution.context.iter().all(|(spot, _)| !is_made(spot));
            touched && execution.reads_as_made.iter().all(is_made)
        };
        let fitting = of_actor.executions.iter().filter(|_| !of_actor.unpredictable).filter(alike);
        fitting.max_by_key(|id| self.knowledge.execution(**id).context.len()).copied()
    }
}

enum Fit {
    Yes,
    No,
    Untold,
    Unsure,
}

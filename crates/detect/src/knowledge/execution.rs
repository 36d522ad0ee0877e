//! One actor, seeing one context.

use std::collections::{BTreeMap, BTreeSet};

use residue_model::Outcome;

use super::actors::ActorNumber;
use super::spots::{Spot, Universe};
use crate::Location;
use crate::trace::{ValueDigest, Write};

/// The number of an execution.
pub(crate) type ExecutionId = u32;

/// What a location holds that is not as the JVM made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Held {
    Value(ValueDigest),
    /// Whatever this execution leaves there.
    LeftBy(ExecutionId),
}

/// What an actor read that was not as the JVM made it, sorted by location.
pub(crate) type Context = Box<[(Spot, Held)]>;

/// What an actor does in one context.
#[derive(Debug, Clone)]
pub(crate) struct Execution {
    pub(crate) actor: ActorNumber,
    pub(crate) context: Context,
    /// What it read as the JVM made it, as far as any trace told.
    pub(crate) reads_as_made: BTreeSet<Spot>,
    /// Locations of which some trace told whether it reads them.
    pub(crate) universe: Universe,
    pub(crate) outcome: Outcome,
    pub(crate) effects: BTreeMap<Spot, Effect>,
    /// Where it leaves something that nobody was seen to read, sorted.
    pub(super) unread: Vec<Location>,
}

/// What an execution leaves in a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) after: Option<ValueDigest>,
    /// What the location held when this was no change.
    pub(crate) no_change_over: Vec<Option<Held>>,
    /// It was so each time.
    pub(crate) sure: bool,
}

impl Execution {
    pub(super) fn new(actor: ActorNumber, context: Context, outcome: Outcome) -> Self {
        Self {
            actor,
            context,
            reads_as_made: BTreeSet::new(),
            universe: Universe::All,
            outcome,
            effects: BTreeMap::new(),
            unread: Vec::new(),
        }
    }

    pub(super) fn wrote(&mut self, spot: Spot, write: &Write, before: Option<Held>) {
        let no_change_over = if write.restored { vec![before] } else { Vec::new() };
        self.effects.insert(spot, Effect { after: write.after, no_change_over, sure: true });
    }

    /// Whether traces told all that it reads. If it then does something else
    /// another time, that is not due to what it read.
    pub(super) fn is_all_told(&self) -> bool {
        matches!(self.universe, Universe::All)
    }

    /// Where it was not seen to leave the same each time.
    pub(super) fn unsure(&self) -> impl Iterator<Item = Spot> {
        self.effects.iter().filter(|(_, effect)| !effect.sure).map(|(&spot, _)| spot)
    }

    pub(super) fn observed_again(&mut self, other: Self) {
        self.reads_as_made.extend(other.reads_as_made);
        self.universe = self.universe.with(&other.universe);
        for (spot, effect) in &mut self.effects {
            effect.sure &= other.effects.contains_key(spot);
        }
        for (spot, seen) in other.effects {
            match self.effects.get_mut(&spot) {
                None => {
                    self.effects.insert(spot, Effect { sure: false, ..seen });
                }
                Some(known) => known.observed_again(seen),
            }
        }
    }
}

impl Effect {
    pub(super) fn observed_again(&mut self, other: Self) {
        if self.after != other.after {
            self.after = None;
            self.sure = false;
        }
        for held in other.no_change_over {
            if !self.no_change_over.contains(&held) {
                self.no_change_over.push(held);
            }
        }
    }
}

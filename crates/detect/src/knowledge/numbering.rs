//! Locations get numbers when somebody is seen to read or write them.
//!
//! Most of what tests make nobody ever reads. It waits here without a number, and
//! counts from the moment on that somebody is seen to use it.

use std::collections::{BTreeMap, BTreeSet};

use super::spots::Spot;
use super::{AsMade, Effect, ExecutionId, Knowledge};
use crate::Location;
use crate::observation::Watched;
use crate::trace::{Stretch, ValueDigest};

impl Knowledge {
    pub(super) fn spot(&mut self, location: Location) -> Spot {
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
    pub(super) fn number_spots(&mut self, watched: &Watched) {
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

    pub(super) fn add_spot(&mut self, location: Option<Location>) -> Spot {
        self.locations.push(location);
        self.as_made.push(AsMade::Unknown);
        self.readers.push(BTreeSet::new());
        self.writers.push(BTreeSet::new());
        self.locations.len() as Spot - 1
    }

    /// What an execution made and nobody was seen to read waits until somebody is.
    pub(super) fn keep_unread(&mut self, id: ExecutionId, stretch: Option<&Stretch>, is_new: bool) {
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
}

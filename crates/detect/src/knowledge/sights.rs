//! What each test saw, one location at a time.
//!
//! A context is all that a test saw in a run, and there is no end of contexts
//! where much is shared. A *sight* is one location of it and what that held.
//! Sights are few, one order shows thousands of them, and what flips a test is
//! nearly always a single one.

use std::collections::{HashMap, HashSet};

use super::Spot;
use super::actors::ActorNumber;
use crate::roster::TestNumber;
use crate::trace::ValueDigest;

/// Where more different things were seen than this, it counts only whether a
/// test saw the location as made and changed: counters would have no end.
const MOST_LOOKS: usize = 12;

/// So often a forecast for two tests must have been made before it is judged.
const ENOUGH_FORESIGHT: u32 = 3;

/// What a location holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Look {
    /// What a new JVM has there.
    AsMade,
    Value(ValueDigest),
    /// Something without a name of its own.
    LeftBy(ActorNumber),
}

/// A test, a location it reads, and what it finds there.
pub(crate) type Sight = (TestNumber, Spot, Look);

#[derive(Debug)]
struct Left {
    look: Look,
    by: ActorNumber,
    /// Somebody else leaves it too.
    by_others: bool,
}

#[derive(Debug, Default)]
struct Foreseen {
    times: u32,
    rightly: u32,
}

impl Foreseen {
    /// What is there changes from run to run by itself: a table that is sorted
    /// by addresses, or something that goes by the clock.
    fn is_fickle(&self) -> bool {
        self.times >= ENOUGH_FORESIGHT && self.rightly * 3 < self.times
    }
}

/// Which sights there were, and which there could be.
#[derive(Debug, Default)]
pub(crate) struct Sights {
    seen: HashMap<(TestNumber, Spot), Vec<Look>>,
    /// What was ever left in a location.
    left: HashMap<Spot, Vec<Left>>,
    /// What somebody found as a new JVM has it: what comes with an object that
    /// a test makes is not there before.
    found_as_made: HashSet<Spot>,
    /// Whether a location is the memory of one method, in all runs that tell.
    memos: HashMap<Spot, bool>,
    /// How often it was foreseen what a test would find there, and how often
    /// that was so.
    foreseen: HashMap<Spot, Foreseen>,
    count: u64,
}

impl Sights {
    pub(super) fn saw(&mut self, test: TestNumber, spot: Spot, look: Look) {
        if look == Look::AsMade {
            self.found_as_made.insert(spot);
        }
        let seen = self.seen.entry((test, spot)).or_default();
        if !seen.contains(&look) {
            seen.push(look);
            self.count += 1;
        }
    }

    pub(super) fn left(&mut self, by: ActorNumber, spot: Spot, look: Look) {
        if look == Look::AsMade {
            return;
        }
        let left = self.left.entry(spot).or_default();
        match left.iter_mut().find(|left| left.look == look) {
            Some(known) => known.by_others |= known.by != by,
            None => left.push(Left { look, by, by_others: false }),
        }
    }

    /// What a run tells about a location that was written in it.
    pub(super) fn memory(&mut self, spot: Spot, is_memo: bool) {
        *self.memos.entry(spot).or_insert(true) &= is_memo;
    }

    /// Compares a forecast with what came; whether it came true.
    pub(crate) fn foresaw(&mut self, (test, spot, look): Sight) -> bool {
        let seen = self.has((test, spot, look));
        let foreseen = self.foreseen.entry(spot).or_default();
        foreseen.times += 1;
        foreseen.rightly += u32::from(seen);
        seen
    }

    /// Whether there was this one.
    pub(crate) fn has(&self, (test, spot, look): Sight) -> bool {
        self.seen.get(&(test, spot)).is_some_and(|seen| seen.contains(&look))
    }

    /// How many sights there were.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// What the location may hold when the test reads it, and never did so far.
    pub(crate) fn unseen(&self, test: TestNumber, spot: Spot) -> Vec<Look> {
        let Some(left) = self.left.get(&spot) else { return Vec::new() };
        if self.foreseen.get(&spot).is_some_and(Foreseen::is_fickle) {
            return Vec::new();
        }
        let seen = self.seen.get(&(test, spot)).map_or(&[][..], Vec::as_slice);
        let is_memo = self.is_memo(spot);
        let changed = seen.iter().any(|look| *look != Look::AsMade);
        let is_enough = changed && (is_memo || left.len() > MOST_LOOKS);
        let of_others = left.iter().filter(|left| left.by_others || left.by != test);
        let of_others = of_others.filter(|_| !is_enough).map(|left| left.look);
        let as_made = self.found_as_made.contains(&spot) && !is_memo;
        let as_made = as_made.then_some(Look::AsMade);
        of_others.chain(as_made).filter(|look| !seen.contains(look)).collect()
    }

    fn is_memo(&self, spot: Spot) -> bool {
        self.memos.get(&spot).is_some_and(|is_memo| *is_memo)
    }

    /// Whether it is the memory of a method, and all who filled it left the same.
    pub(super) fn is_plain_memo(&self, spot: Spot) -> bool {
        self.is_memo(spot) && self.left.get(&spot).is_none_or(|left| left.len() <= 1)
    }

    /// Who leaves this there, nobody if that is what a new JVM has.
    pub(crate) fn leaver(&self, spot: Spot, look: Look) -> Option<ActorNumber> {
        let left = self.left.get(&spot)?;
        left.iter().find(|left| left.look == look).map(|left| left.by)
    }
}

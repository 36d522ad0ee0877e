//! What each test saw, one location at a time.
//!
//! A context is all that a test saw in a run, and there is no end of contexts
//! where much is shared. A *sight* is one location of it and what that held.
//! Sights are few, one order shows thousands of them, and what flips a test is
//! nearly always a single one.

use std::collections::{HashMap, HashSet};

use super::Spot;
use super::actors::ActorNumber;
use crate::Location;
use crate::roster::TestNumber;
use crate::trace::ValueDigest;

/// Where more different things were seen than this, it counts only whether a
/// test saw the location as made and changed: counters would have no end.
const MOST_LOOKS: usize = 12;

/// Forecasts must weigh so much together before they are judged.
const ENOUGH_FORESIGHT: u32 = 6;

/// What a forecast weighs for tests that have a JVM of their own. In a long
/// order it may fail because of others, so there it weighs half.
const ALONE: u32 = 2;
const AMONG_OTHERS: u32 = 1;

/// How many of those who leave the same are kept: one for each reader that is
/// not the reader itself.
const MOST_LEAVERS: usize = 2;

/// What a location holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Look {
    /// What a new JVM has there.
    AsMade,
    Value(ValueDigest),
    /// Something without a name of its own.
    LeftBy(ActorNumber),
    /// Anything but what a new JVM has there: never found, but wanted where it
    /// makes no difference what it is.
    Changed,
}

impl Look {
    /// Whether who wants this is content with what is there.
    pub(crate) fn is_met_by(self, found: Self) -> bool {
        match self {
            Self::Changed => found != Self::AsMade,
            wanted => wanted == found,
        }
    }
}

/// A test, a location it reads, and what it finds there.
pub(crate) type Sight = (TestNumber, Spot, Look);

/// One who leaves something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaver {
    pub(crate) actor: ActorNumber,
    /// In how many places it found something else than a new JVM has when it did.
    /// The fewer, the more likely it does so anywhere.
    pub(crate) saw: usize,
}

#[derive(Debug)]
struct Left {
    look: Look,
    /// Some of those who leave it, the most certain first.
    by: Vec<Leaver>,
}

impl Left {
    fn add(&mut self, leaver: Leaver) {
        match self.by.iter_mut().find(|known| known.actor == leaver.actor) {
            Some(known) => known.saw = known.saw.min(leaver.saw),
            None => self.by.push(leaver),
        }
        self.by.sort_by_key(|leaver| leaver.saw);
        self.by.truncate(MOST_LEAVERS);
    }

    /// The most certain one that is not this test.
    fn by_other(&self, test: TestNumber) -> Option<Leaver> {
        self.by.iter().copied().find(|leaver| leaver.actor != test)
    }
}

/// What is judged together: the slots of one table are, since what makes one of
/// them change from run to run does so to all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    Spot(Spot),
    Table(Location),
}

#[derive(Debug, Default)]
struct Foreseen {
    weight: u32,
    rightly: u32,
}

impl Foreseen {
    /// What is there changes from run to run by itself: a table that is sorted
    /// by addresses, or something that goes by the clock.
    fn is_fickle(&self) -> bool {
        self.weight >= ENOUGH_FORESIGHT && self.rightly * 3 < self.weight
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
    /// Locations that are part of a table: the elements of an array and what is
    /// inside them.
    tables: HashMap<Spot, Location>,
    /// How often it was foreseen what a test would find there, and how often
    /// that was so.
    foreseen: HashMap<Place, Foreseen>,
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

    pub(super) fn left(&mut self, by: Leaver, spot: Spot, look: Look) {
        if look == Look::AsMade {
            return;
        }
        let left = self.left.entry(spot).or_default();
        match left.iter_mut().find(|left| left.look == look) {
            Some(known) => known.add(by),
            None => left.push(Left { look, by: vec![by] }),
        }
    }

    /// What a run tells about a location that was written in it.
    pub(super) fn memory(&mut self, spot: Spot, is_memo: bool) {
        *self.memos.entry(spot).or_insert(true) &= is_memo;
    }

    pub(super) fn in_table(&mut self, spot: Spot, table: Location) {
        self.tables.insert(spot, table);
    }

    /// What forecasts for a location speak of.
    pub(crate) fn place(&self, spot: Spot) -> Place {
        self.tables.get(&spot).map_or(Place::Spot(spot), |&table| Place::Table(table))
    }

    /// Takes note of a run that was to show what is found in a place, and whether
    /// it did.
    pub(crate) fn foresaw(&mut self, place: Place, rightly: bool, is_alone: bool) {
        let weight = if is_alone { ALONE } else { AMONG_OTHERS };
        let foreseen = self.foreseen.entry(place).or_default();
        foreseen.weight += weight;
        foreseen.rightly += if rightly { weight } else { 0 };
    }

    /// How much speaks against a forecast of what is there.
    pub(crate) fn doubt(&self, spot: Spot) -> u32 {
        self.foreseen
            .get(&self.place(spot))
            .map_or(0, |foreseen| foreseen.weight - foreseen.rightly)
    }

    /// Whether there was this one.
    pub(crate) fn has(&self, (test, spot, look): Sight) -> bool {
        let seen = self.seen.get(&(test, spot));
        seen.is_some_and(|seen| seen.iter().any(|found| look.is_met_by(*found)))
    }

    /// How many sights there were.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// What the location may hold when the test reads it, and never did so far.
    pub(crate) fn unseen(&self, test: TestNumber, spot: Spot) -> Vec<Look> {
        let Some(left) = self.left.get(&spot) else { return Vec::new() };
        if self.foreseen.get(&self.place(spot)).is_some_and(Foreseen::is_fickle) {
            return Vec::new();
        }
        let seen = self.seen.get(&(test, spot)).map_or(&[][..], Vec::as_slice);
        let is_memo = self.is_memo(spot);
        let mut of_others = left.iter().filter(|left| left.by_other(test).is_some());
        let mut unseen: Vec<Look> = if is_memo || left.len() > MOST_LOOKS {
            let changed = of_others.next().map(|_| Look::Changed);
            changed
                .into_iter()
                .filter(|_| !seen.iter().any(|found| *found != Look::AsMade))
                .collect()
        } else {
            of_others.map(|left| left.look).filter(|look| !seen.contains(look)).collect()
        };
        let as_made = self.found_as_made.contains(&spot) && !is_memo;
        unseen.extend((as_made && !seen.contains(&Look::AsMade)).then_some(Look::AsMade));
        unseen
    }

    fn is_memo(&self, spot: Spot) -> bool {
        self.memos.get(&spot).is_some_and(|is_memo| *is_memo)
    }

    /// Whether it is the memory of a method, and all who filled it left the same.
    pub(super) fn is_plain_memo(&self, spot: Spot) -> bool {
        self.is_memo(spot) && self.left.get(&spot).is_none_or(|left| left.len() <= 1)
    }

    /// Who leaves this there for a test, nobody if that is what a new JVM has.
    pub(crate) fn leaver(&self, (test, spot, look): Sight) -> Option<Leaver> {
        let left = self.left.get(&spot)?.iter().filter(|left| look.is_met_by(left.look));
        left.filter_map(|left| left.by_other(test)).min_by_key(|leaver| leaver.saw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READER: TestNumber = 7;
    const SPOT: Spot = 3;

    fn value(value: u64) -> Look {
        Look::Value(ValueDigest(value))
    }

    fn leaver(actor: ActorNumber, saw: usize) -> Leaver {
        Leaver { actor, saw }
    }

    #[test]
    fn who_depends_least_on_others_is_to_leave_something_and_never_its_reader() {
        let mut sights = Sights::default();
        sights.left(leaver(1, 40), SPOT, value(5));
        sights.left(leaver(2, 3), SPOT, value(5));
        sights.left(leaver(READER, 0), SPOT, value(5));
        let found = |sights: &Sights, test| sights.leaver((test, SPOT, value(5))).unwrap().actor;
        assert_eq!(found(&sights, READER), 2);
        assert_eq!(found(&sights, 2), READER);
        sights.left(leaver(1, 1), SPOT, value(5));
        assert_eq!(found(&sights, READER), 1, "it did so also when it saw less");
    }

    #[test]
    fn of_what_has_no_end_one_thing_is_wanted_not_each_of_them() {
        let mut sights = Sights::default();
        sights.saw(READER, SPOT, Look::AsMade);
        for count in 0..=MOST_LOOKS as u64 {
            sights.left(leaver(count as u32, 0), SPOT, value(count));
        }
        assert_eq!(sights.unseen(READER, SPOT), [Look::Changed]);
        assert!(!sights.has((READER, SPOT, Look::Changed)));
        sights.saw(READER, SPOT, value(4));
        assert!(sights.unseen(READER, SPOT).is_empty());
        assert!(sights.has((READER, SPOT, Look::Changed)));
    }

    #[test]
    fn the_slots_of_a_table_are_given_up_together() {
        let (slot, other_slot, elsewhere) = (SPOT, SPOT + 1, SPOT + 2);
        let mut sights = Sights::default();
        for spot in [slot, other_slot, elsewhere] {
            sights.left(leaver(1, 0), spot, value(5));
        }
        sights.in_table(slot, Location(9));
        sights.in_table(other_slot, Location(9));
        for _ in 0..ENOUGH_FORESIGHT / ALONE {
            assert_eq!(sights.unseen(READER, other_slot), [value(5)]);
            sights.foresaw(sights.place(slot), false, true);
        }
        assert!(sights.unseen(READER, other_slot).is_empty());
        assert_eq!(sights.unseen(READER, elsewhere), [value(5)]);
    }

    #[test]
    fn a_long_order_that_shows_nothing_says_half_as_much() {
        let mut sights = Sights::default();
        sights.left(leaver(1, 0), SPOT, value(5));
        for _ in 1..ENOUGH_FORESIGHT {
            sights.foresaw(sights.place(SPOT), false, false);
        }
        assert_eq!(sights.unseen(READER, SPOT), [value(5)]);
        sights.foresaw(sights.place(SPOT), false, false);
        assert!(sights.unseen(READER, SPOT).is_empty());
    }
}

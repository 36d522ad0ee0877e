//! What a traced run saw, as far as detection needs it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use residue_model::TestId;

use crate::Location;

/// Stands for what a location holds, the same in every run: a primitive, a
/// string, an enum constant, null, or a reference by the object it leads to.
/// What an object has inside are locations of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueDigest(pub u64);

/// Which tests of a run read and wrote what.
///
/// A test of the run that is not in here was not observed and may have done
/// anything. A class fixture that is not in here did nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunAccesses {
    /// The observed tests and fixtures, in the order in which they ran.
    pub stretches: Vec<Stretch>,
    /// Whether reads of locations that no stretch of this run wrote are listed
    /// too. If not, nothing is known about reads of locations that occur in no
    /// write of the run.
    pub lists_unwritten: bool,
    /// Whether a location that was written is read and filled by one method
    /// only, as far as the run tells. Then whoever finds nothing there most
    /// likely goes on as if it had found what others did.
    pub memos: HashMap<Location, bool>,
    /// The table that a location is part of, where it is: an array, of which it is
    /// an element or inside one. Where things are in a table may change from run
    /// to run, for all of them.
    pub tables: HashMap<Location, Location>,
    /// Tests that write a static field or a property, and in the end it holds what
    /// it held in the beginning. In between whoever looks may find something else,
    /// and keep it: a class that is initialised then, for one.
    pub passing: BTreeSet<TestId>,
}

/// What ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Actor {
    /// The class fixture before the first test of a group.
    Opening,
    /// A test, with what is set up and torn down for it alone.
    Test,
    /// The class fixture after the last test of a group.
    Closing,
}

/// A part of a run, and what it read and wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// The test; of a fixture the first or last of its group.
    pub test: TestId,
    /// Whether it is the test itself.
    pub actor: Actor,
    /// Locations it read before it wrote them, each once.
    pub reads: Vec<Location>,
    /// Locations it wrote, each once.
    pub writes: Vec<Write>,
    /// Locations that came with objects it made, which may be many, and what
    /// they held in the end. None of them is among the writes.
    pub made: HashMap<Location, Option<ValueDigest>>,
}

/// What was done to a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write {
    /// The location.
    pub location: Location,
    /// In the end it held what it had held in the beginning.
    pub restored: bool,
    /// What it held in the beginning, where that has a digest.
    pub before: Option<ValueDigest>,
    /// What it held in the end, where that has a digest.
    pub after: Option<ValueDigest>,
}

impl Write {
    /// A write of which only the location is known.
    pub fn to(location: Location) -> Self {
        Self { location, restored: false, before: None, after: None }
    }

    fn go_on(&mut self, later: Self) {
        let back = self.before.is_some() && self.before == later.after;
        self.restored = (self.restored && later.restored) || back;
        self.after = later.after;
    }
}

impl RunAccesses {
    /// Adds what happened next. Several fixtures in a row, such as those of
    /// nested classes, count as one, and so do several writes to a location.
    pub fn record(
        &mut self,
        test: &TestId,
        actor: Actor,
        reads: impl IntoIterator<Item = Location>,
        writes: impl IntoIterator<Item = Write>,
        made: impl IntoIterator<Item = (Location, Option<ValueDigest>)>,
    ) {
        let goes_on = |last: &Stretch| last.test == *test && last.actor == actor;
        if !self.stretches.last().is_some_and(goes_on) {
            let (reads, writes, made) = (Vec::new(), Vec::new(), HashMap::new());
            self.stretches.push(Stretch { test: test.clone(), actor, reads, writes, made });
        }
        if let Some(last) = self.stretches.last_mut() {
            last.go_on(reads, writes, made);
        }
    }
}

impl Stretch {
    fn go_on(
        &mut self,
        reads: impl IntoIterator<Item = Location>,
        writes: impl IntoIterator<Item = Write>,
        made: impl IntoIterator<Item = (Location, Option<ValueDigest>)>,
    ) {
        let mut places: BTreeMap<Location, usize> =
            self.writes.iter().enumerate().map(|(place, write)| (write.location, place)).collect();
        let mut read: BTreeSet<Location> = self.reads.iter().copied().collect();
        let known: HashSet<Location> = self.made.keys().copied().collect();
        let is_own =
            |location: &Location| places.contains_key(location) || known.contains(location);
        let new = |location: &Location| !is_own(location) && read.insert(*location);
        self.reads.extend(reads.into_iter().filter(new));
        for write in writes {
            if let Some(after) = self.made.get_mut(&write.location) {
                *after = write.after;
                continue;
            }
            match places.get(&write.location) {
                Some(&place) => self.writes[place].go_on(write),
                None => {
                    places.insert(write.location, self.writes.len());
                    self.writes.push(write);
                }
            }
        }
        for (location, after) in made {
            match places.get(&location) {
                Some(&place) => {
                    let before = self.writes[place].before;
                    let restored = before.is_some() && before == after;
                    self.writes[place] = Write { location, restored, before, after };
                }
                None => {
                    self.made.insert(location, after);
                }
            }
        }
    }

    /// All that it left something in, restored or not.
    pub fn written(&self) -> impl Iterator<Item = Location> {
        self.writes.iter().map(|write| write.location).chain(self.made.keys().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixtures_of_nested_classes_are_one() {
        let test = TestId::parse("a.T#x").unwrap();
        let write = |location, before, after| Write {
            location: Location(location),
            restored: before == after,
            before: Some(ValueDigest(before)),
            after: Some(ValueDigest(after)),
        };
        let mut run = RunAccesses::default();
        run.record(&test, Actor::Opening, [Location(1)], [write(2, 0, 5), write(3, 0, 5)], []);
        let reads = [Location(1), Location(2), Location(4)];
        run.record(&test, Actor::Opening, reads, [write(2, 5, 0), write(3, 5, 6)], []);
        run.record(
            &test,
            Actor::Test,
            [Location(2), Location(2)],
            [write(1, 0, 1), write(1, 1, 0)],
            [],
        );
        assert_eq!(run.stretches.len(), 2);
        assert_eq!(run.stretches[1].reads, [Location(2)]);
        assert_eq!(run.stretches[1].writes, [write(1, 0, 0)]);
        assert_eq!(run.stretches[0].reads, [Location(1), Location(4)]);
        assert_eq!(run.stretches[0].writes, [write(2, 0, 0), write(3, 0, 6)]);
    }
}

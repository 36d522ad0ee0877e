//! Who reads and writes: tests, and the fixtures of their classes.
//!
//! A class fixture runs when the class of the tests changes, so it is an actor
//! of its own: what it does depends on what it reads, like what a test does.

use crate::roster::{Roster, TestNumber};

/// An actor by number: a test by its own, then the opening and the closing
/// fixture of each class.
pub(crate) type ActorNumber = u32;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Actors {
    tests: u32,
    fixtures: u32,
}

impl Actors {
    pub(super) fn new(roster: &Roster) -> Self {
        Self { tests: roster.len() as u32, fixtures: roster.fixtures().len() as u32 }
    }

    pub(super) fn len(self) -> usize {
        (self.tests + 2 * self.fixtures) as usize
    }

    pub(super) fn opening(self, fixture: usize) -> ActorNumber {
        self.tests + fixture as u32
    }

    pub(super) fn closing(self, fixture: usize) -> ActorNumber {
        self.tests + self.fixtures + fixture as u32
    }

    /// The tests that an actor comes with: itself, or those of its class.
    pub(super) fn tests<'a>(
        self,
        actor: ActorNumber,
        roster: &'a Roster,
    ) -> impl Iterator<Item = TestNumber> + 'a {
        let itself = (actor < self.tests).then_some(actor);
        let fixture = actor.checked_sub(self.tests).map(|number| number % self.fixtures.max(1));
        let of_class = fixture.map_or(&[][..], |fixture| &roster.fixtures()[fixture as usize]);
        itself.into_iter().chain(of_class.iter().copied())
    }
}

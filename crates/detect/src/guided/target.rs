//! What an order has that was never seen, and the fewest tests that show it.

use std::collections::{BTreeSet, HashMap};

use residue_model::Outcome;

use crate::bits::TestSet;
use crate::knowledge::{Knowledge, Seen, Simulation};
use crate::roster::{Roster, TestNumber};

/// A sequence of tests for a new JVM, some of which see something new there.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) tests: Vec<TestNumber>,
    /// Tests that come at the end of the run, wherever it ends: what they write
    /// is what the trace tells about.
    pub(super) tail: BTreeSet<TestNumber>,
    /// At how many places of its order something new is seen.
    pub(super) gaps: usize,
}

/// What questions are looked at with.
pub(super) struct Lookout<'a> {
    pub(super) knowledge: &'a Knowledge,
    pub(super) roster: &'a Roster,
    /// Which tests move together.
    pub(super) unit_of: &'a [usize],
    /// If not all of an order is looked at: only where one of these runs, and
    /// where what is seen goes back to one of them.
    pub(super) only: Option<&'a TestSet>,
}

impl Lookout<'_> {
    /// The fewest tests of an order that must run until it is known how those
    /// that matter end; if wanted, also what the class fixture does at the end.
    /// Nothing if all that is known and none of it would be news.
    pub(super) fn target(
        &self,
        order: &[TestNumber],
        to_the_end: bool,
        matters: impl Fn(TestNumber) -> bool,
        is_news: impl Fn(TestNumber, &Outcome) -> bool,
    ) -> Option<Target> {
        let last = order.iter().rposition(|&test| matters(test))?;
        let simulation = Simulation::of(self.knowledge, self.roster, &order[..=last]);
        let back = self.only.map(|only| simulation.goes_back_to(only));
        let is_wanted =
            |place: usize| back.as_ref().is_none_or(|back| back[place]) && matters(order[place]);
        let needed = self.only.map(|_| {
            let wanted: Vec<usize> = (0..=last).filter(|&place| is_wanted(place)).collect();
            simulation.needed(&wanted)
        });
        let is_in_question =
            |place: &usize| needed.as_ref().is_none_or(|places| places.contains(place));
        let is_gap = |place: &usize| {
            let step = &simulation.steps()[*place];
            match step.seen {
                Seen::Known(id) => {
                    let outcome = &self.knowledge.execution(id).outcome;
                    is_wanted(*place) && is_news(step.test, outcome)
                }
                Seen::Untold(_) | Seen::Novel | Seen::Unsure => true,
                // Others go on as if its effects were known: there is no end
                // of what such a test could do.
                Seen::Unpredictable => matters(step.test),
            }
        };
        let mut gaps: Vec<usize> = (0..=last).filter(is_in_question).filter(is_gap).collect();
        if gaps.is_empty() && to_the_end && !simulation.is_end_known() {
            gaps.push(last);
        }
        let &end = gaps.last()?;
        let tests = self.reduced(order, &simulation, &gaps);
        let Some(tests) = tests else {
            let (tests, tail) = (order[..=end].to_vec(), BTreeSet::new());
            return Some(Target { tests, tail, gaps: gaps.len() });
        };
        let untold = gaps.iter().flat_map(|&gap| &simulation.steps()[gap].untold);
        let writers = untold.filter_map(|&spot| self.knowledge.writer(spot));
        // What belongs together comes together.
        let units: BTreeSet<usize> = writers.map(|test| self.unit_of[test as usize]).collect();
        let in_units = |test: &TestNumber| units.contains(&self.unit_of[*test as usize]);
        let tail = self.roster.all().filter(in_units).filter(|test| !tests.contains(test));
        Some(Target { tail: tail.collect(), tests, gaps: gaps.len() })
    }

    /// Only the tests that decide what is seen at the gaps, unless those alone
    /// would see something else there.
    fn reduced(
        &self,
        order: &[TestNumber],
        simulation: &Simulation<'_>,
        gaps: &[usize],
    ) -> Option<Vec<TestNumber>> {
        let needed = simulation.needed(gaps);
        let units: BTreeSet<usize> =
            needed.into_iter().map(|place| self.unit_of[order[place] as usize]).collect();
        let upto = &order[..=*gaps.last()?];
        let kept = upto.iter().copied().filter(|&t| units.contains(&self.unit_of[t as usize]));
        let tests: Vec<TestNumber> = kept.collect();
        let reduced = Simulation::of(self.knowledge, self.roster, &tests);
        let alike = |&gap: &usize| {
            let step = &simulation.steps()[gap];
            let place = reduced.place_of(step.test);
            place.is_some_and(|place| reduced.steps()[place].sees_like(step))
        };
        gaps.iter().all(alike).then_some(tests)
    }
}

/// The unit of each test.
pub(super) fn unit_of(units: &crate::orders::Units, tests: usize) -> Vec<usize> {
    let numbers = (0..units.len()).flat_map(|unit| units.get(unit).iter().map(move |&t| (t, unit)));
    let by_test: HashMap<TestNumber, usize> = numbers.collect();
    (0..tests as TestNumber).map(|test| by_test[&test]).collect()
}

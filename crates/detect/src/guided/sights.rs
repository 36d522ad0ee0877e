//! Orders that let many tests see something for the first time.
//!
//! Each order is put together test by test: next comes who sees most that it
//! never saw, or if nobody does, who leaves what others wait for. Tests that
//! have nothing to see and leave nothing of interest stay out.

use std::cmp::Reverse;
use std::collections::HashMap;

use rand_chacha::ChaCha8Rng;

use crate::knowledge::{Forecast, Knowledge, Look, Sight, Spot};
use crate::orders::Units;
use crate::roster::{Roster, TestNumber};
use crate::shuffle::below;

/// Units that are compared before one of them comes next.
const SAMPLE: usize = 24;

/// What tests have not seen.
pub(super) struct Wanted {
    by_test: HashMap<TestNumber, HashMap<Spot, Vec<Look>>>,
    /// How many tests wait for something to be left somewhere.
    demand: HashMap<(Spot, Look), usize>,
}

impl Wanted {
    /// All that these tests could see.
    pub(super) fn of(knowledge: &Knowledge, tests: impl Iterator<Item = TestNumber>) -> Self {
        let mut wanted = Self { by_test: HashMap::new(), demand: HashMap::new() };
        for test in tests {
            let unseen = knowledge.may_read(test).filter_map(|spot| {
                let looks = knowledge.sights().unseen(test, spot);
                (!looks.is_empty()).then_some((spot, looks))
            });
            let unseen: HashMap<Spot, Vec<Look>> = unseen.collect();
            for (&spot, looks) in &unseen {
                for &look in looks {
                    *wanted.demand.entry((spot, look)).or_default() += 1;
                }
            }
            if !unseen.is_empty() {
                wanted.by_test.insert(test, unseen);
            }
        }
        wanted
    }

    /// Every unseen sight.
    pub(super) fn all(&self) -> impl Iterator<Item = Sight> {
        self.by_test.iter().flat_map(|(&test, unseen)| {
            let each =
                unseen.iter().flat_map(|(&spot, looks)| looks.iter().map(move |&l| (spot, l)));
            each.map(move |(spot, look)| (test, spot, look))
        })
    }

    /// How much a test would see now that it never saw.
    fn gain(&self, test: TestNumber, now: &Forecast<'_>) -> usize {
        let Some(unseen) = self.by_test.get(&test) else { return 0 };
        let is_new = |(spot, looks): &(&Spot, &Vec<Look>)| meets(looks, now.look(**spot)).is_some();
        unseen.iter().filter(is_new).count()
    }

    /// How many more tests there would be that see something new if they came
    /// next, less those for which it would be too late.
    fn service(&self, test: TestNumber, now: &Forecast<'_>) -> i64 {
        let waiting = |spot, look| self.demand.get(&(spot, look)).copied().unwrap_or_default();
        let served = |spot, found| {
            let any = if found == Look::AsMade { 0 } else { waiting(spot, Look::Changed) };
            (any + waiting(spot, found)) as i64
        };
        let left = now.left_by(test).into_iter();
        left.map(|(spot, look)| served(spot, look) - served(spot, now.look(spot))).sum()
    }

    /// Takes what a test sees now as seen; gives what of it is new.
    fn take(&mut self, test: TestNumber, now: &Forecast<'_>) -> Vec<Sight> {
        let mut taken = Vec::new();
        for (&spot, looks) in self.by_test.get_mut(&test).into_iter().flatten() {
            if let Some(place) = meets(looks, now.look(spot)) {
                taken.push((test, spot, looks.swap_remove(place)));
            }
        }
        for (_, spot, look) in &taken {
            if let Some(waiting) = self.demand.get_mut(&(*spot, *look)) {
                *waiting -= 1;
            }
        }
        taken
    }
}

/// Which of the looks that are wanted is met by what is there.
fn meets(wanted: &[Look], found: Look) -> Option<usize> {
    wanted.iter().position(|wanted| wanted.is_met_by(found))
}

/// An order and what it will most likely show for the first time.
pub(super) struct Showing {
    pub(super) order: Vec<TestNumber>,
    pub(super) new: Vec<Sight>,
}

/// The next order of some of these units. What it will most likely show is no
/// longer wanted then.
pub(super) fn showing(
    knowledge: &Knowledge,
    roster: &Roster,
    units: &Units,
    mut left: Vec<usize>,
    wanted: &mut Wanted,
    random: &mut ChaCha8Rng,
) -> Showing {
    let mut now = Forecast::new(knowledge, roster);
    let mut showing = Showing { order: Vec::new(), new: Vec::new() };
    while !left.is_empty() {
        let sample = bring_forward(&mut left, random);
        // Who sees something new comes sooner or later, those who spoil it for
        // others last.
        let worth = |unit: usize| {
            let tests = units.get(unit).iter();
            let gain: usize = tests.clone().map(|&test| wanted.gain(test, &now)).sum();
            let service: i64 = tests.map(|&test| wanted.service(test, &now)).sum();
            (gain > 0 || service > 0).then_some(gain as i64 + service)
        };
        let Some(best) = best(&left[..sample], worth) else {
            // What is of no use now hardly will be.
            left.drain(..sample);
            continue;
        };
        for &test in units.get(left.swap_remove(best)) {
            now.make_ready(test);
            showing.new.extend(wanted.take(test, &now));
            now.run(test);
            showing.order.push(test);
        }
    }
    showing
}

/// Puts a random sample at the front; gives how many they are.
fn bring_forward(units: &mut [usize], random: &mut ChaCha8Rng) -> usize {
    let sample = units.len().min(SAMPLE);
    for place in 0..sample {
        let chosen = place + below(random, (units.len() - place) as u64) as usize;
        units.swap(place, chosen);
    }
    sample
}

/// The place of the unit that is worth most, if any is worth something.
fn best(units: &[usize], worth: impl Fn(usize) -> Option<i64>) -> Option<usize> {
    let rated = units.iter().enumerate().filter_map(|(place, &unit)| Some((worth(unit)?, place)));
    rated.max_by_key(|&(worth, place)| (worth, Reverse(place))).map(|(_, place)| place)
}

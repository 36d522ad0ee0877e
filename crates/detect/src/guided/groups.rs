//! Many single sights in one order.
//!
//! A sight takes two tests: one that leaves something, and directly behind it
//! the one that shall see it; or one test where all is as made. Such parts come
//! one after the other in one JVM as long as forecasts say that each still
//! shows something there. Where forecasts fail, groups become smaller.

use std::collections::HashSet;

use crate::knowledge::{Forecast, Knowledge, Seen, Sight, Simulation};
use crate::orders::Units;
use crate::roster::{Roster, TestNumber};

/// Parts in a row that may show nothing behind the others before an order
/// counts as full.
const MOST_MISSES: usize = 4_000;

/// A test, perhaps behind another, and what it shall see.
pub(super) struct Part {
    pub(super) units: Vec<usize>,
    pub(super) sights: Vec<Sight>,
    /// How much speaks against forecasts for the location, and how much the one
    /// who leaves what is wanted there may depend on others.
    pub(super) doubt: (u32, usize),
}

/// Some parts one after the other.
pub(super) struct Group {
    pub(super) parts: Vec<Vec<usize>>,
    pub(super) order: Vec<TestNumber>,
    pub(super) sights: Vec<Sight>,
}

pub(super) struct Grouping<'a> {
    pub(super) knowledge: &'a Knowledge,
    pub(super) roster: &'a Roster,
    pub(super) units: &'a Units,
}

impl Grouping<'_> {
    /// The first groups, each of at most so many parts.
    pub(super) fn groups(&self, parts: &[Part], largest: usize, most: usize) -> Vec<Group> {
        let mut left: Vec<&Part> = parts.iter().collect();
        let mut groups = Vec::new();
        while groups.len() < most {
            let group = self.group(&mut left, largest);
            if group.parts.is_empty() {
                break;
            }
            groups.push(group);
        }
        groups
    }

    /// The next group; its parts are taken out.
    fn group(&self, left: &mut Vec<&Part>, largest: usize) -> Group {
        let mut group = Group { parts: Vec::new(), order: Vec::new(), sights: Vec::new() };
        let mut present: HashSet<usize> = HashSet::new();
        let mut now = Forecast::new(self.knowledge, self.roster);
        let mut misses = 0;
        left.retain(|part| {
            if group.parts.len() >= largest || misses >= MOST_MISSES {
                return true;
            }
            // In a JVM of its own a part is tried whatever the forecast says.
            let shown = match largest {
                1 => Some(part.sights.clone()),
                _ => self.shown(part, &present, &now),
            };
            let Some(shown) = shown else {
                misses += 1;
                return true;
            };
            if self.is_known(&part.units) {
                return false;
            }
            misses = 0;
            for &unit in part.units.iter().filter(|unit| present.insert(**unit)) {
                for &test in self.units.get(unit) {
                    now.make_ready(test);
                    now.run(test);
                    group.order.push(test);
                }
            }
            group.parts.push(part.units.clone());
            group.sights.extend(shown);
            false
        });
        group
    }

    /// Whether these units, in a JVM of their own, would see nothing new, so that
    /// what is wanted of them must come about in another way.
    fn is_known(&self, units: &[usize]) -> bool {
        let order = self.units.order(units.iter().copied());
        let simulation = Simulation::of(self.knowledge, self.roster, &order);
        simulation.steps().iter().all(|step| matches!(step.seen, Seen::Known(_)))
    }

    /// What a part will most likely show if it comes next; none if that is
    /// nothing, or if its test has run.
    fn shown(
        &self,
        part: &Part,
        present: &HashSet<usize>,
        now: &Forecast<'_>,
    ) -> Option<Vec<Sight>> {
        let (reader, before) = part.units.split_last()?;
        if present.contains(reader) {
            return None;
        }
        let before = before.iter().filter(|unit| !present.contains(unit));
        let left: Vec<_> = before
            .flat_map(|&unit| self.units.get(unit))
            .flat_map(|&test| now.left_by(test))
            .collect();
        let is_shown = |(_, spot, look): &&Sight| {
            let last = left.iter().rev().find(|(place, _)| place == spot);
            look.is_met_by(last.map_or(now.look(*spot), |(_, look)| *look))
        };
        let shown: Vec<Sight> = part.sights.iter().filter(is_shown).copied().collect();
        (!shown.is_empty()).then_some(shown)
    }
}

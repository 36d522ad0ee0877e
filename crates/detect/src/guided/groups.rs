//! Many single sights in one order.
//!
//! A sight takes two tests: one that leaves something, and directly behind it
//! the one that shall see it; or one test where all is as made. Such parts come
//! one after the other in one JVM as long as forecasts say that each still
//! shows something there. Where forecasts fail, groups become smaller.

use std::collections::{BTreeMap, HashSet};

use crate::knowledge::{Forecast, Knowledge, Sight};
use crate::orders::Units;
use crate::roster::{Roster, TestNumber};

/// Parts in a row that may show nothing behind the others before an order
/// counts as full.
const MOST_MISSES: usize = 4_000;

/// A test, perhaps behind another, by units, and what it shall see.
pub(super) type Parts = BTreeMap<Vec<usize>, Vec<Sight>>;

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
    pub(super) fn groups(&self, parts: &Parts, largest: usize, most: usize) -> Vec<Group> {
        let mut left: Vec<(&Vec<usize>, &Vec<Sight>)> = parts.iter().collect();
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
    fn group(&self, left: &mut Vec<(&Vec<usize>, &Vec<Sight>)>, largest: usize) -> Group {
        let mut group = Group { parts: Vec::new(), order: Vec::new(), sights: Vec::new() };
        let mut present: HashSet<usize> = HashSet::new();
        let mut now = Forecast::new(self.knowledge, self.roster);
        let mut misses = 0;
        left.retain(|(units, sights)| {
            if group.parts.len() >= largest || misses >= MOST_MISSES {
                return true;
            }
            // In a JVM of its own a part is tried whatever the forecast says.
            let shown = match largest {
                1 => Some(sights.to_vec()),
                _ => self.shown(units, sights, &present, &now),
            };
            let Some(shown) = shown else {
                misses += 1;
                return true;
            };
            misses = 0;
            for &unit in units.iter().filter(|unit| present.insert(**unit)) {
                for &test in self.units.get(unit) {
                    now.make_ready(test);
                    now.run(test);
                    group.order.push(test);
                }
            }
            group.parts.push((*units).clone());
            group.sights.extend(shown);
            false
        });
        group
    }

    /// What a part will most likely show if it comes next; none if that is
    /// nothing, or if its test has run.
    fn shown(
        &self,
        units: &[usize],
        sights: &[Sight],
        present: &HashSet<usize>,
        now: &Forecast<'_>,
    ) -> Option<Vec<Sight>> {
        let (reader, before) = units.split_last()?;
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
            last.map_or(now.look(*spot), |(_, look)| *look) == *look
        };
        let shown: Vec<Sight> = sights.iter().filter(is_shown).copied().collect();
        (!shown.is_empty()).then_some(shown)
    }
}

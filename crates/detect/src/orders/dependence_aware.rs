//! Only the sequences in which a unit reads what an earlier one wrote
//! (DTDetector's Figure 6 and, for k = 1, its section 4.4).

use std::collections::HashMap;

use super::exhaustive::{KPermutations, count};
use super::units::Units;
use super::{Proposal, Stage};
use crate::Accesses;
use crate::bits::{PairSet, TestSet};
use crate::config::Algorithm;
use crate::roster::Roster;

/// For k = 1 the units that share state at all, each alone. For larger k every
/// unit alone, and the sequences of k units in which one reads what another
/// wrote before; all others would only show what the isolated runs show.
pub(super) fn stages(roster: &Roster, units: &Units, accesses: &Accesses, k: usize) -> Vec<Stage> {
    let sharing = Sharing::new(roster, units, accesses);
    let k = k.min(units.len());
    let alone: Vec<usize> = (0..units.len()).filter(|&u| k > 1 || sharing.shares(u)).collect();
    let mut stages = vec![stage(units.clone(), "dependence-aware, alone", alone.len() as u64, {
        alone.into_iter().map(|unit| vec![unit])
    })];
    if k > 1 {
        let planned = sharing.sequences(k);
        stages.push(stage(units.clone(), "dependence-aware", planned, conflicting(sharing, k)));
    }
    stages
}

fn stage(
    units: Units,
    name: &'static str,
    planned: u64,
    sequences: impl Iterator<Item = Vec<usize>> + 'static,
) -> Stage {
    let orders = (1_u64..).zip(sequences).map(move |(number, chosen)| Proposal {
        label: match chosen.len() {
            1 => "alone".into(),
            _ => format!("{name} {number} of {planned}"),
        },
        order: units.order(chosen),
    });
    Stage::new(Algorithm::DependenceAware, name, planned, orders)
}

/// Sequences of k units with a read after a write among them. The last place
/// is only tried with units that make it so, unless the others already do.
fn conflicting(sharing: Sharing, k: usize) -> impl Iterator<Item = Vec<usize>> {
    let sharing = std::rc::Rc::new(sharing);
    KPermutations::new(sharing.units, k - 1).flat_map(move |beginning| {
        let sharing = std::rc::Rc::clone(&sharing);
        let settled = sharing.has_conflict(&beginning);
        (0..sharing.units).filter_map(move |last| {
            let wanted = !beginning.contains(&last)
                && (settled || beginning.iter().any(|&writer| sharing.conflict(writer, last)));
            wanted.then(|| beginning.iter().copied().chain([last]).collect())
        })
    })
}

/// Which unit writes what which unit reads.
#[derive(Debug, Clone)]
struct Sharing {
    units: usize,
    /// Row: reader; members: writers of what it reads.
    writers_of: PairSet,
    /// Units with at least one access, or untraced.
    accessing: TestSet,
}

impl Sharing {
    fn new(roster: &Roster, units: &Units, accesses: &Accesses) -> Self {
        let count = units.len();
        let mut sharing =
            Self { units: count, writers_of: PairSet::new(count), accessing: TestSet::new(count) };
        let mut writers: HashMap<_, TestSet> = HashMap::new();
        let mut untraced = Vec::new();
        for unit in 0..count {
            for &test in units.get(unit) {
                let Some(writes) = accesses.writes(roster.id(test)) else {
                    untraced.push(unit as u32);
                    continue;
                };
                for location in writes {
                    let set = writers.entry(*location).or_insert_with(|| TestSet::new(count));
                    set.insert(unit as u32);
                    sharing.accessing.insert(unit as u32);
                }
            }
        }
        for unit in 0..count {
            let row = unit as u32;
            for &test in units.get(unit) {
                for location in accesses.reads(roster.id(test)).into_iter().flatten() {
                    sharing.accessing.insert(row);
                    if let Some(writers) = writers.get(location) {
                        sharing.writers_of.insert_all(row, writers);
                    }
                }
            }
        }
        sharing.distrust(&untraced);
        sharing
    }

    /// A unit that was not traced may read and write anything.
    fn distrust(&mut self, untraced: &[u32]) {
        let suspects = TestSet::of(self.units, untraced);
        let all = TestSet::of(self.units, &(0..self.units as u32).collect::<Vec<_>>());
        for unit in 0..self.units as u32 {
            let row = if suspects.contains(unit) { &all } else { &suspects };
            self.writers_of.insert_all(unit, row);
        }
        untraced.iter().for_each(|&unit| self.accessing.insert(unit));
    }

    fn shares(&self, unit: usize) -> bool {
        self.accessing.contains(unit as u32)
    }

    fn conflict(&self, writer: usize, reader: usize) -> bool {
        writer != reader && self.writers_of.contains(reader as u32, writer as u32)
    }

    fn has_conflict(&self, sequence: &[usize]) -> bool {
        let reads_earlier = |(place, &reader): (usize, &usize)| {
            sequence[..place].iter().any(|&writer| self.conflict(writer, reader))
        };
        sequence.iter().enumerate().any(reads_earlier)
    }

    /// Exact for pairs; for longer sequences the bound that exhaustive search
    /// has, since counting them would take as long as running through them.
    fn sequences(&self, k: usize) -> u64 {
        if k > 2 {
            return count(self.units, k);
        }
        let conflicts = |reader: usize| {
            (0..self.units).filter(|&writer| self.conflict(writer, reader)).count() as u64
        };
        (0..self.units).map(conflicts).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Location;
    use crate::config::Granularity;
    use crate::roster::roster;

    /// t0 writes 1; t1 reads 1; t2 reads 2, which nobody writes; t3 shares nothing.
    fn suite() -> (Roster, Accesses) {
        let roster = roster(&["a.T#t0", "a.T#t1", "a.T#t2", "a.T#t3"]);
        let mut accesses = Accesses::new();
        accesses.record(roster.id(0).clone(), [], [Location(1)]);
        accesses.record(roster.id(1).clone(), [Location(1)], []);
        accesses.record(roster.id(2).clone(), [Location(2)], []);
        accesses.record(roster.id(3).clone(), [], []);
        (roster, accesses)
    }

    fn orders(roster: &Roster, accesses: &Accesses, k: usize) -> Vec<Vec<u32>> {
        let units = Units::new(roster, Granularity::Method);
        let stages = stages(roster, &units, accesses, k);
        stages.into_iter().flat_map(|stage| stage.orders).map(|p| p.order).collect()
    }

    #[test]
    fn for_k_1_tests_that_share_nothing_are_not_run() {
        let (roster, accesses) = suite();
        assert_eq!(orders(&roster, &accesses, 1), [[0], [1], [2]]);
    }

    #[test]
    fn only_sequences_with_a_read_after_a_write_are_run() {
        let (roster, accesses) = suite();
        let expected = vec![vec![0], vec![1], vec![2], vec![3], vec![0, 1]];
        assert_eq!(orders(&roster, &accesses, 2), expected);
    }

    #[test]
    fn longer_sequences_are_those_of_the_definition() {
        let (roster, accesses) = suite();
        let by_definition: Vec<Vec<u32>> = KPermutations::new(4, 3)
            .filter(|p| {
                let place = |test| p.iter().position(|&t| t == test);
                place(0).is_some() && place(0) < place(1)
            })
            .map(|p| p.into_iter().map(|t| t as u32).collect())
            .collect();
        assert_eq!(orders(&roster, &accesses, 3)[4..], by_definition);
    }

    #[test]
    fn an_untraced_test_may_share_anything() {
        let (roster, accesses) = suite();
        let mut partial = Accesses::new();
        for test in [0, 1, 2] {
            let id = roster.id(test);
            let set = |set: Option<&std::collections::BTreeSet<Location>>| set.cloned().unwrap();
            partial.record(id.clone(), set(accesses.reads(id)), set(accesses.writes(id)));
        }
        let pairs = &orders(&roster, &partial, 2)[4..];
        let expected: Vec<Vec<u32>> = vec![
            vec![0, 1],
            vec![0, 3],
            vec![1, 3],
            vec![2, 3],
            vec![3, 0],
            vec![3, 1],
            vec![3, 2],
        ];
        assert_eq!(pairs, expected);
    }
}

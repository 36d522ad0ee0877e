//! ElectricTest's naive scheduler: "each test is in exactly one group, and each
//! group contains all dependencies for each test".

use crate::bits::Bits;
use crate::spread::least_loaded;
use crate::units::{Units, root};

/// Groups in reference order, each to the worker that is free first.
pub(crate) fn chains(units: &Units, workers: usize) -> Vec<Bits> {
    let mut sets = vec![Bits::default(); workers];
    let mut loads = vec![0_u64; workers];
    for group in groups(units) {
        let worker = least_loaded(&loads);
        loads[worker] += units.cost_of(&group);
        sets[worker].insert_all(&group);
    }
    sets
}

/// Weakly connected components, in the order of their first units.
fn groups(units: &Units) -> Vec<Bits> {
    let mut parents: Vec<usize> = (0..units.len()).collect();
    let mut join = |one: usize, other: usize| {
        let (one, other) = (root(&mut parents, one), root(&mut parents, other));
        parents[one.max(other)] = one.min(other);
    };
    let mut first_confined: Vec<Option<usize>> = vec![None; units.len()];
    for unit in units.parallel() {
        units.needs[unit].iter().for_each(|needed| join(unit, *needed));
        if let Some(bundle) = units.confined[unit] {
            if bundle >= first_confined.len() {
                first_confined.resize(bundle + 1, None);
            }
            join(unit, *first_confined[bundle].get_or_insert(unit));
        }
    }
    for rule in units.rules.iter().filter(|rule| !units.postponed[rule.unit]) {
        rule.needs.iter().for_each(|needed| join(rule.unit, needed));
    }
    let mut place: Vec<Option<usize>> = vec![None; units.len()];
    let mut groups: Vec<Bits> = Vec::new();
    for unit in units.parallel() {
        let at = *place[root(&mut parents, unit)].get_or_insert_with(|| {
            groups.push(Bits::default());
            groups.len() - 1
        });
        groups[at].insert(unit);
    }
    groups
}

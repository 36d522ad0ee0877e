//! Items in workers, with the load that their union makes.

use crate::bits::Bits;
use crate::units::{Item, Units};

/// An assignment of items to workers that can be changed step by step.
#[derive(Debug, Clone)]
pub(crate) struct Packing<'a> {
    units: &'a Units,
    items: &'a [Item],
    /// The worker of each item.
    pub(crate) place: Vec<Option<usize>>,
    /// Of each worker, how many of its items need a unit.
    uses: Vec<Vec<u32>>,
    /// Of each worker, the units that some item of it needs.
    used: Vec<Bits>,
    pub(crate) loads: Vec<u64>,
}

impl<'a> Packing<'a> {
    pub(crate) fn empty(units: &'a Units, items: &'a [Item], workers: usize) -> Self {
        Self {
            units,
            items,
            place: vec![None; items.len()],
            uses: vec![vec![0; units.len()]; workers],
            used: vec![Bits::default(); workers],
            loads: vec![0; workers],
        }
    }

    pub(crate) fn makespan(&self) -> u64 {
        self.loads.iter().copied().max().unwrap_or(0)
    }

    /// What an item would add to a worker's load.
    pub(crate) fn added(&self, item: usize, worker: usize) -> u64 {
        if self.units.rules.is_empty() {
            return self.cost_where(item, worker, 0);
        }
        let mut set = self.used[worker].clone();
        set.insert_all(&self.items[item].closure);
        self.cost_of_completed(set) - self.loads[worker]
    }

    /// What a worker would be rid of without one of its items.
    pub(crate) fn freed(&self, item: usize, worker: usize) -> u64 {
        if self.units.rules.is_empty() {
            return self.cost_where(item, worker, 1);
        }
        let mut set = self.used[worker].clone();
        self.units_where(item, worker, 1).for_each(|unit| set.remove(unit));
        self.loads[worker] - self.cost_of_completed(set)
    }

    pub(crate) fn put(&mut self, item: usize, worker: usize) {
        self.loads[worker] += self.added(item, worker);
        self.items[item].closure.iter().for_each(|unit| self.uses[worker][unit] += 1);
        self.used[worker].insert_all(&self.items[item].closure);
        self.place[item] = Some(worker);
    }

    pub(crate) fn take(&mut self, item: usize, worker: usize) {
        self.loads[worker] -= self.freed(item, worker);
        for unit in self.items[item].closure.iter() {
            self.uses[worker][unit] -= 1;
            if self.uses[worker][unit] == 0 {
                self.used[worker].remove(unit);
            }
        }
        self.place[item] = None;
    }

    pub(crate) fn items_of(&self, worker: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.place.len()).filter(move |item| self.place[*item] == Some(worker))
    }

    /// What each worker runs.
    pub(crate) fn into_sets(mut self) -> Vec<Bits> {
        self.used.iter_mut().for_each(|set| self.units.complete(set));
        self.used
    }

    /// Of the units an item needs, those that so many items of the worker need.
    fn units_where(&self, item: usize, worker: usize, uses: u32) -> impl Iterator<Item = usize> {
        let units = self.items[item].closure.iter();
        units.filter(move |unit| self.uses[worker][*unit] == uses)
    }

    fn cost_where(&self, item: usize, worker: usize, uses: u32) -> u64 {
        self.units_where(item, worker, uses).map(|unit| self.units.costs[unit]).sum()
    }

    fn cost_of_completed(&self, mut set: Bits) -> u64 {
        self.units.complete(&mut set);
        self.units.cost_of(&set)
    }
}

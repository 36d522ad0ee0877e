//! Items in workers, with the load that their union makes.

use crate::bits::Bits;
use crate::units::Item;

/// An assignment of items to workers that can be changed step by step.
#[derive(Debug, Clone)]
pub(crate) struct Packing<'a> {
    costs: &'a [u64],
    items: &'a [Item],
    /// The worker of each item.
    pub(crate) place: Vec<Option<usize>>,
    /// Of each worker, how many of its items need a unit.
    uses: Vec<Vec<u32>>,
    pub(crate) loads: Vec<u64>,
}

impl<'a> Packing<'a> {
    pub(crate) fn empty(costs: &'a [u64], items: &'a [Item], workers: usize) -> Self {
        Self {
            costs,
            items,
            place: vec![None; items.len()],
            uses: vec![vec![0; costs.len()]; workers],
            loads: vec![0; workers],
        }
    }

    pub(crate) fn makespan(&self) -> u64 {
        self.loads.iter().copied().max().unwrap_or(0)
    }

    /// What an item would add to a worker's load.
    pub(crate) fn added(&self, item: usize, worker: usize) -> u64 {
        self.cost_where(item, worker, 0)
    }

    /// What a worker would be rid of without one of its items.
    pub(crate) fn freed(&self, item: usize, worker: usize) -> u64 {
        self.cost_where(item, worker, 1)
    }

    pub(crate) fn put(&mut self, item: usize, worker: usize) {
        self.loads[worker] += self.added(item, worker);
        self.items[item].closure.iter().for_each(|unit| self.uses[worker][unit] += 1);
        self.place[item] = Some(worker);
    }

    pub(crate) fn take(&mut self, item: usize, worker: usize) {
        self.loads[worker] -= self.freed(item, worker);
        self.items[item].closure.iter().for_each(|unit| self.uses[worker][unit] -= 1);
        self.place[item] = None;
    }

    pub(crate) fn items_of(&self, worker: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.place.len()).filter(move |item| self.place[*item] == Some(worker))
    }

    /// What each worker runs.
    pub(crate) fn sets(&self) -> Vec<Bits> {
        let mut sets = vec![Bits::default(); self.loads.len()];
        for (item, place) in self.items.iter().zip(&self.place) {
            if let Some(worker) = place {
                sets[*worker].insert_all(&item.closure);
            }
        }
        sets
    }

    fn cost_where(&self, item: usize, worker: usize, uses: u32) -> u64 {
        let units = self.items[item].closure.iter();
        units.filter(|unit| self.uses[worker][*unit] == uses).map(|unit| self.costs[unit]).sum()
    }
}

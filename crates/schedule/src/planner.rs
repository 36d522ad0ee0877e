//! Schedules of one workload for any number of workers.

use std::time::Duration;

use crate::algorithm::Algorithm;
use crate::bits::Bits;
use crate::chains::chains;
use crate::critical::critical;
use crate::greedy::greedy;
use crate::schedule::{Schedule, late_set};
use crate::spread::spread;
use crate::units::Units;
use crate::workload::Workload;

/// What schedules can be measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// All tests one after the other.
    pub serial: Duration,
    /// No sound schedule is shorter: the longest test with all it needs, or an
    /// equal share of everything.
    pub lower: Duration,
    /// The longest test, or class, with all it needs: what one worker must run,
    /// however many there are.
    pub longest_way: Duration,
    /// A schedule without regard to dependencies, the longest unit first.
    pub unsound: Duration,
}

/// Makes schedules of a workload.
#[derive(Debug)]
pub struct Planner<'w> {
    workload: &'w Workload,
    units: Units,
}

impl<'w> Planner<'w> {
    /// Works out what each test needs, directly or not.
    pub fn new(workload: &'w Workload) -> Self {
        Self { workload, units: Units::of(workload) }
    }

    /// What any schedule for so many workers is measured by.
    pub fn bounds(&self, workers: usize) -> Bounds {
        let serial = self.units.costs.iter().sum();
        let late = self.units.cost_of(&late_set(&self.units));
        Bounds {
            serial: Duration::from_micros(serial),
            lower: Duration::from_micros(self.parallel_bound(workers.max(1)) + late),
            longest_way: Duration::from_micros(self.longest_item()),
            unsound: self.unsound(workers).makespan(),
        }
    }

    /// A schedule for so many workers.
    pub fn schedule(&self, algorithm: Algorithm, workers: usize) -> Schedule {
        let sets = self.sets(algorithm, workers.max(1));
        Schedule::new(self.workload, &self.units, &sets)
    }

    /// A schedule that keeps neither dependencies nor the order: the longest
    /// unit first, each where it begins first.
    pub fn unsound(&self, workers: usize) -> Schedule {
        let lanes = spread(&self.units.costs, workers.max(1));
        Schedule::unsound(self.workload, &self.units, &lanes)
    }

    /// The tests that one worker must run however many there are: the most
    /// costly of those that nobody needs, with all it needs.
    pub fn longest_way(&self) -> Vec<usize> {
        let longest = self.units.items().into_iter().max_by_key(|item| item.cost);
        longest.map_or(Vec::new(), |item| self.units.tests_in(&item.closure))
    }

    /// These tests with all they need, in reference order.
    pub fn with_needs(&self, tests: &[usize]) -> Vec<usize> {
        let mut set = Bits::default();
        for (unit, members) in self.units.tests.iter().enumerate() {
            if members.iter().any(|test| tests.contains(test)) {
                set.insert_all(&self.units.closures[unit]);
            }
        }
        self.units.complete(&mut set);
        self.units.tests_in(&set)
    }

    /// Of two algorithms the more costly one falls back on the other's result
    /// where its own is longer.
    fn sets(&self, algorithm: Algorithm, workers: usize) -> Vec<Bits> {
        let (sets, simpler) = match algorithm {
            Algorithm::Naive => return chains(&self.units, workers),
            Algorithm::Greedy => (greedy(&self.units, workers), Algorithm::Naive),
            Algorithm::Critical => {
                let bound = self.parallel_bound(workers);
                (critical(&self.units, workers, bound), Algorithm::Greedy)
            }
        };
        let other = self.sets(simpler, workers);
        if self.longest(&other) < self.longest(&sets) { other } else { sets }
    }

    fn longest(&self, sets: &[Bits]) -> u64 {
        sets.iter().map(|set| self.units.cost_of(set)).max().unwrap_or(0)
    }

    fn parallel_bound(&self, workers: usize) -> u64 {
        let all: u64 = self.units.parallel().map(|unit| self.units.costs[unit]).sum();
        self.longest_item().max(all.div_ceil(workers as u64))
    }

    fn longest_item(&self) -> u64 {
        self.units.items().iter().map(|item| item.cost).max().unwrap_or(0)
    }
}

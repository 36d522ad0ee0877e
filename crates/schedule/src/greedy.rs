//! ElectricTest's greedy scheduler: a test goes to the worker where it ends
//! first, and what it needs runs there again if it must.

use std::collections::HashMap;

use crate::bits::Bits;
use crate::units::Units;

pub(crate) fn greedy(units: &Units, workers: usize) -> Vec<Bits> {
    let mut sets = vec![Bits::default(); workers];
    let mut loads = vec![0_u64; workers];
    let mut homes: HashMap<usize, usize> = HashMap::new();
    for unit in units.parallel() {
        if sets.iter().any(|set| set.contains(unit)) {
            continue;
        }
        let with_unit = |worker: usize| {
            let mut set = sets[worker].clone();
            set.insert_all(&units.closures[unit]);
            units.complete(&mut set);
            set
        };
        let added = |worker: usize| units.cost_of(&with_unit(worker)) - loads[worker];
        let home = units.confined[unit].and_then(|bundle| homes.get(&bundle).copied());
        let best = match home {
            Some(home) => Some((home, added(home))),
            None => {
                let ends = (0..workers).map(|worker| (worker, added(worker)));
                ends.min_by_key(|(worker, added)| (loads[*worker] + added, *added))
            }
        };
        let Some((worker, added)) = best else { continue };
        if let Some(bundle) = units.confined[unit] {
            homes.insert(bundle, worker);
        }
        loads[worker] += added;
        sets[worker] = with_unit(worker);
    }
    sets
}

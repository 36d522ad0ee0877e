//! Branch and bound: every way to place the items, those left out that cannot
//! be better than what is known, up to a limit of steps.
//!
//! With few items the limit is never reached, and the result is optimal.

use crate::packing::Packing;
use crate::units::Item;

const STEPS: u32 = 100_000;
/// Beyond this many items the limit would end the search near its start.
const MOST_ITEMS: usize = 48;

pub(crate) fn exact<'a>(items: &'a [Item], best: &mut Packing<'a>, lower_bound: u64) {
    if items.len() > MOST_ITEMS || best.makespan() <= lower_bound {
        return;
    }
    let mut current = best.clone();
    for item in 0..items.len() {
        if let Some(worker) = current.place[item] {
            current.take(item, worker);
        }
    }
    let mut search = Search { best, lower_bound, steps_left: STEPS };
    search.place(&mut current, 0);
}

struct Search<'a, 'b> {
    best: &'b mut Packing<'a>,
    lower_bound: u64,
    steps_left: u32,
}

impl<'a> Search<'a, '_> {
    fn place(&mut self, current: &mut Packing<'a>, item: usize) {
        if self.is_over() {
            return;
        }
        self.steps_left -= 1;
        if item == current.place.len() {
            *self.best = current.clone();
            return;
        }
        let mut tried_idle = false;
        for worker in 0..current.loads.len() {
            let idle = current.loads[worker] == 0;
            // Idle workers are all alike.
            if (idle && tried_idle)
                || current.loads[worker] + current.added(item, worker) >= self.best.makespan()
            {
                continue;
            }
            tried_idle |= idle;
            current.put(item, worker);
            self.place(current, item + 1);
            current.take(item, worker);
        }
    }

    fn is_over(&self) -> bool {
        self.steps_left == 0 || self.best.makespan() <= self.lower_bound
    }
}

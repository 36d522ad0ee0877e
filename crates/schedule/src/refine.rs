//! Step by step from a packing to a better one: move an item of the fullest
//! worker, or exchange it, as long as that makes the fullest worker's load
//! smaller and no other load as large.

use crate::packing::Packing;

/// Steps, each of which looks at all items of the fullest worker.
const STEPS: usize = 400;
/// Items of another worker that an item may be exchanged with.
const EXCHANGES: usize = 24;
/// Items of the fullest worker that are looked at in a step.
const LOOKED_AT: usize = 256;

pub(crate) fn refine(packing: &mut Packing<'_>, lower_bound: u64) {
    for _ in 0..STEPS {
        let fullest = packing.makespan();
        if fullest <= lower_bound {
            return;
        }
        let Some(worker) = packing.loads.iter().position(|load| *load == fullest) else { return };
        if !move_one(packing, worker) && !exchange_one(packing, worker) {
            return;
        }
    }
}

fn move_one(packing: &mut Packing<'_>, from: usize) -> bool {
    let items: Vec<usize> = packing.items_of(from).take(LOOKED_AT).collect();
    let mut best: Option<(u64, usize, usize)> = None;
    for item in items {
        let left = packing.loads[from] - packing.freed(item, from);
        for to in (0..packing.loads.len()).filter(|to| *to != from) {
            let after = left.max(packing.loads[to] + packing.added(item, to));
            if after < packing.loads[from] && best.is_none_or(|(known, ..)| after < known) {
                best = Some((after, item, to));
            }
        }
    }
    let Some((_, item, to)) = best else { return false };
    packing.take(item, from);
    packing.put(item, to);
    true
}

fn exchange_one(packing: &mut Packing<'_>, from: usize) -> bool {
    let before = packing.loads[from];
    let mine: Vec<usize> = packing.items_of(from).take(LOOKED_AT).collect();
    let mut others: Vec<usize> = (0..packing.loads.len()).filter(|other| *other != from).collect();
    others.sort_by_key(|other| packing.loads[*other]);
    for item in mine {
        for &to in &others {
            packing.take(item, from);
            let theirs: Vec<usize> = packing.items_of(to).take(EXCHANGES).collect();
            packing.put(item, to);
            for other in theirs {
                packing.take(other, to);
                packing.put(other, from);
                if packing.loads[from].max(packing.loads[to]) < before {
                    return true;
                }
                packing.take(other, from);
                packing.put(other, to);
            }
            packing.take(item, to);
            packing.put(item, from);
        }
    }
    false
}

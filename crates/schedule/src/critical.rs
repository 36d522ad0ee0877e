//! Our scheduler: items by the cost of all they need, longest first.
//!
//! Two ways to place them are tried. The first gives each item to the worker
//! where it ends first. The second asks whether everything fits into a given
//! time if each item goes where it costs least, and searches the shortest time
//! that does; that brings items with common needs together. The better one is
//! refined, and searched for a better one still where few items are left to
//! choose for.

use crate::bits::Bits;
use crate::exact::exact;
use crate::packing::Packing;
use crate::refine::refine;
use crate::units::Units;

/// Halvings of the time that must do: enough for a part in a thousand.
const HALVINGS: u32 = 10;

pub(crate) fn critical(units: &Units, workers: usize, lower_bound: u64) -> Vec<Bits> {
    let mut items = units.items();
    // Stable: of equal items the first in reference order stays the first.
    items.sort_by_key(|item| std::cmp::Reverse(item.cost));
    let mut best = earliest(Packing::empty(units, &items, workers));
    let (mut too_short, mut enough) = (lower_bound.saturating_sub(1), best.makespan());
    for _ in 0..HALVINGS {
        if enough.saturating_sub(too_short) <= 1 {
            break;
        }
        let middle = too_short + (enough - too_short) / 2;
        match within(Packing::empty(units, &items, workers), middle) {
            Some(packing) => {
                enough = packing.makespan();
                best = packing;
            }
            None => too_short = middle,
        }
    }
    refine(&mut best, lower_bound);
    exact(&items, &mut best, lower_bound);
    best.into_sets()
}

fn earliest(mut packing: Packing<'_>) -> Packing<'_> {
    for item in 0..packing.place.len() {
        let workers = 0..packing.loads.len();
        let best = workers.map(|worker| (worker, packing.added(item, worker)));
        let best = best.min_by_key(|(worker, added)| (packing.loads[*worker] + added, *added));
        if let Some((worker, _)) = best {
            packing.put(item, worker);
        }
    }
    packing
}

/// Everything within the given time, if this way of placing manages it.
fn within(mut packing: Packing<'_>, time: u64) -> Option<Packing<'_>> {
    for item in 0..packing.place.len() {
        let workers = 0..packing.loads.len();
        let fitting = workers
            .map(|worker| (worker, packing.added(item, worker)))
            .filter(|(worker, added)| packing.loads[*worker] + added <= time);
        let (worker, _) = fitting
            // Of equal ones the fullest, so that others stay free for long items.
            .min_by_key(|(worker, added)| (*added, std::cmp::Reverse(packing.loads[*worker])))?;
        packing.put(item, worker);
    }
    Some(packing)
}

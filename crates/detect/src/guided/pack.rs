//! Many targets in one order.
//!
//! A target fits behind others if each of its tests sees there what it would
//! see in a JVM of its own. Tests that are in the order already, such as the
//! writer of which several readers are wanted, need not come again. What a test
//! does that sees something new is a guess; whether a target was really reached
//! only the trace of the run tells.

use std::collections::BTreeSet;

use super::target::{Lookout, Target};
use crate::knowledge::{Simulation, Step};
use crate::roster::TestNumber;

/// How often the targets that did not fit are tried again in one order, since
/// what came meanwhile may have made room.
const PASSES: usize = 3;

/// How many targets in a row may not fit before an order counts as full.
const MOST_MISSES: usize = 100;

/// An order, and which targets it is meant to show.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) order: Vec<TestNumber>,
    pub(super) targets: Vec<usize>,
}

/// The first orders of a packing, at most so many.
pub(super) fn pack(lookout: &Lookout<'_>, targets: &[Target], most: usize) -> Vec<Packed> {
    let alone = |target: &Target| -> Vec<Step> {
        Simulation::of(lookout.knowledge, lookout.roster, &target.tests).steps().to_vec()
    };
    let alone: Vec<Vec<Step>> = targets.iter().map(alone).collect();
    let mut left: Vec<usize> = (0..targets.len()).collect();
    let mut packed = Vec::new();
    while packed.len() < most && !left.is_empty() {
        let mut simulation = Simulation::new(lookout.knowledge, lookout.roster);
        let mut taken = Vec::new();
        for _ in 0..PASSES {
            let before = taken.len();
            let mut misses = 0;
            left.retain(|&number| {
                let fits = misses < MOST_MISSES && add(&mut simulation, &alone[number]);
                misses = if fits { 0 } else { misses + 1 };
                if fits {
                    taken.push(number);
                }
                !fits
            });
            if taken.len() == before {
                break;
            }
        }
        let mut order = simulation.order();
        let tails: BTreeSet<TestNumber> =
            taken.iter().flat_map(|&number| targets[number].tail.iter().copied()).collect();
        order.extend(tails.into_iter().filter(|&test| simulation.place_of(test).is_none()));
        packed.push(Packed { order, targets: taken });
    }
    packed
}

/// Puts a target, given as it would go in a JVM of its own, behind what is
/// there, or leaves everything as it is. It always fits an empty order.
fn add(simulation: &mut Simulation<'_>, target: &[Step]) -> bool {
    let mark = simulation.mark();
    for step in target {
        let same = match simulation.place_of(step.test) {
            Some(place) => simulation.steps()[place].sees_like(step),
            None => simulation.push(step.test).sees_like(step),
        };
        if !same {
            simulation.back_to(mark);
            return false;
        }
    }
    true
}

//! Orders that run the most worthwhile tests first: the techniques of
//! DTDetector's Table 5, which are from Rothermel and Elbaum.
//!
//! All of them take, again and again, the test that is worth most of those that
//! may come next. Which may come next is what [`Bonds`] say: without any it is
//! the technique as published, with those of a trace every test still reads
//! from the same last writer as in the reference order.
//!
//! Invariants:
//! - Of tests that are worth the same the first in reference order comes first.
//! - The reference order itself keeps all bonds, so there is always a test that
//!   may come next.

mod bonds;
mod worth;

use std::cmp::Reverse;

pub use bonds::Bonds;
pub use worth::Worth;

/// All tests, the most worthwhile first, as far as the bonds allow.
pub fn prioritized(mut worth: Worth, bonds: &Bonds) -> Vec<usize> {
    let mut waiting = bonds.waiting();
    let mut order = Vec::with_capacity(bonds.tests());
    while order.len() < bonds.tests() {
        let best = waiting.ready().max_by_key(|unit| {
            let tests = bonds.tests_of(*unit);
            // A unit comes when its best test would.
            (tests.clone().map(|test| worth.of(test)).max(), Reverse(tests.start))
        });
        let Some(best) = best else { break };
        for test in bonds.tests_of(best) {
            order.push(test);
            worth.taken(test);
        }
        waiting.done(best);
    }
    // A run that did not keep to its order has a trace that may contradict the order.
    let mut is_missing = vec![true; bonds.tests()];
    order.iter().for_each(|test| is_missing[*test] = false);
    order.extend((0..bonds.tests()).filter(|test| is_missing[*test]));
    order
}

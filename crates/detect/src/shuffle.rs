//! Random orders that a seed reproduces on any machine, for ever.
//!
//! Shuffles of libraries may change between their versions, and a seed in a
//! report must not. ChaCha8 is a published cipher and the rest is here.

use std::collections::HashMap;
use std::hash::Hash;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use residue_model::TestOrder;

/// The order that `seed` makes of these tests: every permutation equally
/// likely, classes torn apart.
pub fn shuffled(order: &TestOrder, seed: u64) -> TestOrder {
    let mut tests = order.tests().to_vec();
    shuffle(&mut tests, &mut random(seed));
    permuted(order, tests)
}

/// The order that `seed` makes of these tests with classes kept together:
/// classes shuffled, and tests shuffled inside their class.
pub fn shuffled_by_class(order: &TestOrder, seed: u64) -> TestOrder {
    let mut groups = grouped(order.tests(), |test| test.top_level_class().to_owned());
    shuffle_groups(&mut groups, seed);
    permuted(order, groups.concat())
}

/// A permutation of an order lists no test twice.
fn permuted(order: &TestOrder, tests: Vec<residue_model::TestId>) -> TestOrder {
    TestOrder::new(tests).unwrap_or_else(|_| order.clone())
}

/// Items with the same key together, groups by first appearance.
pub(crate) fn grouped<T: Clone, K: Eq + Hash>(items: &[T], key: impl Fn(&T) -> K) -> Vec<Vec<T>> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<Vec<T>> = Vec::new();
    for item in items {
        let place = *places.entry(key(item)).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(item.clone());
    }
    groups
}

/// Shuffles groups, then the items inside each.
pub(crate) fn shuffle_groups<T>(groups: &mut [Vec<T>], seed: u64) {
    let mut random = random(seed);
    shuffle(groups, &mut random);
    for group in groups {
        shuffle(group, &mut random);
    }
}

pub(crate) fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        let chosen = below(random, last as u64 + 1);
        items.swap(last, chosen as usize);
    }
}

pub(crate) fn random(seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// Uniform in `0..bound`: numbers from the incomplete last interval are drawn
/// again, so that none is favoured.
pub(crate) fn below(random: &mut ChaCha8Rng, bound: u64) -> u64 {
    let rest = (u64::MAX % bound + 1) % bound;
    loop {
        let number = random.next_u64();
        if number <= u64::MAX - rest {
            return number % bound;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use residue_model::TestId;

    use super::*;

    fn order(count: usize) -> TestOrder {
        let id = |number| TestId::parse(&format!("a.T#t{number}")).unwrap();
        TestOrder::new((0..count).map(id).collect()).unwrap()
    }

    #[test]
    fn a_seed_gives_the_same_order_for_ever() {
        let methods: Vec<_> =
            shuffled(&order(8), 42).tests().iter().map(|t| t.method().to_owned()).collect();
        assert_eq!(methods, ["t3", "t6", "t0", "t4", "t5", "t2", "t1", "t7"]);
    }

    #[test]
    fn every_permutation_is_about_equally_likely() {
        let mut seen: HashMap<TestOrder, u32> = HashMap::new();
        for seed in 0..6_000 {
            *seen.entry(shuffled(&order(3), seed)).or_default() += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|count| (850..1_150).contains(count)), "{seen:?}");
    }

    #[test]
    fn shuffling_by_class_tears_no_class_apart_and_moves_classes_and_tests() {
        let id = |n: usize| TestId::parse(&format!("a.T{}#t{}", n / 4, n % 4)).unwrap();
        let order = TestOrder::new((0..12).map(id).collect()).unwrap();
        let mut first_classes = std::collections::HashSet::new();
        let mut first_methods = std::collections::HashSet::new();
        for seed in 0..50 {
            let shuffled = shuffled_by_class(&order, seed);
            let runs: Vec<_> = shuffled.tests().chunk_by(|a, b| a.class() == b.class()).collect();
            assert_eq!(runs.len(), 3, "{shuffled:?}");
            first_classes.insert(runs[0][0].class().to_owned());
            first_methods.insert(runs[0][0].method().to_owned());
        }
        assert_eq!((first_classes.len(), first_methods.len()), (3, 4));
    }
}

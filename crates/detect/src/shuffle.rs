//! Random orders that a seed reproduces on any machine, for ever.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use residue_model::TestOrder;

/// The order that `seed` makes of these tests: every permutation equally
/// likely, classes torn apart.
///
/// Shuffles of libraries may change between their versions, and a seed in a
/// report must not. ChaCha8 is a published cipher and the rest is below.
pub fn shuffled(order: &TestOrder, seed: u64) -> TestOrder {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut random = ChaCha8Rng::from_seed(key);
    let mut tests = order.tests().to_vec();
    for last in (1..tests.len()).rev() {
        let chosen = below(&mut random, last as u64 + 1);
        tests.swap(last, chosen as usize);
    }
    // A permutation of an order lists no test twice.
    TestOrder::new(tests).unwrap_or_else(|_| order.clone())
}

/// Uniform in `0..bound`: numbers from the incomplete last interval are drawn
/// again, so that none is favoured.
fn below(random: &mut ChaCha8Rng, bound: u64) -> u64 {
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
}

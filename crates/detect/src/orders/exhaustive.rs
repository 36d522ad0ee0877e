//! All sequences of k different units (DTDetector's Figure 5).

use super::units::Units;
use super::{Proposal, Stage};
use crate::config::Algorithm;

/// Every k-permutation; of a smaller suite every permutation.
pub(super) fn stages(units: &Units, k: usize) -> Vec<Stage> {
    let units = units.clone();
    let k = k.min(units.len());
    let planned = count(units.len(), k);
    let orders = (1_u64..).zip(KPermutations::new(units.len(), k)).map(move |(number, chosen)| {
        Proposal { label: format!("exhaustive {number} of {planned}"), order: units.order(chosen) }
    });
    vec![Stage::new(Algorithm::Exhaustive, "exhaustive", planned, orders)]
}

/// How many k-permutations `n` things have, as far as a number can tell.
pub(super) fn count(n: usize, k: usize) -> u64 {
    if k == 0 || n == 0 {
        return 0;
    }
    (0..k).fold(1, |product: u64, taken| product.saturating_mul(n.saturating_sub(taken) as u64))
}

/// The k-permutations of `0..n` in lexicographic order, one at a time.
#[derive(Debug, Clone)]
pub(super) struct KPermutations {
    n: usize,
    k: usize,
    used: Vec<bool>,
    next: Option<Vec<usize>>,
}

impl KPermutations {
    pub(super) fn new(n: usize, k: usize) -> Self {
        let first: Option<Vec<usize>> = (k > 0 && k <= n).then(|| (0..k).collect());
        let used = (0..n).map(|item| first.is_some() && item < k).collect();
        Self { n, k, used, next: first }
    }

    /// Raises the last place that can be raised and refills those behind it.
    fn advance(&mut self, mut permutation: Vec<usize>) -> Option<Vec<usize>> {
        while let Some(last) = permutation.pop() {
            self.used[last] = false;
            let Some(raised) = (last + 1..self.n).find(|&item| !self.used[item]) else { continue };
            self.used[raised] = true;
            permutation.push(raised);
            while permutation.len() < self.k {
                let smallest = (0..self.n).find(|&item| !self.used[item])?;
                self.used[smallest] = true;
                permutation.push(smallest);
            }
            return Some(permutation);
        }
        None
    }
}

impl Iterator for KPermutations {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        self.next = self.advance(current.clone());
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_sequence_comes_once_and_as_many_as_announced() {
        for n in 0..=6 {
            for k in 0..=n {
                let all: Vec<_> = KPermutations::new(n, k).collect();
                let distinct: HashSet<_> = all.iter().collect();
                assert_eq!(all.len() as u64, count(n, k), "n = {n}, k = {k}");
                assert_eq!(distinct.len(), all.len());
                assert!(all.iter().all(|p| p.iter().collect::<HashSet<_>>().len() == k));
            }
        }
    }

    #[test]
    fn the_first_of_very_many_comes_at_once() {
        assert_eq!(count(100_000, 10), u64::MAX);
        assert_eq!(KPermutations::new(100_000, 3).nth(1), Some(vec![0, 1, 3]));
    }
}

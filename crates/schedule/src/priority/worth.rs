//! What a test is worth, given what ran before it.

use std::collections::HashMap;

use crate::bits::Bits;

/// The worth of each test, by position in the reference order.
#[derive(Debug, Clone)]
pub struct Worth(Kind);

#[derive(Debug, Clone)]
enum Kind {
    /// The same whatever ran before.
    Fixed(Vec<usize>),
    Additional(Additional),
}

/// By items that nobody has covered yet. Once nobody could cover another one,
/// all are uncovered again.
#[derive(Debug, Clone)]
struct Additional {
    /// Many tests cover the very same items, so these are kept once.
    set_of: Vec<usize>,
    sets: Vec<Vec<u32>>,
    /// Of each set, how many tests are still to come.
    left: Vec<usize>,
    /// Of each item, the sets that have it.
    sets_with: Vec<Vec<usize>>,
    /// Of each set, how many of its items are uncovered.
    gains: Vec<usize>,
    covered: Bits,
}

impl Worth {
    /// The first of this order is worth most.
    pub fn of_order(order: &[usize]) -> Self {
        let mut worth = vec![0; order.len()];
        for (place, test) in order.iter().enumerate() {
            worth[*test] = order.len() - place;
        }
        Self(Kind::Fixed(worth))
    }

    /// By how many items a test covers.
    pub fn total(covered: &[Vec<u32>]) -> Self {
        Self(Kind::Fixed(covered.iter().map(Vec::len).collect()))
    }

    /// By how many items it covers that no earlier one has covered.
    pub fn additional(covered: Vec<Vec<u32>>) -> Self {
        Self(Kind::Additional(Additional::new(covered)))
    }

    pub(super) fn of(&self, test: usize) -> usize {
        match &self.0 {
            Kind::Fixed(worth) => worth[test],
            Kind::Additional(additional) => additional.gains[additional.set_of[test]],
        }
    }

    pub(super) fn taken(&mut self, test: usize) {
        if let Kind::Additional(additional) = &mut self.0 {
            additional.take(test);
        }
    }
}

impl Additional {
    fn new(covered: Vec<Vec<u32>>) -> Self {
        let mut numbers: HashMap<Vec<u32>, usize> = HashMap::new();
        let mut set_of = Vec::with_capacity(covered.len());
        for items in covered {
            let next = numbers.len();
            set_of.push(*numbers.entry(items).or_insert(next));
        }
        let mut sets = vec![Vec::new(); numbers.len()];
        numbers.into_iter().for_each(|(items, number)| sets[number] = items);
        let items = sets.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        let mut sets_with = vec![Vec::new(); items];
        for (number, items) in sets.iter().enumerate() {
            items.iter().for_each(|item| sets_with[*item as usize].push(number));
        }
        let mut left = vec![0; sets.len()];
        set_of.iter().for_each(|set| left[*set] += 1);
        let gains = sets.iter().map(Vec::len).collect();
        Self { set_of, sets, left, sets_with, gains, covered: Bits::default() }
    }

    fn take(&mut self, test: usize) {
        let taken = self.set_of[test];
        self.left[taken] -= 1;
        self.cover(taken);
        let is_over = (0..self.sets.len()).all(|set| self.left[set] == 0 || self.gains[set] == 0);
        if is_over {
            self.covered = Bits::default();
            self.gains = self.sets.iter().map(Vec::len).collect();
        }
    }

    fn cover(&mut self, set: usize) {
        if self.gains[set] == 0 {
            return;
        }
        for item in &self.sets[set] {
            if self.covered.contains(*item as usize) {
                continue;
            }
            self.covered.insert(*item as usize);
            for other in &self.sets_with[*item as usize] {
                self.gains[*other] -= 1;
            }
        }
    }
}

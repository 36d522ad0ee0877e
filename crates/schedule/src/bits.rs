//! Sets of small numbers, kept only from their first to their last word.

const WORD: usize = u64::BITS as usize;

/// A set of numbers. A set of one number takes one word, wherever it lies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    /// Words before the first that is kept.
    start: usize,
    words: Vec<u64>,
}

impl Bits {
    pub(crate) fn insert(&mut self, number: usize) {
        let word = number / WORD;
        self.reach(word, word + 1);
        self.words[word - self.start] |= 1 << (number % WORD);
    }

    pub(crate) fn insert_all(&mut self, other: &Self) {
        if other.words.is_empty() {
            return;
        }
        self.reach(other.start, other.start + other.words.len());
        let offset = other.start - self.start;
        for (word, more) in self.words[offset..].iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    pub(crate) fn remove(&mut self, number: usize) {
        let word = (number / WORD).checked_sub(self.start).and_then(|at| self.words.get_mut(at));
        if let Some(word) = word {
            *word &= !(1 << (number % WORD));
        }
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        let word = (number / WORD).checked_sub(self.start).and_then(|at| self.words.get(at));
        word.is_some_and(|word| word >> (number % WORD) & 1 == 1)
    }

    pub(crate) fn contains_all(&self, other: &Self) -> bool {
        other.words.iter().enumerate().all(|(at, &wanted)| {
            let at = (other.start + at).checked_sub(self.start);
            let here = at.and_then(|at| self.words.get(at)).copied().unwrap_or(0);
            wanted & !here == 0
        })
    }

    /// The members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(move |(at, &word)| {
            let base = (self.start + at) * WORD;
            std::iter::successors((word != 0).then_some(word), |left| {
                let rest = left & (left - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |left| base + left.trailing_zeros() as usize)
        })
    }

    /// Keeps words from `first` up to but without `end`.
    fn reach(&mut self, first: usize, end: usize) {
        if self.words.is_empty() {
            self.start = first;
        }
        if first < self.start {
            let missing = self.start - first;
            self.words.splice(0..0, std::iter::repeat_n(0, missing));
            self.start = first;
        }
        if end > self.start + self.words.len() {
            self.words.resize(end - self.start, 0);
        }
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Self {
        let mut bits = Self::default();
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn behaves_like_any_set(
            one in prop::collection::vec(0_usize..400, 0..30),
            other in prop::collection::vec(0_usize..400, 0..30),
            removed in prop::collection::vec(0_usize..400, 0..30),
        ) {
            let mut bits: Bits = one.iter().copied().collect();
            let others: Bits = other.iter().copied().collect();
            bits.insert_all(&others);
            prop_assert!(bits.contains_all(&others));
            let mut expected: BTreeSet<usize> = one.into_iter().chain(other).collect();
            for number in removed {
                bits.remove(number);
                expected.remove(&number);
            }
            prop_assert!(bits.iter().eq(expected.iter().copied()));
            prop_assert!((0..400).all(|n| bits.contains(n) == expected.contains(&n)));
            let all_there = others.iter().all(|number| expected.contains(&number));
            prop_assert_eq!(bits.contains_all(&others), all_there);
        }
    }
}

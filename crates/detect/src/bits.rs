//! Sets of tests and sets of ordered pairs of tests, a bit each.

use crate::roster::TestNumber;

const WORD: usize = u64::BITS as usize;

/// For each test a set of tests: `n * n` bits, 2 MB for 4,000 tests.
#[derive(Debug, Clone)]
pub(crate) struct PairSet {
    words_per_row: usize,
    bits: Vec<u64>,
}

/// A set of tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestSet(Vec<u64>);

impl TestSet {
    pub(crate) fn new(tests: usize) -> Self {
        Self(vec![0; tests.div_ceil(WORD)])
    }

    pub(crate) fn of(tests: usize, members: &[TestNumber]) -> Self {
        let mut set = Self::new(tests);
        members.iter().for_each(|&member| set.insert(member));
        set
    }

    pub(crate) fn insert(&mut self, test: TestNumber) {
        self.0[test as usize / WORD] |= 1 << (test as usize % WORD);
    }

    pub(crate) fn contains(&self, test: TestNumber) -> bool {
        self.0[test as usize / WORD] >> (test as usize % WORD) & 1 == 1
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

impl PairSet {
    pub(crate) fn new(tests: usize) -> Self {
        let words_per_row = tests.div_ceil(WORD);
        Self { words_per_row, bits: vec![0; words_per_row * tests] }
    }

    /// Puts (a, `row`) in for one a.
    pub(crate) fn insert(&mut self, row: TestNumber, test: TestNumber) {
        let start = row as usize * self.words_per_row;
        self.bits[start + test as usize / WORD] |= 1 << (test as usize % WORD);
    }

    /// Puts (a, `row`) in for every a of the set.
    pub(crate) fn insert_all(&mut self, row: TestNumber, set: &TestSet) {
        let start = row as usize * self.words_per_row;
        for (word, more) in self.bits[start..start + self.words_per_row].iter_mut().zip(&set.0) {
            *word |= more;
        }
    }

    pub(crate) fn contains(&self, row: TestNumber, test: TestNumber) -> bool {
        let start = row as usize * self.words_per_row;
        self.bits[start + test as usize / WORD] >> (test as usize % WORD) & 1 == 1
    }

    pub(crate) fn len(&self) -> u64 {
        self.bits.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_kept_apart_across_word_boundaries() {
        let mut pairs = PairSet::new(130);
        pairs.insert_all(129, &TestSet::of(130, &[0, 63, 64, 128]));
        pairs.insert(0, 129);
        assert_eq!(pairs.len(), 5);
        assert!(pairs.contains(129, 64) && pairs.contains(0, 129));
        assert!(!pairs.contains(129, 65) && !pairs.contains(128, 64));
        assert!(TestSet::of(130, &[129]).contains(129));
    }
}

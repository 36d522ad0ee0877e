//! Locations by number, and sets of them.

use std::rc::Rc;

/// A location by number, in the order in which they were first seen.
pub(crate) type Spot = u32;

const WORD: usize = u64::BITS as usize;

/// A set of locations that grows as needed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SpotSet(Vec<u64>);

impl SpotSet {
    pub(crate) fn insert(&mut self, spot: Spot) {
        let word = spot as usize / WORD;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (spot as usize % WORD);
    }

    pub(crate) fn contains(&self, spot: Spot) -> bool {
        let word = self.0.get(spot as usize / WORD).copied().unwrap_or(0);
        word >> (spot as usize % WORD) & 1 == 1
    }

    pub(crate) fn remove(&mut self, spot: Spot) {
        if let Some(word) = self.0.get_mut(spot as usize / WORD) {
            *word &= !(1 << (spot as usize % WORD));
        }
    }

    /// What is in this set and not in the other.
    fn without<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Spot> + 'a {
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().zip(others).enumerate().flat_map(|(place, (word, other))| {
            let left = word & !other;
            let bits = (0..WORD).filter(move |bit| left >> bit & 1 == 1);
            bits.map(move |bit| (place * WORD + bit) as Spot)
        })
    }

    fn is_subset(&self, of: &Self) -> bool {
        let others = of.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().zip(others).all(|(word, other)| word & !other == 0)
    }

    fn union(&self, with: &Self) -> Self {
        let (long, short) = if self.0.len() < with.0.len() { (with, self) } else { (self, with) };
        let mut words = long.0.clone();
        words.iter_mut().zip(&short.0).for_each(|(word, more)| *word |= more);
        Self(words)
    }
}

impl FromIterator<Spot> for SpotSet {
    fn from_iter<I: IntoIterator<Item = Spot>>(spots: I) -> Self {
        let mut set = Self::default();
        spots.into_iter().for_each(|spot| set.insert(spot));
        set
    }
}

/// Locations of which a trace tells whether a test read them.
#[derive(Debug, Clone)]
pub(crate) enum Universe {
    All,
    These(Rc<SpotSet>),
}

impl Universe {
    pub(crate) fn of(spots: SpotSet) -> Self {
        Self::These(Rc::new(spots))
    }

    pub(crate) fn covers(&self, spots: &SpotSet) -> bool {
        match self {
            Self::All => true,
            Self::These(known) => spots.is_subset(known),
        }
    }

    /// Those of these locations of which it does not tell.
    pub(crate) fn missing(&self, spots: &SpotSet) -> Vec<Spot> {
        match self {
            Self::All => Vec::new(),
            Self::These(known) => spots.without(known).collect(),
        }
    }

    /// What two traces tell together. Sets are shared where one has the other.
    pub(crate) fn with(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::These(a), Self::These(b)) if b.is_subset(a) => Self::These(Rc::clone(a)),
            (Self::These(a), Self::These(b)) if a.is_subset(b) => Self::These(Rc::clone(b)),
            (Self::These(a), Self::These(b)) => Self::of(a.union(b)),
            _ => Self::All,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_traces_tell_together() {
        let set = |spots: &[Spot]| spots.iter().copied().collect::<SpotSet>();
        let (small, large) = (Universe::of(set(&[1, 200])), Universe::of(set(&[1, 64, 200])));
        assert!(large.covers(&set(&[64])) && !small.covers(&set(&[64])));
        assert_eq!(small.missing(&set(&[1, 64, 70])), [64, 70]);
        assert!(small.with(&large).covers(&set(&[64])));
        let apart = Universe::of(set(&[3])).with(&small);
        assert!(apart.covers(&set(&[3, 200])) && !apart.covers(&set(&[64])));
        let mut emptied = set(&[64]);
        emptied.remove(64);
        assert!(small.covers(&emptied) && Universe::All.covers(&set(&[9_999])));
    }
}

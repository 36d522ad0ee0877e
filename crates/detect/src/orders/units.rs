//! What is moved around as a whole: single tests or classes.

use crate::config::Granularity;
use crate::roster::{Roster, TestNumber};

/// The pieces of the default order that stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Units(Vec<Vec<TestNumber>>);

impl Units {
    pub(crate) fn new(roster: &Roster, granularity: Granularity) -> Self {
        match granularity {
            Granularity::Method => Self(roster.all().map(|test| vec![test]).collect()),
            Granularity::Class => Self(roster.classes().to_vec()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, unit: usize) -> &[TestNumber] {
        &self.0[unit]
    }

    /// The tests of these units, one unit after the other.
    pub(crate) fn order(&self, units: impl IntoIterator<Item = usize>) -> Vec<TestNumber> {
        units.into_iter().flat_map(|unit| self.0[unit].iter().copied()).collect()
    }
}

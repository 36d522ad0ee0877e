//! What locations hold in a JVM after some tests.

use std::collections::HashMap;

use crate::knowledge::spots::SpotSet;
use crate::knowledge::{Held, Spot};
use crate::roster::TestNumber;

/// What a location holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    AsMade,
    Held(Held),
    /// One of these tests may have written it, in this order. What is left of
    /// their names tells sequences apart.
    Unsure(Vec<TestNumber>),
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) content: Content,
    pub(super) places: Vec<usize>,
}

#[derive(Default)]
pub(super) struct Jvm {
    pub(super) state: HashMap<Spot, Entry>,
    /// What is not as the JVM made it, or may not be.
    pub(super) touched: SpotSet,
    /// The class fixture that is open.
    pub(super) open: Option<usize>,
    pub(super) since: usize,
    /// A test ran of which nothing at all is known.
    pub(super) blind: bool,
}

impl Jvm {
    pub(super) fn content(&self, spot: Spot) -> &Content {
        self.state.get(&spot).map_or(&Content::AsMade, |entry| &entry.content)
    }

    pub(super) fn put(&mut self, spot: Spot, entry: Option<Entry>) {
        match entry {
            Some(entry) => {
                match entry.content {
                    Content::AsMade => self.touched.remove(spot),
                    _ => self.touched.insert(spot),
                }
                self.state.insert(spot, entry);
            }
            None => {
                self.touched.remove(spot);
                self.state.remove(&spot);
            }
        }
    }
}

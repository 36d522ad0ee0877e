//! What a refinement says about each data dependency.

use residue_model::TestId;

use crate::{Location, ReferenceOrder};

/// What became of a data dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// Not decided yet.
    Open,
    /// With the reader before the writer one of them ends otherwise.
    Manifest,
    /// Both end as they do in the reference order.
    Removed,
    /// No order violates only this one, or the run that did got not as far.
    Untestable,
}

impl Fate {
    /// The word used in JSON and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Manifest => "manifest",
            Self::Removed => "removed",
            Self::Untestable => "untestable",
        }
    }
}

/// A data dependency with what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefinedEdge {
    /// The test that read.
    pub reader: TestId,
    /// The test that had written last.
    pub writer: TestId,
    /// What was written and read.
    pub locations: Vec<Location>,
    /// The order in which it was seen: default or reversed.
    pub reference: ReferenceOrder,
    /// What became of it.
    pub fate: Fate,
}

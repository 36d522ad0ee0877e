//! A finding with traces of its orders, and what is known of its cause.

use std::collections::HashSet;

use residue_detect::{CleanerSet, Finding};
use residue_graph::DependencyGraph;
use residue_model::TestId;
use residue_model::trace::AccessPath;

use crate::suspects::suspects;
use crate::{CalledWith, Piece, Suspect};

/// A finding and traces of its orders.
#[derive(Debug)]
pub struct ExplainReport<'a> {
    /// Its number in the store, as the user types it.
    pub id: &'a str,
    /// The finding.
    pub finding: &'a Finding,
    /// A trace of the dependent test after its partners.
    pub flipped: Traced<'a>,
    /// What the test found changed although it ended as it does alone.
    pub harmless: &'a HashSet<AccessPath>,
    /// What is known of the cause.
    pub cause: &'a Cause,
    /// Of each set of cleaners, a trace of the dependent test after partners
    /// and cleaners.
    pub cleaned: Vec<(&'a CleanerSet, Traced<'a>)>,
    /// Whether to tell of all locations.
    pub all: bool,
    /// How the program was called.
    pub called_with: &'a CalledWith,
}

/// A trace of an order that ends with the dependent test.
#[derive(Debug)]
pub struct Traced<'a> {
    /// Number of the run in the store, as the user types it.
    pub run: &'a str,
    /// Who depends on whom in it.
    pub graph: &'a DependencyGraph<'a>,
}

/// What came of putting locations back before the dependent test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// It then ended as it does alone.
    Proved {
        /// The fewest pieces of state that do that.
        pieces: Vec<Piece>,
        /// In how many runs.
        held: usize,
        /// Of how many.
        runs: usize,
    },
    /// It did where these classes were initialised before the partners ran.
    Initialised {
        /// The fewest classes that do that.
        classes: Vec<String>,
        /// In how many runs.
        held: usize,
        /// Of how many.
        runs: usize,
    },
    /// It did not, whatever was put back.
    Open {
        /// Pieces of state that were put back, together too.
        put_back: usize,
        /// Pieces that could not be.
        refused: usize,
    },
}

impl ExplainReport<'_> {
    /// What the test reads of its partners: the cause, where that is proved, and
    /// the rest, the most suspicious first.
    pub(crate) fn suspects(&self) -> (Vec<Suspect<'_>>, Vec<Suspect<'_>>) {
        let Finding { test, partners, .. } = self.finding;
        let suspects = suspects(self.flipped.graph, test, &partners.tests, self.harmless);
        suspects.into_iter().partition(|suspect| self.is_cause(suspect))
    }

    /// Through which state the dependent test sees what cleaners left: that of the
    /// cause alone, if it is among it.
    pub(crate) fn reset_by<'t>(
        &self,
        traced: &'t Traced<'t>,
        cleaners: &[TestId],
    ) -> Vec<Suspect<'t>> {
        let mut reset = suspects(traced.graph, &self.finding.test, cleaners, self.harmless);
        if reset.iter().any(|suspect| self.is_cause(suspect)) {
            reset.retain(|suspect| self.is_cause(suspect));
        }
        reset
    }

    fn is_cause(&self, suspect: &Suspect<'_>) -> bool {
        matches!(self.cause, Cause::Proved { pieces, .. } if pieces.contains(&suspect.piece))
    }
}

//! The dependencies of one test.

use residue_graph::DependencyGraph;

/// A test among the dependencies of a traced run.
#[derive(Debug)]
pub struct DepsReport<'a> {
    /// Number of the run in the store, as the user types it.
    pub run: &'a str,
    /// Whether that was of the default order.
    pub in_default_order: bool,
    /// Name of the suite.
    pub suite: &'a str,
    /// Who depends on whom.
    pub graph: &'a DependencyGraph<'a>,
    /// Position of the test in the order of the run.
    pub test: usize,
}

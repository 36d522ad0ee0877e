//! What each test ran and read in one traced run of the default order.

use std::collections::{BTreeSet, HashMap};

use residue_model::TestId;

/// What tests of a run executed.
#[derive(Debug, Clone, Default)]
pub struct Executed {
    /// The tests that the run was asked for.
    pub asked: BTreeSet<TestId>,
    /// Of each test that was seen to run.
    pub tests: HashMap<TestId, TestCode>,
    /// Classes that bear on all of them: they ran before the first test, or
    /// nobody could see who runs them.
    pub always: BTreeSet<String>,
}

/// What a test, its set-up and its class fixtures executed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestCode {
    /// Classes of the project that bear on it, by binary name: those it ran,
    /// what their initialisers ran even if that was in an earlier test, and the
    /// supertypes of all these.
    pub classes: BTreeSet<String>,
    /// Files it looked at.
    pub files: Vec<FileRead>,
}

/// A file, or the name of one, that a test looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRead {
    /// As the trace calls it.
    pub name: String,
    /// Classes whose static initialisers were under way; nothing if it is not
    /// known where in the code it was read.
    pub inside: Option<BTreeSet<String>>,
}

//! What the tests of a fake run read and wrote.

use std::collections::BTreeMap;

use residue_model::TestId;

/// The accesses of a part of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedPart {
    /// The test; of a class fixture the first or last of its group.
    pub test: TestId,
    /// Whether it is the test itself.
    pub kind: PartKind,
    /// What it read before it wrote it, with the value it saw.
    pub reads: Vec<(String, i64)>,
    /// What it wrote.
    pub writes: Vec<TracedWrite>,
}

/// What ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// The fixture before the first test of a group.
    BeforeClass,
    /// A test.
    Test,
    /// The fixture after the last test of a group.
    AfterClass,
}

/// What a part left in a shared value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedWrite {
    /// Which value.
    pub key: String,
    /// What it was when the part began.
    pub before: i64,
    /// What it is when the part has ended.
    pub value: i64,
    /// Whether that is what it was when the part began.
    pub restored: bool,
}

/// Watches one part.
#[derive(Debug, Default)]
pub(super) struct Watch {
    reads: BTreeMap<String, i64>,
    writes: BTreeMap<String, BeforeAndAfter>,
}

#[derive(Debug)]
struct BeforeAndAfter {
    before: i64,
    after: i64,
}

impl Watch {
    pub(super) fn read(&mut self, key: &str, value: i64) {
        if !self.writes.contains_key(key) {
            self.reads.entry(key.to_owned()).or_insert(value);
        }
    }

    pub(super) fn wrote(&mut self, key: &str, before: i64, after: i64) {
        let first = BeforeAndAfter { before, after };
        self.writes.entry(key.to_owned()).or_insert(first).after = after;
    }

    pub(super) fn seen(&mut self, test: &TestId, kind: PartKind) -> TracedPart {
        let write = |(key, BeforeAndAfter { before, after })| TracedWrite {
            key,
            before,
            value: after,
            restored: before == after,
        };
        let Self { reads, writes } = std::mem::take(self);
        TracedPart {
            test: test.clone(),
            kind,
            reads: reads.into_iter().collect(),
            writes: writes.into_iter().map(write).collect(),
        }
    }
}

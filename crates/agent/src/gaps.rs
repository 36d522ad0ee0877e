//! What could not be observed, counted until it is written to the trace.

use std::collections::BTreeMap;

use residue_model::trace::GapKind;
use residue_wire::trace::TraceWriter;

#[derive(Debug, Default)]
pub(crate) struct Gaps {
    counts: BTreeMap<(GapKind, String), u64>,
}

impl Gaps {
    pub(crate) fn add(&mut self, kind: GapKind, detail: impl Into<String>, count: u64) {
        if count > 0 {
            *self.counts.entry((kind, detail.into())).or_default() += count;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub(crate) fn append(&mut self, more: Self) {
        for ((kind, detail), count) in more.counts {
            self.add(kind, detail, count);
        }
    }

    pub(crate) fn write(&mut self, writer: &mut TraceWriter) {
        for ((kind, detail), count) in std::mem::take(&mut self.counts) {
            writer.gap(kind, &detail, count);
        }
    }
}

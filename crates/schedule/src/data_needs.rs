//! Which tests a test needs, going by a trace.
//!
//! A test needs whoever was the last to write what it reads, and what the class
//! fixtures before it read. A fixture after the class is looked at only where
//! somebody reads what it wrote: then its own needs are needs of that reader.

use std::collections::BTreeSet;

use residue_graph::DependencyGraph;
use residue_model::trace::{EpochIndex, EpochKind, Trace};

/// The direct needs of each test.
pub fn data_needs(graph: &DependencyGraph<'_>) -> Vec<Vec<usize>> {
    let trace = graph.trace();
    let writers = last_writers(trace);
    // What the epoch's readers need besides the test it belongs to.
    let mut of_closing: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); trace.epochs.len()];
    for (epoch, writers) in writers.iter().enumerate() {
        if trace.epochs[epoch].kind == EpochKind::AfterClass {
            of_closing[epoch] = needs(trace, writers, &of_closing);
        }
    }
    let of_test = |epochs: residue_graph::TestEpochs| {
        let run = epochs.before.iter().chain(&epochs.own);
        let seen = run.flat_map(|epoch| &writers[epoch.index()]);
        let others = seen.filter(|writer| {
            // These run with the test wherever it runs.
            !epochs.before.contains(writer) && !epochs.own.contains(writer)
        });
        let others: Vec<EpochIndex> = others.copied().collect();
        needs(trace, &others, &of_closing).into_iter().collect()
    };
    graph.epochs_by_test().into_iter().map(of_test).collect()
}

fn needs(trace: &Trace, writers: &[EpochIndex], of_closing: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let mut needs = BTreeSet::new();
    for writer in writers {
        needs.insert(trace.epoch(*writer).test);
        needs.extend(&of_closing[writer.index()]);
    }
    needs
}

/// Of each epoch, the epochs whose writes it reads.
fn last_writers(trace: &Trace) -> Vec<Vec<EpochIndex>> {
    let mut last: Vec<Option<EpochIndex>> =
        trace.locations.iter().map(|location| location.creator).collect();
    let mut writers = Vec::with_capacity(trace.epochs.len());
    for (index, epoch) in (0..).map(EpochIndex).zip(&trace.epochs) {
        let read = epoch.reads.iter().filter_map(|read| last[read.location.index()]);
        let mut seen: Vec<EpochIndex> = read.filter(|writer| *writer != index).collect();
        seen.sort_unstable();
        seen.dedup();
        writers.push(seen);
        for write in epoch.writes.iter().filter(|write| !write.is_undone()) {
            last[write.location.index()] = Some(index);
        }
    }
    writers
}

//! Which tests a test needs, going by a trace.
//!
//! A test needs whoever was the last to write what it reads, and what the class
//! fixtures before it read. A fixture after the class is looked at only where
//! somebody reads what it wrote: then its own needs are needs of that reader.

use std::collections::BTreeSet;

use residue_graph::{DependencyGraph, TestEpochs};
use residue_model::trace::{EpochIndex, EpochKind, Trace};

use crate::last_writers::{Inherited, inherited};
use crate::speculation::Speculation;

/// The direct needs of each test.
pub fn data_needs(graph: &DependencyGraph<'_>) -> Vec<Vec<usize>> {
    data_needs_without(graph, &Speculation::default())
}

/// The direct needs of each test that are left when values stand in for others.
pub fn data_needs_without(
    graph: &DependencyGraph<'_>,
    speculation: &Speculation,
) -> Vec<Vec<usize>> {
    let trace = graph.trace();
    let inherited = inherited(trace);
    // What the epoch's readers need besides the test it belongs to.
    let mut of_closing: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); trace.epochs.len()];
    for (epoch, read) in inherited.iter().enumerate() {
        if trace.epochs[epoch].kind == EpochKind::AfterClass {
            let writers = read.iter().map(|read| read.writer);
            of_closing[epoch] = needs(trace, writers, &of_closing);
        }
    }
    let of_test = |(test, epochs): (usize, TestEpochs)| {
        let writers: BTreeSet<EpochIndex> =
            of_others(&epochs, &inherited).map(|(_, read)| read.writer).collect();
        let is_left = |writer: &EpochIndex| !speculation.is_simple(test, trace.epoch(*writer).test);
        needs(trace, writers.into_iter().filter(is_left), &of_closing).into_iter().collect()
    };
    graph.epochs_by_test().into_iter().enumerate().map(of_test).collect()
}

/// What a test, with the class fixtures before it, reads of others: those that
/// do not run with it wherever it runs. Told with the epoch that reads.
pub(crate) fn of_others<'a>(
    epochs: &'a TestEpochs,
    inherited: &'a [Vec<Inherited>],
) -> impl Iterator<Item = (EpochIndex, Inherited)> + 'a {
    let run = epochs.before.iter().chain(&epochs.own).copied();
    let read =
        run.flat_map(|epoch| inherited[epoch.index()].iter().map(move |read| (epoch, *read)));
    read.filter(|(_, read)| {
        !epochs.before.contains(&read.writer) && !epochs.own.contains(&read.writer)
    })
}

fn needs(
    trace: &Trace,
    writers: impl Iterator<Item = EpochIndex>,
    of_closing: &[BTreeSet<usize>],
) -> BTreeSet<usize> {
    let mut needs = BTreeSet::new();
    for writer in writers {
        needs.insert(trace.epoch(writer).test);
        needs.extend(&of_closing[writer.index()]);
    }
    needs
}

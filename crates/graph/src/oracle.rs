//! The definitions, word by word and slowly, against the graph on random runs;
//! and the cases a reader asks about.

use std::collections::BTreeSet;

use proptest::prelude::*;
use residue_model::trace::{EpochKind, LocationId, Trace, Value};

use crate::testing::Run;
use crate::{DependencyGraph, DependencyKind, Granularity, TestAccesses};

type Edge = (DependencyKind, usize, usize, u32);

const TESTS: [&str; 7] = ["a.A#x", "a.A#y", "a.A$In#x", "b.B#x", "b.B#y", "a.A#z", "c.C#x"];

fn edges(trace: &Trace) -> BTreeSet<Edge> {
    let graph = DependencyGraph::new(trace);
    let mut found = BTreeSet::new();
    for kind in DependencyKind::ALL {
        for dependency in graph.dependencies(kind) {
            for flow in dependency.flows() {
                let edge = (kind, dependency.later(), dependency.earlier(), flow.location.0);
                found.insert(edge);
            }
        }
    }
    found
}

fn reads(trace: &Trace, epoch: usize, location: u32) -> bool {
    trace.epochs[epoch].reads.iter().any(|read| read.location.0 == location)
}

fn writes(trace: &Trace, epoch: usize, location: u32) -> bool {
    trace.epochs[epoch].writes.iter().any(|write| write.location.0 == location)
}

fn leaves(trace: &Trace, epoch: usize, location: u32) -> bool {
    let creator = trace.locations[location as usize].creator;
    writes(trace, epoch, location) || creator.is_some_and(|made| made.index() == epoch)
}

/// Whether an epoch is a class fixture that runs again with the other's test.
fn fixture_of(trace: &Trace, fixture: usize, other: usize) -> bool {
    let (fixture, other) = (&trace.epochs[fixture], &trace.epochs[other]);
    let class = |test: usize| trace.order[test].class();
    let between = fixture.test.min(other.test)..=fixture.test.max(other.test);
    let together = between.into_iter().all(|test| {
        trace.order[test].top_level_class() == trace.order[other.test].top_level_class()
    });
    let same = class(fixture.test) == class(other.test)
        || class(other.test).starts_with(&format!("{}$", class(fixture.test)));
    fixture.kind != EpochKind::Test && together && same
}

fn naive(trace: &Trace) -> BTreeSet<Edge> {
    let mut found = BTreeSet::new();
    let epochs = trace.epochs.len();
    for location in 0..trace.locations.len() as u32 {
        for later in 0..epochs {
            for earlier in 0..later {
                let (l, e) = (trace.epochs[later].test, trace.epochs[earlier].test);
                let apart = l != e
                    && !fixture_of(trace, later, earlier)
                    && !fixture_of(trace, earlier, later);
                let untouched =
                    !(earlier + 1..later).any(|between| leaves(trace, between, location));
                if !apart || !untouched {
                    continue;
                }
                if reads(trace, later, location) && leaves(trace, earlier, location) {
                    found.insert((DependencyKind::ReadAfterWrite, l, e, location));
                }
                if writes(trace, later, location) && leaves(trace, earlier, location) {
                    found.insert((DependencyKind::WriteAfterWrite, l, e, location));
                }
                let read_last =
                    reads(trace, earlier, location) && !writes(trace, earlier, location);
                if writes(trace, later, location) && read_last {
                    found.insert((DependencyKind::WriteAfterRead, l, e, location));
                }
            }
        }
    }
    found
}

fn some_locations(most: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::btree_set(0_u32..5, 0..most).prop_map(|set| set.into_iter().collect())
}

prop_compose! {
    fn run()(
        accesses in prop::collection::vec(
            (any::<bool>(), any::<bool>(), prop::collection::vec((some_locations(4), some_locations(3)), 3)),
            TESTS.len(),
        ),
        made in prop::option::of(0_u32..4),
    ) -> Trace {
        let mut run = Run::of(&TESTS);
        for (test, (before, after, epochs)) in accesses.iter().enumerate() {
            let wanted = [(EpochKind::BeforeClass, *before), (EpochKind::Test, true), (EpochKind::AfterClass, *after)];
            for ((kind, wanted), (reads, writes)) in wanted.into_iter().zip(epochs) {
                if wanted {
                    run = run.epoch(kind, test, reads, writes);
                }
            }
        }
        // A location nobody touches before it is made.
        if let Some(epoch) = made {
            run = run.created(5, epoch);
            run = run.test(TESTS.len() - 1, &[5], &[5]);
        }
        run.trace()
    }
}

proptest! {
    #[test]
    fn the_graph_has_exactly_the_dependencies_of_the_definition(trace in run()) {
        prop_assert_eq!(edges(&trace), naive(&trace));
    }

    #[test]
    fn counts_follow_from_the_dependencies(trace in run()) {
        let graph = DependencyGraph::new(&trace);
        let raw: BTreeSet<_> = naive(&trace)
            .into_iter()
            .filter(|edge| edge.0 == DependencyKind::ReadAfterWrite)
            .collect();
        let columns = graph.columns(Granularity::Methods);
        let count = |of: fn(&Edge) -> usize| raw.iter().map(of).collect::<BTreeSet<_>>().len();
        prop_assert_eq!(columns.readers, count(|edge| edge.1));
        prop_assert_eq!(columns.writers, count(|edge| edge.2));
        prop_assert_eq!(columns.locations, count(|edge| edge.3 as usize));
        prop_assert_eq!(columns.longest_chain, graph.longest_chain().len());
        let longest = (0..TESTS.len()).map(|test| longest_from(&raw, test)).max().unwrap();
        prop_assert_eq!(columns.longest_chain, if longest == 1 { 0 } else { longest });
        for pair in graph.longest_chain().windows(2) {
            prop_assert!(raw.iter().any(|edge| (edge.1, edge.2) == (pair[1], pair[0])));
        }
        for shared in graph.shared_locations() {
            prop_assert_eq!(shared.readers, graph.readers_of(shared.location).len());
            prop_assert_eq!(shared.writers, graph.writers_of(shared.location).len());
            let readers: BTreeSet<_> =
                raw.iter().filter(|edge| edge.3 == shared.location.0).map(|edge| edge.1).collect();
            prop_assert_eq!(shared.readers, readers.len());
        }
        for polluter in graph.polluters() {
            let of: Vec<_> = raw.iter().filter(|edge| edge.2 == polluter.test).collect();
            let distinct = |part: fn(&Edge) -> usize| {
                of.iter().map(|edge| part(edge)).collect::<BTreeSet<_>>().len()
            };
            prop_assert_eq!(polluter.readers, distinct(|edge| edge.1));
            prop_assert_eq!(polluter.locations, distinct(|edge| edge.3 as usize));
        }
        let together = |a: usize, b: usize| {
            graph.components().iter().any(|part| part.contains(&a) && part.contains(&b))
        };
        for edge in &raw {
            prop_assert!(together(edge.1, edge.2));
        }
    }
}

/// Tests on the longest chain that starts with a test.
fn longest_from(raw: &BTreeSet<Edge>, test: usize) -> usize {
    let readers: BTreeSet<_> =
        raw.iter().filter(|edge| edge.2 == test && edge.1 > test).map(|edge| edge.1).collect();
    1 + readers.into_iter().map(|reader| longest_from(raw, reader)).max().unwrap_or(0)
}

fn data_dependencies(trace: &Trace) -> Vec<(usize, usize)> {
    DependencyGraph::new(trace).pairs(DependencyKind::ReadAfterWrite).collect()
}

#[test]
fn a_reader_depends_on_the_last_writer_only() {
    let trace = Run::of(&["a.A#x", "a.A#y", "a.A#z"])
        .test(0, &[], &[0])
        .test(1, &[], &[0])
        .test(2, &[0], &[])
        .trace();
    assert_eq!(data_dependencies(&trace), [(2, 1)]);
    let graph = DependencyGraph::new(&trace);
    let output: Vec<_> = graph.pairs(DependencyKind::WriteAfterWrite).collect();
    assert_eq!(output, [(1, 0)]);
}

#[test]
fn what_a_class_fixture_writes_concerns_other_classes_only() {
    let trace = Run::of(&["a.A#x", "a.A#y", "a.A$In#z", "b.B#x"])
        .epoch(EpochKind::BeforeClass, 0, &[], &[0])
        .test(0, &[0], &[])
        .test(1, &[0], &[])
        .test(2, &[0], &[])
        .test(3, &[0], &[])
        .trace();
    assert_eq!(data_dependencies(&trace), [(3, 0)]);
}

#[test]
fn the_fixture_of_an_earlier_group_of_the_same_class_does_not_run_again() {
    let trace = Run::of(&["a.A#x", "b.B#x", "a.A#y"])
        .epoch(EpochKind::BeforeClass, 0, &[], &[0])
        .test(2, &[0], &[])
        .trace();
    assert_eq!(data_dependencies(&trace), [(2, 0)]);
}

#[test]
fn what_the_last_fixture_leaves_was_left_by_the_last_test() {
    let trace = Run::of(&["a.A#x", "a.A#y", "b.B#x"])
        .test(0, &[], &[])
        .test(1, &[], &[])
        .epoch(EpochKind::AfterClass, 1, &[], &[0])
        .test(2, &[0], &[])
        .trace();
    assert_eq!(data_dependencies(&trace), [(2, 1)]);
}

#[test]
fn tests_of_a_class_alone_do_not_count_between_classes() {
    let trace = Run::of(&["a.A#x", "a.A#y", "b.B#x", "b.B#y"])
        .test(0, &[], &[0, 1])
        .test(1, &[0], &[])
        .test(2, &[1], &[2])
        .test(3, &[2], &[])
        .trace();
    let graph = DependencyGraph::new(&trace);
    let methods = graph.columns(Granularity::Methods);
    assert_eq!((methods.tests, methods.writers, methods.readers), (4, 2, 3));
    assert_eq!((methods.longest_chain, methods.locations), (3, 3));
    let classes = graph.columns(Granularity::Classes);
    assert_eq!((classes.tests, classes.writers, classes.readers), (2, 1, 1));
    assert_eq!((classes.longest_chain, classes.locations), (2, 1));
    assert_eq!(graph.components(), [[0, 1, 2, 3]]);
}

#[test]
fn a_test_alone_runs_its_class_fixture_too() {
    let trace = Run::of(&["a.A#x", "a.A#y", "b.B#x"])
        .epoch(EpochKind::BeforeClass, 0, &[3], &[0])
        .test(0, &[], &[1])
        .test(1, &[0, 1], &[])
        .created(2, 1)
        .trace();
    let accesses = DependencyGraph::new(&trace).accesses();
    let set = |locations: &[u32]| locations.iter().copied().map(LocationId).collect();
    let expected = |reads, writes| Some(TestAccesses { reads: set(reads), writes: set(writes) });
    assert_eq!(accesses[0], expected(&[3], &[0, 1, 2]));
    assert_eq!(accesses[1], expected(&[1, 3], &[0]));
    assert_eq!(accesses[2], None, "it never ran");
}

#[test]
fn a_write_that_is_undone_concerns_nobody() {
    let mut trace = Run::of(&["a.A#x", "a.A#y", "a.A#z", "a.A#w"])
        .test(0, &[], &[0])
        .test(1, &[0], &[])
        .test(2, &[], &[0])
        .test(3, &[0], &[])
        .trace();
    let write = &mut trace.epochs[2].writes[0];
    (write.old, write.new) = (Some(Value::Integer(7)), Some(Value::Integer(7)));
    assert_eq!(data_dependencies(&trace), [(1, 0), (3, 0)]);
    let graph = DependencyGraph::new(&trace);
    assert_eq!(graph.pairs(DependencyKind::WriteAfterRead).len(), 0);
    assert_eq!(graph.pairs(DependencyKind::WriteAfterWrite).len(), 0);
    assert_eq!(graph.writers_of(LocationId(0)), [0]);
}

//! Values that stand in for tests change nothing of what tests see.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod support;

use std::collections::HashMap;
use std::time::Duration;

use proptest::prelude::*;
use residue_graph::DependencyGraph;
use residue_model::trace::{
    Epoch, EpochKind, FrameId, Location, LocationId, LocationName, Read, Stack, StackId, Trace,
    Value, Write,
};
use residue_model::{FieldType, FieldValue, Frame, Primitive, TestId};
use residue_schedule::{
    Algorithm, Obstacle, Planner, Schedule, Speculation, Workload, data_needs, data_needs_without,
    violations, violations_with,
};
use support::{static_field, traces};

/// All fields of `a.State` but the last are numbers that can be set.
fn fields(class: &str, field: &str) -> Option<FieldType> {
    assert_eq!(class, "a.State");
    (field != "s4").then_some(FieldType::Primitive(Primitive::Int))
}

fn speculative(graph: &DependencyGraph<'_>) -> (Speculation, Workload) {
    let speculation = Speculation::of(graph, &fields);
    let mut workload = Workload::new(vec![Duration::from_millis(1); graph.tests()]);
    for (test, needs) in data_needs_without(graph, &speculation).into_iter().enumerate() {
        workload.require(test, needs);
    }
    (speculation, workload)
}

fn schedules(workload: &Workload) -> impl Iterator<Item = Schedule> {
    let planner = Planner::new(workload);
    let of = |algorithm| (1..5).map(move |workers| (algorithm, workers));
    let all = Algorithm::ALL.into_iter().flat_map(of);
    all.map(move |(algorithm, workers)| planner.schedule(algorithm, workers))
}

proptest! {
    #[test]
    fn every_test_sees_what_it_sees_in_the_reference_order(trace in traces()) {
        let graph = DependencyGraph::new(&trace);
        let (speculation, mut workload) = speculative(&graph);
        for schedule in schedules(&workload) {
            prop_assert_eq!(violations_with(&schedule, &graph, &speculation), []);
        }
        workload.keep_together(|test| trace.order[test].top_level_class());
        for schedule in schedules(&workload) {
            prop_assert_eq!(violations_with(&schedule, &graph, &speculation), []);
        }
    }

    /// The same told by the values themselves, for tests without fixtures.
    #[test]
    fn every_read_finds_the_value_of_the_reference_order(trace in traces()) {
        let trace = without_fixtures(trace);
        let graph = DependencyGraph::new(&trace);
        let (speculation, workload) = speculative(&graph);
        let all: Vec<usize> = (0..graph.tests()).collect();
        let expected = found(&trace, &all, |_| Vec::new());
        for schedule in schedules(&workload) {
            for lane in schedule.lanes() {
                let tests: Vec<usize> = lane.slots.iter().map(|slot| slot.test).collect();
                let met = speculation.met_in(lane);
                let seen = found(&trace, &tests, |test| {
                    let of_test = met.iter().filter(|met| met.reader == test);
                    of_test.flat_map(|met| met.values).collect()
                });
                for (read, value) in seen {
                    prop_assert_eq!(expected.get(&read), Some(&value));
                }
            }
        }
    }

    /// Every need is either kept, or simple, and what is simple was a need.
    #[test]
    fn what_is_left_out_is_simple(trace in traces()) {
        let graph = DependencyGraph::new(&trace);
        let (speculation, workload) = speculative(&graph);
        for (test, needs) in data_needs(&graph).into_iter().enumerate() {
            for needed in &needs {
                let kept = *needed == test || workload.needs(test).contains(needed);
                prop_assert!(kept || speculation.is_simple(test, *needed));
            }
            for other in 0..graph.tests() {
                prop_assert!(!speculation.is_simple(test, other) || needs.contains(&other));
            }
        }
    }

    /// The rule itself: other values, or none, are found out.
    #[test]
    fn a_wrong_value_is_a_violation(trace in traces()) {
        let graph = DependencyGraph::new(&trace);
        let (_, workload) = speculative(&graph);
        let mut other = trace.clone();
        for write in other.epochs.iter_mut().flat_map(|epoch| &mut epoch.writes) {
            write.new = Some(Value::Integer(-1));
        }
        let wrong = Speculation::of(&DependencyGraph::new(&other), &fields);
        for schedule in schedules(&workload) {
            let broken = schedule.lanes().any(|lane| !wrong.met_in(lane).is_empty());
            prop_assert_eq!(broken, !violations_with(&schedule, &graph, &wrong).is_empty());
            // Without a value the fixture that left it may have run all the same.
            prop_assert!(broken || violations(&schedule, &graph).is_empty());
        }
    }
}

/// What each test finds at each location when these tests run, each after its
/// values are put in place.
fn found<'a>(
    trace: &Trace,
    tests: &[usize],
    values: impl Fn(usize) -> Vec<&'a residue_schedule::KnownValue>,
) -> HashMap<(usize, LocationId), Option<i64>> {
    let mut held: HashMap<LocationId, i64> = HashMap::new();
    let mut seen = HashMap::new();
    for &test in tests {
        for known in values(test) {
            let FieldValue::Primitive { bits, .. } = known.value else { panic!("{known:?}") };
            held.insert(known.location, bits);
        }
        for epoch in trace.epochs.iter().filter(|epoch| epoch.test == test) {
            for read in &epoch.reads {
                seen.insert((test, read.location), held.get(&read.location).copied());
            }
            for write in &epoch.writes {
                let Some(Value::Integer(number)) = write.new else { panic!("{write:?}") };
                held.insert(write.location, number);
            }
        }
    }
    seen
}

fn without_fixtures(mut trace: Trace) -> Trace {
    trace.epochs.retain(|epoch| epoch.kind == EpochKind::Test);
    trace.locations.iter_mut().for_each(|location| location.creator = None);
    trace
}

/// An epoch: what it is, of which test, what it reads and what it leaves.
type Part<'a> = (EpochKind, usize, &'a [u32], &'a [(u32, Value)]);

fn run(parts: &[Part<'_>]) -> Trace {
    let last = parts.iter().map(|(_, test, ..)| test + 1).max().unwrap_or(0);
    let epoch = |(kind, test, reads, writes): &Part<'_>| {
        let read = |location: &u32| Read { location: LocationId(*location), stack: None };
        let write = |(location, value): &(u32, Value)| Write {
            location: LocationId(*location),
            stack: None,
            old: None,
            new: Some(value.clone()),
        };
        Epoch {
            kind: *kind,
            test: *test,
            reads: reads.iter().map(read).collect(),
            writes: writes.iter().map(write).collect(),
        }
    };
    Trace {
        order: (0..last).map(|test| TestId::parse(&format!("a.T{test}#t")).unwrap()).collect(),
        epochs: parts.iter().map(epoch).collect(),
        locations: (0..5)
            .map(|location| Location { name: static_field(location), creator: None })
            .collect(),
        ..Trace::default()
    }
}

#[track_caller]
fn says(trace: &Trace, simple: usize, obstacles: &[(Obstacle, usize)]) -> Speculation {
    let speculation = Speculation::of(&DependencyGraph::new(trace), &fields);
    assert_eq!(speculation.len(), simple, "{speculation:?}");
    let found: Vec<_> = speculation.obstacles().into_iter().collect();
    assert_eq!(found, obstacles);
    speculation
}

use EpochKind::{AfterClass, BeforeClass, Test};

fn number(value: i64) -> Value {
    Value::Integer(value)
}

#[test]
fn the_last_of_several_writers_tells_the_value() {
    let trace = run(&[
        (Test, 0, &[], &[(0, number(1))]),
        (Test, 1, &[], &[(0, number(2))]),
        (Test, 2, &[0], &[(0, number(3))]),
        (Test, 3, &[0], &[]),
    ]);
    let speculation = says(&trace, 2, &[]);
    assert!(speculation.is_simple(2, 1) && speculation.is_simple(3, 2));
    let graph = DependencyGraph::new(&trace);
    let (speculation, workload) = speculative(&graph);
    let schedule = Planner::new(&workload).schedule(Algorithm::Critical, 4);
    assert_eq!(schedule.makespan(), Duration::from_millis(1), "the chain is broken");
    let values: Vec<_> = schedule
        .lanes()
        .flat_map(|lane| speculation.met_in(lane))
        .map(|met| (met.reader, met.values[0].value.to_string()))
        .collect();
    assert_eq!(values.len(), 2);
    assert!(values.contains(&(2, "2".into())) && values.contains(&(3, "3".into())));
}

#[test]
fn one_obstacle_keeps_the_whole_need() {
    let object = Value::Object { class: "a.Data".into(), id: 1 };
    let left = [(0, number(1)), (1, object)];
    let trace = run(&[(Test, 0, &[], &left), (Test, 1, &[0, 1], &[]), (Test, 2, &[0], &[])]);
    let speculation = says(&trace, 1, &[(Obstacle::Value, 1)]);
    assert!(speculation.is_simple(2, 0));
}

#[test]
fn fields_that_cannot_be_set_are_no_simple_needs() {
    let trace = run(&[(Test, 0, &[], &[(4, number(1))]), (Test, 1, &[4], &[])]);
    says(&trace, 0, &[(Obstacle::Field, 1)]);
    let mut trace = run(&[(Test, 0, &[], &[(0, number(1))]), (Test, 1, &[0], &[])]);
    trace.locations[0].name = LocationName::Undescribed { cell: 0 };
    says(&trace, 0, &[(Obstacle::Object, 1)]);
}

#[test]
fn two_fields_of_one_name_cannot_be_told_apart() {
    let mut trace = run(&[(Test, 0, &[], &[(0, number(1))]), (Test, 1, &[0], &[])]);
    trace.locations[1].name = trace.locations[0].name.clone();
    says(&trace, 0, &[(Obstacle::Field, 1)]);
}

#[test]
fn what_fixtures_read_or_leave_after_their_class_is_not_simple() {
    let trace = run(&[
        (Test, 0, &[], &[(0, number(1)), (1, number(2))]),
        (AfterClass, 0, &[], &[(2, number(3))]),
        (BeforeClass, 1, &[0], &[]),
        (Test, 1, &[], &[]),
        (Test, 2, &[2], &[]),
    ]);
    says(&trace, 0, &[(Obstacle::Fixture, 2)]);
    let before =
        run(&[(BeforeClass, 0, &[], &[(0, number(1))]), (Test, 0, &[], &[]), (Test, 1, &[0], &[])]);
    says(&before, 1, &[]);
}

#[test]
fn a_class_whose_initialiser_depends_on_tests_is_left_alone() {
    let mut trace = run(&[
        (Test, 0, &[], &[(0, number(1)), (1, number(2))]),
        (Test, 1, &[1], &[]),
        (Test, 2, &[0], &[]),
    ]);
    says(&trace, 2, &[]);
    let frame = |class: &str, method: &str| Frame {
        class: class.into(),
        method: method.into(),
        file: None,
        line: None,
    };
    trace.frames = vec![frame("a.Config", "read"), frame("a.State", "<clinit>")];
    trace.stacks = vec![Stack { frames: [FrameId(0), FrameId(1)].into() }];
    trace.epochs[1].reads[0].stack = Some(StackId::at(0));
    says(&trace, 0, &[(Obstacle::Initialiser, 2)]);
}

#[test]
fn what_did_not_hold_is_not_tried_again() {
    let trace = run(&[(Test, 0, &[], &[(0, number(1))]), (Test, 1, &[0], &[])]);
    let graph = DependencyGraph::new(&trace);
    let mut speculation = says(&trace, 1, &[]);
    speculation.refute(1, 0);
    assert!(speculation.is_empty());
    assert_eq!(speculation.obstacles()[&Obstacle::Refuted], 1);
    assert_eq!(data_needs_without(&graph, &speculation), data_needs(&graph));
}

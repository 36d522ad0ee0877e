//! Ranking of made-up traces.

use residue_model::trace::{
    Change, Epoch, EpochIndex, EpochKind, FrameId, Label, Location, LocationId, LocationName,
    Outside, OutsideKind, PathRoot, Place, Pollution, Read, Stack, StackId, Trace, Value, Write,
};
use residue_model::{FileChange, Frame, LeftBehind, TestId};

use crate::{Facts, Fate, Harmless, Left, Rank, Ranking, rank};

fn id(test: &str) -> TestId {
    test.parse().unwrap()
}

fn frame(class: &str, method: &str) -> Frame {
    Frame { class: class.into(), method: method.into(), file: None, line: Some(7) }
}

/// Each test writes (`w`) or reads (`r`) static fields of `a.State` by number, or
/// writes what is there (`s`).
fn trace(tests: &[(&str, &str)], fields: &[&str]) -> Trace {
    let name = |field: &&str| LocationName::StaticField {
        class: "a.State".into(),
        field: (*field).into(),
    };
    let mut trace = Trace {
        order: tests.iter().map(|(test, _)| id(test)).collect(),
        locations: fields.iter().map(|one| Location { name: name(one), creator: None }).collect(),
        frames: vec![frame("a.State", "set"), frame("a.WTest", "w")],
        stacks: vec![Stack { frames: [FrameId(0), FrameId(1)].into() }],
        ..Trace::default()
    };
    for (at, (_, does)) in tests.iter().enumerate() {
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for access in does.split_whitespace() {
            let location = LocationId(access[1..].parse().unwrap());
            if access.starts_with('r') {
                reads.push(Read { location, stack: None });
                continue;
            }
            let stack = Some(StackId::at(0));
            if access.starts_with('s') {
                let same = Some(Value::Integer(1));
                writes.push(Write { location, stack, old: same.clone(), new: same });
                continue;
            }
            writes.push(Write { location, stack, old: None, new: None });
            trace.pollutions.push(pollution(at as u32, location, fields[location.index()]));
        }
        trace.epochs.push(Epoch { kind: EpochKind::Test, test: at, reads, writes });
    }
    trace
}

fn pollution(epoch: u32, location: LocationId, field: &str) -> Pollution {
    Pollution {
        since: EpochIndex(epoch),
        epoch: EpochIndex(epoch),
        place: Place {
            root: PathRoot::Static { class: "a.State".into(), field: field.into() },
            steps: vec![],
        },
        public_root: true,
        loaded_here: false,
        locations: vec![location],
        changes: vec![Change {
            label: Label::Whole,
            old: Some(Value::Integer(0)),
            new: Some(Value::Integer(1)),
            before: vec![],
            after: vec![],
        }],
        unlisted_changes: 0,
    }
}

fn facts(trace: &Trace) -> Facts<'_> {
    Facts { trace, left_behind: &[], proven: &[], new_roots: false, per_class: false }
}

fn ranks(ranking: &Ranking<'_>) -> Vec<(Rank, String)> {
    ranking.polluted.iter().map(|one| (one.rank, one.key())).collect()
}

#[test]
fn what_others_read_comes_first_and_caches_last() {
    let tests = [("a.WTest#w", "w0 w1 w2"), ("a.RTest#r", "r1 r2")];
    let trace = trace(&tests, &["alone", "shared", "cache"]);
    let ranking = rank(&facts(&trace));
    assert_eq!(
        ranks(&ranking),
        [
            (Rank::Read, "a.WTest#w  State.shared".to_owned()),
            (Rank::Public, "a.WTest#w  State.alone".to_owned()),
            (Rank::Harmless, "a.WTest#w  State.cache".to_owned()),
        ]
    );
    assert_eq!(ranking.polluted[0].readers, [1]);
    assert_eq!(ranking.polluted[0].reset.unwrap().class, "a.WTest");
    assert_eq!(ranking.polluted[2].harmless, Some(Harmless::Cache));
}

#[test]
fn a_proven_victim_beats_everything_even_of_a_cache() {
    let trace = trace(&[("a.WTest#w", "w0 w1"), ("a.RTest#r", "r0 r1")], &["shared", "cache"]);
    let proven = [(id("a.WTest#w"), id("a.RTest#r")), (id("a.WTest#w"), id("a.Other#o"))];
    let ranking = rank(&Facts { proven: &proven, ..facts(&trace) });
    assert!(ranking.polluted.iter().all(|one| one.rank == Rank::Proven));
    assert_eq!(ranking.polluted[1].victims, [id("a.RTest#r")], "only who reads it suffers by it");
}

#[test]
fn who_reads_before_would_see_it_in_another_order_and_who_comes_after_an_overwrite_would_not() {
    let tests =
        [("a.R1Test#r", "r0"), ("a.WTest#w", "w0"), ("a.W2Test#w", "w0"), ("a.R2Test#r", "r0")];
    let trace = trace(&tests, &["shared"]);
    let ranking = rank(&facts(&trace));
    let of = |polluter: &str| {
        let found = ranking.polluted.iter().find(|one| one.polluter == polluter).unwrap();
        (found.earlier_readers.clone(), found.readers.clone())
    };
    assert_eq!(of("a.WTest#w"), (vec![0], vec![]));
    assert_eq!(of("a.W2Test#w"), (vec![0], vec![3]));
}

#[test]
fn who_writes_what_is_there_keeps_nobody_from_reading_it() {
    let tests = [("a.WTest#w", "w0"), ("a.SameTest#s", "s0"), ("a.RTest#r", "r0")];
    let trace = trace(&tests, &["shared"]);
    assert_eq!(rank(&facts(&trace)).polluted[0].readers, [2]);
}

#[test]
fn a_victim_that_another_test_shields_in_this_order_is_still_one() {
    let tests = [("a.WTest#w", "w0"), ("a.CleanTest#c", "w0"), ("a.RTest#r", "r0")];
    let trace = trace(&tests, &["shared"]);
    let proven = [(id("a.WTest#w"), id("a.RTest#r"))];
    let ranking = rank(&Facts { proven: &proven, ..facts(&trace) });
    let polluter = ranking.polluted.iter().find(|one| one.polluter == "a.WTest#w").unwrap();
    assert_eq!((polluter.rank, &polluter.victims[..]), (Rank::Proven, &[id("a.RTest#r")][..]));
}

#[test]
fn sets_of_parameters_are_summed_up() {
    let tests = [("a.WTest#w[0]", "w0"), ("a.WTest#w[1]", ""), ("a.WTest#w[2]", "w0 w1")];
    let trace = trace(&tests, &["x", "y"]);
    let ranking = rank(&facts(&trace));
    let sets: Vec<_> = ranking
        .polluted
        .iter()
        .map(|one| (one.root.as_str(), one.tests.len(), one.parameter_sets))
        .collect();
    assert_eq!(sets, [("State.x", 2, 3), ("State.y", 1, 3)]);
}

#[test]
fn classes_that_a_test_loads_count_only_if_asked() {
    let mut trace = trace(&[("a.WTest#w", "w0")], &["x"]);
    trace.pollutions[0].loaded_here = true;
    let without = rank(&facts(&trace));
    assert_eq!((without.polluted.len(), without.of_new_roots), (0, 1));
    let with = rank(&Facts { new_roots: true, ..facts(&trace) });
    assert_eq!((with.polluted.len(), with.of_new_roots), (1, 0));
}

#[test]
fn what_a_server_does_beside_the_tests_seldom_matters() {
    let mut trace = trace(&[("a.WTest#w", "w0")], &["x"]);
    trace.frames[1] = frame("java.lang.Thread", "run");
    let ranking = rank(&facts(&trace));
    assert_eq!(ranking.polluted[0].harmless, Some(Harmless::Background));
    assert!(ranking.polluted[0].reset.is_none());
}

#[test]
fn threads_are_left_too_and_files_that_only_the_record_knows() {
    let mut trace = trace(&[("a.WTest#w", "")], &[]);
    let known = LocationName::Outside(Outside::new(OutsideKind::FileName, "known.txt"));
    trace.locations.push(Location { name: known, creator: None });
    let file = |path: &str| LeftBehind::File {
        test: Some(id("a.WTest#w")),
        path: path.into(),
        change: FileChange::Created,
    };
    let thread = |name: &str| LeftBehind::Thread { test: id("a.WTest#w"), name: name.into() };
    let left_behind = [
        thread("pool-1-thread-1"),
        thread("pool-1-thread-2"),
        file("out.txt"),
        file("known.txt"),
        LeftBehind::HungAtExit,
    ];
    let ranking = rank(&Facts { left_behind: &left_behind, ..facts(&trace) });
    let names: Vec<_> = ranking.polluted.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["running thread \"pool-*-thread-*\"", "file out.txt"]);
    assert!(matches!(ranking.polluted[1].left, Left::Outside { fate: Fate::Made, inside: 0 }));
}

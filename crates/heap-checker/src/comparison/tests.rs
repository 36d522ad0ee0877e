//! Whatever the two can disagree about is found, and nothing else.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

use residue_model::trace::{
    Epoch, EpochKind, FoundThrough, Location, LocationId, LocationName, Object, ObjectId, Value,
    Write,
};

use super::matching::label;
use super::*;
use crate::changes::{Change, EpochChanges, Place, Seen};

fn text(text: &str) -> Value {
    Value::text(text)
}

fn object(id: u32) -> Value {
    Value::Object { class: "a.Data".into(), id }
}

/// A location with the values before and after.
type Told = (LocationName, Option<Value>, Option<Value>);

/// A trace with one epoch for each list of writes.
fn trace(epochs: Vec<Vec<Told>>) -> Trace {
    let mut trace = Trace { order: vec!["a.B#c".parse().unwrap()], ..Trace::default() };
    let found = |id, class: &str, length| Object {
        id,
        class: class.into(),
        length,
        creator: None,
        found_through: FoundThrough::Unknown,
    };
    trace.objects = vec![found(1, "a.Data", None), found(2, "int[]", Some(16))];
    for writes in epochs {
        let writes = writes.into_iter().map(|(name, old, new)| {
            trace.locations.push(Location { name, creator: None });
            let location = LocationId(trace.locations.len() as u32 - 1);
            Write { location, stack: None, old, new }
        });
        let writes = writes.collect();
        trace.epochs.push(Epoch { kind: EpochKind::Test, test: 0, reads: vec![], writes });
    }
    trace
}

fn heap(epochs: Vec<Vec<(Place, Value, Value)>>) -> Changes {
    let epochs = epochs.into_iter().map(|changes| {
        let changes = changes.into_iter().map(|(place, old, new)| Change {
            path: label(&place),
            place,
            reachable: true,
            old: Seen::from(&old),
            new: Seen::from(&new),
        });
        EpochChanges { changes: changes.collect(), ..EpochChanges::new(EpochKind::Test, 0) }
    });
    Changes { epochs: epochs.collect(), complete: true }
}

fn static_name() -> LocationName {
    LocationName::StaticField { class: "a.B".into(), field: "state".into() }
}

fn static_place() -> Place {
    Place::Static { class: "a.B".into(), field: "state".into() }
}

fn field_name(object: u32) -> LocationName {
    let (class, field) = ("a.Data".into(), "size".into());
    LocationName::Field { object: ObjectId(object), class, field }
}

fn field_place(object: u32) -> Place {
    Place::Field { object, class: "a.Data".into(), field: "size".into() }
}

fn element_place(index: u32) -> Place {
    Place::Element { object: 9, class: "int[]".into(), index }
}

fn elements(first: u32, last: u32) -> LocationName {
    LocationName::Elements { object: ObjectId(1), first, last }
}

fn differences(comparison: &Comparison) -> Vec<String> {
    comparison.differences.iter().map(ToString::to_string).collect()
}

#[test]
fn the_same_writes_agree_whatever_their_order() {
    let (zero, one) = (Value::Integer(0), Value::Integer(1));
    let told = trace(vec![vec![
        (static_name(), Some(text("a")), Some(text("b"))),
        (elements(2, 3), Some(zero.clone()), Some(one.clone())),
        (field_name(0), Some(Value::Null), Some(object(7))),
    ]]);
    let seen = heap(vec![vec![
        (element_place(3), zero.clone(), one.clone()),
        (field_place(5), Value::Null, object(6)),
        (element_place(2), zero, one),
        (static_place(), text("a"), text("b")),
    ]]);
    let comparison = Comparison::of(&told, &seen);
    assert_eq!(differences(&comparison), [""; 0]);
    assert_eq!((comparison.agreed, comparison.epochs), (4, 1));
}

#[test]
fn a_write_that_the_trace_lacks_is_missed() {
    let seen = heap(vec![vec![(static_place(), text("a"), text("b"))]]);
    let comparison = Comparison::of(&trace(vec![vec![]]), &seen);
    let said = "missed    epoch 1 (a.B#c): static a.B#state: \"a\" -> \"b\"";
    assert_eq!(differences(&comparison), [said]);
}

#[test]
fn a_write_that_changed_nothing_is_invented() {
    let told = trace(vec![vec![(static_name(), Some(text("a")), Some(text("b")))]]);
    let comparison = Comparison::of(&told, &heap(vec![vec![]]));
    let said = "invented  epoch 1 (a.B#c): B.state: \"a\" -> \"b\"";
    assert_eq!(differences(&comparison), [said]);
}

#[test]
fn another_value_place_or_epoch_is_no_agreement() {
    let told = || trace(vec![vec![(static_name(), Some(text("a")), Some(text("b")))], vec![]]);
    let other_value = heap(vec![vec![(static_place(), text("a"), text("c"))], vec![]]);
    assert_eq!(Comparison::of(&told(), &other_value).differences.len(), 2);
    let other_old = heap(vec![vec![(static_place(), text("c"), text("b"))], vec![]]);
    assert_eq!(Comparison::of(&told(), &other_old).differences.len(), 2);
    let place = Place::Static { class: "a.B".into(), field: "other".into() };
    let other_place = heap(vec![vec![(place, text("a"), text("b"))], vec![]]);
    assert_eq!(Comparison::of(&told(), &other_place).differences.len(), 2);
    let other_epoch = heap(vec![vec![], vec![(static_place(), text("a"), text("b"))]]);
    assert_eq!(Comparison::of(&told(), &other_epoch).differences.len(), 2);
}

#[test]
fn an_object_of_the_trace_is_one_object_of_the_heap() {
    let change = |number: i64| (Some(Value::Integer(number)), Some(Value::Integer(number + 1)));
    let write = |number| (field_name(0), change(number).0, change(number).1);
    let seen =
        |object, number| (field_place(object), Value::Integer(number), Value::Integer(number + 1));
    let told = trace(vec![vec![write(0)], vec![write(1)]]);
    let same = heap(vec![vec![seen(5, 0)], vec![seen(5, 1)]]);
    assert!(Comparison::of(&told, &same).is_agreement());
    let another = heap(vec![vec![seen(5, 0)], vec![seen(6, 1)]]);
    assert_eq!(Comparison::of(&told, &another).differences.len(), 2);
}

#[test]
fn so_is_an_object_that_is_a_value() {
    let write = |id| (static_name(), Some(Value::Null), Some(object(id)));
    let back = |id| (static_name(), Some(object(id)), Some(Value::Null));
    let told = trace(vec![vec![write(7)], vec![back(7)]]);
    let seen = |first, second| {
        heap(vec![
            vec![(static_place(), Value::Null, object(first))],
            vec![(static_place(), object(second), Value::Null)],
        ])
    };
    assert!(Comparison::of(&told, &seen(1, 1)).is_agreement());
    let confused = Comparison::of(&told, &seen(1, 2));
    assert_eq!(differences(&confused), ["confused  epoch 2 (a.B#c): static a.B#state"]);
}

#[test]
fn undone_writes_are_no_changes() {
    let told = trace(vec![vec![(static_name(), Some(text("a")), Some(text("a")))]]);
    let comparison = Comparison::of(&told, &heap(vec![vec![]]));
    assert!(comparison.is_agreement());
    assert_eq!((comparison.undone, comparison.agreed), (1, 0));
}

#[test]
fn each_reason_covers_its_case_only() {
    let long = text(&"x".repeat(100));
    let alone =
        |name, old, new| Comparison::of(&trace(vec![vec![(name, old, new)]]), &heap(vec![vec![]]));
    let reasons =
        |comparison: &Comparison| comparison.explained.keys().copied().collect::<Vec<_>>();
    let one = Some(Value::Integer(1));
    let alike = alone(static_name(), Some(long.clone()), Some(long));
    assert_eq!(reasons(&alike), [Reason::LooksAlike]);
    assert_eq!(reasons(&alone(field_name(0), one.clone(), None)), [Reason::Gone]);
    assert_eq!(reasons(&alone(elements(0, 1), None, None)), [Reason::Stretch]);
    assert_eq!(reasons(&alone(static_name(), None, one.clone())), [Reason::FirstUse]);
    for comparison in [
        alone(static_name(), one.clone(), None),
        alone(field_name(0), None, one),
        alone(elements(0, 0), None, None),
    ] {
        assert_eq!(comparison.differences.len(), 1, "{comparison:?}");
    }
    let referent = |class: &str, new| {
        let (class, field) = (class.into(), "referent".into());
        let place = Place::Field { object: 1, class, field };
        Comparison::of(&trace(vec![vec![]]), &heap(vec![vec![(place, object(2), new)]]))
    };
    let reference = "java.lang.ref.Reference";
    assert_eq!(reasons(&referent(reference, Value::Null)), [Reason::Cleared]);
    assert_eq!(referent(reference, object(3)).differences.len(), 1);
    assert_eq!(referent("a.Data", Value::Null).differences.len(), 1);
}

#[test]
fn a_stretch_stands_for_the_changes_within_it_and_no_others() {
    let told = trace(vec![vec![(elements(4, 7), None, None)]]);
    let change = |index| (element_place(index), Value::Integer(0), Value::Integer(1));
    let comparison = Comparison::of(&told, &heap(vec![vec![change(5), change(7), change(8)]]));
    assert_eq!((comparison.agreed, comparison.differences.len()), (2, 1));
}

#[test]
fn a_walk_that_was_cut_short_or_not_told_something_proves_nothing() {
    let told = trace(vec![vec![]]);
    let cut = Changes { complete: false, ..heap(vec![vec![]]) };
    assert!(!Comparison::of(&told, &cut).is_agreement());
    assert!(!Comparison::of(&told, &heap(vec![vec![], vec![]])).is_agreement());
    let mut unseen = heap(vec![vec![]]);
    unseen.epochs[0].unseen.push("a.B".into());
    assert!(!Comparison::of(&told, &unseen).is_agreement());
}

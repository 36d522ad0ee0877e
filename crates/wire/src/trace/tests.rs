//! The format as a whole: what is written comes back, cut or damaged files
//! never panic.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use residue_model::TestId;
use residue_model::trace::{
    EpochKind, GapKind, Held, LocationName, ObjectId, PathRoot, Read, StackId, Trace, Value, Write,
};

use super::*;

/// What a test of the format can name, however cells were numbered or joined.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    Static(String),
    Slot(String, String),
    Element(String, u32),
}

/// A static field at 0..4, objects of three slots from 10 on, arrays from 50 on.
const STATICS: u32 = 4;
const OBJECTS: u32 = 4;
const ARRAYS: [(u32, u32, u8); 3] = [(50, 9, 0), (60, 30, 1), (80, 50, 3)];

fn object_cell(object: u32) -> u32 {
    10 + object * 5
}

fn cells() -> Vec<u32> {
    let objects = (0..OBJECTS).flat_map(|object| object_cell(object)..object_cell(object) + 3);
    let arrays = ARRAYS.iter().flat_map(|(first, length, shift)| {
        let last = first + ((length - 1) >> shift);
        *first..=last
    });
    (0..STATICS).chain(objects).chain(arrays).collect()
}

fn atoms_of_cell(cell: u32) -> Vec<Atom> {
    if cell < STATICS {
        return vec![Atom::Static(format!("s{cell}"))];
    }
    if cell < 50 {
        let (object, slot) = ((cell - 10) / 5, (cell - 10) % 5);
        return vec![Atom::Slot(format!("a.O{object}"), format!("f{slot}"))];
    }
    let (first, length, shift) = *ARRAYS.iter().rfind(|array| array.0 <= cell).unwrap();
    let slot = cell - first;
    let elements = (slot << shift)..((slot + 1) << shift).min(length);
    elements.map(|index| Atom::Element(format!("a.E{first}[]"), index)).collect()
}

fn atoms_of_location(trace: &Trace, name: &LocationName) -> Vec<Atom> {
    match name {
        LocationName::StaticField { field, .. } => vec![Atom::Static(field.to_string())],
        LocationName::Field { object, field, .. } => {
            vec![Atom::Slot(trace.object(*object).class.to_string(), field.to_string())]
        }
        LocationName::Elements { object, first, last } => {
            let class = trace.object(*object).class.to_string();
            (*first..=*last).map(|index| Atom::Element(class.clone(), index)).collect()
        }
        LocationName::SystemProperty { key } => panic!("no script has the property {key:?}"),
        LocationName::Outside(outside) => panic!("no script has {outside}"),
        LocationName::Undescribed { cell } => panic!("cell {cell} was described"),
    }
}

#[derive(Debug, Clone)]
struct Script {
    /// Creating epoch of each object and array; 0 is the genesis.
    creators: Vec<u32>,
    epochs: Vec<ScriptEpoch>,
}

#[derive(Debug, Clone)]
struct ScriptEpoch {
    kind: EpochKind,
    reads: Vec<(u32, bool)>,
    writes: Vec<(u32, Option<Value>, Option<Value>)>,
    /// Hand over the bytes after each access instead of at the end.
    torn: bool,
}

fn value() -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        Just(None),
        Just(Some(Value::Null)),
        any::<bool>().prop_map(|value| Some(Value::Boolean(value))),
        any::<u16>().prop_map(|unit| Some(Value::Character(unit))),
        any::<i64>().prop_map(|number| Some(Value::Integer(number))),
        any::<f64>().prop_map(|number| Some(Value::double(number))),
        ".{0,90}".prop_map(|text| Some(Value::text(&text))),
        "[A-Z]{1,3}".prop_map(|name| {
            Some(Value::Constant { class: "a.Color".into(), name: name.into() })
        }),
        any::<u32>().prop_map(|id| Some(Value::Object { class: "a.B".into(), id })),
    ]
}

fn script() -> impl Strategy<Value = Script> {
    let cell = || prop::sample::select(cells());
    let kind =
        prop::sample::select(vec![EpochKind::BeforeClass, EpochKind::Test, EpochKind::AfterClass]);
    let epoch = (
        kind,
        prop::collection::vec((cell(), any::<bool>()), 0..12),
        prop::collection::vec((cell(), value(), value()), 0..5),
        any::<bool>(),
    )
        .prop_map(|(kind, reads, writes, torn)| ScriptEpoch { kind, reads, writes, torn });
    let creators = prop::collection::vec(0_u32..2, OBJECTS as usize + ARRAYS.len());
    (creators, prop::collection::vec(epoch, 1..7))
        .prop_map(|(creators, epochs)| Script { creators, epochs })
}

fn describe_world(writer: &mut TraceWriter, creators: &[u32]) {
    for cell in 0..STATICS {
        writer.describe_static(cell, "a.S", &format!("s{cell}"));
    }
    for object in 0..OBJECTS {
        let names: Vec<_> = (0..3).map(|slot| format!("f{slot}")).collect();
        let class = format!("a.O{object}");
        let slots = names.iter().map(|field| SlotName { class: &class, field });
        writer.describe_class(object, &class, slots);
        // Each object hangs on the one before it.
        let found = match object.checked_sub(1) {
            None => Found::InCell(0),
            Some(before) => Found::InCell(object_cell(before) + 1),
        };
        writer.describe_object(object_cell(object), object, creators[object as usize], found);
    }
    for (at, (first, length, shift)) in ARRAYS.into_iter().enumerate() {
        let creator = creators[OBJECTS as usize + at];
        let found = Found::InThread("main");
        writer.describe_array(first, &format!("a.E{first}[]"), length, shift, creator, found);
    }
}

fn written(script: &Script) -> Vec<u8> {
    let mut writer = TraceWriter::new();
    let mut file = Vec::new();
    let frame = writer.frame("a.T", "m", Some("T.java"), Some(7));
    let stack = writer.stack(&[frame]);
    for (position, epoch) in script.epochs.iter().enumerate() {
        writer.begin_epoch(epoch.kind, position as u32);
        if position == 0 {
            describe_world(&mut writer, &script.creators);
        }
        for (cell, with_stack) in &epoch.reads {
            writer.read(*cell, with_stack.then_some(stack));
            if epoch.torn {
                file.extend(writer.take_bytes());
            }
        }
        for (cell, old, new) in &epoch.writes {
            writer.write(*cell, None, old.as_ref(), new.as_ref());
            if epoch.torn {
                file.extend(writer.take_bytes());
            }
        }
        file.extend(writer.take_bytes());
    }
    writer.gap(GapKind::HiddenClass, "a.L/0x1", 2);
    writer.gap(GapKind::HiddenClass, "a.L/0x1", 3);
    writer.ignored("a.S", "log", true, "- **#log (command line)");
    writer.finish();
    file.extend(writer.take_bytes());
    file
}

fn order(tests: usize) -> Vec<TestId> {
    (0..tests).map(|test| TestId::parse(&format!("a.T#m{test}")).unwrap()).collect()
}

fn read(script: &Script, file: &[u8]) -> Trace {
    TraceReader::new(file).read(&order(script.epochs.len())).unwrap()
}

proptest! {
    #[test]
    fn what_is_written_comes_back(script in script()) {
        let file = written(&script);
        let all = TraceReader::new(&file).keep_all_reads().read(&order(script.epochs.len())).unwrap();
        let kept = read(&script, &file);
        prop_assert_eq!(&kept.gaps, &vec![residue_model::trace::Gap {
            kind: GapKind::HiddenClass, detail: "a.L/0x1".into(), count: 5,
        }]);
        prop_assert_eq!(kept.ignored.len(), 1);

        let can_conflict: BTreeSet<Atom> = {
            let written = script.epochs.iter().flat_map(|e| &e.writes).map(|write| write.0);
            let objects = (0..OBJECTS).flat_map(|object| {
                let first = object_cell(object);
                (first..first + 3).map(move |cell| (object as usize, cell))
            });
            let arrays = ARRAYS.iter().enumerate().flat_map(|(at, (first, length, shift))| {
                (*first..=first + ((length - 1) >> shift)).map(move |cell| (OBJECTS as usize + at, cell))
            });
            let created = objects.chain(arrays).filter(|(at, _)| script.creators[*at] > 0);
            written.chain(created.map(|(_, cell)| cell)).flat_map(atoms_of_cell).collect()
        };
        for (index, epoch) in script.epochs.iter().enumerate() {
            let told: BTreeSet<Atom> = epoch.reads.iter().flat_map(|r| atoms_of_cell(r.0)).collect();
            prop_assert_eq!(read_atoms(&all, index), told.clone());
            let expected: BTreeSet<Atom> = told.intersection(&can_conflict).cloned().collect();
            prop_assert_eq!(read_atoms(&kept, index), expected);
            prop_assert_eq!(kept.epochs[index].kind, epoch.kind);
            prop_assert_eq!(kept.epochs[index].test, index);

            let mut values = BTreeMap::new();
            for (cell, old, new) in &epoch.writes {
                for atom in atoms_of_cell(*cell) {
                    let known = values.entry(atom).or_insert((old.clone(), new.clone()));
                    if epoch.torn {
                        known.1 = new.clone();
                    }
                }
            }
            prop_assert_eq!(written_atoms(&kept, index), values);
        }
        for location in 0..kept.locations.len() as u32 {
            let path = kept.path(residue_model::trace::LocationId(location));
            prop_assert_ne!(path.root, PathRoot::Unknown);
        }
    }

    #[test]
    fn a_file_cut_anywhere_is_the_trace_so_far(script in script(), at in any::<prop::sample::Index>()) {
        let file = written(&script);
        let whole = read(&script, &file);
        let cut = read(&script, &file[..at.index(file.len())]);
        prop_assert!(cut.gaps.iter().any(|gap| gap.kind == GapKind::CutShort));
        prop_assert!(cut.epochs.len() <= whole.epochs.len());
        // All that is told is true; of the last epoch it may not be everything.
        for (index, epoch) in cut.epochs.iter().enumerate() {
            prop_assert_eq!(epoch.kind, whole.epochs[index].kind);
            prop_assert!(read_atoms(&cut, index).is_subset(&read_atoms(&whole, index)));
            if index + 1 < cut.epochs.len() {
                let keys = |trace| written_atoms(trace, index).into_keys().collect::<Vec<_>>();
                prop_assert_eq!(keys(&cut), keys(&whole));
            }
        }
    }

    #[test]
    fn damaged_files_are_an_error_or_a_sound_trace_and_never_a_panic(
        script in script(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut file = written(&script);
        for (at, byte) in damage {
            let at = at.index(file.len());
            file[at] = byte;
        }
        let tests = order(script.epochs.len());
        for reader in [TraceReader::new(&file), TraceReader::new(&file).keep_all_reads()] {
            if let Ok(trace) = reader.read(&tests) {
                for epoch in &trace.epochs {
                    let reads = epoch.reads.iter().map(|read| (read.location, read.stack));
                    let writes = epoch.writes.iter().map(|write| (write.location, write.stack));
                    for (location, stack) in reads.chain(writes) {
                        let _ = trace.path(location).to_string();
                        let _ = stack.map(|stack| trace.frames_of(stack).count());
                    }
                }
            }
        }
    }

    #[test]
    fn any_bytes_after_the_preamble_are_read_without_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let file = [&PREAMBLE[..], &bytes].concat();
        let _ = TraceReader::new(&file).read(&order(3));
    }
}

fn read_atoms(trace: &Trace, epoch: usize) -> BTreeSet<Atom> {
    let reads = trace.epochs[epoch].reads.iter();
    let atoms: Vec<_> = reads
        .flat_map(|read| atoms_of_location(trace, &trace.location(read.location).name))
        .collect();
    let set: BTreeSet<_> = atoms.iter().cloned().collect();
    assert_eq!(set.len(), atoms.len(), "a location is told once");
    set
}

type Values = (Option<Value>, Option<Value>);

fn written_atoms(trace: &Trace, epoch: usize) -> BTreeMap<Atom, Values> {
    let writes = trace.epochs[epoch].writes.iter();
    let each = writes.flat_map(|write| {
        let atoms = atoms_of_location(trace, &trace.location(write.location).name);
        atoms.into_iter().map(|atom| (atom, (write.old.clone(), write.new.clone())))
    });
    each.collect()
}

#[test]
fn foreign_files_are_refused_by_name() {
    let refused = |bytes: &[u8]| TraceReader::new(bytes).read(&order(1)).unwrap_err().to_string();
    assert!(refused(b"PK\x03\x04").starts_with("this is no trace file"));
    assert!(
        refused(b"RSDT\x00\x09").contains("format version 9, and this residue reads version 5")
    );
    let mut writer = TraceWriter::new();
    writer.begin_epoch(EpochKind::Test, 5);
    let refusal = refused(&writer.take_bytes());
    assert!(refusal.contains("position 5 in an order of 1 tests"), "{refusal}");
}

#[test]
fn an_empty_file_is_a_trace_cut_short() {
    for length in 0..=PREAMBLE.len() {
        let trace = TraceReader::new(&PREAMBLE[..length]).read(&order(1)).unwrap();
        assert_eq!(trace.gaps[0].kind, GapKind::CutShort);
        assert_eq!(&*trace.gaps[0].detail, "no test was seen");
    }
}

#[test]
fn elements_that_no_epoch_tells_apart_are_one_location() {
    let mut writer = TraceWriter::new();
    writer.begin_epoch(EpochKind::Test, 0);
    writer.describe_static(0, "a.S", "data");
    writer.describe_array(100, "int[]", 1_000_000, 4, 1, Found::InCell(0));
    let scan: Vec<_> = (100..100 + 62_500).map(|cell| (cell, None)).collect();
    for test in 1..4 {
        writer.begin_epoch(EpochKind::Test, test);
        writer.reads(&scan);
        if test == 2 {
            writer.write(105, None, Some(&Value::Integer(1)), Some(&Value::Integer(2)));
        }
    }
    writer.finish();
    let trace = TraceReader::new(&writer.take_bytes()).read(&order(4)).unwrap();
    let paths: Vec<_> =
        trace.epochs[3].reads.iter().map(|read| trace.path(read.location).to_string()).collect();
    assert_eq!(paths, ["S.data[0..79]", "S.data[80..95]", "S.data[96..999999]"]);
    assert_eq!(trace.locations.len(), 3);
}

#[test]
fn a_system_property_is_a_location_and_its_table_is_none() {
    let mut writer = TraceWriter::new();
    writer.begin_epoch(EpochKind::Test, 0);
    writer.describe_static(0, "java.lang.System", "props");
    let (properties, map) = ("java.util.Properties", "java.util.concurrent.ConcurrentHashMap");
    writer.describe_class(1, properties, [SlotName { class: properties, field: "map" }]);
    writer.describe_object(10, 1, 0, Found::InCell(0));
    writer.describe_class(2, map, [SlotName { class: map, field: "table" }]);
    writer.describe_object(20, 2, 0, Found::InCell(10));
    let nodes = format!("{map}$Node[]");
    writer.describe_array(100, &nodes, 16, 0, 0, Found::InCell(20));
    writer.describe_array(200, "java.lang.Object[]", 1, 0, 0, Found::Unknown);
    writer.property(200, "user.mood");
    writer.describe_array(300, "java.lang.Object[]", 1, 0, 0, Found::Unknown);
    writer.property(300, "");
    for cell in [105, 200, 300] {
        writer.write(cell, None, None, None);
    }
    writer.finish();
    let file = writer.take_bytes();
    let written = |reader: TraceReader<'_>| {
        let trace = reader.read(&order(1)).unwrap();
        let path = |write: &Write| trace.path(write.location).to_string();
        trace.epochs[0].writes.iter().map(path).collect::<Vec<_>>()
    };
    let properties = [r#"system property "user.mood""#, "listing of system properties"];
    assert_eq!(written(TraceReader::new(&file)), properties);
    let place = "System.props -> Properties.map -> ConcurrentHashMap.table[5]";
    let all = written(TraceReader::new(&file).with_property_table());
    assert_eq!(all, [&[place], &properties[..]].concat());
}

#[test]
fn undescribed_cells_are_a_gap_and_still_conflict() {
    let mut writer = TraceWriter::new();
    writer.begin_epoch(EpochKind::Test, 0);
    writer.write(4_000_000_000, None, None, None);
    writer.begin_epoch(EpochKind::Test, 1);
    writer.read(4_000_000_000, None);
    writer.finish();
    let trace = TraceReader::new(&writer.take_bytes()).read(&order(2)).unwrap();
    assert_eq!((trace.gaps[0].kind, trace.gaps[0].count), (GapKind::Undescribed, 1));
    let location = trace.epochs[0].writes[0].location;
    assert_eq!(trace.epochs[1].reads, [Read { location, stack: None }]);
}

#[test]
fn cells_that_are_described_twice_are_a_gap_and_cost_nothing_else() {
    let mut writer = TraceWriter::new();
    writer.begin_epoch(EpochKind::Test, 0);
    writer.describe_array(10, "int[]", 10, 0, 0, Found::Unknown);
    writer.describe_array(14, "long[]", 10, 0, 0, Found::Unknown);
    for cell in [13, 14, 21] {
        writer.write(cell, None, None, None);
    }
    writer.finish();
    // Told after the end, as gaps that the end itself brings to light.
    writer.gap(GapKind::NativeAccess, "late", 1);
    let trace = TraceReader::new(&writer.take_bytes()).read(&order(1)).unwrap();
    let gaps: Vec<_> = trace.gaps.iter().map(|gap| (gap.kind, gap.count)).collect();
    assert_eq!(gaps, [(GapKind::NativeAccess, 1), (GapKind::Other, 1)]);
    let paths: Vec<_> = trace.epochs[0]
        .writes
        .iter()
        .map(|write| {
            let LocationName::Elements { object, first, .. } = trace.location(write.location).name
            else {
                panic!()
            };
            format!("{}{first}", trace.object(object).class)
        })
        .collect();
    assert_eq!(paths, ["int[]3", "long[]0", "long[]7"]);
}

#[test]
fn stacks_share_their_frames_and_values_come_back() {
    let mut writer = TraceWriter::new();
    let inner = writer.frame("a.Data", "set", Some("Data.java"), Some(3));
    let outer = writer.frame("a.T", "m", None, Some(-2));
    assert_eq!(writer.frame("a.Data", "set", Some("Data.java"), Some(3)), inner);
    let stack = writer.stack(&[inner, outer]);
    assert_eq!(writer.stack(&[inner, outer]), stack);
    writer.begin_epoch(EpochKind::Test, 0);
    assert!(writer.needs_description(1));
    writer.describe_static(1, "a.Data", "value");
    assert!(!writer.needs_description(1));
    writer.write(1, Some(stack), Some(&Value::Null), Some(&Value::text("x")));
    writer.finish();
    let trace = TraceReader::new(&writer.take_bytes()).read(&order(1)).unwrap();
    let Write { stack: Some(stack), old, new, .. } = &trace.epochs[0].writes[0] else { panic!() };
    let frames: Vec<_> = trace.frames_of(*stack).map(ToString::to_string).collect();
    assert_eq!(frames, ["a.Data.set(Data.java:3)", "a.T.m(Native Method)"]);
    assert_eq!((old, new), (&Some(Value::Null), &Some(Value::text("x"))));
    assert_eq!(*stack, StackId::at(0));
}

#[test]
fn reads_of_what_nobody_writes_cost_nothing_once_read() {
    let mut writer = TraceWriter::new();
    let slots: Vec<_> = (0..10).map(|slot| format!("f{slot}")).collect();
    let mut bytes = Vec::new();
    for test in 0..500_u32 {
        writer.begin_epoch(EpochKind::Test, test);
        if test == 0 {
            writer.describe_static(0, "a.S", "root");
            writer.describe_class(
                0,
                "a.O",
                slots.iter().map(|f| SlotName { class: "a.O", field: f }),
            );
            for object in 0..2_000 {
                writer.describe_object(16 + object * 16, 0, 0, Found::InCell(0));
            }
        }
        for object in 0..2_000 {
            writer.read(16 + object * 16 + test % 10, None);
        }
        writer.write(16 + (test % 50) * 16, None, None, None);
        bytes.extend(writer.take_bytes());
    }
    writer.finish();
    bytes.extend(writer.take_bytes());
    assert!(bytes.len() < 2_500_000, "{} bytes", bytes.len());
    let trace = TraceReader::new(&bytes).read(&order(500)).unwrap();
    // Only the slots that some test writes are kept, read by every tenth test.
    assert_eq!(trace.locations.len(), 50);
    let reads: usize = trace.epochs.iter().map(|epoch| epoch.reads.len()).sum();
    assert_eq!(reads, 50 * 50);
}

#[test]
fn what_new_objects_hold_is_told_if_asked_for() {
    let mut writer = TraceWriter::new();
    writer.begin_epoch(EpochKind::Test, 0);
    writer.describe_static(0, "a.S", "data");
    let slots = ["name", "next"].map(|field| SlotName { class: "a.Node", field });
    writer.describe_class(7, "a.Node", slots);
    writer.describe_object(10, 7, 1, Found::InCell(0));
    writer.describe_array(20, "int[]", 0, 0, 1, Found::InCell(11));
    let content = |holds, is_fixed| Content { holds, is_fixed };
    writer.contents(&[
        (11, content(Holds::Object(20), false)),
        (10, content(Holds::Value(u64::MAX), true)),
        (0, content(Holds::Object(10), false)),
        (12, content(Holds::Unknown, false)),
    ]);
    writer.finish();
    let bytes = writer.take_bytes();
    let trace = TraceReader::new(&bytes).with_contents().read(&order(1)).unwrap();
    let told: Vec<_> = trace.contents.iter().map(|told| (told.held, told.is_fixed)).collect();
    let [node, array] = [10, 20].map(|id| {
        ObjectId(trace.objects.iter().position(|object| object.id == id).unwrap() as u32)
    });
    let held = [Held::Object(node), Held::Value(u64::MAX), Held::Object(array), Held::Unknown];
    assert_eq!(told, held.into_iter().zip([false, true, false, false]).collect::<Vec<_>>());
    assert_eq!((trace.object(array).length, trace.object(node).length), (Some(0), None));
    assert!(TraceReader::new(&bytes).read(&order(1)).unwrap().contents.is_empty());
}

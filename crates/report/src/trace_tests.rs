//! Traces and dependencies as people and programs get to see them.

use std::time::Duration;

use residue_detect::Difference;
use residue_graph::DependencyGraph;
use residue_model::trace::{EpochKind, GapKind, StackId, Trace, Value};
use residue_model::{Outcome, TestId};
use residue_wire::trace::{Found, SlotName, TraceReader, TraceWriter};

use crate::CalledWith;
use crate::{DepsReport, TraceReport, deps_json, deps_text, ignored_text, trace_json, trace_text};

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn order(names: &[&str]) -> Vec<TestId> {
    names.iter().map(|name| TestId::parse(name).unwrap()).collect()
}

fn stack(writer: &mut TraceWriter, frames: &[(&str, &str, i32)]) -> StackId {
    let frames: Vec<_> = frames
        .iter()
        .map(|(class, method, line)| {
            let simple = class.rsplit('.').next().unwrap_or(class);
            let file = format!("{simple}.java");
            writer.frame(class, method, Some(&file), Some(*line))
        })
        .collect();
    writer.stack(&frames)
}

const RUNNER: [(&str, &str, i32); 3] = [
    ("jdk.internal.reflect.DirectMethodHandleAccessor", "invoke", 103),
    ("java.lang.reflect.Method", "invoke", 580),
    ("org.junit.runners.model.FrameworkMethod", "runReflectiveCall", 59),
];

/// PraDeT's running example, with a test of another class that reads a map.
fn example() -> Trace {
    let tests = order(&[
        "org.acme.DataTest#testSetField",
        "org.acme.DataTest#testSetCloneString",
        "org.acme.DataTest#testToString",
        "org.acme.OtherTest#readsTheMap",
        "org.acme.OtherTest#sharesNothing",
    ]);
    let mut writer = TraceWriter::new();
    let in_test = |method: &'static str, line, inner: &[(&'static str, &'static str, i32)]| {
        [inner, &[("org.acme.DataTest", method, line)], &RUNNER].concat()
    };
    let set = stack(
        &mut writer,
        &in_test("testSetCloneString", 21, &[("org.acme.DataSource", "setCloneString", 9)]),
    );
    let put = stack(
        &mut writer,
        &in_test(
            "testSetField",
            14,
            &[
                ("java.util.HashMap", "putVal", 630),
                ("java.util.HashMap", "put", 618),
                ("org.acme.Registry", "register", 33),
                ("org.acme.Registry", "lambda$add$0", 31),
                ("java.util.ArrayList", "forEach", 1511),
                ("org.acme.Registry", "add", 30),
                ("org.acme.DataSource", "setField", 7),
            ],
        ),
    );
    let read = stack(
        &mut writer,
        &in_test("testToString", 28, &[("org.acme.DataSource", "toString", 12)]),
    );

    writer.begin_epoch(EpochKind::Test, 0);
    writer.describe_static(1, "org.acme.DataTest", "data");
    writer.describe_static(2, "org.acme.Registry", "entries");
    let slot = |class, field| SlotName { class, field };
    writer.describe_class(
        0,
        "org.acme.DataSource",
        [slot("org.acme.DataSource", "field"), slot("org.acme.DataSource", "cloneString")],
    );
    writer.describe_object(11, 0, 0, Found::InCell(1));
    writer.describe_class(
        1,
        "java.util.HashMap",
        [slot("java.util.HashMap", "table"), slot("java.util.HashMap", "size")],
    );
    writer.describe_object(21, 1, 0, Found::InCell(2));
    writer.read(22, None);
    writer.write(22, Some(put), Some(&Value::Integer(0)), Some(&Value::Integer(1)));
    writer.write(11, Some(put), Some(&Value::Null), Some(&Value::text("a \"field\"")));

    writer.begin_epoch(EpochKind::Test, 1);
    // The table was made by the test before.
    writer.describe_array(31, "java.util.HashMap$Node[]", 16, 0, 1, Found::InCell(21));
    writer.read(12, None);
    let clone = Value::Object { class: "org.acme.CloneString".into(), id: 58 };
    writer.write(12, Some(set), Some(&Value::Null), Some(&clone));
    writer.write(11, Some(set), Some(&Value::text("x")), Some(&Value::text("x")));

    writer.begin_epoch(EpochKind::Test, 2);
    writer.read(12, Some(read));
    writer.read(11, Some(read));

    writer.begin_epoch(EpochKind::Test, 3);
    for cell in [22, 31, 32, 33] {
        writer.read(cell, Some(read));
    }
    writer.write(22, Some(put), Some(&Value::Integer(1)), Some(&Value::Integer(2)));

    writer.begin_epoch(EpochKind::Test, 4);
    writer.gap(GapKind::ClassDeclined, "org.acme.Weird: jsr instruction", 1);
    writer.gap(GapKind::HiddenClass, "", 12);
    writer.ignored("java.util.Locale", "cache", true, "- static java.** (default rules, line 37)");
    writer.ignored("java.lang.Byte", "cache", true, "- static java.** (default rules, line 37)");
    writer.ignored("org.acme.Log", "sink", false, "- org.acme.Log (command line)");
    writer.finish();
    TraceReader::new(&writer.take_bytes()).read(&tests).unwrap()
}

static HERE: CalledWith = CalledWith {
    project: None,
    suites: Vec::new(),
    build_args: Vec::new(),
    settled_build_args: Vec::new(),
    java_home: None,
    options: Vec::new(),
};

fn report<'a>(graph: &'a DependencyGraph<'a>) -> TraceReport<'a> {
    TraceReport {
        run: "r7",
        suite: ".",
        order: "default order",
        from_store: false,
        duration: Duration::from_millis(1_640),
        plain_duration: Some(Duration::from_millis(1_000)),
        differences: vec![],
        graph,
        called_with: &HERE,
    }
}

#[test]
fn a_trace_as_text() {
    let trace = example();
    let graph = DependencyGraph::new(&trace);
    insta::assert_snapshot!(plain(&trace_text(&report(&graph))));
}

#[test]
fn a_trace_with_changed_outcomes_warns_first() {
    let trace = example();
    let graph = DependencyGraph::new(&trace);
    let test = &trace.order[2];
    let (expected, actual) = (Outcome::Passed, Outcome::NotReached);
    let differences = vec![Difference { test, expected: &expected, actual: &actual }];
    let text = plain(&trace_text(&TraceReport { differences, ..report(&graph) }));
    let lines: Vec<_> = text.lines().skip(3).take(2).collect();
    assert_eq!(
        lines,
        [
            "1 test ends otherwise than without the agent: no evidence about them",
            "   org.acme.DataTest#testToString  passed -> not-reached",
        ]
    );
}

#[test]
fn a_suite_without_dependencies_says_so() {
    let mut writer = TraceWriter::new();
    writer.begin_epoch(EpochKind::Test, 0);
    writer.finish();
    let trace = TraceReader::new(&writer.take_bytes()).read(&order(&["a.T#m"])).unwrap();
    let graph = DependencyGraph::new(&trace);
    let text = plain(&trace_text(&TraceReport { plain_duration: None, ..report(&graph) }));
    insta::assert_snapshot!(text);
}

#[test]
fn a_long_chain_shows_both_ends() {
    let names: Vec<_> = (0..30).map(|test| format!("a.T#m{test}")).collect();
    let tests: Vec<_> = names.iter().map(|name| TestId::parse(name).unwrap()).collect();
    let mut writer = TraceWriter::new();
    for test in 0..30 {
        writer.begin_epoch(EpochKind::Test, test);
        writer.describe_static(0, "a.Counter", "value");
        writer.read(0, None);
        writer.write(0, None, None, None);
    }
    writer.finish();
    let trace = TraceReader::new(&writer.take_bytes()).read(&tests).unwrap();
    let graph = DependencyGraph::new(&trace);
    let text = plain(&trace_text(&report(&graph)));
    let chain: Vec<_> = text
        .lines()
        .skip_while(|line| !line.starts_with("longest chain"))
        .take_while(|line| !line.is_empty())
        .collect();
    insta::assert_snapshot!(chain.join("\n"));
}

#[test]
fn a_trace_as_json() {
    let trace = example();
    let graph = DependencyGraph::new(&trace);
    insta::assert_snapshot!(trace_json(&[report(&graph)]));
}

fn deps<'a>(graph: &'a DependencyGraph<'a>, test: &str) -> DepsReport<'a> {
    let test = graph.position(&TestId::parse(test).unwrap()).unwrap();
    DepsReport { run: "r7", in_default_order: true, suite: ".", graph, test }
}

#[test]
fn the_dependencies_of_a_test_as_text() {
    let trace = example();
    let graph = DependencyGraph::new(&trace);
    let tests = ["org.acme.DataTest#testToString", "org.acme.OtherTest#readsTheMap"];
    let texts = tests.map(|test| plain(&deps_text(&deps(&graph, test))));
    insta::assert_snapshot!(texts.join("\n=====\n"));
}

#[test]
fn a_test_that_shares_nothing_says_so() {
    let trace = example();
    let graph = DependencyGraph::new(&trace);
    assert_eq!(
        plain(&deps_text(&deps(&graph, "org.acme.OtherTest#sharesNothing"))),
        "org.acme.OtherTest#sharesNothing reads nothing that another test left (trace of run r7, default order)\n"
    );
}

#[test]
fn the_dependencies_of_a_test_as_json() {
    let trace = example();
    let graph = DependencyGraph::new(&trace);
    insta::assert_snapshot!(deps_json(&deps(&graph, "org.acme.DataTest#testToString")));
}

#[test]
fn ignored_fields_are_told_with_their_rules() {
    insta::assert_snapshot!(plain(&ignored_text(&example().ignored)));
}

//! Listing, running, replaying and looking back, with the real binary.

#![allow(clippy::unwrap_used)] // in a test, to panic is to fail

mod common;

use common::Subject;

#[test]
fn orders_run_as_asked_and_differences_are_told() {
    let subject = Subject::junit4("orders");

    let listed = subject.run("list", &[]);
    assert_eq!(listed.code, 0, "{listed:#?}");
    let tests: Vec<&str> = listed.stdout.lines().skip(1).collect();
    let expected = [
        "orders.CounterTest#aStartsAtZero",
        "orders.CounterTest#bCounts",
        "orders.CounterTest#cHasCounted",
        "orders.SlowTest#takesItsTime",
    ];
    assert_eq!(tests, expected);

    let reference = subject.run("run", &[]);
    assert_eq!(reference.code, 0, "{reference:#?}");
    assert!(reference.stdout.contains("run r1: 4 tests, in default order"), "{reference:#?}");
    assert!(reference.stdout.contains("4 passed"), "{reference:#?}");

    let reversed = subject.run("run", &["--reverse"]);
    assert_eq!(reversed.code, 1, "{reversed:#?}");
    for line in [
        "2 tests differ from the default order (r1)",
        "orders.CounterTest#aStartsAtZero  passed -> failed",
        "orders.CounterTest#cHasCounted  passed -> failed",
        "at orders.CounterTest.cHasCounted(CounterTest.java:29)",
        "again: residue replay r2",
    ] {
        assert!(reversed.stdout.contains(line), "{line:?} is missing in {reversed:#?}");
    }

    let again = subject.run("run", &["--reverse"]);
    assert!(again.stdout.contains("run r2"), "the store knew the answer: {again:#?}");
    assert!(again.stdout.contains("already in the store"), "{again:#?}");

    let replayed = subject.run("replay", &["r2"]);
    assert_eq!(replayed.code, 1, "{replayed:#?}");
    assert!(replayed.stdout.contains("run r3: 4 tests, order of r2 again"), "{replayed:#?}");

    let pair = "orders.CounterTest#bCounts,orders.CounterTest#aStartsAtZero";
    let chosen = subject.run("run", &["--tests", pair]);
    assert!(chosen.stdout.contains("1 test differs"), "{chosen:#?}");

    let runs = subject.look(&["runs"]);
    assert_eq!(runs.stdout.lines().count(), 4, "{runs:#?}");
    let order = subject.look(&["show", "r4", "--order"]);
    assert_eq!(order.stdout, pair.replace(',', "\n") + "\n");
    let shown = subject.look(&["show", "r4", "--test", "orders.CounterTest#aStartsAtZero"]);
    assert!(shown.stdout.contains("\tat orders.CounterTest.aStartsAtZero"), "{shown:#?}");
}

#[test]
fn json_goes_to_standard_output_alone() {
    let subject = Subject::junit4("orders");
    let said = subject.run("run", &["--shuffle", "5", "--json", "-"]);
    let document: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(document["format"], "residue-run");
    assert_eq!(document["version"], 1);
    let results = document["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    assert!(said.stderr.contains("shuffled with seed 5"), "{said:#?}");

    let listed = subject.run("list", &["--json"]);
    let document: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!(document["suites"][0]["tests"][0]["id"], "orders.CounterTest#aStartsAtZero");
}

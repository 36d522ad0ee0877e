//! Listeners that the build adds to a framework.

use residue_exec::{Executor as _, LocalExecutor, Ticket};
use residue_model::{OutcomeKind, RunRecord};

use crate::common::{listed, options, request_for, run, wait};
use crate::versions::{compile, junit4, testng};

fn run_with(listeners: &[&str]) -> RunRecord {
    run_with_testng("7.5.1", listeners)
}

fn run_with_testng(version: &str, listeners: &[&str]) -> RunRecord {
    let mut fixture = compile(&["listeners/src"], &[&junit4("4.13.2"), &testng(version)]);
    fixture.spec.selection.listeners = listeners.iter().map(|&name| name.to_owned()).collect();
    let suite = listed(&fixture);
    run(&fixture, &suite, request_for(suite.default_order().unwrap()))
}

fn outcomes(record: &RunRecord) -> Vec<OutcomeKind> {
    record.results.iter().map(|result| result.outcome.kind()).collect()
}

#[test]
fn each_framework_gets_those_of_its_kind() {
    let record = run_with(&["listeners.JUnitListener", "listeners.TestNgListener"]);
    assert_eq!(outcomes(&record), [OutcomeKind::Passed; 2], "{:?}", record.results);
    assert_eq!(outcomes(&run_with(&[])), [OutcomeKind::Failed; 2]);
}

/// TestNG's own `ExitCodeListener`, which Surefire adds too, asks for the TestNG
/// at work when it is made.
#[test]
fn a_listener_may_look_for_its_testng() {
    let listeners = [
        "org.testng.reporters.ExitCodeListener",
        "listeners.JUnitListener",
        "listeners.TestNgListener",
    ];
    let record = run_with_testng("6.9.10", &listeners);
    assert_eq!(outcomes(&record), [OutcomeKind::Passed; 2], "{:?}", record.results);
}

#[test]
fn one_that_is_not_there_is_named() {
    let mut fixture = compile(&["listeners/src"], &[&junit4("4.13.2"), &testng("7.5.1")]);
    let suite = listed(&fixture);
    fixture.spec.selection.listeners = vec!["listeners.Gone".into()];
    let mut executor = LocalExecutor::new(&fixture.spec, suite.clone(), &options()).unwrap();
    executor.start(Ticket(1), request_for(suite.default_order().unwrap()));
    let error = wait(&mut executor).unwrap_err();
    assert!(error.to_string().contains("listeners.Gone"), "{error}");
}

//! Questions are answered from the store first, and nothing finished is lost.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

use residue_exec::fake::{FakeExecutor, FakeSuite};
use residue_lab::{Lab, LabError, Observer, Question};
use residue_model::{OutcomeKind, RunLimits, RunRequest, TestOrder};
use residue_store::{Fingerprint, Store, SuiteKey};

struct Silent;
impl Observer for Silent {}

fn polluted_suite() -> FakeSuite {
    FakeSuite::new().test("a.T#reads", |world| world.expect("x", 0)).test("a.T#writes", |world| {
        world.set("x", 1);
        Ok(())
    })
}

fn question(order: TestOrder, repetitions: usize) -> Question {
    Question {
        request: RunRequest { order, limits: RunLimits::default() },
        repetitions,
        fresh: false,
    }
}

fn store() -> (Store, SuiteKey) {
    let mut store = Store::in_memory().unwrap();
    let suite = store.suite(".", &fingerprint()).unwrap();
    (store, suite)
}

fn fingerprint() -> Fingerprint {
    Fingerprint::from_hex(&"00".repeat(32)).unwrap()
}

#[test]
fn a_question_already_answered_is_not_run_again() {
    let (mut store, suite) = store();
    let mut executor = FakeExecutor::new(polluted_suite());
    let order = executor.suite().default_order().unwrap();
    let mut ask = |questions: &[Question], executor: &mut FakeExecutor| {
        Lab::new(&mut store, suite, executor).ask(questions, &mut Silent).unwrap()
    };

    let first = ask(&[question(order.clone(), 1), question(order.reversed(), 1)], &mut executor);
    assert_eq!(executor.runs(), 2);
    assert_eq!(first[0][0].record.results[0].outcome.kind(), OutcomeKind::Passed);
    assert_eq!(first[1][0].record.results[1].outcome.kind(), OutcomeKind::Failed);

    let again = ask(&[question(order.reversed(), 1)], &mut executor);
    assert_eq!(executor.runs(), 2, "the store knew the answer");
    assert!(again[0][0].from_store);
    assert_eq!(again[0][0].record, first[1][0].record);

    let more = ask(&[question(order.clone(), 3)], &mut executor);
    assert_eq!(executor.runs(), 4, "one of three runs was there already");
    assert_eq!(
        more[0].iter().map(|answer| answer.from_store).collect::<Vec<_>>(),
        [true, false, false]
    );

    let fresh = ask(&[Question { fresh: true, ..question(order, 1) }], &mut executor);
    assert_eq!(executor.runs(), 5);
    assert!(!fresh[0][0].from_store);
}

#[test]
fn answers_stand_in_the_order_of_their_questions_however_runs_finish() {
    let (mut store, suite) = store();
    let mut executor = FakeExecutor::new(polluted_suite()).with_capacity(4).scrambled(7);
    let order = executor.suite().default_order().unwrap();
    let questions: Vec<_> = (0..6)
        .map(|number| {
            question(if number % 2 == 0 { order.clone() } else { order.reversed() }, 1 + number / 2)
        })
        .collect();
    let answers = Lab::new(&mut store, suite, &mut executor).ask(&questions, &mut Silent).unwrap();
    for (question, answers) in questions.iter().zip(&answers) {
        assert_eq!(answers.len(), question.repetitions);
        assert!(answers.iter().all(|answer| answer.record.order == question.request.order));
    }
}

#[test]
fn an_interrupted_analysis_goes_on_from_what_it_finished() {
    let (mut store, suite) = store();
    let mut executor = FakeExecutor::new(polluted_suite()).interrupted_after(3);
    let order = executor.suite().default_order().unwrap();
    let questions = [question(order.clone(), 5)];
    let interrupted = Lab::new(&mut store, suite, &mut executor).ask(&questions, &mut Silent);
    assert!(matches!(interrupted, Err(LabError::Interrupted)));

    let mut executor = FakeExecutor::new(polluted_suite());
    let answers = Lab::new(&mut store, suite, &mut executor).ask(&questions, &mut Silent).unwrap();
    assert_eq!(answers[0].len(), 5);
    assert_eq!(executor.runs(), 2, "three runs had been stored before the interruption");
}

#[test]
fn an_order_that_cannot_run_is_an_error_and_keeps_what_finished() {
    let (mut store, suite) = store();
    let mut executor = FakeExecutor::new(polluted_suite());
    let order = executor.suite().default_order().unwrap();
    let unknown = TestOrder::new(vec!["a.T#nope".parse().unwrap()]).unwrap();
    let questions = [question(order.clone(), 1), question(unknown, 1)];
    let failed = Lab::new(&mut store, suite, &mut executor).ask(&questions, &mut Silent);
    assert!(matches!(failed, Err(LabError::Exec(_))));
    let request = RunRequest { order, limits: RunLimits::default() };
    assert_eq!(store.answers(suite, &request).unwrap().len(), 1);
}

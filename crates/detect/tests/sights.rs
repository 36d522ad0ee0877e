//! What the trace-guided way shows tests that they have not seen.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use residue_detect::{Config, Detection, Location, Purpose};
use residue_exec::fake::{FakeExecutor, FakeSuite};
use support::model::{Line, ModelSuite};
use support::{Done, Tracing, detect_traced, drive, location};

const TRACING: Tracing = Tracing { values: true, lists_unwritten: true };

/// Of 16 tests that use a table one forgets an entry and the others set it
/// right, so that a reader sees the forgotten one only directly behind it. All
/// else leaves this or that in places that many read, in endless combinations.
fn rare_state() -> ModelSuite {
    use Line::{Expect, ExpectIf, Set};
    const TABLE: usize = 0;
    let lines = |test: usize| match test {
        100 => vec![Set(TABLE, 1)],
        _ if (93..109).contains(&test) => vec![Set(TABLE, 0)],
        _ if test % 25 == 3 => vec![Expect(TABLE, 0)],
        _ => {
            let reads = (1..=12).map(|setting| ExpectIf(setting, 9, setting, 8));
            let left = Set(1 + test * 5 % 12, (test % 4) as i64);
            reads.chain([left]).collect()
        }
    };
    let name = |test: usize| format!("a.C{:02}Test#t{test}", test / 10);
    let tests = (0..300).map(|test| (name(test), lines(test))).collect();
    ModelSuite { tests, ..ModelSuite::default() }
}

fn orders_for(done: &Done, purpose: &str) -> usize {
    let is_one = |order: &Purpose| matches!(order, Purpose::Exploration { order, .. } if order.starts_with(purpose));
    done.asked.iter().filter(|asked| is_one(&asked.purpose)).count()
}

#[test]
fn one_order_shows_a_rare_state_to_all_who_read_it() {
    let suite = rare_state();
    let config = Config { trials: 0, max_runs: Some(160), ..Config::default() };
    let done = detect_traced(suite.fake(), config, TRACING);
    let is_victim = |(_, lines): &&(String, Vec<Line>)| matches!(lines[..], [Line::Expect(..)]);
    let victims = suite.tests.iter().filter(is_victim).map(|(name, _)| name.clone());
    assert_eq!(done.dependent(), victims.collect());
    let orders = orders_for(&done, "new sights");
    assert!((1..=8).contains(&orders), "{orders} orders");
}

/// All tests read what the first of them makes. Only a JVM of its own for each
/// could show it to them unmade.
fn lazily_made(tests: usize) -> FakeSuite {
    (0..tests).fold(FakeSuite::new(), |suite, test| {
        suite.test(&format!("a.C{:02}Test#t{test}", test / 10), |world| {
            if world.get("made") == 0 {
                world.set("made", 1);
            }
            Ok(())
        })
    })
}

#[test]
fn what_one_method_makes_for_all_is_not_asked_for_first() {
    let first_alone = |is_memo: bool| {
        let executor = FakeExecutor::new(lazily_made(60)).tracing();
        let config = Config { tracing: true, trials: 0, ..Config::default() };
        let done = drive(
            executor,
            config,
            1,
            |_| 0,
            |wanted, trace| {
                let mut accesses = TRACING.accesses(&trace);
                let made: Vec<_> = accesses.stretches.iter().flat_map(|s| s.written()).collect();
                accesses.memos = made.into_iter().map(|location| (location, is_memo)).collect();
                wanted.traced.then_some(accesses)
            },
        );
        let plan = done.detection.coverage().plan;
        plan.iter().find(|stage| stage.name == "single sights").unwrap().planned
    };
    assert_eq!(first_alone(true), 0);
    // Each but the first of the default and of the reversed orders.
    assert!(first_alone(false) >= 57, "{}", first_alone(false));
}

const SLOTS: usize = 16;

/// Tests that look through a table and leave something in it, and some that read
/// a setting, which one of them changes and most put right.
fn beside_a_table(tests: usize) -> FakeSuite {
    (0..tests).fold(FakeSuite::new(), |suite, test| {
        suite.test(&format!("a.C{:02}Test#t{test}", test / 10), move |world| {
            if test % 20 == 3 {
                world.expect("setting", 0)?;
            }
            match test {
                50 => world.set("setting", 1),
                51..60 => world.set("setting", 0),
                _ => {}
            }
            for slot in 0..SLOTS {
                world.get(&format!("slot {slot}"));
            }
            world.set(&format!("slot {}", test % SLOTS), (test % 5) as i64 + 1);
            Ok(())
        })
    })
}

/// In which slot something is goes by addresses, and so is another in each run.
#[test]
fn a_table_sorted_by_addresses_is_given_up_and_what_is_beside_it_is_not() {
    let executor = FakeExecutor::new(beside_a_table(100)).tracing();
    let config = Config { tracing: true, trials: 0, ..Config::default() };
    let mut run = 0;
    let done = drive(
        executor,
        config,
        1,
        |_| 0,
        |wanted, mut trace| {
            run += 7;
            let moved = |key: &mut String| {
                let slot = key.strip_prefix("slot ").map(|slot| slot.parse::<usize>().unwrap());
                *key =
                    slot.map_or(key.clone(), |slot| format!("slot {}", (slot * 5 + run) % SLOTS));
            };
            for part in &mut trace {
                part.reads.iter_mut().for_each(|(key, _)| moved(key));
                part.writes.iter_mut().for_each(|write| moved(&mut write.key));
            }
            let mut accesses = TRACING.accesses(&trace);
            let slots = (0..SLOTS).map(|slot| location(&format!("slot {slot}")));
            accesses.tables = slots.map(|slot| (slot, Location(1))).collect();
            wanted.traced.then_some(accesses)
        },
    );
    let victims = [3, 23, 43, 63, 83].map(|test| format!("a.C{:02}Test#t{test}", test / 10));
    assert_eq!(done.dependent(), victims.into());
    let orders = orders_for(&done, "single sights");
    assert!(orders <= 24, "{orders} orders for what no order can show");
}

#[test]
fn a_detection_can_be_left_while_it_thinks() {
    let suite = rare_state();
    let mut thought = 0;
    let mut executor = FakeExecutor::new(suite.fake()).tracing();
    let config = Config { tracing: true, trials: 0, max_runs: Some(12), ..Config::default() };
    let mut detection = Detection::new(executor.suite(), config).unwrap();
    while !detection.is_done() {
        let Some(wanted) = detection.wanted(1).pop() else {
            assert!(detection.is_thinking());
            thought += 1;
            continue;
        };
        let record = support::run(&mut executor, &wanted.order);
        let trace = executor.take_trace(residue_exec::Ticket(0)).unwrap();
        let accesses = wanted.traced.then(|| TRACING.accesses(&trace));
        detection.answer(wanted.ticket, &record, accesses.as_ref());
    }
    assert!(thought > 0);
}

//! PraDeT's refinement against its definition, worked by brute force.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod support;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use residue_detect::{Algorithm, Config, Detection, Fate, PradetConfig, ReferenceOrder, Selection};
use residue_exec::fake::{FakeExecutor, FakeSuite};
use residue_model::TestOrder;
use support::check::check;
use support::model::{Ending as Line, ModelSuite, UNREACHED, sequences, suites_over};
use support::{Done, Tracing, detect_traced, detect_traced_with, names, only, run, set, sets};

const TRACING: Tracing = Tracing { values: true, lists_unwritten: false };

fn pradet(reference: ReferenceOrder) -> Config {
    let pradet = PradetConfig { reference, ..PradetConfig::default() };
    Config { pradet, ..only(&[Algorithm::Pradet]) }
}

/// Reader, writer and fate of every edge.
fn fates(done: &Done) -> BTreeMap<(String, String), Fate> {
    let edge = |edge: residue_detect::RefinedEdge| {
        ((edge.reader.method().into(), edge.writer.method().into()), edge.fate)
    };
    done.detection.refined().into_iter().map(edge).collect()
}

fn edge(reader: &str, writer: &str) -> (String, String) {
    (reader.into(), writer.into())
}

/// The orders of the checks, by method.
fn checks(done: &Done) -> Vec<Vec<String>> {
    let methods = |order: &TestOrder| order.tests().iter().map(|t| t.method().into()).collect();
    done.explored().iter().map(methods).collect()
}

/// Figure 5: t2 makes up for t1, t3 needs what t1 and t2 leave.
fn figure_5() -> FakeSuite {
    FakeSuite::new()
        .test("p.JointTest#t1", sets("initialized", 1))
        .test("p.JointTest#t2", |world| {
            if world.get("initialized") == 0 {
                world.set("initialized", 1);
            }
            world.set("foo", 1);
            Ok(())
        })
        .test("p.JointTest#t3", |world| {
            world.expect("initialized", 1)?;
            world.expect("foo", 1)
        })
}

#[test]
fn figure_5_source_first_sees_through_the_joint_dependency() {
    let done = detect_traced(figure_5(), pradet(ReferenceOrder::Default), TRACING);
    let expected = [
        (edge("t2", "t1"), Fate::Removed),
        (edge("t3", "t1"), Fate::Removed),
        (edge("t3", "t2"), Fate::Manifest),
    ];
    assert_eq!(fates(&done), BTreeMap::from(expected));
    // t3 -> t1 makes a cycle at first and comes last.
    assert_eq!(checks(&done), [vec!["t1", "t3", "t2"], vec!["t2", "t1"], vec!["t2", "t3", "t1"]]);
    assert_eq!(done.dependent(), set(&["p.JointTest#t3"]));
    let finding = done.finding("p.JointTest#t3");
    assert_eq!(names(&finding.partners.tests), ["p.JointTest#t2"]);
    assert_eq!(finding.found_by.algorithm, Algorithm::Pradet);
    assert_eq!(finding.found_by.order, "p.JointTest#t3 before p.JointTest#t2");
    assert_eq!(finding.through.len(), 2, "initialized and foo");
}

/// Figure 2 (Crystal's DataSourceTest).
#[test]
fn figure_2_both_dependencies_are_manifest() {
    let suite = FakeSuite::new()
        .test("c.DataSourceTest#testSetField", sets("cloneString", 1))
        .test("c.DataSourceTest#testSetCloneString", |world| {
            match world.get("cloneString") {
                0 => return Err(world.errored_at(13)),
                1 => {}
                _ => return Err(world.failed_at(13)),
            }
            world.set("cloneString", 2);
            Ok(())
        })
        .test("c.DataSourceTest#testToString", |world| {
            if world.get("cloneString") == 0 {
                return Err(world.errored_at(22));
            }
            world.set("cloneString", 3);
            Ok(())
        });
    let done = detect_traced(suite, pradet(ReferenceOrder::Default), TRACING);
    let expected = [
        (edge("testSetCloneString", "testSetField"), Fate::Manifest),
        // In the order field, toString, setCloneString the last one fails.
        (edge("testToString", "testSetCloneString"), Fate::Manifest),
    ];
    assert_eq!(fates(&done), BTreeMap::from(expected));
    // The footnote's order shows testSetCloneString; testToString still passes.
    assert_eq!(done.dependent(), set(&["c.DataSourceTest#testSetCloneString"]));
}

/// http-request's kind: one test affects those that follow it, and the default
/// order has it last.
#[test]
fn from_the_reversed_order_it_finds_what_the_default_order_hides() {
    let suite = || {
        FakeSuite::new()
            .test("h.T#victim1", |world| world.expect("broken", 0))
            .test("h.T#victim2", |world| world.expect("broken", 0))
            .test("h.T#breaks", sets("broken", 1))
    };
    let found = |reference| detect_traced(suite(), pradet(reference), TRACING).dependent();
    assert!(found(ReferenceOrder::Default).is_empty());
    let victims = set(&["h.T#victim1", "h.T#victim2"]);
    assert_eq!(found(ReferenceOrder::Reversed), victims);
    assert_eq!(found(ReferenceOrder::Both), victims);
}

#[test]
fn pradet_needs_traced_runs() {
    let suite = figure_5().listed();
    let error = Detection::new(&suite, only(&[Algorithm::Pradet])).unwrap_err();
    assert!(error.to_string().contains("traced runs"), "{error}");
}

/// What the algorithm of section III-B does, with every order tried one by one.
struct Definition {
    edges: BTreeMap<(usize, usize), Fate>,
    dependent: BTreeSet<usize>,
}

impl Definition {
    fn new(suite: &ModelSuite, reader_first: impl Fn(&(usize, usize)) -> usize) -> Self {
        let mut this = Self { edges: data_dependencies(suite), dependent: BTreeSet::new() };
        let expected = suite.expected();
        loop {
            let mut open: Vec<_> =
                this.edges.iter().filter(|(_, fate)| **fate == Fate::Open).map(|e| *e.0).collect();
            open.sort_by_key(&reader_first);
            let Some((edge, order)) =
                open.iter().find_map(|&edge| this.inverted(edge).map(|order| (edge, order)))
            else {
                open.iter().for_each(|edge| *this.edges.get_mut(edge).unwrap() = Fate::Untestable);
                return this;
            };
            let fate = this.check(suite, edge, &order, &expected);
            this.edges.insert(edge, fate);
        }
    }

    fn check(
        &mut self,
        suite: &ModelSuite,
        (reader, writer): (usize, usize),
        order: &[usize],
        expected: &[Line],
    ) -> Fate {
        let mut fate = Fate::Removed;
        for test in [reader, writer] {
            let place = order.iter().position(|&other| other == test).unwrap();
            match suite.last(&order[..=place]) {
                UNREACHED if fate == Fate::Removed => fate = Fate::Untestable,
                ending if ending != UNREACHED && ending != expected[test] => {
                    self.dependent.insert(test);
                    fate = Fate::Manifest;
                }
                _ => {}
            }
        }
        fate
    }

    /// The first order of the component, in the sense of the dictionary, that
    /// violates this edge and no other, up to where it is decided.
    fn inverted(&self, (reader, writer): (usize, usize)) -> Option<Vec<usize>> {
        let alive: Vec<_> =
            self.edges.iter().filter(|(_, fate)| **fate != Fate::Removed).map(|e| *e.0).collect();
        let mut component = BTreeSet::from([reader, writer]);
        loop {
            let before = component.len();
            for (a, b) in &alive {
                if component.contains(a) || component.contains(b) {
                    component.extend([*a, *b]);
                }
            }
            if component.len() == before {
                break;
            }
        }
        let members: Vec<usize> = component.into_iter().collect();
        let orders = sequences(members.len(), members.len());
        let mut orders = orders.iter().map(|o| o.iter().map(|&m| members[m]).collect::<Vec<_>>());
        let respects = |order: &Vec<usize>| {
            let place = |test| order.iter().position(|&other| other == test);
            alive.iter().all(|&(a, b)| match (a, b) == (reader, writer) {
                true => place(a) < place(b),
                false => place(a) >= place(b),
            })
        };
        let order = orders.find(respects)?;
        let end = order.iter().position(|&test| test == writer).unwrap();
        Some(order[..=end].to_vec())
    }
}

/// Reader and last writer, from the trace of the default order; what is left
/// behind a test that ended the JVM is traced on its own.
fn data_dependencies(suite: &ModelSuite) -> BTreeMap<(usize, usize), Fate> {
    let mut executor = FakeExecutor::new(suite.fake()).tracing();
    let mut edges = BTreeMap::new();
    let mut rest = suite.order().tests().to_vec();
    while !rest.is_empty() {
        run(&mut executor, &TestOrder::new(rest.clone()).unwrap());
        let trace = executor.take_trace(residue_exec::Ticket(0)).unwrap();
        let mut last: BTreeMap<String, usize> = BTreeMap::new();
        for part in &trace {
            let test = suite.number(&part.test);
            for (key, _) in &part.reads {
                if let Some(&writer) = last.get(key).filter(|&&writer| writer != test) {
                    edges.insert((test, writer), Fate::Open);
                }
            }
            last.extend(part.writes.iter().map(|write| (write.key.clone(), test)));
        }
        rest.drain(..trace.len());
    }
    edges
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn pradet_does_what_its_definition_says(suite in suites_over(3, 3..=6)) {
        let done = detect_traced(suite.fake(), pradet(ReferenceOrder::Default), TRACING);
        prop_assert!(done.detection.is_complete());
        let later_first = |&(reader, writer): &(usize, usize)| usize::MAX - (reader * 100 + writer);
        let definition = Definition::new(&suite, later_first);
        let fates: BTreeMap<_, _> = done.detection.refined().iter().map(|edge| {
            ((suite.number(&edge.reader), suite.number(&edge.writer)), edge.fate)
        }).collect();
        prop_assert_eq!(fates, definition.edges);
        let dependent = definition.dependent.iter().map(|&test| suite.tests[test].0.clone());
        prop_assert_eq!(done.dependent(), dependent.collect::<BTreeSet<_>>());
        for finding in done.detection.findings() {
            check(&suite, &finding, 2);
        }
        let status = done.detection.status();
        prop_assert_eq!(status.orders_done, status.orders_planned);
    }

    #[test]
    fn components_at_once_and_answers_in_any_order_change_nothing(
        suite in suites_over(4, 4..=8), room in 2..9_usize, choices in any::<u64>(),
        seed in any::<u64>(), selection in prop::sample::select(vec![
            Selection::SourceFirst, Selection::Random,
        ]),
    ) {
        let pradet = PradetConfig { selection, reference: ReferenceOrder::Both };
        let config = Config { pradet, seed, ..only(&[Algorithm::Pradet]) };
        let one_by_one = detect_traced(suite.fake(), config.clone(), TRACING);
        let mut random = choices;
        let mixed = detect_traced_with(suite.fake(), config, TRACING, room, |under_way| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % under_way
        });
        prop_assert_eq!(mixed.detection.refined(), one_by_one.detection.refined());
        prop_assert_eq!(mixed.sorted(), one_by_one.sorted());
        prop_assert!(mixed.detection.refined().iter().all(|edge| edge.fate != Fate::Open));
    }
}

//! One refinement: the reference order it starts from, its graph, its fates.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use residue_model::Outcome;

use super::Fate;
use super::edge::RefinedEdge;
use super::graph::{Check, EdgeId, Graph};
use crate::bits::TestSet;
use crate::config::{Algorithm, ReferenceOrder};
use crate::examine::{all_parts, ask};
use crate::finding::Origin;
use crate::observation::{Evidence, Observation};
use crate::orders::Units;
use crate::roster::{Order, TestNumber};
use crate::shared::Shared;

/// The reference orders to refine from, one after the other.
pub(crate) fn references(shared: &Shared) -> Vec<ReferenceOrder> {
    match shared.config.pradet.reference {
        ReferenceOrder::Both => vec![ReferenceOrder::Default, ReferenceOrder::Reversed],
        one => vec![one],
    }
}

/// A refinement under way.
pub(crate) struct Refinement<'a> {
    pub(super) shared: &'a Shared,
    graph: RefCell<Graph>,
    /// How tests ended in the reference order, if that is not the default one.
    outcomes: Option<HashMap<TestNumber, Evidence>>,
    /// Where the ledger has the first edge.
    first: usize,
    stage: usize,
}

impl<'a> Refinement<'a> {
    /// Collects the data dependencies and lists them as open; with `only`, just
    /// those that involve one of these tests.
    pub(crate) async fn begin(
        shared: &'a Shared,
        reference: ReferenceOrder,
        only: Option<&TestSet>,
        stage: usize,
    ) -> Refinement<'a> {
        let config = &shared.config;
        let units = Units::new(&shared.roster, config.granularity);
        let mut nodes: Vec<Vec<TestNumber>> =
            (0..units.len()).map(|unit| units.get(unit).to_vec()).collect();
        let mut outcomes = None;
        let runs = match reference {
            ReferenceOrder::Reversed => {
                nodes.reverse();
                let runs = reversed(shared, &nodes.concat()).await;
                outcomes = Some(evidence_in(&runs));
                runs
            }
            _ => shared.ledger.borrow().traced_reference.clone(),
        };
        let mut graph = Graph::of(nodes, runs.iter().map(Rc::as_ref));
        if let Some(only) = only {
            graph.retain(only);
        }
        graph.rank(config.pradet.selection, config.seed);
        let ledger = &mut *shared.ledger.borrow_mut();
        let first = ledger.refined.len();
        ledger.refined.extend(graph.edges().iter().map(|edge| RefinedEdge {
            reader: shared.id(edge.tests.0).clone(),
            writer: shared.id(edge.tests.1).clone(),
            locations: edge.locations.iter().copied().collect(),
            reference,
            fate: Fate::Open,
        }));
        ledger.plan[stage].planned += graph.edges().len() as u64;
        Self { shared, graph: RefCell::new(graph), outcomes, first, stage }
    }

    /// What can be refined apart from each other.
    pub(crate) fn components(&self) -> Vec<Vec<EdgeId>> {
        let all: Vec<EdgeId> = (0..self.graph.borrow().edges().len()).collect();
        self.parts(&all)
    }

    pub(crate) fn parts(&self, edges: &[EdgeId]) -> Vec<Vec<EdgeId>> {
        self.graph.borrow().components(edges)
    }

    pub(crate) fn select(&self, component: &[EdgeId]) -> Option<Check> {
        self.graph.borrow().select(component)
    }

    /// What the check runs.
    pub(crate) fn order(&self, check: &Check) -> Vec<TestNumber> {
        self.graph.borrow().tests(&check.nodes)
    }

    /// The tests whose outcomes decide the check.
    pub(crate) fn compared(&self, check: &Check) -> Vec<TestNumber> {
        let graph = self.graph.borrow();
        let edge = graph.edge(check.edge);
        graph.tests(&[edge.reader, edge.writer])
    }

    pub(crate) fn label(&self, check: &Check) -> String {
        let (reader, writer) = self.graph.borrow().edge(check.edge).tests;
        format!("{} before {}", self.shared.id(reader), self.shared.id(writer))
    }

    /// How the test ended in a reference order other than the default one.
    pub(super) fn evidence(&self, test: TestNumber) -> Option<Evidence> {
        self.outcomes.as_ref()?.get(&test).cloned()
    }

    /// What the outcomes of a check say about its edge, and which tests ended
    /// otherwise than in the reference order.
    pub(crate) fn judge(
        &self,
        check: &Check,
        outcome: impl Fn(TestNumber) -> Option<Outcome>,
    ) -> (Fate, Vec<TestNumber>) {
        let comparison = self.shared.config.comparison;
        let ledger = self.shared.ledger.borrow();
        let mut changed = Vec::new();
        let (mut compared, mut missing) = (0, false);
        for test in self.compared(check) {
            let id = self.shared.id(test);
            let steady = ledger.reference.expected(id);
            let expected = match &self.outcomes {
                None => steady,
                Some(outcomes) => steady.and(outcomes.get(&test).map(Evidence::outcome)),
            };
            let Some(expected) = expected else { continue };
            match outcome(test) {
                None => missing = true,
                Some(actual) if comparison.same(&actual, expected, id) => compared += 1,
                Some(_) => changed.push(test),
            }
        }
        let fate = match changed.is_empty() {
            false => Fate::Manifest,
            true if missing || compared == 0 => Fate::Untestable,
            true => Fate::Removed,
        };
        (fate, changed)
    }

    pub(crate) fn settle(&self, edge: EdgeId, fate: Fate) {
        self.graph.borrow_mut().settle(edge, fate);
        let ledger = &mut *self.shared.ledger.borrow_mut();
        ledger.refined[self.first + edge].fate = fate;
        ledger.plan[self.stage].done += 1;
    }

    /// No edge of the component can be violated alone any more.
    pub(crate) fn give_up(&self, component: &[EdgeId]) {
        for &edge in component {
            let open = self.graph.borrow().edge(edge).fate == Fate::Open;
            if open {
                self.settle(edge, Fate::Untestable);
            }
        }
    }
}

async fn reversed(shared: &Shared, order: &[TestNumber]) -> Vec<Rc<Observation>> {
    if let Some(runs) = shared.ledger.borrow().traced_reversed.clone() {
        return runs;
    }
    let origin = Origin { algorithm: Algorithm::Pradet, order: "reversed".into() };
    let asked = ask(shared, &origin, Order::from(order), true);
    all_parts(shared, &origin, asked, true).await
}

fn evidence_in(runs: &[Rc<Observation>]) -> HashMap<TestNumber, Evidence> {
    let mut evidence = HashMap::new();
    for run in runs {
        for (place, (test, _)) in run.reached().iter().enumerate() {
            evidence.insert(*test, Evidence::at(run, place));
        }
    }
    evidence
}

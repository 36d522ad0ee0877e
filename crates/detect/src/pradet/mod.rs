//! PraDeT's refinement of data dependencies to manifest ones (Gambi, Bell and
//! Zeller, Practical Test Dependency Detection, section III-B).
//!
//! Data dependencies come from a traced run of a reference order. One after
//! the other is violated while all others are respected, with only the tests
//! that hang together with it and none behind it. If the reader or the writer
//! ends otherwise, the dependency is manifest and stays, else it goes. One that
//! cannot be violated alone waits; if it never can, it is untestable.
//!
//! Components share no edge, so they are refined at the same time. What one
//! asks does not depend on another, nor do its explanations.

mod edge;
mod graph;
mod reference;

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use crate::config::Algorithm;
use crate::desk::Tier;
use crate::explain::{Case, explain};
use crate::finding::Origin;
use crate::join::join_all;
use crate::observation::{Evidence, Observation};
use crate::purpose::Purpose;
use crate::roster::TestNumber;
use crate::shared::{KnownPartners, Ledger, Shared, Standing};
pub use edge::{Fate, RefinedEdge};
pub(crate) use graph::{Check, EdgeId};
pub(crate) use reference::{Refinement, references};

/// Refines from every reference order that is asked for. `stage` is where the
/// plan counts it.
pub(crate) async fn refine(shared: &Shared, stage: usize) {
    for reference in references(shared) {
        let refinement = Refinement::begin(shared, reference, None, stage).await;
        let components = refinement.components();
        join_all(components.into_iter().map(|part| component(&refinement, part, Vec::new()))).await;
    }
}

/// One component to its end. When it falls apart, its parts go on at the same
/// time.
fn component<'a>(
    refinement: &'a Refinement<'a>,
    edges: Vec<EdgeId>,
    mut known: Vec<KnownPartners>,
) -> Pin<Box<dyn Future<Output = ()> + 'a>> {
    Box::pin(async move {
        while let Some(check) = refinement.select(&edges) {
            let run = refinement.run(&check).await;
            let outcome = |test| run.outcome_as_asked(test).cloned();
            let (fate, changed) = refinement.judge(&check, outcome);
            refinement.settle(check.edge, fate);
            for case in refinement.cases(&check, &changed, &run) {
                if let Some((role, tests)) = explain(refinement.shared, case, &known, None).await {
                    Ledger::remember_in(&mut known, role, &tests);
                }
            }
            let parts = refinement.parts(&edges);
            if fate == Fate::Removed && parts != [edges.clone()] {
                let parts =
                    parts.into_iter().map(|part| component(refinement, part, known.clone()));
                join_all(parts).await;
                return;
            }
        }
        refinement.give_up(&edges);
    })
}

impl Refinement<'_> {
    /// The run that violates an edge.
    async fn run(&self, check: &Check) -> Rc<Observation> {
        let label = self.label(check);
        self.shared.busy_with(format!("trying the order `{label}`"));
        let purpose = Purpose::Exploration { algorithm: Algorithm::Pradet, order: label };
        self.shared.desk.ask(self.order(check).into(), 0, purpose, Tier::Ahead, 0).await
    }

    /// What is to be explained: of the tests that ended otherwise than in the
    /// reference order those that nobody has looked at yet.
    fn cases(&self, check: &Check, changed: &[TestNumber], run: &Observation) -> Vec<Case> {
        let shared = self.shared;
        let ledger = &mut *shared.ledger.borrow_mut();
        let origin = Origin { algorithm: Algorithm::Pradet, order: self.label(check) };
        let mut cases = Vec::new();
        for &test in changed {
            let Some(expected) = ledger.grounds[test as usize].clone() else { continue };
            let id = shared.id(test);
            let differs =
                |evidence: &Evidence| ledger.reference.difference(id, evidence.outcome()).is_some();
            let here = Evidence::last_of(run, test).into_iter();
            let there = self.evidence(test);
            let Some(differing) = here.chain(there).find(differs) else { continue };
            if ledger.standing[test as usize] == Standing::Unsuspected {
                let case = Case { test, expected, differing, origin: origin.clone() };
                ledger.suspect(&case, id);
                cases.push(case);
            }
        }
        cases
    }
}

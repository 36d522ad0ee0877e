//! PraDeT's refinement, with checks that are implied not run, and those that
//! are not packed across components.

use residue_model::Outcome;

use super::MOST_LOOKED_AT;
use super::allowance::Allowance;
use super::decide::{Item, Matters, Stage};
use crate::knowledge::{Seen, Simulation, ends_jvm};
use crate::observation::Observation;
use crate::pradet::{Check, EdgeId, Fate, Refinement};
use crate::roster::TestNumber;

/// Refines to the end, or until enough was looked at. Differences are explained
/// where they are seen, as everywhere; here they only decide the fate of edges.
pub(super) async fn refine(stage: &Stage<'_>, refinement: &Refinement<'_>) {
    let mut components = refinement.components();
    let mut looked_at = 0;
    loop {
        let mut blocked: Vec<(Vec<EdgeId>, Check)> = Vec::new();
        while let Some(component) = components.pop() {
            stage.shared.pauses.pause().await;
            if looked_at > MOST_LOOKED_AT || !stage.may_go_on().await {
                return;
            }
            let Some(check) = refinement.select(&component) else {
                refinement.give_up(&component);
                continue;
            };
            looked_at += refinement.order(&check).len();
            match implied(stage, refinement, &check) {
                Some(fate) => {
                    refinement.settle(check.edge, fate);
                    components.extend(refinement.parts(&component));
                }
                None => blocked.push((component, check)),
            }
        }
        if blocked.is_empty() {
            return;
        }
        let item = |(_, check): &(Vec<EdgeId>, Check)| {
            let matters = Matters::These(refinement.compared(check));
            Item::new(refinement.label(check), refinement.order(check), matters)
        };
        let mut items: Vec<Item> = blocked.iter().map(item).collect();
        stage.decide(&mut items, |_| {}).await;
        let is_out = stage.allowance.is_some_and(Allowance::is_over);
        for ((component, check), item) in blocked.into_iter().zip(items) {
            let seen = |runs: &[std::rc::Rc<Observation>]| {
                let outcome =
                    |test| runs.first().and_then(|run| run.outcome_as_asked(test)).cloned();
                refinement.judge(&check, outcome).0
            };
            let fate = implied(stage, refinement, &check)
                .or_else(|| item.observed.as_deref().map(seen))
                .or((!is_out).then_some(Fate::Untestable));
            // What was not looked at stays open.
            let Some(fate) = fate else { continue };
            refinement.settle(check.edge, fate);
            components.extend(refinement.parts(&component));
        }
    }
}

/// What is known of the check without running it.
fn implied(stage: &Stage<'_>, refinement: &Refinement<'_>, check: &Check) -> Option<Fate> {
    let order = refinement.order(check);
    let compared = refinement.compared(check);
    let outcomes: Vec<(TestNumber, Outcome)> = {
        let ledger = stage.shared.ledger.borrow();
        let simulation = Simulation::of(&ledger.knowledge, &stage.shared.roster, &order);
        let mut outcomes = Vec::new();
        for step in simulation.steps() {
            let matters = compared.contains(&step.test);
            match step.seen {
                Seen::Known(id) => {
                    let outcome = &ledger.knowledge.execution(id).outcome;
                    if matters {
                        outcomes.push((step.test, outcome.clone()));
                    }
                    // The run of a check ends there.
                    if ends_jvm(outcome) {
                        break;
                    }
                }
                Seen::Unpredictable if !matters => {}
                _ => return None,
            }
        }
        outcomes
    };
    let outcome = |test| outcomes.iter().find(|(other, _)| *other == test).map(|(_, o)| o.clone());
    Some(refinement.judge(check, outcome).0)
}

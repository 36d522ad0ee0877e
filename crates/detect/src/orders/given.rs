//! Orders that somebody else made.

use residue_model::TestOrder;

use super::{Proposal, Stage};
use crate::config::Algorithm;
use crate::roster::{Roster, TestNumber};

pub(super) fn stages(roster: &Roster, given: &[TestOrder]) -> Vec<Stage> {
    let known = |order: &TestOrder| -> Vec<TestNumber> {
        order.tests().iter().filter_map(|test| roster.number(test)).collect()
    };
    let orders: Vec<_> = given.iter().map(known).collect();
    let planned = orders.len() as u64;
    let label = move |number: usize| format!("given {} of {planned}", number + 1);
    let proposals = orders
        .into_iter()
        .enumerate()
        .map(move |(number, order)| Proposal { label: label(number), order });
    vec![Stage::new(Algorithm::Given, "given", planned, proposals)]
}

#[cfg(test)]
mod tests {
    use residue_model::TestId;

    use super::*;
    use crate::roster::roster;

    #[test]
    fn a_given_order_is_tried_as_it_is_without_tests_that_are_gone() {
        let ids = ["a.T#z", "a.T#gone", "a.T#x"].map(|id| TestId::parse(id).unwrap());
        let given = TestOrder::new(ids.to_vec()).unwrap();
        let mut stage = stages(&roster(&["a.T#x", "a.T#y", "a.T#z"]), &[given]).remove(0);
        let proposal = stage.orders.next().unwrap();
        assert_eq!((proposal.order, proposal.label.as_str()), (vec![2, 0], "given 1 of 1"));
        assert!(stage.orders.next().is_none());
    }
}

//! The share of combinations, which several kinds of them use in turn.
//!
//! Each kind would use it up in a large suite. So whoever has a turn gets a fair
//! part, and what it does not need goes to the others (`turns`).

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::ration::Cost;

/// A share that several use in turn.
#[derive(Debug)]
pub(super) struct Allowance {
    /// What nobody has spent.
    left: Cell<Cost>,
    /// Of that, what whoever has its turn may spend.
    part: Cell<Cost>,
    /// The next run may have more tests than that.
    may_exceed: Cell<bool>,
    /// Whoever has its turn gives it up until there is this much.
    given_up_for: Cell<Option<Cost>>,
    /// What the part was not enough for in this turn.
    denied: Cell<Option<Cost>>,
    /// There are no more turns.
    is_over: Cell<bool>,
}

impl Allowance {
    pub(super) fn new(share: Cost) -> Self {
        Self {
            left: Cell::new(share),
            part: Cell::new(Cost::NOTHING),
            may_exceed: Cell::new(false),
            given_up_for: Cell::new(None),
            denied: Cell::new(None),
            is_over: Cell::new(false),
        }
    }

    pub(super) fn left(&self) -> Cost {
        self.left.get()
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left.get().is_nothing()
    }

    /// Begins a turn with this part of what is left. If it may be exceeded, one
    /// long order runs in any case.
    pub(super) fn hand_out(&self, part: Cost, may_exceed: bool) {
        self.may_exceed.set(may_exceed);
        self.denied.set(None);
        self.part.set(part);
    }

    /// Ends all turns.
    pub(super) fn end(&self) {
        self.is_over.set(true);
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// How much there must be for another turn to be of use, if this one was
    /// given up since this was last asked.
    pub(super) fn take_given_up(&self) -> Option<Cost> {
        self.given_up_for.take()
    }

    /// Whether nothing is left for this turn.
    pub(super) fn is_used_up(&self) -> bool {
        self.part.get().is_nothing()
    }

    /// Takes a run of so many tests; whether enough was left for it.
    pub(super) fn spend(&self, tests: usize) -> bool {
        let part = self.part.get();
        let cost = Cost::of_run(tests);
        let may_exceed = self.may_exceed.take();
        let is_enough = !part.is_nothing() && (may_exceed || part.covers(cost));
        if is_enough {
            self.part.set(part.less(cost));
            self.left.set(self.left.get().less(cost));
        } else {
            self.part.set(Cost::NOTHING);
            self.denied.set(self.denied.get().or(Some(cost)));
        }
        is_enough
    }

    /// Gives the turn up and waits for the next one; whether there is one.
    pub(super) fn next_turn(&self) -> NextTurn<'_> {
        NextTurn { allowance: self, has_waited: false }
    }
}

pub(super) struct NextTurn<'a> {
    allowance: &'a Allowance,
    has_waited: bool,
}

impl Future for NextTurn<'_> {
    type Output = bool;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<bool> {
        if self.has_waited || self.allowance.is_over() {
            return Poll::Ready(!self.allowance.is_over());
        }
        self.has_waited = true;
        let needed = self.allowance.denied.take().unwrap_or(Cost::LEAST);
        self.allowance.given_up_for.set(Some(needed));
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::super::ration::Ration;
    use super::*;

    fn whole_share(tests: usize) -> Allowance {
        let allowance = Allowance::new(Ration { tests, growth: 1.0 }.for_combinations());
        allowance.hand_out(allowance.left(), false);
        allowance
    }

    #[test]
    fn a_share_is_four_suites_or_two_hundred_runs() {
        let whole_orders = whole_share(400);
        assert_eq!((0..9).filter(|_| whole_orders.spend(400)).count(), 4);
        let pairs = whole_share(400);
        assert_eq!((0..999).filter(|_| pairs.spend(2)).count(), 200);
        assert!(pairs.is_used_up() && pairs.is_spent());
    }

    #[test]
    fn a_long_run_counts_as_many_short_ones_that_take_as_long() {
        let longest = whole_share(4_000);
        assert_eq!((0..9).filter(|_| longest.spend(4_000)).count(), 2, "11 of 22 runs each");
    }

    #[test]
    fn a_small_suite_has_enough_for_all_of_its_orders() {
        let every_pair = whole_share(7);
        assert!((0..7 * 6).all(|_| every_pair.spend(2)));
        assert!((0..16).all(|_| every_pair.spend(7)));
    }
}

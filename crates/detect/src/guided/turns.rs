//! Fair turns of those who spend one share.
//!
//! In a round each who can do something with it gets an equal part of what is
//! left. What is not needed is shared out in the next round among those who need
//! more. So who needs more gets as much as anybody, and nothing is left over as
//! long as somebody does. Only one is at work at a time.
//!
//! One order may have more tests than a part. It runs only when nobody else can
//! do anything with what is left: in a large suite an order of all tests shows
//! little that the ones before have not shown.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use super::allowance::Allowance;
use super::ration::Cost;

/// Spends, and gives its turn up when its part is used up.
type Spending<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Somebody who spends, and what it takes for its next turn to be of use.
pub(super) struct Spender<'a> {
    spending: Spending<'a>,
    needs: Cost,
}

impl<'a> Spender<'a> {
    pub(super) fn new(needs: Cost, spending: impl Future<Output = ()> + 'a) -> Self {
        Self { spending: Box::pin(spending), needs }
    }
}

/// Until all are done or nothing is left.
pub(super) async fn take_turns(allowance: &Allowance, spenders: Vec<Spender<'_>>) {
    let mut waiting = spenders;
    let mut round = Round::Fair;
    while !waiting.is_empty() {
        let before = allowance.left();
        waiting = round.of(allowance, waiting).await;
        let is_idle = allowance.left() == before;
        if allowance.is_spent() || (is_idle && round == Round::LastCall) {
            allowance.end();
        }
        round = if is_idle || allowance.is_over() { Round::LastCall } else { Round::Fair };
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Fair,
    /// Nobody could do anything with its part: now with all there is.
    LastCall,
}

impl Round {
    /// A turn of each; gives those who want another.
    async fn of<'a>(self, allowance: &Allowance, all: Vec<Spender<'a>>) -> Vec<Spender<'a>> {
        let mut again = Vec::new();
        let least = allowance.left().part(all.len());
        // To find out that it is not enough takes long.
        let is_able = |spender: &Spender<'_>| self == Self::LastCall || least.covers(spender.needs);
        let part = match self {
            Self::Fair => allowance.left().part(all.iter().filter(|one| is_able(one)).count()),
            Self::LastCall => allowance.left(),
        };
        for mut spender in all {
            if !is_able(&spender) {
                again.push(spender);
                continue;
            }
            allowance.hand_out(part.at_most(allowance.left()), self == Self::LastCall);
            if let Some(needs) = turn(allowance, &mut spender.spending).await {
                again.push(Spender { needs, ..spender });
            }
        }
        again
    }
}

/// Lets one go on until it is done, or gives the turn up for lack of so much.
async fn turn(allowance: &Allowance, spending: &mut Spending<'_>) -> Option<Cost> {
    poll_fn(|context| match spending.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(None),
        Poll::Pending => allowance.take_given_up().map_or(Poll::Pending, |n| Poll::Ready(Some(n))),
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::task::{Context, Waker};

    use proptest::prelude::*;

    use super::*;

    async fn spend(allowance: &Allowance, runs: usize, tests: usize, got: &Cell<usize>) {
        while got.get() < runs {
            if allowance.spend(tests) {
                got.set(got.get() + 1);
            } else if !allowance.next_turn().await {
                return;
            }
        }
    }

    fn at_once(future: impl Future<Output = ()>) {
        let mut future = Box::pin(future);
        let polled = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_ready(), "nobody waits for a run");
    }

    /// How many runs of so many tests each gets that needs so many.
    fn shared_out(share: Cost, needs: &[(usize, usize)]) -> Vec<usize> {
        let allowance = Allowance::new(share);
        let got = vec![Cell::new(0); needs.len()];
        let spender = |(&(runs, tests), got)| -> Spender<'_> {
            Spender::new(Cost::of_run(tests), spend(&allowance, runs, tests, got))
        };
        at_once(take_turns(&allowance, needs.iter().zip(&got).map(spender).collect()));
        got.iter().map(Cell::get).collect()
    }

    fn runs(runs: usize) -> Cost {
        Cost { runs, executions: usize::MAX }
    }

    #[test]
    fn the_first_does_not_use_up_what_others_need() {
        assert_eq!(shared_out(runs(40), &[(900, 1), (900, 1), (3, 1), (900, 1)]), [13, 12, 3, 12]);
    }

    #[test]
    fn what_the_last_do_not_need_goes_back_to_the_first() {
        assert_eq!(shared_out(runs(40), &[(36, 1), (1, 1), (2, 1)]), [36, 1, 2]);
    }

    #[test]
    fn an_order_that_is_longer_than_a_part_waits_for_all_others() {
        let share = Cost { runs: 100, executions: 4_000 };
        let needs = [(9, 1_500), (9, 1_500), (1_000, 2)];
        assert_eq!(shared_out(share, &needs), [0, 0, 100]);
        let needs = [(9, 1_500), (9, 1_500), (20, 2)];
        assert_eq!(shared_out(share, &needs), [2, 1, 20], "what nobody else needs is for them");
    }

    #[test]
    fn who_only_waits_does_not_keep_the_others() {
        let allowance = Allowance::new(runs(10));
        let got = Cell::new(0);
        let waits = Spender::new(Cost::LEAST, async { while allowance.next_turn().await {} });
        let spends = Spender::new(Cost::LEAST, spend(&allowance, 99, 1, &got));
        at_once(take_turns(&allowance, vec![waits, spends]));
        assert_eq!(got.get(), 10);
    }

    proptest! {
        #[test]
        fn who_needs_more_gets_as_much_as_anybody_until_nothing_is_left(
            share in 0_usize..300, needs in prop::collection::vec(0_usize..200, 1..8),
        ) {
            let costs: Vec<_> = needs.iter().map(|&need| (need, 1)).collect();
            let got = shared_out(runs(share), &costs);
            let most = got.iter().max().copied().unwrap_or_default();
            for (&need, &got) in needs.iter().zip(&got) {
                prop_assert!(got >= need.min(share / needs.len()), "{got} of {need}");
                prop_assert!(got == need || got + 1 >= most, "{got} of {need}, others {most}");
            }
            prop_assert_eq!(got.iter().sum::<usize>(), share.min(needs.iter().sum()));
        }

        #[test]
        fn with_long_orders_too_no_run_is_denied_while_anything_is_left(
            share in (1_usize..60, 1_usize..5_000),
            needs in prop::collection::vec((0_usize..40, 1_usize..900), 1..8),
        ) {
            let share = Cost { runs: share.0, executions: share.1 };
            let got = shared_out(share, &needs);
            let runs: usize = got.iter().sum();
            let tests = needs.iter().zip(&got).map(|((_, tests), got)| tests * got);
            // No order here is so long that it counts as more than three runs.
            let is_spent = 3 * runs >= share.runs || tests.sum::<usize>() >= share.executions;
            let all_have = needs.iter().zip(&got).all(|((need, _), got)| need == got);
            prop_assert!(runs <= share.runs);
            prop_assert!(is_spent || all_have, "{got:?}");
        }
    }
}

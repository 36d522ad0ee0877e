//! Where questions wait for answers.
//!
//! The algorithms of this crate are written as plain `async` functions that ask
//! for a run and go on when its answer is there. Nothing is performed here:
//! whoever owns the [`Detection`](crate::Detection) takes questions from the
//! desk and brings answers back. Dropping an [`Asked`] withdraws a question
//! that nobody has taken yet.
//!
//! What an algorithm asks must depend on answers only, never on when they
//! came, so that an analysis can be repeated from stored runs.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll};

use crate::observation::Observation;
use crate::purpose::Purpose;
use crate::roster::Order;

/// Short orders are asked about again and again, and cost little to remember.
const REMEMBERED_LENGTH: usize = 2;
const MOST_REMEMBERED: usize = 100_000;

/// What comes first: lower tiers, then lower ranks, then what was asked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Urgency {
    tier: Tier,
    rank: usize,
    ticket: u64,
}

/// Which questions wait for which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// Somebody cannot go on without it.
    Now,
    /// Fills the time until then.
    Ahead,
}

#[derive(Debug)]
struct Slot {
    order: Order,
    repetition: u32,
    traced: bool,
    purpose: Purpose,
    /// While it waits; empty once somebody has taken it.
    waiting: Cell<Option<Urgency>>,
    answer: OnceCell<Rc<Observation>>,
    holders: Cell<usize>,
}

/// A question that somebody took.
pub(crate) struct Taken {
    pub(crate) ticket: u64,
    pub(crate) order: Order,
    pub(crate) repetition: u32,
    pub(crate) traced: bool,
    pub(crate) purpose: Purpose,
}

#[derive(Debug, Default)]
struct State {
    tickets: u64,
    waiting: BTreeMap<Urgency, Rc<Slot>>,
    taken: HashMap<u64, Rc<Slot>>,
    /// Questions that somebody still holds, so that none is asked twice.
    open: HashMap<(Order, u32, bool), Weak<Slot>>,
    remembered: Vec<Rc<Slot>>,
}

/// The desk; clones are the same desk.
#[derive(Debug, Clone, Default)]
pub(crate) struct Desk(Rc<RefCell<State>>);

impl Desk {
    /// Puts a question on the desk, or joins it if it is there.
    pub(crate) fn ask(
        &self,
        order: Order,
        repetition: u32,
        purpose: Purpose,
        tier: Tier,
        rank: usize,
    ) -> Asked {
        self.put_down((order, repetition, false), purpose, tier, rank)
    }

    /// The same for a run that is to be traced.
    pub(crate) fn ask_traced(&self, order: Order, purpose: Purpose, tier: Tier) -> Asked {
        self.put_down((order, 0, true), purpose, tier, 0)
    }

    fn put_down(
        &self,
        key: (Order, u32, bool),
        purpose: Purpose,
        tier: Tier,
        rank: usize,
    ) -> Asked {
        let state = &mut *self.0.borrow_mut();
        let slot = match state.open.get(&key).and_then(Weak::upgrade) {
            Some(slot) => slot,
            None => {
                let slot = Rc::new(Slot {
                    order: key.0.clone(),
                    repetition: key.1,
                    traced: key.2,
                    purpose,
                    waiting: Cell::new(None),
                    answer: OnceCell::new(),
                    holders: Cell::new(0),
                });
                state.open.insert(key, Rc::downgrade(&slot));
                let urgency = Urgency { tier, rank, ticket: state.tickets };
                state.tickets += 1;
                state.put(&slot, urgency);
                slot
            }
        };
        slot.holders.set(slot.holders.get() + 1);
        if let Some(urgency) = slot.waiting.get()
            && (tier, rank) < (urgency.tier, urgency.rank)
        {
            state.waiting.remove(&urgency);
            state.put(&slot, Urgency { tier, rank, ..urgency });
        }
        Asked { slot, desk: self.clone() }
    }

    /// Takes the most urgent questions.
    pub(crate) fn take(&self, room: usize) -> Vec<Taken> {
        let state = &mut *self.0.borrow_mut();
        let mut taken = Vec::new();
        while taken.len() < room
            && let Some((urgency, slot)) = state.waiting.pop_first()
        {
            slot.waiting.set(None);
            taken.push(Taken {
                ticket: urgency.ticket,
                order: slot.order.clone(),
                repetition: slot.repetition,
                traced: slot.traced,
                purpose: slot.purpose.clone(),
            });
            state.taken.insert(urgency.ticket, slot);
        }
        taken
    }

    /// How many questions are taken and not answered.
    pub(crate) fn under_way(&self) -> usize {
        self.0.borrow().taken.len()
    }

    /// Whether nobody has taken and answered this ticket yet.
    pub(crate) fn awaits(&self, ticket: u64) -> bool {
        self.0.borrow().taken.contains_key(&ticket)
    }

    /// Brings an answer; one that nobody awaits is ignored.
    pub(crate) fn answer(&self, ticket: u64, observation: Observation) {
        let state = &mut *self.0.borrow_mut();
        let Some(slot) = state.taken.remove(&ticket) else { return };
        // A ticket is taken once, so the answer is the first.
        let _ = slot.answer.set(Rc::new(observation));
        let room = state.remembered.len() < MOST_REMEMBERED;
        if slot.order.len() <= REMEMBERED_LENGTH && room {
            slot.holders.set(slot.holders.get() + 1);
            state.remembered.push(slot);
        } else if slot.holders.get() == 0 {
            state.forget(&slot);
        }
    }
}

impl State {
    fn forget(&mut self, slot: &Slot) {
        if let Some(urgency) = slot.waiting.get() {
            self.waiting.remove(&urgency);
        }
        self.open.remove(&(slot.order.clone(), slot.repetition, slot.traced));
    }

    fn put(&mut self, slot: &Rc<Slot>, urgency: Urgency) {
        slot.waiting.set(Some(urgency));
        self.waiting.insert(urgency, Rc::clone(slot));
    }
}

/// A question on the desk. Ready when answered.
#[derive(Debug)]
pub(crate) struct Asked {
    slot: Rc<Slot>,
    desk: Desk,
}

impl Future for Asked {
    type Output = Rc<Observation>;

    /// No waker: the owner polls everything again after each answer.
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Rc<Observation>> {
        match self.slot.answer.get() {
            Some(observation) => Poll::Ready(Rc::clone(observation)),
            None => Poll::Pending,
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.slot.holders.set(self.slot.holders.get() - 1);
        // What is under way stays known, in case somebody asks it again.
        let under_way = self.slot.waiting.get().is_none() && self.slot.answer.get().is_none();
        if self.slot.holders.get() == 0 && !under_way {
            self.desk.0.borrow_mut().forget(&self.slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(desk: &Desk, order: &[u32], tier: Tier, rank: usize) -> Asked {
        desk.ask(order.into(), 0, Purpose::Reference, tier, rank)
    }

    fn taken(desk: &Desk) -> Vec<Vec<u32>> {
        desk.take(10).into_iter().map(|taken| taken.order.to_vec()).collect()
    }

    #[test]
    fn urgent_questions_come_first_and_a_shared_one_once() {
        let desk = Desk::default();
        let _questions = [
            ask(&desk, &[1], Tier::Ahead, 0),
            ask(&desk, &[2], Tier::Now, 1),
            ask(&desk, &[3], Tier::Now, 0),
            ask(&desk, &[1], Tier::Now, 0),
        ];
        assert_eq!(taken(&desk), [[1], [3], [2]]);
        let _again = ask(&desk, &[2], Tier::Now, 0);
        assert!(taken(&desk).is_empty(), "it is under way already");
    }

    #[test]
    fn the_answer_for_a_short_order_is_remembered() {
        let desk = Desk::default();
        let record = residue_model::RunRecord {
            order: residue_model::TestOrder::new(vec![]).unwrap(),
            results: vec![],
            deviated: None,
            unrequested: vec![],
            fixture_failures: vec![],
            left_behind: vec![],
            started_at: 0,
            duration: std::time::Duration::ZERO,
        };
        let nothing = Observation::of(&record, None, &crate::roster::roster(&[]));
        for (order, again) in [(&[1, 2][..], 0), (&[1, 2, 3], 1)] {
            let asked = ask(&desk, order, Tier::Now, 0);
            desk.answer(desk.take(1)[0].ticket, nothing.clone());
            drop(asked);
            let _asked = ask(&desk, order, Tier::Now, 0);
            assert_eq!(taken(&desk).len(), again);
        }
    }

    #[test]
    fn a_dropped_question_is_withdrawn_unless_somebody_else_holds_it() {
        let desk = Desk::default();
        let first = ask(&desk, &[1], Tier::Now, 0);
        let shared = ask(&desk, &[1], Tier::Now, 0);
        drop(ask(&desk, &[2], Tier::Now, 0));
        drop(first);
        assert_eq!(taken(&desk), [[1]]);
        drop(shared);
        assert_eq!(desk.under_way(), 1);
    }
}

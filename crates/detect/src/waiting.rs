//! Tests that differed and wait to be explained.
//!
//! One is explained first, then two, four and so on at once: many tests usually
//! share a polluter, and what the first ones taught is tried first, on all who
//! wait together.

use std::collections::HashSet;

use crate::explain::{Case, LARGEST_WAVE, company, explain};
use crate::join::join_all;
use crate::shared::{KnownPartners, Shared};

/// Those who wait, the longest waiting first.
#[derive(Default)]
pub(crate) struct Waiting {
    cases: Vec<Case>,
    begun: usize,
    classes_begun: HashSet<String>,
}

impl Waiting {
    pub(crate) fn add(&mut self, cases: Vec<Case>) {
        self.cases.extend(cases);
    }

    /// Takes the next ones, but of a class that is new only the first: the others
    /// of it most likely have the same partners.
    fn next(&mut self, most: usize, shared: &Shared) -> Vec<Case> {
        let class_of = |case: &Case| shared.id(case.test).top_level_class().to_owned();
        let wave = next_wave(&mut self.cases, most, &mut self.classes_begun, class_of);
        self.begun += wave.len();
        wave
    }

    /// Whoever waits may have the same partners as the first test that was
    /// explained by them.
    async fn prove_in_company(&mut self, shared: &Shared, partners: &KnownPartners) {
        let cases = std::mem::take(&mut self.cases);
        let waited = cases.len();
        self.cases = company::prove(shared, partners, cases).await;
        self.begun += waited - self.cases.len();
    }

    fn activity(&self, shared: &Shared, now: &[Case]) -> String {
        let of = self.begun + self.cases.len();
        match now {
            [case] => {
                let (test, order) = (shared.id(case.test), &case.origin.order);
                format!("explaining {test} (order `{order}`)")
            }
            _ => {
                let first = self.begun - now.len() + 1;
                format!("explaining {first} to {} of {of} tests that differ", self.begun)
            }
        }
    }
}

/// Explains all of these.
pub(crate) async fn explain_all(shared: &Shared, cases: Vec<Case>) {
    let mut waiting = Waiting::default();
    waiting.add(cases);
    explain_some(shared, &mut waiting, usize::MAX).await;
}

/// Explains as many as there are in so many waves. The others go on waiting.
pub(crate) async fn explain_some(shared: &Shared, waiting: &mut Waiting, waves: usize) {
    let mut size = 1;
    for _ in 0..waves {
        let now = waiting.next(size, shared);
        if now.is_empty() {
            break;
        }
        shared.busy_with(waiting.activity(shared, &now));
        let known = shared.ledger.borrow().known.clone();
        let explanations = now.into_iter().map(|case| explain(shared, case, &known, None));
        let explained = join_all(explanations).await;
        for (role, tests) in explained.into_iter().flatten() {
            let first = shared.ledger.borrow_mut().remember(role, &tests);
            if let Some(partners) = first {
                waiting.prove_in_company(shared, &partners).await;
            }
        }
        size = (size * 2).min(LARGEST_WAVE);
    }
    let ledger = &mut *shared.ledger.borrow_mut();
    ledger.perturbed.iter().for_each(|&test| ledger.knowledge.distrust(test));
}

fn next_wave<T>(
    waiting: &mut Vec<T>,
    most: usize,
    classes_begun: &mut HashSet<String>,
    class_of: impl Fn(&T) -> String,
) -> Vec<T> {
    let (mut now, mut later) = (Vec::new(), Vec::new());
    let mut new_classes = HashSet::new();
    for case in waiting.drain(..) {
        let class = class_of(&case);
        let may_begin = classes_begun.contains(&class) || !new_classes.contains(&class);
        if now.len() < most && may_begin {
            new_classes.insert(class);
            now.push(case);
        } else {
            later.push(case);
        }
    }
    *waiting = later;
    classes_begun.extend(new_classes);
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_new_class_one_test_goes_ahead_of_the_others() {
        let mut waiting = vec!["a1", "a2", "a3", "b1", "b2", "c1"];
        let mut begun = HashSet::new();
        let mut wave =
            |most| next_wave(&mut waiting, most, &mut begun, |case| case[..1].to_owned());
        assert_eq!(wave(1), ["a1"]);
        assert_eq!(wave(2), ["a2", "a3"]);
        assert_eq!(wave(4), ["b1", "c1"]);
        assert_eq!(wave(8), ["b2"]);
        assert!(wave(16).is_empty());
    }
}

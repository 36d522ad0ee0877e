//! Whether a finding comes only from splitting a class, whose class fixture
//! then runs again.

use std::collections::HashSet;

use super::classify::Contrast;
use super::probe::Probe;
use crate::purpose::Step;
use crate::roster::{Roster, TestNumber};

/// Runs the witness with the tests of each class kept together. If the test
/// then ends as it does alone, no runner that keeps classes together can show
/// the difference.
pub(crate) async fn is_artefact(
    probe: &Probe<'_>,
    contrast: &Contrast,
    before: &[TestNumber],
) -> bool {
    let roster = &probe.shared.roster;
    let order = probe.order(before);
    if !splits_a_class(roster, &order) {
        return false;
    }
    let together = kept_together(roster, &order);
    let asked = probe.shared.ask_about(probe.test, together.into(), 0, Step::Regroup, 0);
    asked.await.outcome_as_asked(probe.test).is_some_and(|outcome| !contrast.flip.holds(outcome))
}

fn splits_a_class(roster: &Roster, order: &[TestNumber]) -> bool {
    let mut seen = HashSet::new();
    let mut groups = order.chunk_by(|&a, &b| roster.class_of(a) == roster.class_of(b));
    groups.any(|group| !seen.insert(roster.class_of(group[0])))
}

/// Classes where their last test stood, so that the last test stays last.
fn kept_together(roster: &Roster, order: &[TestNumber]) -> Vec<TestNumber> {
    let mut seen = HashSet::new();
    let mut classes: Vec<_> = order
        .iter()
        .rev()
        .map(|&test| roster.class_of(test))
        .filter(|&class| seen.insert(class))
        .collect();
    classes.reverse();
    let tests_of =
        |class: usize| order.iter().copied().filter(move |&t| roster.class_of(t) == class);
    classes.into_iter().flat_map(tests_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster::roster;

    #[test]
    fn the_last_test_stays_last_and_classes_are_whole() {
        let roster = roster(&["a.A#x", "a.A#y", "a.B#x", "a.C#x"]);
        assert!(splits_a_class(&roster, &[0, 2, 1]));
        assert!(!splits_a_class(&roster, &[2, 0, 1]));
        assert_eq!(kept_together(&roster, &[0, 3, 2, 1]), [3, 2, 0, 1]);
    }
}

//! Every ordered pair of neighbours in few orders.
//!
//! What `exhaustive` with k = 2 shows with n(n-1) short runs, these rows show
//! with about n long ones, as long as what came earlier in a row does not hide
//! it.

use super::tuscan::{row, rows};
use super::{Proposal, Stage, classes_matter};
use crate::config::{Algorithm, Granularity};
use crate::roster::TestNumber;

/// Every class directly before every other class. At method granularity the
/// tests inside the classes move too, so that every ordered pair inside a class
/// is adjacent in some order; where a class has more tests than there are
/// classes, orders of such classes alone follow.
pub(super) fn by_class(classes: &[Vec<TestNumber>], granularity: Granularity) -> Vec<Stage> {
    let inside = classes_matter(classes, granularity);
    if !inside && granularity == Granularity::Method {
        return Vec::new();
    }
    let classes = classes.to_vec();
    let whole = rows(classes.len());
    let inner = |tests: usize| if inside { rows(tests) } else { 1 };
    let planned = classes.iter().map(|class| inner(class.len())).max().unwrap_or(0).max(whole);
    let orders = (0..planned).map(move |number| {
        let tests = |class: &Vec<u32>| -> Vec<u32> {
            if !inside {
                return class.clone();
            }
            let inner = row(class.len(), number % rows(class.len()));
            inner.into_iter().map(|place| class[place]).collect()
        };
        let still_moving = |&class: &usize| number < whole || number < rows(classes[class].len());
        let order = row(classes.len(), number % whole)
            .into_iter()
            .filter(still_moving)
            .flat_map(|class| tests(&classes[class]))
            .collect();
        Proposal { label: format!("class pairs {} of {planned}", number + 1), order }
    });
    vec![Stage::new(Algorithm::Pairs, "class pairs", planned as u64, orders)]
}

/// Every test directly before every other test.
pub(super) fn by_method(classes: &[Vec<TestNumber>], granularity: Granularity) -> Vec<Stage> {
    if granularity == Granularity::Class {
        return Vec::new();
    }
    let mut tests = classes.concat();
    tests.sort_unstable();
    let planned = rows(tests.len());
    let orders = (0..planned).map(move |number| Proposal {
        label: format!("pairs {} of {planned}", number + 1),
        order: row(tests.len(), number).into_iter().map(|place| tests[place]).collect(),
    });
    vec![Stage::new(Algorithm::Pairs, "pairs", planned as u64, orders)]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::roster::{Roster, roster};

    /// Classes of 1, 2, 9 and 4 tests.
    fn uneven() -> Roster {
        let ids: Vec<String> = [1, 2, 9, 4]
            .iter()
            .enumerate()
            .flat_map(|(class, &tests)| (0..tests).map(move |t| format!("a.C{class}#t{t}")))
            .collect();
        roster(&ids.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn neighbours(stages: Vec<Stage>) -> HashSet<(u32, u32)> {
        let orders = stages.into_iter().flat_map(|stage| stage.orders);
        orders.flat_map(|p| p.order.windows(2).map(|w| (w[0], w[1])).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn class_pairs_hold_every_pair_of_classes_and_every_pair_inside_a_class() {
        let roster = uneven();
        let pairs = neighbours(by_class(roster.classes(), Granularity::Method));
        let class_pairs: HashSet<_> = pairs
            .iter()
            .map(|&(a, b)| (roster.class_of(a), roster.class_of(b)))
            .filter(|(a, b)| a != b)
            .collect();
        assert_eq!(class_pairs.len(), 4 * 3);
        let inside = pairs.iter().filter(|&&(a, b)| roster.class_of(a) == roster.class_of(b));
        assert_eq!(inside.count(), 2 + 9 * 8 + 4 * 3);
    }

    #[test]
    fn class_pairs_tear_no_class_apart() {
        let roster = uneven();
        for granularity in [Granularity::Method, Granularity::Class] {
            for proposal in by_class(roster.classes(), granularity).remove(0).orders {
                let mut seen = HashSet::new();
                for group in
                    proposal.order.chunk_by(|&a, &b| roster.class_of(a) == roster.class_of(b))
                {
                    assert!(seen.insert(roster.class_of(group[0])), "{proposal:?}");
                }
            }
        }
    }

    #[test]
    fn large_classes_go_on_alone_when_all_classes_have_met() {
        let orders: Vec<_> =
            by_class(uneven().classes(), Granularity::Method).remove(0).orders.collect();
        assert_eq!(orders.len(), 10);
        assert_eq!(orders[3].order.len(), 16);
        assert_eq!(orders[4].order.len(), 9);
    }

    #[test]
    fn method_pairs_hold_every_pair_of_tests() {
        assert_eq!(neighbours(by_method(uneven().classes(), Granularity::Method)).len(), 16 * 15);
        assert!(by_method(uneven().classes(), Granularity::Class).is_empty());
    }
}

//! Shuffles by seed (DTDetector's Figure 4).

use std::ops::Range;

use super::{Proposal, Stage, classes_matter};
use crate::config::{Algorithm, Config, Granularity};
use crate::roster::Roster;
use crate::shuffle::{random, shuffle, shuffle_groups};

/// For each trial an order that keeps classes together, as real runners do,
/// and one that does not. The labels name the seed that makes the order again.
pub(super) fn stages(roster: &Roster, config: &Config, trials: Range<u32>) -> Vec<Stage> {
    let by_class = classes_matter(roster.classes(), config.granularity);
    let seeds = trials.map({
        let first = config.seed;
        move |trial| first.wrapping_add(trial.into())
    });
    let classes = roster.classes().to_vec();
    let all: Vec<_> = roster.all().collect();
    let planned = seeds.len() as u64 * if by_class { 2 } else { 1 };
    let granularity = config.granularity;
    let orders = seeds.flat_map(move |seed| {
        let kept = by_class.then(|| {
            let mut classes = classes.clone();
            shuffle_groups(&mut classes, seed);
            Proposal { label: format!("random by class, seed {seed}"), order: classes.concat() }
        });
        let torn = match granularity {
            Granularity::Method => {
                let mut order = all.clone();
                shuffle(&mut order, &mut random(seed));
                Proposal { label: format!("random, seed {seed}"), order }
            }
            Granularity::Class => {
                let mut classes = classes.clone();
                shuffle(&mut classes, &mut random(seed));
                Proposal { label: format!("random classes, seed {seed}"), order: classes.concat() }
            }
        };
        kept.into_iter().chain([torn])
    });
    vec![Stage::new(Algorithm::Random, "random", planned, orders)]
}

#[cfg(test)]
mod tests {
    use residue_model::TestOrder;

    use super::*;
    use crate::roster::roster;
    use crate::{shuffled, shuffled_by_class};

    #[test]
    fn a_label_names_the_seed_that_makes_its_order_again() {
        let roster = roster(&["a.A#x", "a.A#y", "a.B#x", "a.B#y", "a.C#x", "a.C#y"]);
        let default = TestOrder::new(roster.ids(&roster.all().collect::<Vec<_>>())).unwrap();
        let config = Config { seed: u64::MAX, ..Config::default() };
        let stage = stages(&roster, &config, 0..2).remove(0);
        assert_eq!(stage.planned, 4);
        let orders: Vec<_> = stage.orders.map(|p| (p.label, roster.order(&p.order))).collect();
        let expected = [
            (format!("random by class, seed {}", u64::MAX), shuffled_by_class(&default, u64::MAX)),
            (format!("random, seed {}", u64::MAX), shuffled(&default, u64::MAX)),
            ("random by class, seed 0".into(), shuffled_by_class(&default, 0)),
            ("random, seed 0".into(), shuffled(&default, 0)),
        ];
        assert_eq!(orders, expected);
    }

    #[test]
    fn at_class_granularity_the_tests_of_a_class_stay_as_they_are() {
        let roster = roster(&["a.A#x", "a.A#y", "a.B#x", "a.B#y", "a.C#x", "a.C#y"]);
        let config = Config { granularity: Granularity::Class, ..Config::default() };
        for proposal in stages(&roster, &config, 0..9).remove(0).orders {
            let pairs: Vec<_> = proposal.order.chunks(2).collect();
            assert!(pairs.iter().all(|pair| pair[1] == pair[0] + 1), "{proposal:?}");
        }
    }
}

//! The default order from its end (DTDetector's Figure 3).

use super::units::Units;
use super::{Proposal, Stage};
use crate::config::Algorithm;
use crate::roster::Roster;

/// Units reversed; where units are single tests also classes reversed with
/// their tests as they are, which is what a runner could really do.
pub(super) fn stages(roster: &Roster, units: &Units) -> Vec<Stage> {
    let reversed =
        Proposal { label: "reversed".into(), order: units.order((0..units.len()).rev()) };
    let classes = Proposal {
        label: "classes reversed".into(),
        order: roster.classes().iter().rev().flatten().copied().collect(),
    };
    let orders = if classes.order == reversed.order {
        vec![Proposal { label: classes.label, ..reversed }]
    } else {
        vec![reversed, classes]
    };
    vec![Stage::new(Algorithm::Reverse, "reverse", orders.len() as u64, orders.into_iter())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Granularity;
    use crate::roster::roster;

    fn orders(granularity: Granularity) -> Vec<(String, Vec<u32>)> {
        let roster = roster(&["a.A#x", "a.A#y", "a.B#x", "a.B#y"]);
        let stages = stages(&roster, &Units::new(&roster, granularity));
        stages.into_iter().flat_map(|s| s.orders).map(|p| (p.label, p.order)).collect()
    }

    #[test]
    fn tests_are_reversed_and_classes_are_reversed() {
        assert_eq!(
            orders(Granularity::Method),
            [("reversed".into(), vec![3, 2, 1, 0]), ("classes reversed".into(), vec![2, 3, 0, 1])]
        );
        assert_eq!(orders(Granularity::Class), [("classes reversed".into(), vec![2, 3, 0, 1])]);
    }
}

//! Tests that differed and that a detection had no time to explain.

use residue_detect::Origin;
use residue_model::TestId;

use crate::units::count;

/// Tests told one by one of one order.
const SHOWN: usize = 40;

/// For the headline: how many there are beside what was found.
pub(crate) fn unexplained_headline(unexplained: usize) -> String {
    match unexplained {
        0 => String::new(),
        1 => "; 1 test differed and is not explained yet".into(),
        many => format!("; {} differed and are not explained yet", count(many, "test")),
    }
}

/// A title and lines for each order, in the order in which they came up.
pub(crate) fn by_order(unexplained: &[(TestId, Origin)]) -> Vec<(String, Vec<String>)> {
    let mut orders: Vec<(&str, Vec<&TestId>)> = Vec::new();
    for (test, Origin { order, .. }) in unexplained {
        match orders.iter_mut().find(|(known, _)| known == order) {
            Some((_, tests)) => tests.push(test),
            None => orders.push((order, vec![test])),
        }
    }
    let section = |(order, tests): (&str, Vec<&TestId>)| {
        let title = format!("differed in the order `{order}`, not explained yet");
        let mut lines: Vec<String> = tests.iter().take(SHOWN).map(ToString::to_string).collect();
        if tests.len() > SHOWN {
            lines.push(format!("and {} more, see --json", tests.len() - SHOWN));
        }
        (title, lines)
    };
    orders.into_iter().map(section).collect()
}

#[cfg(test)]
mod tests {
    use residue_detect::Algorithm;

    use super::*;

    #[test]
    fn an_order_is_told_once_and_of_many_tests_some() {
        let differing = |number: usize, order: &str| {
            let origin = Origin { algorithm: Algorithm::Reverse, order: order.into() };
            (TestId::parse(&format!("a.T#t{number}")).unwrap(), origin)
        };
        let mut unexplained: Vec<_> = (0..42).map(|test| differing(test, "reversed")).collect();
        unexplained.insert(1, differing(99, "random, seed 1"));
        let told = by_order(&unexplained);
        let titles: Vec<&str> = told.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "differed in the order `reversed`, not explained yet",
                "differed in the order `random, seed 1`, not explained yet"
            ]
        );
        assert_eq!(told[0].1[0], "a.T#t0");
        assert_eq!(told[0].1[40..], ["and 2 more, see --json"]);
        assert_eq!(told[1].1, ["a.T#t99"]);
    }
}

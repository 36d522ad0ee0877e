//! Tests that differed and that a detection had no time to explain.

use residue_detect::Unexplained;

use crate::style::{DIM, paint};
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
pub(crate) fn by_order(unexplained: &[Unexplained]) -> Vec<(String, Vec<String>)> {
    let mut orders: Vec<(&str, Vec<&Unexplained>)> = Vec::new();
    for one in unexplained {
        let order = one.found_by.order.as_str();
        match orders.iter_mut().find(|(known, _)| *known == order) {
            Some((_, tests)) => tests.push(one),
            None => orders.push((order, vec![one])),
        }
    }
    let section = |(order, tests): (&str, Vec<&Unexplained>)| {
        let title = format!("differed in the order `{order}`, not explained yet");
        let mut lines: Vec<String> = tests.iter().take(SHOWN).map(|one| line(one)).collect();
        if tests.len() > SHOWN {
            lines.push(format!("and {} more, see --json", tests.len() - SHOWN));
        }
        (title, lines)
    };
    orders.into_iter().map(section).collect()
}

fn line(Unexplained { test, in_default_order, outcome, .. }: &Unexplained) -> String {
    let (before, now) = (in_default_order.kind(), outcome.kind());
    let change = match before == now {
        true => format!("({} in another way)", now.as_str()),
        false => format!("({}, by default {})", now.as_str(), before.as_str()),
    };
    format!("{test} {}", paint(DIM, change))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use residue_detect::{Algorithm, Origin};
    use residue_model::{Outcome, TestId};

    use super::*;

    fn differing(number: usize, order: &str) -> Unexplained {
        Unexplained {
            test: TestId::parse(&format!("a.T#t{number}")).unwrap(),
            in_default_order: Outcome::Passed,
            outcome: Outcome::TimedOut(Duration::from_secs(9)),
            found_by: Origin { algorithm: Algorithm::Reverse, order: order.into() },
        }
    }

    fn told(unexplained: &[Unexplained]) -> Vec<(String, Vec<String>)> {
        let plain = |line: &String| anstream::adapter::strip_str(line).to_string();
        let told = by_order(unexplained).into_iter();
        told.map(|(title, lines)| (title, lines.iter().map(plain).collect())).collect()
    }

    #[test]
    fn an_order_is_told_once_and_of_many_tests_some() {
        let mut unexplained: Vec<_> = (0..42).map(|test| differing(test, "reversed")).collect();
        unexplained.insert(1, differing(99, "random, seed 1"));
        let told = told(&unexplained);
        let titles: Vec<&str> = told.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "differed in the order `reversed`, not explained yet",
                "differed in the order `random, seed 1`, not explained yet"
            ]
        );
        assert_eq!(told[0].1[0], "a.T#t0 (timed-out, by default passed)");
        assert_eq!(told[0].1[40..], ["and 2 more, see --json"]);
        assert_eq!(told[1].1, ["a.T#t99 (timed-out, by default passed)"]);
    }

    #[test]
    fn who_fails_in_either_order_fails_in_another_way() {
        let mut one = differing(1, "reversed");
        one.in_default_order = one.outcome.clone();
        assert_eq!(told(&[one])[0].1, ["a.T#t1 (timed-out in another way)"]);
    }
}

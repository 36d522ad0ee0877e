//! Who else flips the tests of findings, besides the partners they are proved with.

use residue_detect::Finding;
use residue_model::TestId;

use crate::detect_text::labelled;
use crate::style::{DIM, NAME, WARN, paint};
use crate::units::grouped;

/// Sets of tests told by name.
const SHOWN_SETS: usize = 10;

/// The others of all these findings, which have the same partners.
pub(crate) fn others_text(findings: &[&Finding]) -> String {
    let mut text = String::new();
    let others = others(findings);
    for (tests, flipped) in others.iter().take(SHOWN_SETS) {
        let of_how_many = match findings.len() {
            1 => String::new(),
            all => paint(DIM, format!(" ({flipped} of the {all})")),
        };
        for (place, (label, test)) in labelled("also", tests).enumerate() {
            let note = if place == 0 { of_how_many.as_str() } else { "" };
            text += &format!("   {label:12} {}{note}\n", paint(NAME, test));
        }
    }
    let hidden = others.len().saturating_sub(SHOWN_SETS);
    if hidden > 0 {
        text += &format!("   {:12} and {hidden} more, see --json\n", "");
    }
    let unnamed = findings.iter().filter(|finding| finding.others_unnamed).count();
    if unnamed > 0 {
        let who = match findings.len() {
            1 => "it".to_owned(),
            all if all == unnamed => "all of them".to_owned(),
            _ => format!("{} of them", grouped(unnamed)),
        };
        let note = format!("{who} also failed behind others; --all-polluters names them");
        text += &format!("   {:12} {}\n", "note", paint(WARN, note));
    }
    text
}

/// Each set of tests, and how many of the findings it flips, most first.
fn others<'a>(findings: &[&'a Finding]) -> Vec<(&'a [TestId], usize)> {
    let mut others: Vec<(&[TestId], usize)> = Vec::new();
    for set in findings.iter().flat_map(|finding| &finding.other_partners) {
        match others.iter_mut().find(|(tests, _)| *tests == set.tests) {
            Some((_, flipped)) => *flipped += 1,
            None => others.push((&set.tests, 1)),
        }
    }
    others.sort_by_key(|(_, flipped)| std::cmp::Reverse(*flipped));
    others
}

#[cfg(test)]
mod tests {
    use residue_detect::{Algorithm, Comparison, Origin, PartnerSet, Role, Witness};
    use residue_model::{Outcome, TestOrder};

    use super::*;

    fn id(test: &str) -> TestId {
        TestId::parse(test).unwrap()
    }

    fn set(tests: &[&str]) -> PartnerSet {
        PartnerSet {
            role: Role::Polluter,
            tests: tests.iter().map(|test| id(test)).collect(),
            together: witness(tests),
            minimal: true,
            fixture_artefact: false,
        }
    }

    fn witness(tests: &[&str]) -> Witness {
        let order = TestOrder::new(tests.iter().map(|test| id(test)).collect()).unwrap();
        Witness { order, outcome: Outcome::Passed, held: 3, runs: 3 }
    }

    fn finding(test: &str, others: &[&[&str]], others_unnamed: bool) -> Finding {
        Finding {
            test: id(test),
            role: Role::Victim,
            in_default_order: Outcome::Passed,
            alone: witness(&[test]),
            company: None,
            partners: set(&["a.P#p"]),
            other_partners: others.iter().map(|tests| set(tests)).collect(),
            others_unnamed,
            cleaners: Vec::new(),
            through: Vec::new(),
            comparison: Comparison::default(),
            found_by: Origin { algorithm: Algorithm::Reverse, order: "reversed".into() },
        }
    }

    fn lines(findings: &[&Finding]) -> Vec<String> {
        let text = anstream::adapter::strip_str(&others_text(findings)).to_string();
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn who_flips_most_comes_first_with_how_many() {
        let one = finding("a.V#one", &[&["a.R#r", "a.S#s"], &["a.Q#q"]], false);
        let two = finding("a.V#two", &[&["a.Q#q"]], true);
        assert_eq!(
            lines(&[&one, &two]),
            [
                "also         a.Q#q (2 of the 2)",
                "also         a.R#r (1 of the 2)",
                "a.S#s",
                "note         1 of them also failed behind others; --all-polluters names them",
            ]
        );
    }

    #[test]
    fn of_one_test_nothing_is_counted() {
        assert!(lines(&[&finding("a.V#v", &[], false)]).is_empty());
        assert_eq!(lines(&[&finding("a.V#v", &[&["a.Q#q"]], false)]), ["also         a.Q#q"]);
    }
}

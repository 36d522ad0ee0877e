//! A detection around a change: the change, what was known before it, and how
//! much was left out.

use std::collections::BTreeMap;

use residue_detect::Restriction;
use residue_model::TestId;

use crate::detect_report::SinceReport;
use crate::finding_groups::Numbered;
use crate::style::{DIM, HEADING, NAME, WARN, paint};
use crate::units::{count, grouped};

/// Reasons that are told; `residue select` tells them all.
const SHOWN_REASONS: usize = 5;
/// Findings of before that are told one by one.
const SHOWN_FINDINGS: usize = 20;

/// How many tests a change touches.
pub(crate) fn extent(since: &SinceReport<'_>) -> String {
    let all = count(since.tests.len(), "test");
    match since.touched.reasons.len() {
        0 => format!("none of {all}"),
        some if some == since.tests.len() => format!("all of {all}"),
        some => format!("{} of {all}", grouped(some)),
    }
}

/// What changed, and why tests count as touched.
pub(crate) fn change_text(since: &SinceReport<'_>) -> String {
    let mut text =
        format!("   {} changed since {}\n", count(since.changed, "file"), since.revision);
    if let Some(why) = since.touched.everything.first() {
        return text + &format!("   {} {why}\n", paint(WARN, "everything counts as touched:"));
    }
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for reason in since.touched.reasons.values() {
        *reasons.entry(reason.to_string()).or_default() += 1;
    }
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, tests)| std::cmp::Reverse(*tests));
    for (reason, tests) in reasons.iter().take(SHOWN_REASONS) {
        text += &format!("   {:12} {reason}\n", count(*tests, "test"));
    }
    if reasons.len() > SHOWN_REASONS {
        let hidden = count(reasons.len() - SHOWN_REASONS, "more reason");
        text += &paint(DIM, format!("   {:12} and {hidden}\n", ""));
    }
    text
}

/// What was decided before.
pub(crate) fn earlier_text(since: &SinceReport<'_>) -> String {
    section("decided before, unchanged", since.known)
        + &section("found before, decided again and not found now", since.gone)
}

fn section(title: &str, findings: &[Numbered]) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint(HEADING, title));
    for (id, finding) in findings.iter().take(SHOWN_FINDINGS) {
        let partners: Vec<&str> = finding.partners.tests.iter().map(TestId::as_str).collect();
        let partner = format!("({} {})", finding.partners.role.as_str(), partners.join(", "));
        text += &format!(
            "   {:12} {} {} {}\n",
            finding.role.as_str(),
            paint(NAME, format!("{id:4}")),
            finding.test,
            paint(DIM, partner)
        );
    }
    if findings.len() > SHOWN_FINDINGS {
        text += &format!("   {:12} and {} more\n", "", grouped(findings.len() - SHOWN_FINDINGS));
    }
    text
}

/// To what the detection was restricted.
pub(crate) fn restriction_text(restriction: &Restriction) -> String {
    let Restriction { touched, downstream, neighbours } = *restriction;
    format!(
        "   only what involves a touched test: {} touched, {} that read what those leave in \
         default order, {} that conflict with them in any\n",
        grouped(touched as usize),
        grouped(downstream as usize),
        grouped(neighbours as usize)
    )
}

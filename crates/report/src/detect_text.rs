//! A detection as text: who fails, after whom, in which minimal order, and how
//! to see it.

use residue_detect::{
    Company, Conflicts, Fate, Finding, RefinedEdge, Role, Share, TracedCoverage, Witness,
};
use residue_model::{OutcomeKind, TestId};
use residue_schedule::SharedWithRuns;

use crate::cause_text::{NOT_TRIED_AGAIN, failed_initialiser};
use crate::failing_text::failing_text;
use crate::finding_groups::{Group, groups};
use crate::others_text::others_text;
use crate::outcome_text::outcome_word;
use crate::reproduce::{residue_command, surefire_command};
use crate::run_text::{first_line, in_suite};
use crate::since_text::{change_text, earlier_text, extent, restriction_text};
use crate::style::{BAD, DIM, GOOD, HEADING, NAME, WARN, paint};
use crate::unexplained_text::{by_order, unexplained_headline};
use crate::units::{count, duration, grouped};
use crate::{CauseTally, DetectReport};

/// Dependent tests told one by one in a group.
const SHOWN_TESTS: usize = 40;
/// Files and ports told by name.
const SHOWN_SHARED: usize = 4;

/// What a detection found.
pub fn detect_text(report: &DetectReport<'_>) -> String {
    let mut text = headline(report);
    for (number, group) in groups(&report.findings).iter().enumerate() {
        text += &group_text(number + 1, group, report);
    }
    text += &doubtful(report);
    if let Some(since) = &report.since {
        text += &earlier_text(since);
    }
    text + &coverage(report)
}

fn headline(report: &DetectReport<'_>) -> String {
    let tests = count(report.tests.tests.len(), "test");
    let suite = in_suite(report.suite);
    let among = match &report.since {
        None => format!("among {tests}"),
        Some(since) => format!("where the change touches {}", extent(since)),
    };
    let unexplained = report.unexplained.len();
    let headline = match report.findings.len() {
        0 if unexplained > 0 => paint(WARN, format!("no order-dependent test confirmed {among}")),
        0 => paint(GOOD, format!("no order-dependent test found {among}")),
        found => format!("{} {among}", paint(BAD, count(found, "order-dependent test"))),
    };
    let change = report.since.as_ref().map(change_text).unwrap_or_default();
    let open = unexplained_headline(unexplained);
    let failing = failing_text(report.failing, report.tests.tests.len());
    let apart = report.findings.iter().filter(|(_, finding)| report.keeps_apart(finding));
    let apart = apart_text(apart.count(), report.findings.len());
    format!("{suite}{headline}{open}\n{failing}{apart}{change}")
}

/// What the build does not show as long as it is as it is.
fn apart_text(apart: usize, all: usize) -> String {
    let which = match (apart, all) {
        (0, _) => return String::new(),
        (1, 1) => "this one needs".into(),
        (apart, all) if apart == all => "these need".into(),
        (1, _) => format!("1 of the {} needs", grouped(all)),
        (apart, all) => format!("{} of the {} need", grouped(apart), grouped(all)),
    };
    let note = "tests of other classes before it; the build starts a JVM for each class, so it never shows that";
    let note = if apart == 1 { note.into() } else { note.replace("before it", "before them") };
    format!("   {}\n", paint(WARN, format!("{which} {note}")))
}

fn group_text(number: usize, group: &Group<'_>, report: &DetectReport<'_>) -> String {
    let mut text = format!("\n{}\n", paint(HEADING, format!("{number}. {}", group.title())));
    for (label, test) in labelled(group.partners.role.as_str(), &group.partners.tests) {
        text += &format!("   {label:12} {}\n", paint(NAME, test));
    }
    let hidden = group.members.len().saturating_sub(SHOWN_TESTS);
    for (position, (id, finding)) in group.members.iter().take(SHOWN_TESTS).enumerate() {
        let label = if position == 0 { group.label() } else { "" };
        let id = paint(NAME, format!("{id:4}"));
        text += &format!("   {label:12} {id} {}\n", finding.test);
    }
    if hidden > 0 {
        text += &format!("   {:12} and {hidden} more, see --json\n", "");
    }
    let findings: Vec<&Finding> = group.members.iter().map(|(_, finding)| finding).collect();
    text += &others_text(&findings);
    let (id, example) = group.example();
    if group.members.len() > 1 {
        text += &format!(
            "   {:12} {} {}\n",
            "for example",
            paint(NAME, format!("{id:4}")),
            example.test
        );
    }
    text += &example_text(id, example, report);
    text
}

pub(crate) fn labelled<'a>(
    label: &'a str,
    tests: &'a [TestId],
) -> impl Iterator<Item = (&'a str, &'a TestId)> {
    tests.iter().enumerate().map(move |(at, test)| (if at == 0 { label } else { "" }, test))
}

fn example_text(id: &str, finding: &Finding, report: &DetectReport<'_>) -> String {
    let partners = &finding.partners;
    let after = format!("after {}", if partners.tests.len() == 1 { "it" } else { "them" });
    let mut text = witness_text("alone", &finding.alone);
    text += &witness_text(&after, &partners.together);
    text += &company_text(finding);
    for cleaner in &finding.cleaners {
        for (label, test) in labelled(Role::Cleaner.as_str(), &cleaner.tests) {
            text += &format!("   {label:12} {}\n", paint(NAME, test));
        }
    }
    if finding.is_fixture_artefact() {
        let note = "only because a class is split and its fixture runs again (fixture artefact)";
        text += &format!("   {:12} {}\n", "note", paint(WARN, note));
    }
    if !partners.minimal {
        let note = "the order may not be minimal: the limit on runs was reached";
        text += &format!("   {:12} {}\n", "note", paint(WARN, note));
    }
    let order = &partners.together.order;
    let called_with = report.called_with;
    let cause = report.causes.get(id);
    for (label, line) in cause.into_iter().flat_map(|cause| cause.lines(finding)) {
        text += &format!("   {label:12} {line}\n");
    }
    if cause.is_none()
        && let Some(class) = failed_initialiser(finding)
    {
        let class = paint(HEADING, class);
        text += &format!("   {:12} {class}, {NOT_TRIED_AGAIN}\n", "through");
    }
    let explain = called_with.again(&format!("explain {id}"));
    let label = if cause.is_some() { "more" } else { "why" };
    text += &format!("   {label:12} {}\n", paint(NAME, explain));
    let mut commands = vec![
        called_with.again(&format!("replay {id}")),
        residue_command(order, report.restored, called_with),
    ];
    if report.surefire_takes_orders && !report.keeps_apart(finding) {
        commands.extend(surefire_command(order, report.tests, called_with));
    }
    for (position, command) in commands.iter().enumerate() {
        let label = if position == 0 { "reproduce" } else { "" };
        text += &format!("   {label:12} {}\n", paint(NAME, command));
    }
    text
}

/// Where both outcomes were seen to happen again, if in no run of their own.
pub(crate) fn company_text(finding: &Finding) -> String {
    let Some(Company { others, runs }) = finding.company else { return String::new() };
    let (others, role) = (count(others, "other"), finding.partners.role.as_str());
    let times = count(runs as usize, "time");
    let again = format!("{times} each, in one order with {others} of the same {role}");
    format!("   {:12} {}\n", "both again", paint(DIM, again))
}

pub(crate) fn witness_text(label: &str, witness: &Witness) -> String {
    let outcome = &witness.outcome;
    let word = outcome_word(outcome.kind());
    let Witness { held, runs, .. } = witness;
    let mut text = format!(
        "   {label:12} {word} {}\n",
        paint(DIM, format!("in {held} of {}", count(*runs as usize, "run")))
    );
    if !matches!(outcome.kind(), OutcomeKind::Passed | OutcomeKind::NotReached) {
        text += &format!("   {:12} {}\n", "", first_line(&outcome.headline()));
        let test = witness.order.tests().last();
        let site = test.and_then(|test| outcome.failure()?.site(test));
        if let Some(frame) = site {
            text += &paint(DIM, format!("   {:12} at {frame}\n", ""));
        }
    }
    text
}

/// What was seen but proves nothing.
fn doubtful(report: &DetectReport<'_>) -> String {
    let mut text = String::new();
    let mut section = |title: String, lines: Vec<String>| {
        if !lines.is_empty() {
            text += &format!("\n{}\n", paint(WARN, title));
            text.extend(lines.iter().map(|line| format!("   {line}\n")));
        }
    };
    let varying = report.varying.iter().map(|varying| {
        let words: Vec<_> = varying.outcomes.iter().map(|o| o.kind().as_str()).collect();
        format!("{} {}", varying.test, paint(DIM, format!("({})", words.join(", "))))
    });
    section("not deterministic in the default order, left out".into(), varying.collect());
    let unreproduced = report.unreproduced.iter().map(|doubt| {
        let Witness { held, runs, outcome, .. } = &doubt.witness;
        let rate = format!("({} in {held} of {runs} runs)", outcome.kind().as_str());
        format!("{} {}", doubt.test, paint(DIM, rate))
    });
    section("differed, but not again in the same order".into(), unreproduced.collect());
    for (title, tests) in by_order(&report.unexplained) {
        section(title, tests);
    }
    let perturbed = report.perturbed.iter().map(TestId::to_string);
    section("differ only when traced, so judged without".into(), perturbed.collect());
    text
}

fn coverage(report: &DetectReport<'_>) -> String {
    let coverage = &report.coverage;
    let percent = |share: Share| format!("{:.1}%", share.fraction() * 100.0);
    let mut text = format!(
        "\n{} {}, {} in {}; {}\n",
        paint(HEADING, "looked at"),
        count(coverage.runs as usize, "run"),
        count(coverage.test_executions as usize, "test execution"),
        duration(report.took),
        report.ended,
    );
    text += &format!(
        "   ordered pairs of tests seen: {} one after the other, {} directly\n",
        percent(coverage.pairs),
        percent(coverage.adjacent_pairs)
    );
    if let Some(restriction) = &coverage.restricted {
        text += &restriction_text(restriction);
    }
    if let Some(traced) = &coverage.traced {
        text += &traced_text(traced);
    }
    text += &refined_text(&report.refined);
    text += &causes_text(report);
    let stages = coverage
        .plan
        .iter()
        .filter(|stage| stage.planned > 0)
        .map(|stage| format!("{} {}/{}", stage.name, stage.done, stage.planned));
    text += &format!("   orders tried: {}\n", stages.collect::<Vec<_>>().join(", "));
    if !coverage.not_begun.is_empty() {
        text += &format!("   not begun: {}\n", coverage.not_begun.join(", "));
    }
    text += &footing_text(report);
    if report.could_go_on {
        text += "   the same command goes on from here";
        text += match report.unexplained.is_empty() {
            true => "\n",
            false => ", first with what is not explained yet\n",
        };
    }
    text
}

/// How runs were kept from each other, and why.
fn footing_text(report: &DetectReport<'_>) -> String {
    let SharedWithRuns { left, used } = report.shared;
    let how = match (report.restored, left.is_empty() && used.is_empty()) {
        (_, true) => return String::new(),
        (true, _) => "one order at a time, files put back after each",
        (false, _) => "one order at a time",
    };
    let names: Vec<&str> = left.iter().chain(used).map(String::as_str).collect();
    let shown = names[..names.len().min(SHOWN_SHARED)].join(", ");
    let more = match names.len().saturating_sub(SHOWN_SHARED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("   {how}: runs share {shown}{more}\n")
}

/// What traces spared and where they were of no use.
fn traced_text(traced: &TracedCoverage) -> String {
    let mut text = format!(
        "   found in shared state of what each test may find there: {:.1}% ({})\n",
        traced.sights.fraction() * 100.0,
        count(traced.runs as usize, "traced run"),
    );
    if let Some(Conflicts { decided, implied }) = traced.conflicts {
        text += &format!(
            "   conflicting pairs of tests decided: {} of {}, {implied} of them without a run\n",
            decided.covered, decided.of,
        );
    }
    if traced.unpredictable > 0 {
        let tests = count(traced.unpredictable as usize, "test");
        text += &format!("   outcome does not follow from what was traced: {tests}\n");
    }
    text
}

/// How many causes are known, where not all are.
fn causes_text(report: &DetectReport<'_>) -> String {
    let Some(CauseTally { proved, open, out_of_time, .. }) = report.cause_tally else {
        return String::new();
    };
    let mut text = format!("   causes: {proved} proved");
    match (open, out_of_time) {
        (0, 0) => return String::new(),
        (_, 0) => {}
        _ => text += &format!(", {out_of_time} not found before the budget was used up"),
    }
    if *open > 0 {
        text += &format!(", {open} not among what can be put back");
    }
    text + "\n"
}

/// PraDeT's result in one line.
fn refined_text(refined: &[RefinedEdge]) -> String {
    if refined.is_empty() {
        return String::new();
    }
    let of = |fate: Fate| refined.iter().filter(|edge| edge.fate == fate).count();
    let fates = [Fate::Manifest, Fate::Removed, Fate::Untestable, Fate::Open];
    let counted = fates.map(|fate| format!("{} {}", of(fate), fate.as_str()));
    let dependencies = if refined.len() == 1 { "dependency" } else { "dependencies" };
    format!("   {} data {dependencies} refined: {}\n", refined.len(), counted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_jvm_for_each_class_hides_is_counted() {
        let told = |apart, all| anstream::adapter::strip_str(&apart_text(apart, all)).to_string();
        let build = "the build starts a JVM for each class, so it never shows that\n";
        assert_eq!(told(0, 7), "");
        assert_eq!(
            told(1, 1),
            format!("   this one needs tests of other classes before it; {build}")
        );
        assert_eq!(
            told(2, 2),
            format!("   these need tests of other classes before them; {build}")
        );
        assert_eq!(
            told(5, 7),
            format!("   5 of the 7 need tests of other classes before them; {build}")
        );
    }
}

//! A finding with its cause: who flips whom, and through which state.

use residue_detect::{Finding, Role};
use residue_model::trace::{LocationId, LocationName, Trace};

use crate::cause_text::{
    NOT_TRIED_AGAIN, failed_initialiser, initialised_first_text, put_back_text,
};
use crate::detect_text::{company_text, labelled, witness_text};
use crate::others_text::others_text;
use crate::style::{DIM, GOOD, HEADING, NAME, WARN, paint};
use crate::told_flow::ToldFlow;
use crate::trace_frames::interesting;
use crate::units::count;
use crate::{Cause, ExplainReport, Suspect, Traced};

/// Locations told of each, unless all are wanted.
const LOCATIONS: usize = 5;

/// What a developer needs to know to fix it.
pub fn explain_text(report: &ExplainReport<'_>) -> String {
    let finding = report.finding;
    let partners = &finding.partners;
    let after = format!("after {}", if partners.tests.len() == 1 { "it" } else { "them" });
    let title = format!("{} {} {}", report.id, finding.role.as_str(), finding.test);
    let mut text = format!("{}\n", paint(HEADING, title));
    for (label, test) in labelled(partners.role.as_str(), &partners.tests) {
        text += &format!("   {label:12} {}\n", paint(NAME, test));
    }
    text += &others_text(&[finding]);
    text += &witness_text("alone", &finding.alone);
    text += &witness_text(&after, &partners.together);
    text += &company_text(finding);
    let (cause, others) = report.suspects();
    text += &match report.cause {
        Cause::Proved { held, runs, .. } => {
            proved(report, &cause, (*held, *runs)) + &beside_the_cause(report, &others)
        }
        Cause::Initialised { classes, held, runs } => {
            initialised(report, classes, (*held, *runs)) + &changed_meanwhile(report)
        }
        Cause::Open { put_back, refused } => {
            candidates(report, &others) + &not_proved(finding, *put_back, *refused)
        }
    };
    for (cleaners, traced) in &report.cleaned {
        text += &titled("what a cleaner resets", traced);
        for (label, test) in labelled(Role::Cleaner.as_str(), &cleaners.tests) {
            text += &format!("   {label:12} {}\n", paint(NAME, test));
        }
        text += &witness_text("in between", &cleaners.witness);
        text += &listed(report, traced, &report.reset_by(traced, &cleaners.tests));
    }
    text
}

fn initialised(
    report: &ExplainReport<'_>,
    classes: &[String],
    (held, runs): (usize, usize),
) -> String {
    let finding = report.finding;
    let (title, what) = match (classes.len(), finding.partners.role) {
        (1, Role::Polluter) => {
            ("the cause", "a class that keeps what it finds when it is initialised")
        }
        (1, _) => ("the cause", "a class that must be initialised while they run"),
        (_, Role::Polluter) => {
            ("the causes", "classes that keep what they find when they are initialised")
        }
        _ => ("the causes", "classes that must be initialised while they run"),
    };
    let proof = format!("{what}; {}", initialised_first_text(finding, (held, runs)));
    let mut text = format!("\n{}: {}\n", paint(HEADING, title), paint(GOOD, proof));
    text.extend(classes.iter().map(|class| format!("   {}\n", paint(HEADING, class))));
    text
}

/// Static fields and properties that partners change while they run, and may put
/// back: what an initialiser may have found.
fn changed_meanwhile(report: &ExplainReport<'_>) -> String {
    let trace = report.flipped.graph.trace();
    let mut text = String::new();
    let mut hidden = 0;
    for epoch in &trace.epochs {
        let test = &trace.order[epoch.test];
        if !report.finding.partners.tests.contains(test) {
            continue;
        }
        let globals = epoch.writes.iter().filter(|write| is_global(trace, write.location));
        for (number, write) in globals.enumerate() {
            if number >= LOCATIONS && !report.all {
                hidden += 1;
                continue;
            }
            let path = format!("{:#}", trace.path(write.location));
            text += &format!("   {}\n", paint(HEADING, path));
            let frames = write.stack.map(|stack| interesting(trace.frames_of(stack), test));
            for (place, frame) in frames.into_iter().flatten().enumerate() {
                let label = if place == 0 { "written at" } else { "" };
                text += &format!("      {label:<11} {}\n", paint(DIM, frame));
            }
        }
    }
    if text.is_empty() {
        return text;
    }
    if hidden > 0 {
        let note = format!("and {hidden} more ({})", telling_all(report));
        text += &format!("   {}\n", paint(DIM, note));
    }
    titled("what is changed meanwhile, for good or for a while", &report.flipped) + &text
}

fn is_global(trace: &Trace, location: LocationId) -> bool {
    matches!(
        trace.location(location).name,
        LocationName::StaticField { .. } | LocationName::SystemProperty { .. }
    )
}

fn proved(
    report: &ExplainReport<'_>,
    cause: &[Suspect<'_>],
    (held, runs): (usize, usize),
) -> String {
    let title = if cause.len() == 1 { "the cause" } else { "the causes" };
    let proof = put_back_text(report.finding, (held, runs));
    let trace = paint(DIM, format!("(trace of run {})", report.flipped.run));
    let mut text = format!("\n{}: {} {trace}\n", paint(HEADING, title), paint(GOOD, proof));
    text.extend(cause.iter().map(|suspect| told(report, &report.flipped, suspect)));
    text
}

fn beside_the_cause(report: &ExplainReport<'_>, others: &[Suspect<'_>]) -> String {
    if others.is_empty() {
        return String::new();
    }
    if report.all {
        let title = paint(HEADING, "what else it reads of them, which does not matter");
        return format!("\n{title}\n") + &listed(report, &report.flipped, others);
    }
    let note = format!(
        "what else it reads of {}, {}, does not matter ({})",
        if report.finding.partners.tests.len() == 1 { "it" } else { "them" },
        count(others.len(), "piece"),
        telling_all(report),
    );
    format!("   {}\n", paint(DIM, note))
}

/// All that may be the cause, the most suspicious first.
fn candidates(report: &ExplainReport<'_>, suspects: &[Suspect<'_>]) -> String {
    let leads = match report.finding.role {
        Role::Brittle => "what it needs, and who provides it",
        _ => "what it reads of them",
    };
    titled(leads, &report.flipped) + &listed(report, &report.flipped, suspects)
}

fn not_proved(finding: &Finding, put_back: usize, refused: usize) -> String {
    let all = match (put_back, refused) {
        (0, 0) => return String::new(),
        (0, _) => "none of these can be put back".to_owned(),
        (1, 0) => "with this put back before the test".to_owned(),
        (_, 0) => format!("with all {put_back} put back before the test"),
        _ => format!(
            "with {put_back} of them put back before the test, and {refused} that cannot be,"
        ),
    };
    let ends = match (put_back, finding.role) {
        (0, _) => ": which one is the cause was not tried",
        (_, Role::Victim) => " it still fails",
        _ => " it still ends as after them",
    };
    format!("   {}\n", paint(WARN, format!("{all}{ends}")))
}

fn titled(title: &str, traced: &Traced<'_>) -> String {
    let run = paint(DIM, format!("(trace of run {})", traced.run));
    format!("\n{} {run}\n", paint(HEADING, title))
}

fn listed(report: &ExplainReport<'_>, traced: &Traced<'_>, suspects: &[Suspect<'_>]) -> String {
    if suspects.is_empty() {
        if let Some(class) = failed_initialiser(report.finding) {
            return format!("   {}, {NOT_TRIED_AGAIN}\n", paint(HEADING, class));
        }
        let nothing = "nothing that a trace can see: look at classes that are initialised while \
                       they run, time, the network, or state that is ignored";
        let ignored = report.called_with.running("trace --explain-ignored");
        return format!("   {}\n", paint(WARN, format!("{nothing} ({ignored})")));
    }
    let most = if report.all { usize::MAX } else { LOCATIONS };
    let shown = suspects.iter().take(most);
    let mut text: String = shown.map(|suspect| told(report, traced, suspect)).collect();
    let hidden = suspects.len().saturating_sub(most);
    if hidden > 0 {
        let note = format!("and {hidden} more ({})", telling_all(report));
        text += &format!("   {}\n", paint(DIM, note));
    }
    text
}

fn telling_all(report: &ExplainReport<'_>) -> String {
    report.called_with.again(&format!("explain {} --all", report.id))
}

fn told(report: &ExplainReport<'_>, traced: &Traced<'_>, suspect: &Suspect<'_>) -> String {
    ToldFlow::of_suspect(suspect, traced.graph.trace(), &report.finding.test).text()
}

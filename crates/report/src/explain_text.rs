//! A finding with its cause: who flips whom, and through which state.

use std::collections::HashSet;

use residue_detect::{Finding, Role};
use residue_graph::{DependencyGraph, Flow};
use residue_model::TestId;
use residue_model::trace::{AccessPath, LocationId, LocationName, Trace};

use crate::CalledWith;
use crate::deps_text::flow_text;
use crate::detect_text::{company_text, labelled, witness_text};
use crate::style::{DIM, GOOD, HEADING, NAME, WARN, paint};
use crate::telling::suspects;
use crate::trace_frames::interesting;
use crate::units::count;

/// Locations told of each, unless all are wanted.
const LOCATIONS: usize = 5;

/// A finding and traces of its orders.
#[derive(Debug)]
pub struct ExplainReport<'a> {
    /// Its number in the store, as the user types it.
    pub id: &'a str,
    /// The finding.
    pub finding: &'a Finding,
    /// A trace of the dependent test after its partners.
    pub flipped: Traced<'a>,
    /// What the test found changed although it ended as it does alone.
    pub harmless: &'a HashSet<AccessPath>,
    /// What is known of the cause.
    pub cause: &'a Cause,
    /// Of each set of cleaners, a trace of the dependent test after partners
    /// and cleaners.
    pub cleaned: Vec<Traced<'a>>,
    /// Whether to tell of all locations.
    pub all: bool,
    /// How the program was called.
    pub called_with: &'a CalledWith,
}

/// A trace of an order that ends with the dependent test.
#[derive(Debug)]
pub struct Traced<'a> {
    /// Number of the run in the store, as the user types it.
    pub run: &'a str,
    /// Who depends on whom in it.
    pub graph: &'a DependencyGraph<'a>,
}

/// What came of putting locations back before the dependent test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// It then ended as it does alone.
    Proved {
        /// The fewest locations that do that.
        locations: Vec<LocationId>,
        /// In how many runs.
        held: usize,
        /// Of how many.
        runs: usize,
    },
    /// It did where these classes were initialised before the partners ran.
    Initialised {
        /// The fewest classes that do that.
        classes: Vec<String>,
        /// In how many runs.
        held: usize,
        /// Of how many.
        runs: usize,
    },
    /// It did not, whatever was put back.
    Open {
        /// Locations that were put back, together too.
        put_back: usize,
        /// Locations that could not be.
        refused: usize,
    },
}

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
    text += &witness_text("alone", &finding.alone);
    text += &witness_text(&after, &partners.together);
    text += &company_text(finding);
    let flows = suspects(report.flipped.graph, &finding.test, &partners.tests, report.harmless);
    text += &match report.cause {
        Cause::Proved { locations, held, runs } => {
            let (cause, others): (Vec<_>, Vec<_>) =
                flows.into_iter().partition(|flow| locations.contains(&flow.location));
            proved(report, &cause, (*held, *runs)) + &beside_the_cause(report, &others)
        }
        Cause::Initialised { classes, held, runs } => {
            initialised(report, classes, (*held, *runs)) + &changed_meanwhile(report)
        }
        Cause::Open { put_back, refused } => {
            candidates(report, &flows) + &not_proved(finding, *put_back, *refused)
        }
    };
    for (cleaners, traced) in finding.cleaners.iter().zip(&report.cleaned) {
        text += &cleaned(report, traced, &cleaners.tests);
    }
    text
}

fn ends_as_alone(finding: &Finding) -> &'static str {
    match finding.role {
        Role::Victim => "passes",
        Role::Brittle => "fails as it does alone",
        _ => "ends as it does alone",
    }
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
    let ends = ends_as_alone(finding);
    let runs = count(runs, "run");
    let proof =
        format!("{what}; if that happens first of all, the test {ends} in {held} of {runs}");
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
            let frames = write.stack.map(|stack| interesting(trace, stack, test));
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

fn proved(report: &ExplainReport<'_>, cause: &[Flow<'_>], (held, runs): (usize, usize)) -> String {
    let ends = ends_as_alone(report.finding);
    let title = if cause.len() == 1 { "the cause" } else { "the causes" };
    let proof = format!(
        "put back before the test, it {ends} in {held} of {} {}",
        count(runs, "run"),
        paint(DIM, format!("(trace of run {})", report.flipped.run)),
    );
    let mut text = format!("\n{}: {}\n", paint(HEADING, title), paint(GOOD, proof));
    for flow in cause {
        text += &told(report, &report.flipped, flow);
    }
    text
}

fn beside_the_cause(report: &ExplainReport<'_>, others: &[Flow<'_>]) -> String {
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
        count(others.len(), "location"),
        telling_all(report),
    );
    format!("   {}\n", paint(DIM, note))
}

/// All that may be the cause, the most suspicious first.
fn candidates(report: &ExplainReport<'_>, flows: &[Flow<'_>]) -> String {
    let leads = match report.finding.role {
        Role::Brittle => "what it needs, and who provides it",
        _ => "what it reads of them",
    };
    titled(leads, &report.flipped) + &listed(report, &report.flipped, flows)
}

fn not_proved(finding: &Finding, put_back: usize, refused: usize) -> String {
    let all = match (put_back, refused) {
        (0, 0) => return String::new(),
        (0, _) => "none of these can be put back".to_owned(),
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

/// The locations through which the dependent test sees what cleaners left: of
/// the cause alone, if they are among them.
fn cleaned(report: &ExplainReport<'_>, traced: &Traced<'_>, cleaners: &[TestId]) -> String {
    let mut flows = suspects(traced.graph, &report.finding.test, cleaners, report.harmless);
    if let Cause::Proved { locations, .. } = report.cause {
        let path = |location| report.flipped.graph.trace().path(location);
        let causes: HashSet<AccessPath> = locations.iter().map(|at| path(*at)).collect();
        let is_cause = |flow: &Flow<'_>| causes.contains(&traced.graph.trace().path(flow.location));
        if flows.iter().any(is_cause) {
            flows.retain(is_cause);
        }
    }
    titled("what a cleaner resets", traced) + &listed(report, traced, &flows)
}

fn titled(title: &str, traced: &Traced<'_>) -> String {
    let run = paint(DIM, format!("(trace of run {})", traced.run));
    format!("\n{} {run}\n", paint(HEADING, title))
}

fn listed(report: &ExplainReport<'_>, traced: &Traced<'_>, flows: &[Flow<'_>]) -> String {
    if flows.is_empty() {
        let nothing = "nothing that a trace can see: look at classes that are initialised while \
                       they run, time, the network, or state that is ignored";
        let ignored = report.called_with.running("trace --explain-ignored");
        return format!("   {}\n", paint(WARN, format!("{nothing} ({ignored})")));
    }
    let most = if report.all { usize::MAX } else { LOCATIONS };
    let mut text: String = flows.iter().take(most).map(|flow| told(report, traced, flow)).collect();
    let hidden = flows.len().saturating_sub(most);
    if hidden > 0 {
        let note = format!("and {hidden} more ({})", telling_all(report));
        text += &format!("   {}\n", paint(DIM, note));
    }
    text
}

fn telling_all(report: &ExplainReport<'_>) -> String {
    report.called_with.again(&format!("explain {} --all", report.id))
}

fn told(report: &ExplainReport<'_>, traced: &Traced<'_>, flow: &Flow<'_>) -> String {
    let trace = traced.graph.trace();
    flow_text(flow, trace, trace.test_of(flow.earlier.epoch), &report.finding.test)
}

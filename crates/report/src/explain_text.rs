//! A finding with its cause: who flips whom, and through which state.

use residue_detect::{Finding, Role};
use residue_graph::{DependencyGraph, DependencyKind};
use residue_model::TestId;

use crate::deps_text::dependency_text;
use crate::detect_text::{labelled, witness_text};
use crate::style::{DIM, HEADING, NAME, WARN, paint};

/// A finding and traces of its orders.
#[derive(Debug)]
pub struct ExplainReport<'a> {
    /// Its number in the store, as the user types it.
    pub id: &'a str,
    /// The finding.
    pub finding: &'a Finding,
    /// A trace of the dependent test after its partners.
    pub flipped: Traced<'a>,
    /// Of each set of cleaners, a trace of the dependent test after partners
    /// and cleaners.
    pub cleaned: Vec<Traced<'a>>,
}

/// A trace of an order that ends with the dependent test.
#[derive(Debug)]
pub struct Traced<'a> {
    /// Number of the run in the store, as the user types it.
    pub run: &'a str,
    /// Who depends on whom in it.
    pub graph: &'a DependencyGraph<'a>,
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
    let leads = match finding.role {
        Role::Brittle => "what it needs, and who provides it",
        _ => "what it reads of them",
    };
    text += &through(leads, &report.flipped, &finding.test, &partners.tests);
    for (cleaners, traced) in finding.cleaners.iter().zip(&report.cleaned) {
        text += &through("what a cleaner resets", traced, &finding.test, &cleaners.tests);
    }
    text
}

/// The locations through which the dependent test sees what `writers` left.
fn through(title: &str, traced: &Traced<'_>, test: &TestId, writers: &[TestId]) -> String {
    let run = paint(DIM, format!("(trace of run {})", traced.run));
    let mut text = format!("\n{} {run}\n", paint(HEADING, title));
    let position = traced.graph.position(test);
    let seen = position
        .into_iter()
        .flat_map(|test| traced.graph.depends_on(DependencyKind::ReadAfterWrite, test));
    let of_writers = |earlier: usize| writers.contains(traced.graph.test(earlier));
    let flows: Vec<_> = seen.filter(|dependency| of_writers(dependency.earlier())).collect();
    for (number, dependency) in flows.iter().enumerate() {
        text += &dependency_text(number + 1, *dependency, traced.graph);
    }
    if flows.is_empty() {
        let nothing = "nothing that a trace can see: look at files, the network, time, or state \
                       that is ignored (residue trace --explain-ignored)";
        text += &format!("   {}\n", paint(WARN, nothing));
    }
    text
}

//! The cause of a finding, told without the traces that showed it.

use residue_detect::{Finding, Role};
use serde::Serialize;

use crate::cause_text::{initialised_first_text, put_back_text};
use crate::style::{GOOD, HEADING, paint};
use crate::told_flow::ToldFlow;
use crate::{Cause, ExplainReport};

/// What runs proved to be the cause of a finding.
#[derive(Debug, Clone, Serialize)]
pub struct ProvedCause {
    proof: Proof,
    held: usize,
    runs: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    state: Vec<ToldFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    classes: Vec<String>,
}

/// What was done for the test to end as it does alone.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Proof {
    /// The state was put back just before it.
    PutBack,
    /// The classes were initialised before the first test.
    InitialisedFirst,
}

/// What came of looking for causes.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CauseTally {
    /// Findings whose cause is proved.
    pub proved: usize,
    /// Findings of which nothing that can be put back is the cause.
    pub open: usize,
    /// Findings for which there was no time.
    pub out_of_time: usize,
    /// Runs this took, stored ones counted.
    pub runs: u64,
    /// Tests that ran in them.
    pub test_executions: u64,
}

impl ProvedCause {
    /// Nothing if none is proved.
    pub fn of(report: &ExplainReport<'_>) -> Option<Self> {
        let trace = report.flipped.graph.trace();
        let told = |suspect| ToldFlow::of_suspect(suspect, trace, &report.finding.test);
        match report.cause {
            Cause::Proved { held, runs, .. } => Some(Self {
                proof: Proof::PutBack,
                held: *held,
                runs: *runs,
                state: report.suspects().0.iter().map(told).collect(),
                classes: Vec::new(),
            }),
            Cause::Initialised { classes, held, runs } => Some(Self {
                proof: Proof::InitialisedFirst,
                held: *held,
                runs: *runs,
                state: Vec::new(),
                classes: classes.clone(),
            }),
            Cause::Open { .. } => None,
        }
    }

    /// Lines with a word in front of each, which may be empty.
    pub(crate) fn lines(&self, finding: &Finding) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        for flow in &self.state {
            lines.push(("through", paint(HEADING, &flow.path)));
            lines.extend(flow.lines());
        }
        for class in &self.classes {
            let class = paint(HEADING, class);
            lines.push(("through", format!("{class}, {}", role_of_class(finding))));
        }
        let rate = (self.held, self.runs);
        let proof = match self.proof {
            Proof::PutBack => put_back_text(finding, rate),
            Proof::InitialisedFirst => initialised_first_text(finding, rate),
        };
        lines.push(("proof", paint(GOOD, proof)));
        lines
    }
}

/// How a class comes to be the cause.
fn role_of_class(finding: &Finding) -> &'static str {
    match finding.partners.role {
        Role::Polluter => "which keeps what it finds when it is initialised",
        _ => "which must be initialised while they run",
    }
}

//! All that was found out about a finding.

use std::collections::HashSet;

use residue_detect::{CleanerSet, Finding};
use residue_graph::DependencyGraph;
use residue_lab::Traced;
use residue_model::trace::AccessPath;
use residue_report::{CalledWith, Cause, ExplainReport};

use super::{Inquiry, Unanswered};

/// The cause of a finding, with what tells how it comes about.
pub struct Explained {
    flipped: Traced,
    harmless: HashSet<AccessPath>,
    pub cause: Cause,
    cleaned: Vec<(CleanerSet, Traced)>,
}

impl Inquiry<'_, '_> {
    /// Looks for the cause of the finding.
    pub fn explain(&mut self) -> Result<Explained, Unanswered> {
        let flipped = self.trace(&self.finding.partners.together.order)?;
        let harmless = self.harmless()?;
        let cause = self.find(&flipped, &harmless)?;
        Ok(Explained { flipped, harmless, cause, cleaned: Vec::new() })
    }

    /// The same, and what cleaners reset.
    pub fn explain_with_cleaners(&mut self) -> Result<Explained, Unanswered> {
        let mut explained = self.explain()?;
        for cleaners in self.cleaners(&explained.cause)? {
            let traced = self.trace(&cleaners.witness.order)?;
            explained.cleaned.push((cleaners, traced));
        }
        Ok(explained)
    }
}

impl Explained {
    /// Tells it to somebody; `all` says whether all locations are wanted.
    pub fn told<T>(
        &self,
        (id, finding): (&str, &Finding),
        all: bool,
        called_with: &CalledWith,
        tell: impl FnOnce(&ExplainReport<'_>) -> T,
    ) -> T {
        let Self { flipped, harmless, cause, cleaned } = self;
        let cleaned_traces = cleaned.iter().map(|(_, traced)| traced);
        let traces: Vec<&Traced> = [flipped].into_iter().chain(cleaned_traces).collect();
        let runs: Vec<String> = traces.iter().map(|traced| traced.run.to_string()).collect();
        let graphs: Vec<_> =
            traces.iter().map(|traced| DependencyGraph::new(&traced.trace)).collect();
        let traced = |at: usize| residue_report::Traced { run: &runs[at], graph: &graphs[at] };
        tell(&ExplainReport {
            id,
            finding,
            flipped: traced(0),
            harmless,
            cause,
            cleaned: cleaned.iter().map(|(set, _)| set).zip((1..).map(traced)).collect(),
            all,
            called_with,
        })
    }
}

//! The tests of a suite that a change leaves to be run.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use residue_change::Touched;
use residue_detect::Reference;
use residue_graph::DependencyGraph;
use residue_model::TestId;
use residue_report::{Compared, Respected, SelectReport};
use residue_schedule::{Traced, Why, Workload, data_needs, select};
use residue_store::SuiteKey;

use crate::args::{KeepArg, SelectArgs, SelectFormatArg};
use crate::changes::{Basis, Since, Touching};
use crate::error::CliError;
use crate::plan::{complete, manifests, medians};
use crate::printer::Printer;
use crate::workbench::Workbench;

/// What is to be run of one suite.
pub struct Selection {
    pub number: usize,
    pub suite: String,
    /// In default order.
    pub tests: Vec<TestId>,
    pub selected: BTreeMap<usize, Why>,
    /// What the default order came to in the state of the basis.
    pub reference: Reference,
    pub reference_runs: Vec<String>,
    pub basis_is_current: bool,
    touched: Touched,
    changed: Vec<(String, &'static str)>,
    since: Option<String>,
    durations: Vec<Duration>,
    basis: String,
    respected: Respected,
}

impl Selection {
    pub fn of(
        args: &SelectArgs,
        workbench: &mut Workbench,
        number: usize,
        since: Option<&Since>,
        printer: &mut Printer,
    ) -> Result<Self, CliError> {
        let basis = Basis::newest(workbench, number, &args.exec, printer)?;
        let open = &workbench.suites[number];
        let (now, suite) = (open.key, open.spec.name.clone());
        let tests = open.suite.default_order()?.tests().to_vec();
        let Touching { touched, changed } = Touching::of(workbench, number, &tests, &basis, since)?;
        let runs = complete(workbench.runs_of_default_order(basis.key)?);
        let durations = medians(&tests, &runs);
        let graph = DependencyGraph::new(&basis.traced.trace);
        let mut needs = Needs::new(&tests, &graph, durations.clone());
        if args.respect == KeepArg::All {
            needs.add_data();
        }
        let states = BTreeSet::from([basis.key, now]);
        let findings = needs.add_findings(workbench, states)?;
        if matches!(args.format, SelectFormatArg::Surefire | SelectFormatArg::Gradle) {
            needs.workload.keep_together(|test| (tests[test].class(), tests[test].method()));
        }
        let wanted = touched.reasons.keys().copied().collect();
        Ok(Self {
            selected: select(&needs.workload, &wanted),
            reference: Reference::of(runs.iter().map(|(_, record)| record)),
            reference_runs: runs.iter().map(|(run, _)| run.to_string()).collect(),
            basis_is_current: basis.is_current,
            since: since.map(|since| since.revision.clone()),
            basis: basis.traced.run.to_string(),
            respected: match args.respect {
                KeepArg::All => Respected::All { findings },
                KeepArg::Manifest => Respected::Manifest { findings },
            },
            number,
            suite,
            tests,
            touched,
            changed,
            durations,
        })
    }

    pub fn report(&self) -> SelectReport<'_> {
        SelectReport {
            suite: &self.suite,
            compared: match &self.since {
                Some(revision) => Compared::Revision(revision),
                None => Compared::Basis,
            },
            changed: self.changed.clone(),
            tests: &self.tests,
            touched: &self.touched,
            selected: &self.selected,
            durations: &self.durations,
            basis: &self.basis,
            basis_is_current: self.basis_is_current,
            respected: self.respected,
        }
    }
}

/// What tests need, by their positions now, as a run of older code tells it.
struct Needs<'a> {
    workload: Workload,
    graph: &'a DependencyGraph<'a>,
    positions: HashMap<&'a TestId, usize>,
}

impl<'a> Needs<'a> {
    fn new(tests: &'a [TestId], graph: &'a DependencyGraph<'a>, durations: Vec<Duration>) -> Self {
        let positions = tests.iter().enumerate().map(|(position, test)| (test, position));
        Self { workload: Workload::new(durations), graph, positions: positions.collect() }
    }

    /// Where a test of the traced run stands now, if it is still there.
    fn now(&self, traced: usize) -> Option<usize> {
        self.positions.get(self.graph.test(traced)).copied()
    }

    fn add_data(&mut self) {
        for (test, needs) in data_needs(self.graph).into_iter().enumerate() {
            self.require(test, needs);
        }
    }

    /// A test may stand elsewhere now; what comes behind it cannot be needed.
    fn require(&mut self, test: usize, needs: impl IntoIterator<Item = usize>) {
        let Some(test) = self.now(test) else { return };
        let needs: Vec<usize> =
            needs.into_iter().filter_map(|n| self.now(n)).filter(|needed| *needed < test).collect();
        self.workload.require(test, needs);
    }

    /// Says how many findings bind tests.
    fn add_findings(
        &mut self,
        workbench: &Workbench,
        states: BTreeSet<SuiteKey>,
    ) -> Result<usize, CliError> {
        let graph = self.graph;
        let traced = Traced::new(graph);
        let mut count = 0;
        for state in states {
            // Findings speak of tests that the traced run has too.
            for manifest in manifests(&workbench.store, state, &|test| graph.position(test))? {
                self.require(manifest.test, manifest.needs(Some(&traced)));
                count += 1;
            }
        }
        Ok(count)
    }
}
